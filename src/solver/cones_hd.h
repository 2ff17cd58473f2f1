#pragma once
// Elliptic friction cones: the penalty of a contact's rows, and what a line search needs of it.
//
// x = J a - aref of the rows (normal first), mu the slope of the regularised cone, m_j the friction
// coefficients, D_j = 1 / R_j with R_j m_j^2 equal for all tangents. With U_0 = mu x_0, U_j = m_j
// x_j, N = U_0, T = |U_1..|:
//
//   top      N >= mu T        s = 0                                 the contact is open
//   bottom   mu N + T <= 0    s = 1/2 sum D_j x_j^2                 it sticks
//   middle   else             s = 1/2 D_m (N - mu T)^2              it slides;  D_m = D_0 / (mu^2
//   (1 + mu^2))
//
// s is convex with a continuous gradient; the force -s' lies in the cone f_0 >= 0, sum (f_j /
// m_j)^2 <= f_0^2. Source: MuJoCo, computation of the constraint solver.

#include <cmath>

#include "base/hd.h"
#include "math/constants.h"
#include "math/rounding.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

inline constexpr int kMaxConeDim = 6;

enum class ConeZone : int { kTop, kBottom, kMiddle };

template <class R>
PLIANT_HD ConeZone cone_zone(R N, R T, R mu) {
  if (T <= 0) return N < 0 ? ConeZone::kBottom : ConeZone::kTop;
  if (N >= mu * T) return ConeZone::kTop;
  return mu * N + T <= 0 ? ConeZone::kBottom : ConeZone::kMiddle;
}

/// Number of RowState of the rows of a contact.
PLIANT_HD int state_of(ConeZone zone) { return zone == ConeZone::kTop ? 0 : zone == ConeZone::kBottom ? 1 : 4; }

template <class R>
PLIANT_HD R cone_stiffness(R D0, R mu) {
  return D0 / (mu * mu * (1 + mu * mu));
}

/// U of the head; returns T.
template <class R>
PLIANT_HD R cone_coordinates(int dim, const R* x, R mu, const R* friction, R* U) {
  U[0] = mu * x[0];
  R squares = 0;
  for (int j = 1; j < dim; ++j) {
    U[j] = friction[j - 1] * x[j];
    squares = mul_add(U[j], U[j], squares);
  }
  return std::sqrt(squares);
}

/// Writes the force -s'(x), returns the zone and adds s(x) to `cost`.
template <class R>
PLIANT_HD ConeZone cone_force(int dim, const R* x, const R* D, R mu, const R* friction, R* force, R& cost) {
  R U[kMaxConeDim];
  const R T = cone_coordinates(dim, x, mu, friction, U);
  const ConeZone zone = cone_zone(U[0], T, mu);
  if (zone == ConeZone::kTop) {
    for (int j = 0; j < dim; ++j) force[j] = 0;
  } else if (zone == ConeZone::kBottom) {
    for (int j = 0; j < dim; ++j) {
      force[j] = -D[j] * x[j];
      cost = mul_add(R(0.5) * D[j] * x[j], x[j], cost);
    }
  } else {
    const R stiffness = cone_stiffness(D[0], mu), depth = U[0] - mu * T;
    cost = mul_add(R(0.5) * stiffness * depth, depth, cost);
    force[0] = -stiffness * depth * mu;
    for (int j = 1; j < dim; ++j) force[j] = -(force[0] / T) * U[j] * friction[j - 1];
  }
  return zone;
}

/// Second derivative of s in the middle zone, dim x dim by rows. In U: H_00 = 1, H_0j = -mu U_j /
/// T, H_jk = mu N / T^3 U_j U_k + [j = k] (mu^2 - mu N / T); times D_m and the scales of both
/// coordinates.
template <class R>
PLIANT_HD void cone_hessian(int dim, const R* x, const R* D, R mu, const R* friction, R* H) {
  R U[kMaxConeDim];
  const R T = cone_coordinates(dim, x, mu, friction, U), stiffness = cone_stiffness(D[0], mu);
  const R ratio = mu * U[0] / T;
  for (int j = 0; j < dim; ++j) {
    const R scale_j = stiffness * (j == 0 ? mu : friction[j - 1]);
    for (int k = 0; k <= j; ++k) {
      R h = 1;
      if (j > 0) h = k == 0 ? -mu * U[j] / T : ratio / (T * T) * U[j] * U[k] + (j == k ? mu * mu - ratio : 0);
      H[j * dim + k] = H[k * dim + j] = scale_j * (k == 0 ? mu : friction[k - 1]) * h;
    }
  }
}

// ---- along a line ------------------------------------------------------------------------------

/// What a search along v needs of a contact: s(x + alpha v) costs a square root instead of the
/// rows.
template <class R>
struct ConeLine {
  R slope, curvature;    // bottom zone: sum D x v, sum D v^2
  R U0, V0, UU, UV, VV;  // normal and tangential parts of U = scaled x and V = scaled v
  R mu, stiffness;
  R start;   // s(x)
  R bottom;  // 1/2 sum D x^2: what s(x) would be in the bottom zone
};

template <class R>
PLIANT_HD ConeLine<R> cone_line(int dim, const R* x, const R* v, const R* D, R mu, const R* friction) {
  ConeLine<R> line{};
  R twice = 0;
  for (int j = 0; j < dim; ++j) {
    const R Dx = D[j] * x[j], Dv = D[j] * v[j];
    twice = mul_add(Dx, x[j], twice);
    line.slope = mul_add(Dx, v[j], line.slope);
    line.curvature = mul_add(Dv, v[j], line.curvature);
    if (j == 0) continue;
    const R U = friction[j - 1] * x[j], V = friction[j - 1] * v[j];
    line.UU = mul_add(U, U, line.UU);
    line.UV = mul_add(U, V, line.UV);
    line.VV = mul_add(V, V, line.VV);
  }
  line.U0 = mu * x[0];
  line.V0 = mu * v[0];
  line.mu = mu;
  line.stiffness = cone_stiffness(D[0], mu);
  const R T = std::sqrt(line.UU), depth = line.U0 - mu * T;
  const ConeZone zone = cone_zone(line.U0, T, mu);
  line.bottom = R(0.5) * twice;
  line.start = zone == ConeZone::kBottom   ? line.bottom
               : zone == ConeZone::kMiddle ? R(0.5) * line.stiffness * depth * depth
                                           : R(0);
  return line;
}

/// Adds s(x + alpha v) - s(x) and its derivatives by alpha.
template <class R>
PLIANT_HD void cone_along_line(const ConeLine<R>& c, R alpha, R& cost, R& slope, R& curvature) {
  const R N = c.U0 + alpha * c.V0, squares = c.UU + alpha * (2 * c.UV + alpha * c.VV);
  const R T = squares > 0 ? std::sqrt(squares) : R(0);
  const ConeZone zone = cone_zone(N, T, c.mu);
  if (zone == ConeZone::kTop) {
    cost -= c.start;
  } else if (zone == ConeZone::kBottom) {
    // within the zone the first difference is zero exactly: nothing cancels
    cost += (c.bottom - c.start) + alpha * (c.slope + R(0.5) * alpha * c.curvature);
    slope += c.slope + alpha * c.curvature;
    curvature += c.curvature;
  } else {
    const R T1 = (c.UV + alpha * c.VV) / T, T2 = (c.VV - T1 * T1) / T;
    const R depth = N - c.mu * T, depth1 = c.V0 - c.mu * T1;
    cost += R(0.5) * c.stiffness * depth * depth - c.start;
    slope += c.stiffness * depth * depth1;
    curvature += c.stiffness * (depth1 * depth1 - c.mu * depth * T2);
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
