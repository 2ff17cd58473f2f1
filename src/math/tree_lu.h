#pragma once
// An unsymmetric matrix with the sparsity of a kinematic tree: entry (i, j) exists where one of the
// dofs is an ancestor of the other. Stored by rows, columns ascending, `diag` says where in its row
// the diagonal is.
//
// Left of the diagonal a row holds all ancestors, as the symmetric pattern of tree_matrix.h does.
// Right of it it holds all descendants, and those are the dofs that follow: entry (i, j), j > i,
// lies j - i places behind the diagonal of row i. Nothing has to be searched, and elimination from
// the leaves causes no fill: A = U L with unit upper U.

#include "base/hd.h"

namespace pliant {

template <class I>
struct TreeSquarePattern {
  int n;
  I rownnz, rowadr, diag, colind;
};

template <class M>
PLIANT_HD auto derivative_pattern(const M& m) {
  return TreeSquarePattern<decltype(m.D_rownnz)>{m.nv, m.D_rownnz, m.D_rowadr, m.D_diag, m.D_colind};
}

/// In place: `matrix` becomes L (diagonal included) and the part of U above the diagonal. No
/// pivoting.
template <class I, class F>
PLIANT_HD void factor_tree_lu(const TreeSquarePattern<I>& p, F matrix) {
  for (int r = p.n - 1; r >= 0; --r) {
    const int row = p.rowadr[r], last = p.diag[r];
    const auto scale = 1 / matrix[row + last];
    for (int a = last - 1; a >= 0; --a) {
      const int i = p.colind[row + a], start = p.rowadr[i], middle = start + p.diag[i];
      const auto factor = matrix[middle + r - i] * scale;
      matrix[middle + r - i] = factor;
      if (factor == 0) continue;
      // columns up to i are the first a + 1 columns of both rows
      for (int c = 0; c <= a; ++c) matrix[start + c] -= factor * matrix[row + c];
      // columns between i and r
      for (int c = a + 1; c < last; ++c) matrix[middle + p.colind[row + c] - i] -= factor * matrix[row + c];
    }
  }
}

/// x becomes the solution of U L x = x.
template <class I, class F, class X>
PLIANT_HD void solve_tree_lu(const TreeSquarePattern<I>& p, const F& factors, X x) {
  for (int i = p.n - 1; i >= 0; --i) {
    const int middle = p.rowadr[i] + p.diag[i], behind = p.rownnz[i] - p.diag[i];
    auto value = x[i];
    for (int c = 1; c < behind; ++c) value -= factors[middle + c] * x[i + c];
    x[i] = value;
  }
  for (int i = 0; i < p.n; ++i) {
    const int row = p.rowadr[i], last = p.diag[i];
    auto value = x[i];
    for (int c = 0; c < last; ++c) value -= factors[row + c] * x[p.colind[row + c]];
    x[i] = value / factors[row + last];
  }
}

/// y += scale A x.
template <class I, class F, class R, class X, class Y>
PLIANT_HD void add_tree_product(const TreeSquarePattern<I>& p, const F& matrix, R scale, const X& x, Y y) {
  for (int i = 0; i < p.n; ++i) {
    const int row = p.rowadr[i];
    R sum = 0;
    for (int c = 0; c < p.rownnz[i]; ++c) sum += matrix[row + c] * x[p.colind[row + c]];
    y[i] += scale * sum;
  }
}

}  // namespace pliant
