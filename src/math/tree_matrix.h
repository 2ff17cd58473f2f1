#pragma once
// A symmetric matrix with the sparsity of a kinematic tree: entry (i, j), j < i, exists only where dof j is
// an ancestor of dof i. Stored by rows of the lower half, columns ascending, the diagonal last.
//
// Columns of a row are the whole chain of ancestors, so the row of an ancestor uses a prefix of the
// columns of its descendants: elimination works on contiguous memory and causes no fill. Factors are
// M = L' D L with unit lower L, elimination from the leaves (Featherstone 2008, section 6.5).

#include "base/hd.h"
#include "math/constants.h"

namespace pliant {

template <class I>
struct TreePattern {
  int n;
  I rownnz, rowadr, colind;
};

template <class M> PLIANT_HD auto mass_pattern(const M& m) {
  return TreePattern<decltype(m.M_rownnz)>{m.nv, m.M_rownnz, m.M_rowadr, m.M_colind};
}

/// to -= factor · from, n numbers, in rows that do not overlap.
template <class F, class R> PLIANT_HD void subtract_scaled(F to, F from, R factor, int n) {
  for (int c = 0; c < n; ++c) to[c] -= factor * from[c];
}
#if !defined(__CUDA_ARCH__)
// Rows are short, so the loop's own cost counts: fours, then two, then one. Element by element the same
// operations as above, hence the same bits.
inline void subtract_scaled(double* to, double* from, double factor, int n) {
  typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
  typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
  for (; n >= 4; n -= 4, to += 4, from += 4) {
    *reinterpret_cast<Four*>(to) -= factor * *reinterpret_cast<const Four*>(from);
  }
  if (n & 2) {
    *reinterpret_cast<Two*>(to) -= factor * *reinterpret_cast<const Two*>(from);
    to += 2, from += 2;
  }
  if (n & 1) *to -= factor * *from;
}
#endif

/// In place: `matrix` becomes L (below the diagonal) and D (on it); `inverse` becomes 1/D. A pivot that is not
/// positive becomes the smallest positive one allowed; the first dof with such a pivot is returned, -1 if none.
template <class I, class F, class G> PLIANT_HD int factor_tree(const TreePattern<I>& p, F matrix, G inverse) {
  int bad = -1;
  for (int k = p.n - 1; k >= 0; --k) {
    const int row = p.rowadr[k], last = p.rownnz[k] - 1;
    if (!(matrix[row + last] >= kTiny)) {
      matrix[row + last] = kTiny;
      bad = k;
    }
    const auto scale = 1 / matrix[row + last];
    inverse[k] = scale;
    for (int a = last - 1; a >= 0; --a) {
      const int i = p.colind[row + a];
      const auto factor = matrix[row + a] * scale;
      // columns of row i are the first a + 1 columns of row k
      subtract_scaled(matrix + p.rowadr[i], matrix + row, factor, a + 1);
      matrix[row + a] = factor;
    }
  }
  return bad;
}

/// x becomes the solution of L' D L x = x, for dofs first … end - 1, which must be whole kinematic trees.
template <class I, class F, class G, class X>
PLIANT_HD void solve_tree(const TreePattern<I>& p, const F& factors, const G& inverse, X x, int first, int end) {
  for (int i = end - 1; i >= first; --i) {
    const int row = p.rowadr[i], last = p.rownnz[i] - 1;
    const auto value = x[i];
    if (last == 0 || value == 0) continue;
    for (int c = 0; c < last; ++c) x[p.colind[row + c]] -= factors[row + c] * value;
  }
  for (int i = first; i < end; ++i) {
    const int row = p.rowadr[i], last = p.rownnz[i] - 1;
    auto value = x[i] * inverse[i];
    for (int c = 0; c < last; ++c) value -= factors[row + c] * x[p.colind[row + c]];
    x[i] = value;
  }
}

template <class I, class F, class G, class X>
PLIANT_HD void solve_tree(const TreePattern<I>& p, const F& factors, const G& inverse, X x) {
  solve_tree(p, factors, inverse, x, 0, p.n);
}

/// x' M⁻¹ x = Σ (L⁻ᵀx)² / D. Only dofs with a non-zero x and their ancestors take part: `last` is the last of
/// them, and x is zero again afterwards.
template <class I, class F, class G, class X>
PLIANT_HD auto inverse_quadratic_form(const TreePattern<I>& p, const F& factors, const G& inverse, X x, int last) {
  auto sum = 0 * inverse[0];
  for (int i = last; i >= 0; --i) {
    const auto value = x[i];
    if (value == 0) continue;
    const int row = p.rowadr[i];
    for (int c = 0; c < p.rownnz[i] - 1; ++c) x[p.colind[row + c]] -= factors[row + c] * value;
    sum += value * value * inverse[i];
    x[i] = 0;
  }
  return sum;
}

/// y = M x.
template <class I, class F, class X, class Y>
PLIANT_HD void multiply_tree(const TreePattern<I>& p, const F& matrix, const X& x, Y y) {
  for (int i = 0; i < p.n; ++i) {
    const int row = p.rowadr[i], last = p.rownnz[i] - 1;
    auto sum = matrix[row + last] * x[i];
    for (int c = 0; c < last; ++c) {
      const int j = p.colind[row + c];
      sum += matrix[row + c] * x[j];
      y[j] += matrix[row + c] * x[i];
    }
    y[i] = sum;
  }
}

}  // namespace pliant
