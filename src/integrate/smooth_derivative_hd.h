#pragma once
// How the smooth forces change with velocity, as the implicit integrators need it:
//
//   qDeriv = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d(qvel)
//
// in the pattern D: entries between dofs of which one is an ancestor of the other. What tendons and actuators cause
// between branches is left out, as in the reference.
//
// reads the results of all stages up to actuation · writes qDeriv (fluid_slope, body_scratch, dof_scratch on the way)
// Cost: fluid and bias terms are gathered in composites per body, then one or two dot products per entry.

#include "base/team.h"
#include "force/polynomial_hd.h"
#include "integrate/actuator_derivative_hd.h"
#include "integrate/bias_derivative_hd.h"
#include "integrate/fluid_derivative_hd.h"
#include "integrate/smooth_derivative.h"
#include "joint/followers_hd.h"

namespace pliant {

/// Place of entry (k, i), k an ancestor of i: descendants follow the diagonal without gaps.
template <class M>
PLIANT_HD int upper_place(const M& m, int k, int i) {
  return m.D_rowadr[k] + m.D_diag[k] + i - k;
}

/// qDeriv += slope J'J for one sparse row J with ascending columns, shared out by columns. Waits for nobody.
template <class Team, class M, class D, class R, class F, class I>
PLIANT_HD void add_row_product(const Team& team, const M& m, D& d, R slope, const F& row, const I& columns, int n) {
  for (int a = team.lane(); a < n; a += team.size()) {
    const R scaled = slope * row[a];
    if (is_zero(scaled)) continue;
    const int i = columns[a], start = m.D_rowadr[i];
    int c = m.D_diag[i];
    d.qDeriv[start + c] += scaled * row[a];
    // earlier columns of J that are ancestors of i
    --c;
    for (int b = a - 1; b >= 0 && c >= 0; --b) {
      const int k = columns[b];
      while (c >= 0 && m.D_colind[start + c] > k) --c;
      if (c < 0 || m.D_colind[start + c] != k || !moves_together(m, k, i)) continue;
      const R value = scaled * row[b];
      d.qDeriv[start + c] += value;
      d.qDeriv[upper_place(m, k, i)] += value;
    }
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void add_actuator_slopes(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  if (m.opt.disableflags & kDisableActuation) return;
  const auto slope_of = [&](int i) PLIANT_INLINED {
    if (actuator_disabled(m, i)) return R(0);
    const auto saturated = is_force_saturated(m, d, i);
    return all(saturated) ? R(0) : select(saturated, R(0), R(actuator_velocity_slope(m, s, d, i)));
  };
  const auto add = [&](const auto& members, int out, R slope) PLIANT_INLINED {
    const int adr = d.moment_rowadr[out];
    add_row_product(members, m, d, slope, d.actuator_moment + adr, d.moment_colind + adr, d.moment_rownnz[out]);
  };
  if constexpr (Team::kSerial) {
    for (int i = 0; i < m.nactuator; ++i) {
      const R slope = slope_of(i);
      if (is_zero(slope)) continue;
      for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
        add(team, out, slope);
      }
    }
  } else {
    // Actuators without a common dof change different entries; others add to them in turn, whoever does it. (All wait
    // equally often, whatever the State of their world.)
    const int step = m.order.moments_disjoint ? team.size() : 1;
    for (int first = 0; first < m.nactuator; first += step) {
      const int i = step == 1 ? first : first + team.lane();
      const R slope = i < m.nactuator ? slope_of(i) : R(0);
      const int outputs = i < m.nactuator ? m.actuator_outnum[i] : 0;
      if (step == 1) {
        for (int k = 0; k < outputs; ++k) {
          if (slope != 0) add(team, m.actuator_outadr[i] + k, slope);
          team.sync();
        }
      } else {
        for (int k = 0; slope != 0 && k < outputs; ++k) add(SerialTeam{}, m.actuator_outadr[i] + k, slope);
      }
    }
    team.sync();
  }
}

/// fluid_slope: slopes of bodies and what they carry, about the reference point of the tree.
template <class Team, class M, class D>
PLIANT_HD void gather_fluid_slopes(const Team& team, const M& m, D& d, FluidPart part) {
  each(team, 36 * m.nbody, [&](int k) PLIANT_INLINED { d.fluid_slope[k] = 0; });
  const auto add = [&](int to, const auto& slope) PLIANT_INLINED {
    for (int k = 0; k < 36; ++k) d.fluid_slope[36 * to + k] += slope[k];
  };
  collect_children_first(
      team, m,
      [&](int b) PLIANT_INLINED {
        if (m.body_weldid[b] != 0) add(b, body_fluid_slope(m, d, b, part).m);
      },
      [&](int parent, int b) PLIANT_INLINED {
        if (m.body_weldid[b] != 0) add(parent, d.fluid_slope + 36 * b);
      });
}

/// Slope of a dof's body and what it carries.
template <class M, class D>
PLIANT_HD Mat6T<typename D::Real> carried_fluid_slope(const M& m, const D& d, int dof) {
  Mat6T<typename D::Real> slope;
  for (int k = 0; k < 36; ++k) slope.m[k] = d.fluid_slope[36 * m.dof_bodyid[dof] + k];
  return slope;
}

template <class Team, class M, class D>
PLIANT_HD void add_fluid_slopes(const Team& team, const M& m, D& d, FluidPart part) {
  using R = typename D::Real;
  if (!(m.opt.viscosity > 0 || m.opt.density > 0)) return;
  gather_fluid_slopes(team, m, d, part);
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    const Mat6T<R> slope = carried_fluid_slope(m, d, i);
    const SpatialT<R> x = spatial(d.cdof, i), column = slope * x, row = transpose(slope) * x;
    const int start = m.D_rowadr[i], diag = m.D_diag[i];
    for (int c = 0; c < diag; ++c) {
      const int k = m.D_colind[start + c];
      if (!moves_together(m, k, i)) continue;
      const SpatialT<R> other = spatial(d.cdof, k);
      d.qDeriv[start + c] += dot(row, other);
      d.qDeriv[upper_place(m, k, i)] += dot(other, column);
    }
    d.qDeriv[start + diag] += dot(x, column);
  });
}

/// matrix += scale d(fluid drag)/d(qvel), its symmetric part, in the pattern of M.
template <class Team, class M, class D, class R, class F>
PLIANT_HD void add_drag_slope(const Team& team, const M& m, D& d, R scale, F matrix) {
  gather_fluid_slopes(team, m, d, FluidPart::kDrag);
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    const SpatialT<R> x = spatial(d.cdof, i), column = carried_fluid_slope(m, d, i) * x;
    const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
    for (int c = 0; c < last; ++c) {
      const int k = m.M_colind[row + c];
      if (moves_together(m, k, i)) matrix[row + c] += scale * dot(spatial(d.cdof, k), column);
    }
    matrix[row + last] += scale * dot(x, column);
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD void add_damper_slopes(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  each(team, m.nv,
       [&](int i) PLIANT_INLINED { d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= joint_damping(m, i).slope(R(s.qvel[i])); });
  for (int t = 0; t < m.ntendon; ++t) {
    const R slope = tendon_damping(m, t).slope(R(d.ten_velocity[t]));
    const int adr = m.ten_J_rowadr[t];
    if (!is_zero(slope)) add_row_product(team, m, d, -slope, d.ten_J + adr, m.ten_J_colind + adr, m.ten_J_rownnz[t]);
    team.sync();
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void subtract_bias_slopes(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  // composite rates and momenta, children first
  each(team, m.nbody - 1, [&](int k) PLIANT_INLINED {
    const int b = k + 1;
    store_rate(d.body_scratch, b, inertia_rate(spatial_inertia(d.cinert, b), spatial(d.cvel, b)));
  });
  collect_children_first(
      team, m, [](int) {},
      [&](int parent, int b) PLIANT_INLINED {
        for (int k = 0; k < 12; ++k) d.body_scratch[12 * parent + k] += d.body_scratch[12 * b + k];
      });
  each(team, m.nv, [&](int i) PLIANT_INLINED { acceleration_slope(m, s, d, i); });
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    const int start = m.D_rowadr[i];
    const InertiaRate<R> rate = load_rate(d.body_scratch, m.dof_bodyid[i]);
    d.qDeriv[start + m.D_diag[i]] -= bias_derivative_row(m, d, i, rate, [&](int c, int k, R below, R above) {
      d.qDeriv[start + c] -= below;
      d.qDeriv[upper_place(m, k, i)] -= above;
    });
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD_FREE void smooth_derivative(const Team& team, const M& m, const S& s, D& d, SmoothDerivative kind) {
  each(team, m.nD, [&](int i) PLIANT_INLINED { d.qDeriv[i] = 0; });
  add_actuator_slopes(team, m, s, d);
  // Without springs and dampers there are no passive forces at all, fluid included.
  const int off = m.opt.disableflags & (kDisableSpring | kDisableDamper);
  if (off != (kDisableSpring | kDisableDamper)) {
    add_fluid_slopes(team, m, d, kind == SmoothDerivative::kSymmetric ? FluidPart::kSymmetric : FluidPart::kAll);
  }
  if (!(off & kDisableDamper)) add_damper_slopes(team, m, s, d);
  if (kind == SmoothDerivative::kFull) subtract_bias_slopes(team, m, s, d);
  if (m.nfollower) once(team, [&]() PLIANT_INLINED { reduce_square(m, s, d.qDeriv); });
}

}  // namespace pliant
