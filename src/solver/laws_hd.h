#pragma once
// The penalty s(x) of a scalar row, x = J a - aref, and its derivatives.
//
// All scalar laws are one: a spring of stiffness D that gives way beyond an interval [low, high],
//
//   s(x) = D (c x - c^2 / 2),   force f = -s'(x) = -D c,   c = x clamped to the interval,
//
// with the interval (-inf, inf) for an equality, [-R eta, R eta] for friction loss with largest
// force eta (Huber), and
// (-inf, 0] for limits, frictionless contacts and edges of pyramids. s'' is D inside the interval
// and 0 outside and on its ends. Templates serve one row and four rows at once (math/four.h), host
// and device. Source: MuJoCo, computation of the constraint solver.

#include <limits>

#include "base/hd.h"
#include "math/four.h"
#include "solver/problem.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
struct RowInterval {
  R low, high;
};

template <class R>
PLIANT_HD RowInterval<R> row_interval(RowLaw law, R regularizer, R bound) {
  const R infinity = std::numeric_limits<R>::infinity();
  if (law == RowLaw::kEquality) return {-infinity, infinity};
  if (law == RowLaw::kFriction) return {-regularizer * bound, regularizer * bound};
  return {-infinity, 0};
}

/// x clamped; NaN stays NaN.
template <class R>
PLIANT_HD R clamped_residual(R x, const RowInterval<R>& i) {
  return smaller(i.high, larger(i.low, x));
}

/// s(x).
template <class R>
PLIANT_HD R row_cost(R x, R D, const RowInterval<R>& i) {
  const R c = clamped_residual(x, i);
  return D * c * (x - R(0.5) * c);
}

/// -s'(x).
template <class R>
PLIANT_HD R force_of_row(R x, R D, const RowInterval<R>& i) {
  return R(0) - D * clamped_residual(x, i);
}

/// Whether s is quadratic at x.
template <class R>
PLIANT_HD auto is_quadratic(R x, const RowInterval<R>& i) {
  return (i.low < x) & (x < i.high);
}

/// Terms of a row at x = start + alpha v for a search along v: difference of the cost to that at
/// the start, first and second derivative by alpha. s(x) - s(start) = D (c alpha v + (c - c_start)
/// (start - (c + c_start) / 2)) does not cancel.
template <class R>
struct LineTerms {
  R cost, slope, curvature;
};
template <class R>
PLIANT_HD LineTerms<R> row_along_line(R start, R v, R D, R alpha, const RowInterval<R>& i) {
  const R step = alpha * v, x = start + step, Dv = D * v;
  const R c = clamped_residual(x, i), c_start = clamped_residual(start, i);
  const R bend = (c - c_start) * (start - R(0.5) * (c + c_start));
  return {D * mul_add(c, step, bend), Dv * c, select(is_quadratic(x, i), Dv * v, R(0))};
}

/// Number of RowState (MuJoCo's mjtConstraintState): satisfied 0, quadratic 1, linear below 2,
/// linear above 3, cone 4.
template <class R>
PLIANT_HD int row_state_at(R x, RowLaw law, const RowInterval<R>& i) {
  if (x >= i.high) return law == RowLaw::kFriction ? 3 : 0;
  if (x <= i.low) return 2;
  return 1;
}

/// s(x) + s*(-f) + f x >= 0, zero only where f is the force at x; f within its bounds. With s*(-f)
/// = R f^2 / 2 it is D (x + R f)^2 / 2 inside the interval and (f - f(x)) (x - c) + R (f - f(x))^2
/// / 2 beyond it.
template <class R>
PLIANT_HD R row_duality_gap(R x, R f, R D, R regularizer, const RowInterval<R>& i) {
  const R c = clamped_residual(x, i), missing = f + D * c;
  return mul_add(R(0.5) * regularizer * missing, missing, missing * (x - c));
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
