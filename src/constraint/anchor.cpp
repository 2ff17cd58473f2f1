// Anchored friction: slips of contacts from step to step. Cost: a look into the row memory, a product with each row.

#include "constraint/anchor.h"

#include <algorithm>
#include <cmath>

#include "constraint/contact_directions_hd.h"
#include "constraint/reference_hd.h"
#include "math/field_values.h"
#include "math/row_speeds.h"
#include "state/row_memory.h"

namespace pliant {
namespace {

constexpr int kMostDirections = 5;
/// Cosine of the largest angle by which a normal may turn in a step for the contact to be the same.
constexpr double kSameNormal = 0.5;

/// What counts as the same place without a look at a pair's other contacts, over solimp's width.
constexpr double kClose = 0.01;

/// Calls f for the number of directions that a contact with friction has.
template <class F>
PLIANT_HD void with_directions(const Contact& contact, F&& f) {
  const int dim = contact.dim;  // (1 where an adhesive contact only pulls)
  if (dim == 3) return f(std::integral_constant<int, 2>{});
  if (dim == 4) return f(std::integral_constant<int, 3>{});
  if (dim == 6) f(std::integral_constant<int, 5>{});
}

/// What the slips of a step are made from: arrays whose addresses stay in registers.
struct Ended {
  const double *J, *R, *KBIP, *force, *qvel, *cvel;
  const int *Jadr, *segadr, *segnum, *segment_dof, *segment_len, *geom_bodyid;
  double timestep;
  bool discrete;

  Ended(const Model& m, const State& s, const Data& d)
      : J(d.rows.row_J),
        R(d.rows.row_R),
        KBIP(d.rows.row_KBIP),
        force(d.rows.row_force),
        qvel(s.qvel),
        cvel(d.cvel),
        Jadr(d.rows.row_Jadr),
        segadr(d.rows.row_segadr),
        segnum(d.rows.row_segnum),
        segment_dof(d.rows.segment_dof),
        segment_len(d.rows.segment_len),
        geom_bodyid(m.geom_bodyid),
        timestep(m.opt.timestep),
        discrete(is_discrete(m.opt)) {}

  /// How fast the rows of a contact move from `first` on, of edges the differences of two; they share their segments.
  template <bool elliptic, int n>
  PLIANT_HD void speeds(int first, double (&out)[n]) const {
    const double* row = J + Jadr[first];
    const int stride = Jadr[first + 1] - Jadr[first], segment = segadr[first];
    const int segments = segnum[first];
    for (double& x : out) x = 0;
    if (segments == 0) return;
    add_row_speeds<n, !elliptic>(row, stride, qvel + segment_dof[segment], segment_len[segment], out);
    if (segments > 1) add_other_speeds<elliptic>(row, stride, segment, segments, out);
  }

 private:
  template <bool elliptic, int n>
  [[gnu::noinline]] void add_other_speeds(const double* row, int stride, int segment, int segments,
                                          double (&out)[n]) const {
    for (int s = segment + 1; s < segment + segments; ++s) {
      row += segment_len[s - 1];
      add_row_speeds<n, !elliptic>(row, stride, qvel + segment_dof[s], segment_len[s], out);
    }
  }
};

/// What friction is asked for, and how much of that counts.
struct Asked {
  double within;  // up to the cone all, beyond it the cone
  double counts;  // the same with some more: rows resist any acceleration, and what slides would be slow to stop
  double fast;    // 1: it slides fast, and everything counts as without anchors; 0: it does not; or between
};

/// `demand` against the `cone`, and against what the normal would be asked for in a depth of solimp's width (or the
/// contact's): a measure of speed that has the contact's own units. Four times that is slow: 0.1 m/s by default.
Asked asked(double demand, double cone, double scale) {
  constexpr double kSlow = 4, kFast = 8;
  constexpr double kMore = 1.25;
  const double within = demand > cone ? std::max(0.0, cone) / demand : 1.0;
  return {within, std::min(1.0, kMore * within),
          std::clamp((demand - kSlow * scale) / ((kFast - kSlow) * scale), 0.0, 1.0)};
}

double scale_of(const Model& m, const Data& d, const Contact& contact) {
  const double* KBIP = d.rows.row_KBIP + 4 * contact.row;
  const double part = is_discrete(m.opt) ? 1 / implicit_factor(KBIP, m.opt.timestep) : 1;
  return std::max(kTiny, part * KBIP[0] * KBIP[2] * std::max(contact.solimp[2], contact.includemargin - contact.dist));
}

template <int n>
void limit_elliptic(const Model& m, const Data& d, const Contact& contact) {
  const Rows& rows = d.rows;
  const int first = contact.row;
  double sum = 0;
  for (int k = 1; k <= n; ++k) {
    const double f = rows.row_aref[first + k] / (rows.row_R[first + k] * contact.friction[k - 1]);
    sum += f * f;
  }
  const double R = rows.row_R[first];
  const Asked is = asked(std::sqrt(sum) * R, rows.row_aref[first], scale_of(m, d, contact));
  if (is.counts == 1 || is.fast == 1) return;
  const double part = (1 - is.fast) * is.counts + is.fast;
  for (int k = 1; k <= n; ++k) rows.row_aref[first + k] *= part;
}

// The two edges along direction k ask for p ± t_k. What an edge cannot pull its partner would push too much. So they
// get s_k ± t_k with s_k = max(w, |t_k|), Σ s_k = n p over the n directions.
template <int n>
void limit_pyramid(const Model& m, const Data& d, const Contact& contact) {
  double* const aref = d.rows.row_aref + contact.row;
  double t[n], p = 0, largest = 0, sum = 0;
  for (int k = 0; k < n; ++k) {
    p += aref[2 * k] + aref[2 * k + 1];
    t[k] = (aref[2 * k] - aref[2 * k + 1]) / 2;
    largest = std::max(largest, std::abs(t[k]));
    sum += std::abs(t[k]);
  }
  p /= 2 * n;
  if (largest <= p || largest == 0) return;
  const Asked is = asked(sum, n * p, n * scale_of(m, d, contact));
  if (is.fast == 1) return;
  // those above the level keep what they need, the others share the rest: it falls until that changes nothing
  double level = p;
  for (int pass = 0; pass < n && p > 0; ++pass) {
    double rest = n * p;
    int sharing = n;
    for (int k = 0; k < n; ++k) {
      const double size = is.within * std::abs(t[k]);
      if (size > level) rest -= size, --sharing;
    }
    level = sharing > 0 ? std::max(0.0, rest / sharing) : 0.0;
  }
  for (int k = 0; k < n; ++k) {
    const double along = is.counts * t[k], mean = p > 0 ? std::max(level, is.within * std::abs(t[k])) : p;
    aref[2 * k] = (1 - is.fast) * (mean + along) + is.fast * (p + t[k]);
    aref[2 * k + 1] = (1 - is.fast) * (mean - along) + is.fast * (p - t[k]);
  }
}

/// A rotation in a plane.
struct Turn {
  double cosine, sine;
  PLIANT_HD void operator()(double& a, double& b) const {
    const double before = a;
    a = cosine * before - sine * b;
    b = sine * before + cosine * b;
  }
};
PLIANT_HD Turn turn_by(double angle) {
  constexpr double kSmall = 1e-3;  // what is left out changes the length by 2.5e-13
  if (std::abs(angle) < kSmall) return {1 - angle * angle / 2, angle};
  return {std::cos(angle), std::sin(angle)};
}

/// The slip of a contact from that of the step before, which turns as the shortest rotation between the normals.
PLIANT_HD void take_over(const double* old, Contact& contact) {
  const Vec3 before = vec3(old, 0), normal = contact_axis<double>(contact, 0);
  const Vec3 first = contact_axis<double>(contact, 1), second = contact_axis<double>(contact, 2);
  const double cosine = dot(before, normal);
  if (!(cosine > kSameNormal)) return;
  // with s the sum of both normals the rotation R has R v = v - s (s·v)/(1 + cosine) + 2 normal (before·v)
  const Vec3 sliding = vec3(old, 1);
  const double leaning = dot(normal, sliding) / (1 + cosine);  // (it is normal to `before`)
  double slip[2] = {dot(sliding, first), dot(sliding, second)};
  if (leaning != 0) {
    slip[0] -= leaning * dot(before, first);
    slip[1] -= leaning * dot(before, second);
  }
  contact.slip[0] = slip[0];
  contact.slip[1] = slip[1];
  if (contact.dim == 3) return;
  const Vec3 turning = vec3(old, 2);
  const double spin = dot(turning, before), rolling = (spin + dot(turning, normal)) / (1 + cosine);
  contact.slip[2] = spin;
  contact.slip[3] = dot(turning, first) - rolling * dot(before, first);
  contact.slip[4] = dot(turning, second) - rolling * dot(before, second);
}

/// The slip of a contact at the end of the step; it has n directions of friction.
template <bool elliptic, int n>
PLIANT_HD void advance_slip(const Ended& step, const Contact& contact, double (&slip)[n]) {
  constexpr int kRows = elliptic ? n : 2 * n;
  const int first = contact.row + elliptic;
  const double* const pushing = step.force + contact.row;
  double force = pushing[0];
  for (int k = 1; !elliptic && k < kRows; ++k) force += pushing[k];
  if (!(force > 0)) {
    for (double& x : slip) x = 0;
    return;
  }
  double velocity[n];
  step.speeds<elliptic>(first, velocity);
  // (rows of the integrator discrete ask for what they do over a factor)
  const double* const KBIP = step.KBIP + 4 * first;
  const double part = step.discrete ? 1 / implicit_factor(KBIP, step.timestep) : 1;
  const double B = part * KBIP[1], K = part * KBIP[0] * KBIP[2];
  // damper and spring: the force that what they ask for takes, over the coefficient. Within the cone its norm is at
  // most the normal force. (Of a pyramid both edges take part: limit_friction.)
  double damper = 0, spring = 0;
  for (int k = 0; k < n; ++k) {
    const double mu = contact.friction[k];
    const double share = elliptic ? 1 / (step.R[first + k] * mu) : 2 * mu / step.R[first + 2 * k];
    if (!elliptic) velocity[k] /= 2 * mu;
    if (k < 3) velocity[k] += contact.surfacevel[k];
    slip[k] = contact.slip[k] + step.timestep * velocity[k];
    const double v = share * velocity[k], x = share * slip[k];
    damper += elliptic ? v * v : std::abs(v);
    spring += elliptic ? x * x : std::abs(x);
  }
  damper = B * (elliptic ? std::sqrt(damper) : damper);
  spring = K * (elliptic ? std::sqrt(spring) : spring);
  if (damper + spring > force) {
    const double left = std::clamp((force - damper) / spring, 0.0, 1.0);
    for (double& x : slip) x *= left;
  }
  // what is written in the axes of the contact turns with its bodies
  const auto rotation = [&](int side) { return vec3(step.cvel, 2 * step.geom_bodyid[contact.geom[side]]); };
  const double spin = dot(rotation(0) + rotation(1), contact_axis<double>(contact, 0));
  const Turn turn = turn_by(step.timestep / 2 * spin);
  turn(slip[0], slip[1]);
  if constexpr (n == 5) turn(slip[3], slip[4]);
}

/// Advances the slip of a contact and remembers it, in world coordinates, behind its forces if there are any.
template <bool elliptic, int n>
PLIANT_HD void remember_slip(const Ended& step, const double* force, Contact& contact, RowMemoryWriter& memory) {
  double slip[n];
  advance_slip<elliptic, n>(step, contact, slip);
  for (int k = 0; k < n; ++k) contact.slip[k] = slip[k];
  constexpr int kRows = elliptic ? 1 + n : 2 * n;
  constexpr RowType kKind = elliptic ? RowType::kContactElliptic : RowType::kContactPyramidal;
  double* to = memory.add({kKind, contact}, force ? kRows : 0, kSlipNumbers, contact.pos);
  if (!to) return;
  if (force) to = std::copy_n(force + contact.row, kRows, to);
  const Vec3 normal = contact_axis<double>(contact, 0), first = contact_axis<double>(contact, 1),
             second = contact_axis<double>(contact, 2);
  Vec3 turning{};
  if constexpr (n > 2) turning = slip[2] * normal;
  if constexpr (n == 5) turning = turning + slip[3] * first + slip[4] * second;
  set(to, 0, normal);
  set(to, 1, slip[0] * first + slip[1] * second);
  set(to, 2, turning);
}

/// Forces of a contact without anchors.
void remember_forces(const Contact& contact, bool elliptic, const double* force, RowMemoryWriter& memory) {
  const RowType kind = contact.dim == 1 ? RowType::kContactFrictionless
                       : elliptic       ? RowType::kContactElliptic
                                        : RowType::kContactPyramidal;
  const int rows = contact_row_count(contact, elliptic);
  if (double* to = memory.add({kind, contact}, rows, 0, contact.pos)) std::copy_n(force + contact.row, rows, to);
}

template <bool elliptic>
void remember_contacts(const Ended& step, Data& d, const double* force, RowMemoryWriter& memory) {
  for (Contact *contact = d.contact, *end = contact + d.ncon; contact != end; ++contact) {
    if (contact->row < 0) continue;
    if (contact->anchored && contact->dim > 1) {
      with_directions(*contact,
                      [&](auto n) PLIANT_INLINED { remember_slip<elliptic, n>(step, force, *contact, memory); });
    } else if (force) {
      remember_forces(*contact, elliptic, force, memory);
    }
  }
}

}  // namespace

void recall_slips(const Model& m, const State& s, Data& d) {
  RememberedRows memory(s.row_memory, d.arena);
  const bool elliptic = m.opt.cone == ConeType::kElliptic, any = memory.any();
  const RowType kind = elliptic ? RowType::kContactElliptic : RowType::kContactPyramidal;
  for (Contact *contact = d.contact, *end = contact + d.ncon; contact != end; ++contact) {
    std::fill_n(contact->slip, kMostDirections, 0.0);
    if (!any || !contact->anchored || contact->exclude != ContactExclude::kNone || contact->dim == 1) continue;
    const auto* known = memory.find_close({kind, *contact}, contact->pos, kClose * contact->solimp[2]);
    if (known && known->slips > 0) take_over(s.row_memory.force.data() + known->start + known->rows, *contact);
  }
}

void limit_friction(const Model& m, Data& d) {
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  for (const Contact *contact = d.contact, *end = contact + d.ncon; contact != end; ++contact) {
    if (contact->row < 0 || !contact->anchored) continue;
    with_directions(*contact, [&](auto n) PLIANT_INLINED {
      elliptic ? limit_elliptic<n>(m, d, *contact) : limit_pyramid<n>(m, d, *contact);
    });
  }
}

void remember_slips(const Model& m, State& s, Data& d, const double* force) {
  const int others = d.rows.ne + d.rows.nf + d.rows.nl;  // contacts come last
  const auto rows = static_cast<size_t>(force ? d.rows.n : 0), contacts = static_cast<size_t>(d.ncon);
  RowMemoryWriter memory(d, s.row_memory, force ? rows : contacts, rows + size_t{kSlipNumbers} * contacts);
  if (force) remember_rows(d, force, others, memory);
  const Ended step(m, s, d);
  if (m.opt.cone == ConeType::kElliptic) return remember_contacts<true>(step, d, force, memory);
  remember_contacts<false>(step, d, force, memory);
}

}  // namespace pliant
