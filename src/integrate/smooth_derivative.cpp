// qDeriv = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d(qvel) in the pattern D: entries between
// dofs of which one is an ancestor of the other. What tendons and actuators cause between branches
// is left out, as in the reference.
//
// reads the results of all stages up to actuation · writes qDeriv (fluid_slope, body_scratch,
// dof_scratch on the way) Cost: fluid and bias terms are gathered in composites per body, then one
// or two dot products per entry.

#include "integrate/smooth_derivative.h"

#include <cstring>

#include "force/polynomial_hd.h"
#include "integrate/actuator_derivative_hd.h"
#include "integrate/bias_derivative_hd.h"
#include "integrate/fluid_derivative_hd.h"
#include "joint/followers_hd.h"

namespace pliant {
namespace {

// Place of entry (k, i), k an ancestor of i: descendants follow the diagonal without gaps.
int upper(const Model& m, int k, int i) { return m.D_rowadr[k] + m.D_diag[k] + i - k; }

// qDeriv += slope J'J for one sparse row J with ascending columns.
void add_row_product(const Model& m, Data& d, double slope, const double* row, const int* columns, int n) {
  for (int a = 0; a < n; ++a) {
    const double scaled = slope * row[a];
    if (scaled == 0) continue;
    const int i = columns[a], start = m.D_rowadr[i];
    int c = m.D_diag[i];
    d.qDeriv[start + c] += scaled * row[a];
    // earlier columns of J that are ancestors of i
    --c;
    for (int b = a - 1; b >= 0 && c >= 0; --b) {
      const int k = columns[b];
      while (c >= 0 && m.D_colind[start + c] > k) --c;
      if (c < 0 || m.D_colind[start + c] != k || !moves_together(m, k, i)) continue;
      const double value = scaled * row[b];
      d.qDeriv[start + c] += value;
      d.qDeriv[upper(m, k, i)] += value;
    }
  }
}

void add_actuators(const Model& m, const State& s, Data& d) {
  if (m.opt.disableflags & kDisableActuation) return;
  for (int i = 0; i < m.nactuator; ++i) {
    if (actuator_disabled(m, i) || is_force_saturated(m, d, i)) continue;
    const double slope = actuator_velocity_slope(m, s, d, i);
    if (slope == 0) continue;
    for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
      const int adr = d.moment_rowadr[out];
      add_row_product(m, d, slope, d.actuator_moment + adr, d.moment_colind + adr, d.moment_rownnz[out]);
    }
  }
}

// Slopes of bodies and what they carry, about the reference point of the tree.
void gather_fluid_slopes(const Model& m, Data& d, FluidPart part) {
  std::memset(d.fluid_slope, 0, sizeof(double) * 36 * m.nbody);
  for (int b = m.nbody - 1; b > 0; --b) {
    if (m.body_weldid[b] == 0) continue;
    const Mat6T<double> own = body_fluid_slope(m, d, b, part);
    const int parent = m.body_parentid[b];
    for (int k = 0; k < 36; ++k) {
      d.fluid_slope[36 * b + k] += own.m[k];
      if (parent) d.fluid_slope[36 * parent + k] += d.fluid_slope[36 * b + k];
    }
  }
}

void add_fluid(const Model& m, Data& d, FluidPart part) {
  if (!(m.opt.viscosity > 0 || m.opt.density > 0)) return;
  gather_fluid_slopes(m, d, part);
  for (int i = 0; i < m.nv; ++i) {
    Mat6T<double> slope;
    std::memcpy(slope.m, d.fluid_slope + 36 * m.dof_bodyid[i], sizeof(slope.m));
    const Spatial x = spatial(d.cdof, i), column = slope * x, row = transpose(slope) * x;
    const int start = m.D_rowadr[i], diag = m.D_diag[i];
    for (int c = 0; c < diag; ++c) {
      const int k = m.D_colind[start + c];
      if (!moves_together(m, k, i)) continue;
      const Spatial other = spatial(d.cdof, k);
      d.qDeriv[start + c] += dot(row, other);
      d.qDeriv[upper(m, k, i)] += dot(other, column);
    }
    d.qDeriv[start + diag] += dot(x, column);
  }
}

void add_dampers(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nv; ++i) d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= joint_damping(m, i).slope(s.qvel[i]);
  for (int t = 0; t < m.ntendon; ++t) {
    const double slope = tendon_damping(m, t).slope(d.ten_velocity[t]);
    if (slope == 0) continue;
    const int adr = m.ten_J_rowadr[t];
    add_row_product(m, d, -slope, d.ten_J + adr, m.ten_J_colind + adr, m.ten_J_rownnz[t]);
  }
}

void subtract_bias(const Model& m, const State& s, Data& d) {
  // Composite rates and momenta, children first.
  for (int b = 1; b < m.nbody; ++b) {
    store_rate(d.body_scratch, b, inertia_rate(spatial_inertia(d.cinert, b), spatial(d.cvel, b)));
  }
  for (int b = m.nbody - 1; b > 0; --b) {
    if (const int parent = m.body_parentid[b]) {
      for (int k = 0; k < 12; ++k) d.body_scratch[12 * parent + k] += d.body_scratch[12 * b + k];
    }
  }
  for (int i = 0; i < m.nv; ++i) acceleration_slope(m, s, d, i);
  for (int i = 0; i < m.nv; ++i) {
    const int start = m.D_rowadr[i];
    const InertiaRate<double> rate = load_rate(d.body_scratch, m.dof_bodyid[i]);
    d.qDeriv[start + m.D_diag[i]] -= bias_derivative_row(m, d, i, rate, [&](int c, int k, double below, double above) {
      d.qDeriv[start + c] -= below;
      d.qDeriv[upper(m, k, i)] -= above;
    });
  }
}

}  // namespace

void compute_smooth_derivative(const Model& m, const State& s, Data& d, SmoothDerivative kind) {
  std::memset(d.qDeriv, 0, sizeof(double) * m.nD);
  add_actuators(m, s, d);
  // Without springs and dampers there are no passive forces at all, fluid included.
  const int off = m.opt.disableflags & (kDisableSpring | kDisableDamper);
  if (off != (kDisableSpring | kDisableDamper)) {
    add_fluid(m, d, kind == SmoothDerivative::kSymmetric ? FluidPart::kSymmetric : FluidPart::kAll);
  }
  if (!(off & kDisableDamper)) add_dampers(m, s, d);
  if (kind == SmoothDerivative::kFull) subtract_bias(m, s, d);
  if (has_followers(m)) reduce_square(m, s, d.qDeriv);
}

void add_drag_slope(const Model& m, Data& d, double scale, double* matrix) {
  gather_fluid_slopes(m, d, FluidPart::kDrag);
  for (int i = 0; i < m.nv; ++i) {
    Mat6T<double> slope;
    std::memcpy(slope.m, d.fluid_slope + 36 * m.dof_bodyid[i], sizeof(slope.m));
    const Spatial x = spatial(d.cdof, i), column = slope * x;
    const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
    for (int c = 0; c < last; ++c) {
      const int k = m.M_colind[row + c];
      if (moves_together(m, k, i)) matrix[row + c] += scale * dot(spatial(d.cdof, k), column);
    }
    matrix[row + last] += scale * dot(x, column);
  }
}

}  // namespace pliant
