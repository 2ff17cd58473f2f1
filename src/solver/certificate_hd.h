#pragma once
// What a block adds to the certificate of an answer (certificate.cpp). A block is a LawBlock; x, f, D
// and R are those of its rows.

#include <cmath>

#include "math/scalar.h"
#include "solver/cones_hd.h"
#include "solver/laws_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// s(x) + s*(-f) + f x >= 0; of an elliptic contact s*(-f) = 1/2 sum R f^2 within the cone.
template <class Block, class Real>
PLIANT_HD Real block_duality_gap(const Block& block, const Real* x, const Real* f, const Real* D, const Real* R) {
  Real gap = 0;
  if (block.law == RowLaw::kElliptic) {
    // With the force `at` that belongs to x the sum is 0; what f - at adds to it does not cancel.
    Real at[kMaxConeDim], cost = 0;
    cone_force(block.dim, x, D, block.mu, block.friction, at, cost);
    for (int j = 0; j < block.dim; ++j) {
      const Real beyond = f[j] - at[j];
      gap = mul_add(beyond, mul_add(R[j], at[j] + Real(0.5) * beyond, x[j]), gap);
    }
    return at_least(Real(0), gap);
  }
  for (int j = 0; j < block.dim; ++j) {
    gap += at_least(Real(0), row_duality_gap(x[j], f[j], D[j], R[j], row_interval(block.law, R[j], block.bound)));
  }
  return gap;
}

/// How far a force is outside its bounds.
template <class Block, class Real>
PLIANT_HD Real block_violation(const Block& block, const Real* f) {
  if (block.law == RowLaw::kEquality) return 0;
  if (block.law == RowLaw::kFriction) return at_least(Real(0), Real(std::fabs(f[0])) - block.bound);
  if (block.law == RowLaw::kUnilateral) return at_least(Real(0), -f[0]);
  Real squares = 0;
  for (int j = 1; j < block.dim; ++j) squares += f[j] / block.friction[j - 1] * (f[j] / block.friction[j - 1]);
  return at_least(at_least(Real(0), -f[0]), Real(std::sqrt(squares)) - f[0]);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
