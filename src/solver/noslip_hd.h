#pragma once
// What a sweep without slip (noslip.cpp) does with one block: its new forces, from its residual without R and its
// matrix A = J inv(M) J'. Order and formulas are MuJoCo's.

#include <cmath>

#include "math/constants.h"
#include "math/scalar.h"
#include "solver/cone_problems_hd.h"
#include "solver/laws_hd.h"

namespace pliant {

/// Of a block's matrix; the reference's.
template <class R>
inline constexpr R kSmallestDiagonal = R(1e-10);

/// Friction loss: one row.
template <class R>
PLIANT_HD R friction_loss_without_slip(R f, R residual, R A, R bound) {
  return clamped(f - residual / at_least(R(kTiny), A), -bound, bound);
}

/// Two opposing edges of a pyramid: their sum is held. The diagonal of A is bounded from below.
template <class R>
PLIANT_HD void edges_without_slip(const R* f, const R* residual, R* A, R* next) {
  R rest[2];
  for (int i = 0; i < 2; ++i) A[3 * i] = at_least(kSmallestDiagonal<R>, A[3 * i]);
  for (int i = 0; i < 2; ++i) rest[i] = residual[i] - A[2 * i] * f[0] - A[2 * i + 1] * f[1];
  const R middle = R(0.5) * (f[0] + f[1]);
  const R K1 = A[0] + A[3] - A[1] - A[2], K0 = middle * (A[0] - A[3]) + rest[0] - rest[1];
  const R y = K1 < R(kTiny) ? R(0) : clamped(-K0 / K1, -middle, middle);
  next[0] = middle + y, next[1] = middle - y;
}

/// An elliptic contact: its normal force is held. The diagonal of A is bounded from below.
template <class R>
PLIANT_HD void elliptic_without_slip(int dim, const R* friction, const R* f, const R* residual, R* A, R* next) {
  const int n = dim - 1;
  R tangential[25] = {}, right[5] = {};
  for (int i = 0; i < dim; ++i) next[i] = i == 0 ? f[0] : R(0);
  for (int i = 1; i < dim; ++i) A[i * (dim + 1)] = at_least(kSmallestDiagonal<R>, A[i * (dim + 1)]);
  if (!(f[0] >= R(kTiny))) return;
  for (int i = 0; i < n; ++i) {
    right[i] = residual[i + 1];
    for (int j = 0; j < n; ++j) {
      tangential[i * n + j] = A[(i + 1) * dim + j + 1];
      right[i] -= tangential[i * n + j] * f[j + 1];
    }
  }
  if (!solve_qcqp(n, static_cast<const R*>(tangential), static_cast<const R*>(right), friction, f[0], next + 1)) return;
  // exactly onto the cone
  R squares = 0;
  for (int j = 0; j < n; ++j) squares += next[j + 1] / friction[j] * (next[j + 1] / friction[j]);
  const R scale = std::sqrt(f[0] * f[0] / at_least(R(kTiny), squares));
  for (int j = 0; j < n; ++j) next[j + 1] *= scale;
}

/// Change of the cost where forces become `next`. One that raises it by more than rounding (the reference's bound) is
/// not made: false.
template <class R, class Dot>
PLIANT_HD bool change_without_slip(int dim, const R* A, const R* residual, const R* next, const R* f, R* change,
                                   R& cost, Dot&& dot) {
  constexpr R kWorse = R(1e-10);
  cost = 0;
  for (int i = 0; i < dim; ++i) change[i] = next[i] - f[i];
  for (int i = 0; i < dim; ++i) {
    cost += change[i] * (R(0.5) * dot(A + i * dim, static_cast<const R*>(change), dim) + residual[i]);
  }
  return !(cost > kWorse);
}

/// The state that forces of a block tell.
template <class Block, class R>
PLIANT_HD int state_of_forces(const Block& block, const R* f) {
  if (block.law == RowLaw::kFriction && std::fabs(f[0]) >= block.bound) return f[0] > 0 ? 2 : 3;
  if (block.law == RowLaw::kUnilateral && f[0] <= 0) return 0;
  if (block.law != RowLaw::kElliptic) return 1;
  R squares = 0;
  for (int j = 1; j < block.dim; ++j) {
    const R t = f[j] / block.friction[j - 1];
    squares = mul_add(t, t, squares);
  }
  // on the surface, but for rounding
  const bool slides = squares >= f[0] * f[0] * (1 - R(1e-10));
  return f[0] <= 0 ? 0 : slides ? 4 : 1;
}

}  // namespace pliant
