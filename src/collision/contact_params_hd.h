#pragma once
// Parameters of a contact: those of its explicit pair, or mixed from its two geoms; and its frame.
//
// Equal priority: condim, friction and friction_law are the larger ones, solimp and solref a mean weighted by solmix
// (solref: the smaller numbers as soon as one geom has a direct, that is negative one), adhesion the sum. Else the geom
// of higher priority decides alone. Margin and gap always add up. The flag override replaces margin, solref, solimp and
// friction.

#include "collision/contact_point_hd.h"
#include "math/field_values.h"
#include "pliant/contact.h"
#include "pliant/model.h"

namespace pliant {

/// Friction below this is raised to it; the reference's value.
inline constexpr double kMinMu = 1e-5;

/// The scalar of a Model.
template <class M>
using RealOf = ScalarOf<decltype(M::geom_margin)>;

template <class M>
PLIANT_HD RealOf<M> pair_margin(const M& m, int geom1, int geom2, int pair) {
  if (m.opt.enableflags & kEnableOverride) return m.opt.o_margin;
  return pair >= 0 ? m.pair_margin[pair] : m.geom_margin[geom1] + m.geom_margin[geom2];
}
template <class M>
PLIANT_HD RealOf<M> pair_gap(const M& m, int geom1, int geom2, int pair) {
  return pair >= 0 ? m.pair_gap[pair] : m.geom_gap[geom1] + m.geom_gap[geom2];
}

/// Share of the first geom where solref and solimp are averaged.
template <class R>
PLIANT_HD R mix_share(R solmix1, R solmix2) {
  const bool counts1 = solmix1 >= R(kTiny), counts2 = solmix2 >= R(kTiny);
  if (counts1 && counts2) return solmix1 / (solmix1 + solmix2);
  if (counts1 == counts2) return R(0.5);
  return counts1 ? 1 : 0;
}

// The smaller and the larger of two numbers; NaN if one is: what is not a number must be noticed, not chosen away.
template <class R>
PLIANT_HD R smaller_or_nan(R a, R b) {
  return a < b ? a : b <= a ? b : a + b;
}
template <class R>
PLIANT_HD R larger_or_nan(R a, R b) {
  return a > b ? a : b >= a ? b : a + b;
}

/// What geoms of equal priority agree on.
template <class M, class R>
PLIANT_HD void mix_geoms(const M& m, int geom1, int geom2, ContactT<R>& c) {
  const R mix = mix_share<R>(m.geom_solmix[geom1], m.geom_solmix[geom2]);
  const auto ref1 = m.geom_solref + kNumRef * geom1, ref2 = m.geom_solref + kNumRef * geom2;
  const bool standard = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < kNumRef; ++i) {
    c.solref[i] = standard ? mix * ref1[i] + (1 - mix) * ref2[i] : smaller_or_nan(ref1[i], ref2[i]);
  }
  const auto imp1 = m.geom_solimp + kNumImp * geom1, imp2 = m.geom_solimp + kNumImp * geom2;
  for (int i = 0; i < kNumImp; ++i) c.solimp[i] = mix * imp1[i] + (1 - mix) * imp2[i];
  constexpr int kPlace[5] = {0, 0, 1, 2, 2};
  for (int i = 0; i < 5; ++i) {
    const R mu1 = m.geom_friction[3 * geom1 + kPlace[i]], mu2 = m.geom_friction[3 * geom2 + kPlace[i]];
    c.friction[i] = larger_or_nan(mu1, mu2);
  }
  c.adhesion = m.geom_adhesion[geom1] + m.geom_adhesion[geom2];
}

/// What one geom says.
template <class M, class R>
PLIANT_HD void take_geom(const M& m, int geom, ContactT<R>& c) {
  for (int i = 0; i < kNumRef; ++i) c.solref[i] = m.geom_solref[kNumRef * geom + i];
  for (int i = 0; i < kNumImp; ++i) c.solimp[i] = m.geom_solimp[kNumImp * geom + i];
  constexpr int kPlace[5] = {0, 0, 1, 2, 2};
  for (int i = 0; i < 5; ++i) c.friction[i] = m.geom_friction[3 * geom + kPlace[i]];
  c.adhesion = m.geom_adhesion[geom];
}

/// What an explicit pair says.
template <class M, class R>
PLIANT_HD void take_pair(const M& m, int pair, ContactT<R>& c) {
  for (int i = 0; i < kNumRef; ++i) c.solref[i] = m.pair_solref[kNumRef * pair + i];
  for (int i = 0; i < kNumRef; ++i) c.solreffriction[i] = m.pair_solreffriction[kNumRef * pair + i];
  for (int i = 0; i < kNumImp; ++i) c.solimp[i] = m.pair_solimp[kNumImp * pair + i];
  for (int i = 0; i < 5; ++i) c.friction[i] = m.pair_friction[5 * pair + i];
  c.adhesion = m.pair_adhesion[pair];
}

/// Directions in which the contacts of a pair push.
template <class M>
PLIANT_HD int contact_dimension(const M& m, int geom1, int geom2, int pair) {
  if (pair >= 0) return m.pair_dim[pair];
  const int higher = m.geom_priority[geom1] - m.geom_priority[geom2];
  if (higher != 0) return m.geom_condim[higher > 0 ? geom1 : geom2];
  return m.geom_condim[geom1] > m.geom_condim[geom2] ? m.geom_condim[geom1] : m.geom_condim[geom2];
}

/// Whether the friction of a pair is anchored: what the pair says, the geom of higher priority, or both geoms; where
/// they say nothing the option's.
template <class M>
PLIANT_HD int is_anchored(const M& m, int geom1, int geom2, int pair) {
  int law = 0;
  if (pair >= 0) {
    law = m.pair_frictionlaw[pair];
  } else {
    const int law1 = m.geom_frictionlaw[geom1], law2 = m.geom_frictionlaw[geom2];
    const int higher = m.geom_priority[geom1] - m.geom_priority[geom2];
    law = higher > 0 || (higher == 0 && law1 > law2) ? law1 : law2;
  }
  if (law == static_cast<int>(OwnFrictionLaw::kOption)) return m.opt.friction == FrictionLaw::kAnchored;
  return law == static_cast<int>(OwnFrictionLaw::kAnchored);
}

/// Everything about a contact that does not depend on where it is. Returns how many frictions had to be raised.
template <class M, class R>
PLIANT_HD int set_parameters(const M& m, int geom1, int geom2, int pair, ContactT<R>& c) {
  c.geom[0] = geom1, c.geom[1] = geom2;
  c.pair = pair;
  c.row = -1;
  c.mu = 0;
  for (R& v : c.surfacevel) v = 0;
  for (R& v : c.slip) v = 0;
  c.includemargin = pair_margin(m, geom1, geom2, pair);
  c.dim = contact_dimension(m, geom1, geom2, pair);
  c.anchored = is_anchored(m, geom1, geom2, pair);
  for (int i = 0; i < kNumRef; ++i) c.solreffriction[i] = 0;
  const int higher = pair >= 0 ? 0 : m.geom_priority[geom1] - m.geom_priority[geom2];
  if (pair >= 0) {
    take_pair(m, pair, c);
  } else if (higher == 0) {
    mix_geoms(m, geom1, geom2, c);
  } else {
    take_geom(m, higher > 0 ? geom1 : geom2, c);
  }
  if (m.opt.enableflags & kEnableOverride) {
    for (int i = 0; i < kNumRef; ++i) c.solref[i] = c.solreffriction[i] = m.opt.o_solref[i];
    for (int i = 0; i < kNumImp; ++i) c.solimp[i] = m.opt.o_solimp[i];
    for (int i = 0; i < 5; ++i) c.friction[i] = m.opt.o_friction[i];
  }
  int raised = 0;
  for (int i = 0; i < 5; ++i) {
    if (!(c.friction[i] < R(kMinMu))) continue;
    c.friction[i] = R(kMinMu);
    // only coefficients in use count
    raised += i + 1 < c.dim;
  }
  return raised;
}

/// Its directions.
template <class R>
PLIANT_HD void set_frame(const ContactPointT<R>& point, ContactT<R>& c) {
  const Vec3T<R> x = point.normal;
  // first tangent: the pair's, or a world axis that is far from the normal; made orthogonal to it
  Vec3T<R> y = point.tangent;
  if (dot(y, y) < R(0.25)) y = std::abs(x.y) < R(0.5) ? Vec3T<R>{0, 1, 0} : Vec3T<R>{0, 0, 1};
  y = normalized(fused(-dot(x, y), x, y));
  const Vec3T<R> z = cross(x, y);
  for (int k = 0; k < 3; ++k) {
    c.frame[k] = x[k];
    c.frame[3 + k] = y[k];
    c.frame[6 + k] = z[k];
  }
}

/// Velocity of a geom's surface at a point, relative to the geom: [angular, linear], world axes.
template <class M, class D, class R>
PLIANT_HD SpatialT<R> surface_velocity(const M& m, const D& d, int geom, Vec3T<R> point) {
  const Mat3T<R> axes = mat3(d.geom_xmat, geom);
  const Vec3T<R> lin = axes * vec3(m.geom_surfacevel, 2 * geom), ang = axes * vec3(m.geom_surfacevel, 2 * geom + 1);
  return {ang, lin + cross(ang, point - vec3(d.geom_xpos, geom))};
}

/// Whether the surface of one of two geoms moves by itself.
template <class M>
PLIANT_HD bool surfaces_move(const M& m, int geom1, int geom2) {
  bool moves = false;
  for (int k = 0; k < 6; ++k) {
    moves = moves || m.geom_surfacevel[6 * geom1 + k] != 0 || m.geom_surfacevel[6 * geom2 + k] != 0;
  }
  return moves;
}

/// How the surfaces of a contact slide and spin by themselves, the second against the first.
template <class M, class D, class R>
PLIANT_HD_FREE void set_surface_velocity(const M& m, const D& d, ContactT<R>& c) {
  const Vec3T<R> point{c.pos[0], c.pos[1], c.pos[2]};
  const SpatialT<R> v = surface_velocity(m, d, c.geom[1], point) - surface_velocity(m, d, c.geom[0], point);
  const auto axis = [&](int k) { return Vec3T<R>{c.frame[3 * k], c.frame[3 * k + 1], c.frame[3 * k + 2]}; };
  c.surfacevel[0] = dot(axis(1), v.lin);
  c.surfacevel[1] = dot(axis(2), v.lin);
  c.surfacevel[2] = dot(axis(0), v.ang);
}

/// Whether two points have the same directions.
template <class R>
PLIANT_HD bool same_frame(const ContactPointT<R>& a, const ContactPointT<R>& b) {
  const auto same = [](Vec3T<R> u, Vec3T<R> v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
  return same(a.normal, b.normal) && same(a.tangent, b.tangent);
}

/// Where it is. A contact that is in its gap has no rows, unless it is adhesive: then it pulls along the normal only.
template <class R>
PLIANT_HD void set_place(const ContactPointT<R>& point, ContactT<R>& c) {
  c.dist = point.dist;
  for (int k = 0; k < 3; ++k) c.pos[k] = point.pos[k];
  const bool in_gap = !(c.dist < c.includemargin);
  c.exclude = in_gap && c.adhesion == 0 ? ContactExclude::kInGap : ContactExclude::kNone;
  if (in_gap && c.adhesion != 0) c.dim = 1;
}

}  // namespace pliant
