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

/// to -= f · x + g · y, n numbers, in rows that do not overlap; first f, then g.
template <class F, class R> PLIANT_HD void subtract_two(F to, F x, R f, F y, R g, int n) {
  for (int c = 0; c < n; ++c) to[c] = (to[c] - f * x[c]) - g * y[c];
}
#if !defined(__CUDA_ARCH__)
// Rows are short, so the loop's own cost counts: fours, then two, then one. Element by element the same
// operations as above, hence the same bits.
inline void subtract_two(double* to, double* x, double f, double* y, double g, int n) {
  typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
  typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
  int c = 0;
  for (; c + 4 <= n; c += 4) {
    Four& t = *reinterpret_cast<Four*>(to + c);
    t = (t - f * *reinterpret_cast<const Four*>(x + c)) - g * *reinterpret_cast<const Four*>(y + c);
  }
  if (n & 2) {
    Two& t = *reinterpret_cast<Two*>(to + c);
    t = (t - f * *reinterpret_cast<const Two*>(x + c)) - g * *reinterpret_cast<const Two*>(y + c);
    c += 2;
  }
  if (n & 1) to[c] = (to[c] - f * x[c]) - g * y[c];
}
#endif

/// Pivot of row k, made positive if it is not.
template <class I, class F, class G>
PLIANT_HD auto tree_pivot(const TreePattern<I>& p, F matrix, G inverse, int k, int& bad) {
  const int diagonal = p.rowadr[k] + p.rownnz[k] - 1;
  if (!(matrix[diagonal] >= kTiny)) {
    matrix[diagonal] = kTiny;
    bad = k;
  }
  return inverse[k] = 1 / matrix[diagonal];
}

/// In place: `matrix` becomes L (below the diagonal) and D (on it); `inverse` becomes 1/D. A pivot that is not
/// positive becomes the smallest positive one allowed; the first dof with such a pivot is returned, -1 if none.
///
/// Two dofs are eliminated at a time where the second is the parent of the first: rows are short, and what
/// costs is visiting them.
template <class I, class F, class G> PLIANT_HD int factor_tree(const TreePattern<I>& p, F matrix, G inverse) {
  int bad = -1;
  for (int k = p.n - 1; k >= 0; --k) {
    const F x = matrix + p.rowadr[k];
    const int last = p.rownnz[k] - 1;
    const auto inverse_x = tree_pivot(p, matrix, inverse, k, bad);
    if (last == 0) continue;
    const int parent = p.colind[p.rowadr[k] + last - 1];
    const F y = matrix + p.rowadr[parent];
    // the parent's own row first: its columns are the first `last` columns of row k
    const auto shared = x[last - 1] * inverse_x;
    for (int c = 0; c < last; ++c) y[c] -= shared * x[c];
    x[last - 1] = shared;
    if (parent != k - 1) {
      for (int a = last - 2; a >= 0; --a) {
        const auto f = x[a] * inverse_x;
        const F to = matrix + p.rowadr[p.colind[p.rowadr[k] + a]];
        for (int c = 0; c <= a; ++c) to[c] -= f * x[c];
        x[a] = f;
      }
      continue;
    }
    // then both from all ancestors they share
    const auto inverse_y = tree_pivot(p, matrix, inverse, parent, bad);
    for (int a = last - 2; a >= 0; --a) {
      const auto f = x[a] * inverse_x, g = y[a] * inverse_y;
      subtract_two(matrix + p.rowadr[p.colind[p.rowadr[k] + a]], x, f, y, g, a + 1);
      x[a] = f;
      y[a] = g;
    }
    --k;
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
