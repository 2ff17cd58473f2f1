#pragma once
// M with all its numbers, zeros too, where it is small: products with it take fewer instructions than finding out what
// is not zero, and Newton's Hessian begins as a copy of it.

#include "math/dense.h"
#include "math/four.h"
#include "math/tree_matrix.h"
#include "solver/problem.h"

namespace pliant {

/// Up to so many dofs M is kept dense, and the Hessian of Newton's method is one panel.
inline constexpr int kDenseDofs = 60;

/// Numbers of a dense M: padded(n) columns of padded(n).
constexpr size_t dense_mass_size(int n) { return static_cast<size_t>(padded(n)) * static_cast<size_t>(padded(n)); }

/// Both triangles; 1 on the diagonal beyond n.
inline void fill_dense_mass(const SolverProblem& p, double* dense) {
  const auto& tree = p.pattern;
  const int n = tree.n;
  const size_t stride = static_cast<size_t>(padded(n));
  for (size_t i = 0; i < stride * stride; i += 4) Four(0.0).store(dense + i);
  for (int i = 0; i < n; ++i) {
    const double* row = p.M + tree.rowadr[i];
    double *across = dense + stride * static_cast<size_t>(i), *down = dense + i;
    across[i] = row[tree.rownnz[i] - 1];
    for_each_run(tree, i, [&](int dof, int length, int offset) {
      for (int k = 0; k < length; ++k) {
        across[dof + k] = row[offset + k];
        down[stride * static_cast<size_t>(dof + k)] = row[offset + k];
      }
    });
  }
  for (size_t i = static_cast<size_t>(n); i < stride; ++i) dense[i * stride + i] = 1;
}

}  // namespace pliant
