#pragma once
// How fast geoms move in the coming step, which pairs are so fast that they are followed (speculative_hd.h), and how
// far a solver that takes the step in parts has to look ahead.

#include <cmath>
#include <limits>

#include "base/team.h"
#include "collision/contact_params_hd.h"
#include "model/position_lead.h"
#include "state/collision_memory.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

// bounds of rows, as in constraint/impedance_hd.h
inline constexpr double kLeastImpedance = 1e-4, kMostImpedance = 0.9999;

template <class R>
PLIANT_HD R lesser(R a, R b) {
  return b < a ? b : a;
}
template <class R>
PLIANT_HD R greater(R a, R b) {
  return a < b ? b : a;
}
template <class R>
PLIANT_HD R within(R x, R low, R high) {
  return x < low ? low : high < x ? high : x;
}

template <class M>
PLIANT_HD bool is_plane(const M& m, int geom) {
  return m.geom_type[geom] == static_cast<int>(GeomType::kPlane);
}

/// Sphere to mesh: all that has a support function.
template <class M>
PLIANT_HD bool is_convex(const M& m, int geom) {
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  return type >= GeomType::kSphere && type <= GeomType::kMesh;
}

template <class M>
PLIANT_HD bool is_exact(const M& m) {
  return (m.opt.enableflags & kEnableSpeculativeExact) != 0;
}

/// Half of how thick the box around a geom is.
template <class M>
PLIANT_HD auto thickness(const M& m, int geom) {
  const auto half = vec3(m.geom_aabb, 2 * geom + 1);
  return lesser(lesser(half.x, half.y), half.z);
}

/// Of the thinner of two; planes do not count.
template <class M>
PLIANT_HD RealOf<M> pair_thickness(const M& m, int geom1, int geom2) {
  constexpr RealOf<M> kNone = std::numeric_limits<RealOf<M>>::infinity();
  const RealOf<M> thin1 = is_convex(m, geom1) ? thickness(m, geom1) : kNone;
  return lesser(thin1, is_convex(m, geom2) ? thickness(m, geom2) : kNone);
}

// ---- rows ---------------------------------------------------------------------------------------

/// h b and h² k of a row whose impedance is the largest.
template <class R>
struct StepLaw {
  R damping, stiffness;
};

/// Of a contact's solref, at impedance solimp[1].
template <class O, class R>
PLIANT_HD StepLaw<R> step_law(const O& o, const ContactT<R>& c) {
  constexpr double kUsualTime = kDefaultSolref[0], kUsualRatio = kDefaultSolref[1];
  R timeconst = c.solref[0], ratio = c.solref[1];
  if ((timeconst > 0) != (ratio > 0)) timeconst = R(kUsualTime), ratio = R(kUsualRatio);
  const R h = o.timestep;
  if (!(timeconst > 0)) return {-h * ratio, -h * h * timeconst};
  const bool discrete = o.integrator == Integrator::kDiscrete, safe = !(o.disableflags & kDisableRefSafe);
  const R tau = safe && !discrete ? greater(timeconst, 2 * h) : greater(timeconst, R(kTiny));
  const R zeta = greater(ratio, R(kTiny));
  StepLaw<R> law{2 * h / tau, h * h / greater(R(kTiny), tau * tau * zeta * zeta)};
  const R most = within(c.solimp[1], R(kLeastImpedance), R(kMostImpedance));
  if (discrete && safe && law.stiffness > most) {
    // the row that refsafe puts in place of it
    const R room = (1 - most) * R(kMostImpedance) / greater(R(kTiny), most * (1 - R(kMostImpedance))) - 2;
    law.damping = lesser(law.damping / std::sqrt(law.stiffness / most), most * greater(R(0), room));
    law.stiffness = most;
  }
  return law;
}

/// The distance with which a row takes away 1 - t of the approach w (metres per step), by the reference's rule.
template <class O, class R>
PLIANT_HD R row_distance(const O& o, const ContactT<R>& c, R t, R w) {
  const StepLaw<R> law = step_law(o, c);
  R depth = greater(c.solimp[2], R(kLeastImpedance));  // a row without a spring
  if (o.timestep > 0 && law.stiffness > R(kTiny)) {
    const bool discrete = o.integrator == Integrator::kDiscrete;
    const R lost = discrete ? t * (law.damping + law.stiffness) : law.damping;
    depth = (1 - t - lost) / law.stiffness * w;
  }
  return c.includemargin - depth;
}

/// Flag speculative_exact: a row of its own that asks for the approach t w after the step, whatever it was before. Its
/// impedance is the largest there is; what that leaves of the approach is part of the distance. (TGS moves distances
/// along: there the row lets the pair go on until they touch, and then stops it.)
template <class R>
struct OwnLaw {
  R stiffness, damping;  // h² K d and h B
  R solref[kNumRef], solimp[kNumImp];
};
template <class R, class O>
PLIANT_HD OwnLaw<R> own_law(const O& o) {
  constexpr double kWidth = kDefaultSolimp[2], kMidpoint = kDefaultSolimp[3], kPower = kDefaultSolimp[4];
  // discrete: v⁺ = (v - stiffness dist / h) / (1 + damping + stiffness), stiff enough for v to be forgotten
  const bool discrete = o.integrator == Integrator::kDiscrete;
  const R d = R(kMostImpedance), h = R(solver_timestep(o)), stiffness = discrete ? R(1e4) : R(1),
          damping = discrete ? R(0) : R(1);
  // direct numbers: -K d² and -B d
  return {stiffness, damping, {-stiffness * d / (h * h), -damping * d / h}, {d, d, R(kWidth), R(kMidpoint), R(kPower)}};
}
/// The distance such a row needs.
template <class O, class R>
PLIANT_HD R own_distance(const O& o, R t, R w) {
  const R d = R(kMostImpedance), aim = (t - (1 - d)) / d * w, stiffness = own_law<R>(o).stiffness;
  return o.integrator == Integrator::kDiscrete ? ((1 + stiffness) * aim - w) / stiffness : aim;
}
template <class M, class R>
PLIANT_HD void use_own_law(const M& m, ContactT<R>& c) {
  const OwnLaw<R> law = own_law<R>(m.opt);
  for (int i = 0; i < kNumRef; ++i) c.solref[i] = law.solref[i];
  for (int i = 0; i < kNumImp; ++i) c.solimp[i] = law.solimp[i];
}

/// Whether a contact has such a row, which nobody else writes.
template <class M, class R>
PLIANT_HD bool has_own_law(const M& m, const ContactT<R>& c) {
  if (!is_exact(m) || c.exclude != ContactExclude::kNone) return false;
  const OwnLaw<R> law = own_law<R>(m.opt);
  bool same = true;
  for (int i = 0; i < kNumRef; ++i) same = same && c.solref[i] == law.solref[i];
  for (int i = 0; i < kNumImp; ++i) same = same && c.solimp[i] == law.solimp[i];
  return same;
}

/// Steps that a soft contact needs to stop an approach, at most: of a spring alone or a damper alone, the less, each as
/// weak as the impedance can make it.
template <class M>
PLIANT_HD_FREE RealOf<M> stopping_steps(const M& m, int geom1, int geom2, int pair) {
  using R = RealOf<M>;
  constexpr R kNever = std::numeric_limits<R>::infinity();
  ContactT<R> c;
  set_parameters(m, geom1, geom2, pair, c);
  const StepLaw<R> law = step_law(m.opt, c);
  const R most = within(c.solimp[1], R(kLeastImpedance), R(kMostImpedance)),
          weak = within(c.solimp[0], R(kLeastImpedance), R(kMostImpedance)) / most;
  const R spring = law.stiffness > 0 ? 1 / (weak * std::sqrt(law.stiffness)) : kNever;
  const R damper = law.damping > 0 ? 1 / (weak * law.damping) : kNever;
  return lesser(spring, damper);
}

// ---- motions ------------------------------------------------------------------------------------

/// Whether motions are asked for.
template <class M>
PLIANT_HD bool wants_motions(const M& m) {
  return (m.opt.enableflags & kEnableSpeculative) != 0 && !(m.opt.disableflags & kDisableNativeCcd);
}

/// Whether contacts are found before they are there: a solver that takes the step in parts (TGS) lets them act from the
/// part on in which they touch. (What the flag speculative predicts has laws of its own.)
template <class O>
PLIANT_HD bool looks_ahead(const O& o) {
  return solver_timestep(o) < o.timestep && (o.enableflags & kEnableSpeculative) == 0;
}

/// The motion of a geom with its body.
template <class M, class D, class R>
PLIANT_HD GeomMotionT<R> geom_motion(const M& m, const D& d, int geom, const SpatialT<R>& velocity) {
  GeomMotionT<R> motion;
  const Vec3T<R> offset = vec3(d.geom_xpos, geom) - vec3(d.subtree_com, m.body_rootid[m.geom_bodyid[geom]]);
  motion.move = (velocity.lin + cross(velocity.ang, offset)) * R(m.opt.timestep);
  if (m.geom_type[geom] != static_cast<int>(GeomType::kSphere)) motion.turn = velocity.ang * R(m.opt.timestep);
  motion.spin = norm(motion.turn) * m.geom_rbound[geom];
  motion.reach = norm(motion.move) + motion.spin;
  // velocities that are no numbers are the step's business, not collision's
  if (!(motion.reach < std::numeric_limits<R>::infinity())) motion = {};
  return motion;
}

/// Motions of all geoms in the coming step. Empty unless the flag speculative asks for them.
template <class R>
class MotionsT {
 public:
  static constexpr bool kNone = false;
  PLIANT_HD MotionsT() {}
  /// Memory for ngeom and nbody of them; gather writes them.
  PLIANT_HD MotionsT(GeomMotionT<R>* geom, BodyMotionT<R>* body) : motion_(geom), body_(body) {}

  /// Writes all motions. From qvel, as collision runs before velocities are known; reads cdof, subtree_com, geom_xpos.
  template <class Team, class M, class S, class D>
  PLIANT_HD void gather(const Team& team, const M& m, const S& s, const D& d) {
    constexpr R kNone = std::numeric_limits<R>::infinity();
    once(team, [&] { body_[0].velocity = {}; });
    parents_first(team, m, [&](int b) {
      SpatialT<R> velocity = body_[m.body_parentid[b]].velocity;
      const int first = m.body_dofadr[b];
      for (int i = first; i < first + m.body_dofnum[b]; ++i) velocity = velocity + spatial(d.cdof, i) * s.qvel[i];
      body_[b].velocity = velocity;
    });
    team.sync();
    each(team, m.nbody, [&](int b) {
      body_[b].thin = kNone, body_[b].reach = 0;
      const int first = m.body_geomadr[b];
      for (int g = first; g < first + m.body_geomnum[b]; ++g) {
        motion_[g] = {};
        if (!is_convex(m, g)) continue;
        body_[b].thin = lesser(body_[b].thin, R(thickness(m, g)));
        if (m.body_weldid[b] == 0) continue;
        motion_[g] = geom_motion(m, d, g, body_[b].velocity);
        body_[b].reach = greater(body_[b].reach, motion_[g].reach);
      }
    });
    thinnest_ = is_exact(m) ? R(0) : kNone;
    for (int b = 0; b < m.nbody; ++b) thinnest_ = lesser(thinnest_, body_[b].thin);
  }

  /// Memory for 2 nbody motions and ngeom distances, for a solver that looks ahead.
  PLIANT_HD void take_look_ahead(SpatialT<R>* body, R* reach) { mover_ = body, ahead_ = reach; }
  /// Writes them: no point of a geom goes farther in the step by its velocity, twice the acceleration that it had in
  /// the last step, and gravity. What other forces bring into touch within a step is seen when the next begins.
  template <class M, class S, class D>
  PLIANT_HD void gather_look_ahead(const M& m, const S& s, const D& d) {
    constexpr R kFar = std::numeric_limits<R>::infinity();
    const R h = m.opt.timestep;
    leaving_ = touching_time(m);
    fall_ = h * h * norm(vec3(m.opt.gravity, 0));
    if (!(fall_ < kFar)) fall_ = 0;
    SpatialT<R>* const pushed = mover_ + m.nbody;
    for (int b = 0; b < m.nbody; ++b) {
      SpatialT<R> velocity{}, push{};
      if (b > 0) velocity = mover_[m.body_parentid[b]], push = pushed[m.body_parentid[b]];
      const int dof = m.body_dofadr[b];
      for (int i = dof; i < dof + m.body_dofnum[b]; ++i) {
        velocity = velocity + spatial(d.cdof, i) * s.qvel[i];
        push = push + spatial(d.cdof, i) * s.qacc_warmstart[i];
      }
      mover_[b] = velocity, pushed[b] = push;
      const int first = m.body_geomadr[b];
      for (int g = first; g < first + m.body_geomnum[b]; ++g) {
        ahead_[g] = 0;
        if (m.body_weldid[b] == 0) continue;
        const Vec3T<R> at = vec3(d.geom_xpos, g);
        const R turn = (norm(velocity.ang) + 2 * h * norm(push.ang)) * m.geom_rbound[g];
        const R reach =
            h * (norm(motion_at(m, d, velocity, b, at)) + 2 * h * norm(motion_at(m, d, push, b, at)) + turn) + fall_;
        // velocities that are no numbers are the step's business, not collision's
        ahead_[g] = reach < kFar ? reach : R(0);
      }
    }
  }
  PLIANT_HD bool looks_ahead() const { return ahead_ != nullptr; }
  /// How far a geom may come in the step, and two of them towards each other.
  PLIANT_HD R ahead(int geom) const { return ahead_ ? ahead_[geom] : R(0); }
  PLIANT_HD R ahead(int geom1, int geom2) const { return ahead_ ? ahead_[geom1] + ahead_[geom2] : R(0); }
  /// How far two geoms come towards each other at a point.
  template <class M, class D>
  PLIANT_HD R approach_ahead(const M& m, const D& d, int geom1, int geom2, Vec3T<R> normal, Vec3T<R> point) const {
    const R h = m.opt.timestep;
    const int body1 = m.geom_bodyid[geom1], body2 = m.geom_bodyid[geom2];
    const auto towards = [&](const SpatialT<R>* motion) {
      return dot(normal, motion_at(m, d, motion[body1], body1, point) - motion_at(m, d, motion[body2], body2, point));
    };
    const R speed = towards(mover_), more = 2 * h * greater(towards(mover_ + m.nbody), R(0));
    // (what goes apart may still touch where the solver looks at it)
    const R way = greater(h * (speed + more), -leaving_ * speed) + fall_;
    return lesser(way, ahead(geom1, geom2));
  }

  PLIANT_HD explicit operator bool() const { return motion_ != nullptr; }
  PLIANT_HD const GeomMotionT<R>& operator[](int geom) const { return motion_[geom]; }
  /// Whether the motion of a geom could matter for any partner: it is not slower than the thinnest geom is thick.
  PLIANT_HD bool matters(int geom) const {
    return motion_ && motion_[geom].reach > 0 && motion_[geom].reach >= thinnest_;
  }
  /// Whether one of a body's geoms does.
  PLIANT_HD bool body_matters(int body) const {
    return motion_ && body_[body].reach > 0 && body_[body].reach >= thinnest_;
  }
  /// Whether a geom of two bodies is not slower than their thinnest geom is thick. The reference then takes their geoms
  /// in another order.
  PLIANT_HD bool bodies_are_fast(int body1, int body2) const {
    const R reach = greater(body_[body1].reach, body_[body2].reach);
    return reach > 0 && reach >= lesser(body_[body1].thin, body_[body2].thin);
  }
  /// Whether a pair is to be followed.
  template <class M>
  PLIANT_HD bool is_fast(const M& m, int geom1, int geom2, int pair) const {
    const Fast which = fast(m, geom1, geom2, pair);
    return which.first || which.second;
  }

  /// As spheres_meet, at any time of the step. Only for fast pairs.
  template <class M, class D>
  PLIANT_HD bool spheres_meet(const M& m, const D& d, int geom1, int geom2, int pair, R margin) const {
    const Fast which = fast(m, geom1, geom2, pair);
    const Vec3T<R> away = vec3(d.geom_xpos, geom2) - vec3(d.geom_xpos, geom1);
    const Vec3T<R> move =
        (which.second ? motion_[geom2].move : Vec3T<R>{}) - (which.first ? motion_[geom1].move : Vec3T<R>{});
    if (is_plane(m, geom1) || is_plane(m, geom2)) {
      const bool first = is_plane(m, geom1);
      const Vec3T<R> n = mat3(d.geom_xmat, first ? geom1 : geom2).column(2);
      const R side = first ? 1 : -1, begin = side * dot(n, away), end = begin + side * dot(n, move);
      return lesser(begin, end) <= margin + m.geom_rbound[first ? geom2 : geom1];
    }
    const R speed2 = dot(move, move), reach = m.geom_rbound[geom1] + m.geom_rbound[geom2] + margin;
    const R time = speed2 > R(kTiny) ? within(-dot(away, move) / speed2, R(0), R(1)) : R(0);
    const Vec3T<R> closest = fused(time, move, away);
    return dot(closest, closest) <= reach * reach;
  }

 private:
  // which of the two count as moving
  struct Fast {
    bool first = false, second = false;
  };
  template <class M>
  PLIANT_HD Fast fast(const M& m, int geom1, int geom2, int pair) const {
    const bool convex1 = is_convex(m, geom1), convex2 = is_convex(m, geom2);
    if (!(convex1 || is_plane(m, geom1)) || !(convex2 || is_plane(m, geom2))) return {};
    const R thin = pair_thickness(m, geom1, geom2);
    const R reach1 = motion_[geom1].reach, reach2 = motion_[geom2].reach;
    if (is_exact(m)) {
      // what a soft contact could not stop before they are through
      const R both = reach1 + reach2;
      if (!(both > 0) || both * (1 + 2 * stopping_steps(m, geom1, geom2, pair)) < thin) return {};
      return {reach1 > 0, reach2 > 0};
    }
    return {reach1 > 0 && reach1 >= thin, reach2 > 0 && reach2 >= thin};
  }

  /// Velocity, or acceleration, of a body's point.
  template <class M, class D>
  PLIANT_HD static Vec3T<R> motion_at(const M& m, const D& d, const SpatialT<R>& v, int body, Vec3T<R> point) {
    return v.lin + cross(v.ang, point - vec3(d.subtree_com, m.body_rootid[body]));
  }

  GeomMotionT<R>* motion_ = nullptr;
  BodyMotionT<R>* body_ = nullptr;
  R thinnest_ = 0;
  SpatialT<R>* mover_ = nullptr;  // of a solver that looks ahead: velocities of bodies, then accelerations
  R* ahead_ = nullptr;
  R fall_ = 0, leaving_ = 0;
};

/// In place of MotionsT where nobody wants motions: what is done about them is not compiled then. (On a device calls
/// that are given views of Model and Data keep these in memory, 2 kB for every thread, even where they are never made.)
template <class R>
struct NoMotions {
  static constexpr bool kNone = true;
  PLIANT_HD explicit operator bool() const { return false; }
  PLIANT_HD bool looks_ahead() const { return false; }
  PLIANT_HD R ahead(int, int) const { return 0; }
  template <class M>
  PLIANT_HD bool is_fast(const M&, int, int, int) const {
    return false;
  }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
