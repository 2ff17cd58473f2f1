// Anchored friction: slips of contacts from step to step. Cost: a search in the row memory, a product with each row.

#include "constraint/anchor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraint/contact_directions_hd.h"
#include "constraint/reference_hd.h"
#include "math/field_values.h"
#include "state/row_memory.h"

namespace pliant {
namespace {

constexpr int kMostDirections = 5;
/// Cosine of the largest angle by which a normal may turn in a step for the contact to be the same.
constexpr double kSameNormal = 0.5;

/// v turned as the shortest rotation from one direction to another turns.
Vec3 turned(Vec3 v, Vec3 from, Vec3 to) {
  const Vec3 axis = cross(from, to), once = cross(axis, v);
  return v + once + cross(axis, once) * (1 / (1 + dot(from, to)));
}

/// A contact with friction, as its rows say it. Directions: k = 0 … dim - 2.
struct Sticking {
  const Data& d;
  const Contact& contact;
  bool elliptic;
  int n = contact_dim(contact) - 1;

  int row(int k) const { return contact.row + (elliptic ? 1 + k : 2 * k); }
  double mu(int k) const { return contact.friction[k]; }
  const double* KBIP() const { return d.rows.row_KBIP + 4 * row(0); }

  double normal_force() const {
    const double* f = d.rows.row_force + contact.row;
    return elliptic ? f[0] : std::accumulate(f, f + 2 * n, 0.0);
  }
  /// The force that an acceleration asked for along a direction takes, over its coefficient: within the cone the norm
  /// of these is at most the normal force. (Of a pyramid both edges take part: limit_friction.)
  double scaled_demand(int k, double acceleration) const {
    const double R = d.rows.row_R[row(k)];
    return elliptic ? acceleration / (R * mu(k)) : 2 * mu(k) * acceleration / R;
  }
  double velocity(int k, const double* qvel) const {
    const double moving = k < 3 ? contact.surfacevel[k] : 0;
    if (elliptic) return row_times(d.rows, row(k), qvel) + moving;
    return (row_times(d.rows, row(k), qvel) - row_times(d.rows, row(k) + 1, qvel)) / (2 * mu(k)) + moving;
  }
  template <class F>
  double norm(F&& component) const {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const double x = component(k);
      sum += elliptic ? x * x : std::abs(x);
    }
    return elliptic ? std::sqrt(sum) : sum;
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

void limit_elliptic(const Model& m, const Data& d, const Contact& contact) {
  const Rows& rows = d.rows;
  const int first = contact.row, n = contact_dim(contact) - 1;
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
void limit_pyramid(const Model& m, const Data& d, const Contact& contact) {
  const int n = contact_dim(contact) - 1;
  double* const aref = d.rows.row_aref + contact.row;
  double t[kMostDirections], p = 0, largest = 0, sum = 0;
  for (int k = 0; k < n; ++k) {
    p += (aref[2 * k] + aref[2 * k + 1]) / (2 * n);
    t[k] = (aref[2 * k] - aref[2 * k + 1]) / 2;
    largest = std::max(largest, std::abs(t[k]));
    sum += std::abs(t[k]);
  }
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

void turn(double& a, double& b, double cosine, double sine) {
  const double before = a;
  a = cosine * before - sine * b;
  b = sine * before + cosine * b;
}

void advance_slip(const Model& m, const State& s, const Data& d, Contact& contact) {
  const Sticking c{d, contact, m.opt.cone == ConeType::kElliptic};
  double* const slip = contact.slip;
  const double force = c.normal_force(), h = m.opt.timestep;
  if (!(force > 0)) {
    std::fill_n(slip, kMostDirections, 0.0);
    return;
  }
  double velocity[kMostDirections] = {};
  for (int k = 0; k < c.n; ++k) {
    velocity[k] = c.velocity(k, s.qvel);
    slip[k] += h * velocity[k];
  }
  // (rows of the integrator discrete ask for what these do over a factor)
  const double* KBIP = c.KBIP();
  const double part = is_discrete(m.opt) ? 1 / implicit_factor(KBIP, h) : 1;
  const double damper = c.norm([&](int k) { return c.scaled_demand(k, part * KBIP[1] * velocity[k]); });
  const double spring = c.norm([&](int k) { return c.scaled_demand(k, part * KBIP[0] * KBIP[2] * slip[k]); });
  if (damper + spring > force) {
    const double left = std::clamp((force - damper) / spring, 0.0, 1.0);
    for (int k = 0; k < c.n; ++k) slip[k] *= left;
  }
  // what is written in the axes of the contact turns with its bodies
  double spin = 0;
  for (const int geom : contact.geom)
    spin += 0.5 * dot(vec3(d.cvel, 2 * m.geom_bodyid[geom]), contact_axis<double>(contact, 0));
  const double cosine = std::cos(h * spin), sine = std::sin(h * spin);
  turn(slip[0], slip[1], cosine, sine);
  turn(slip[3], slip[4], cosine, sine);
}

}  // namespace

void recall_slips(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < d.ncon; ++i) std::fill_n(d.contact[i].slip, kMostDirections, 0.0);
  RememberedRows memory(s.row_memory, d.arena);
  if (!memory.any()) return;
  const RowType kind = m.opt.cone == ConeType::kElliptic ? RowType::kContactElliptic : RowType::kContactPyramidal;
  for (int i = 0; i < d.ncon; ++i) {
    Contact& contact = d.contact[i];
    if (contact.exclude != ContactExclude::kNone || contact_dim(contact) == 1) continue;
    const RowMemory::Entry* known =
        memory.find(contact_entry(kind, contact, contact_row_count(contact, kind == RowType::kContactElliptic)));
    if (!known || known->slips == 0) continue;
    const RememberedSlip old = slip_of(s.row_memory, *known);
    const Vec3 before = vec3(old.normal, 0), normal = contact_axis<double>(contact, 0);
    if (!(dot(before, normal) > kSameNormal)) continue;
    const Vec3 sliding = turned(vec3(old.sliding, 0), before, normal),
               turning = turned(vec3(old.turning, 0), before, normal);
    for (int k = 0; k < 2; ++k) {
      contact.slip[k] = dot(sliding, contact_axis<double>(contact, k + 1));
      contact.slip[3 + k] = dot(turning, contact_axis<double>(contact, k + 1));
    }
    contact.slip[2] = dot(turning, normal);
  }
}

void limit_friction(const Model& m, Data& d) {
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.row < 0 || contact_dim(contact) == 1) continue;
    elliptic ? limit_elliptic(m, d, contact) : limit_pyramid(m, d, contact);
  }
}

void advance_slips(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    Contact& contact = d.contact[i];
    if (contact.row >= 0 && contact_dim(contact) > 1) advance_slip(m, s, d, contact);
  }
}

}  // namespace pliant
