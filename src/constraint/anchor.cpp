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
/// A force this near to its cone, relative to it, has left it: iterative solvers do not end on the cone itself.
constexpr double kOnCone = 1e-6;
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
  /// Force along a direction over its coefficient: within the cone the norm of these is at most the normal force.
  double scaled_force(int k) const {
    const double* f = d.rows.row_force + row(k);
    return elliptic ? f[0] / mu(k) : f[0] - f[1];
  }
  /// The same for the force that an acceleration asked for along the direction takes. Both edges of a pyramid's
  /// direction take part in what a slip asks for (contact_pyramidal_hd.h), near the cone one of them in what a velocity
  /// does.
  double scaled_demand(int k, double acceleration, int edges) const {
    const double R = d.rows.row_R[row(k)];
    return elliptic ? acceleration / (R * mu(k)) : edges * mu(k) * acceleration / R;
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
  if (c.norm([&](int k) { return c.scaled_force(k); }) >= (1 - kOnCone) * force) {
    // (rows of the integrator discrete ask for what these do over a factor)
    const double* KBIP = c.KBIP();
    const double part = is_discrete(m.opt) ? 1 / implicit_factor(KBIP, h) : 1;
    const double damper = c.norm([&](int k) { return c.scaled_demand(k, part * KBIP[1] * velocity[k], 1); });
    const double spring = c.norm([&](int k) { return c.scaled_demand(k, part * KBIP[0] * KBIP[2] * slip[k], 2); });
    if (damper + spring > force) {
      const double left = std::clamp((force - damper) / spring, 0.0, 1.0);
      for (int k = 0; k < c.n; ++k) slip[k] *= left;
    }
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

void advance_slips(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    Contact& contact = d.contact[i];
    if (contact.row >= 0 && contact_dim(contact) > 1) advance_slip(m, s, d, contact);
  }
}

}  // namespace pliant
