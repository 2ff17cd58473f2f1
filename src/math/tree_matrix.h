#pragma once
// A symmetric matrix with the sparsity of a kinematic tree: entry (i, j), j < i, exists only where dof j is
// an ancestor of dof i. Stored by rows of the lower half, columns ascending, the diagonal last.
//
// Columns of a row are the whole chain of ancestors (or none: rows of dofs whose inertia is diagonal), so
// the row of an ancestor uses a prefix of the columns of its descendants: elimination works on contiguous
// memory and causes no fill. Factors are M = L' D L with unit lower L, elimination from the leaves
// (Featherstone 2008, section 6.5).
//
// Ancestors come in runs of consecutive numbers, a limb at a time: chain[i] of the dofs directly before dof i
// are its ancestors, parent[] of the first of them leads to the next run.

#include <cmath>
#include <type_traits>

#include "base/hd.h"
#include "math/constants.h"
#include "math/short_rows.h"

namespace pliant {

template <class I>
struct TreePattern {
  int n;
  I rownnz, rowadr, colind, parent, chain;
  // for teams: dofs by depth, level_dof[level_adr[l]] … have l dofs above them
  int nlevel = 0;
  const int *level_adr = nullptr, *level_dof = nullptr;
};

template <class M>
PLIANT_HD auto mass_pattern(const M& m) {
  TreePattern<decltype(m.M_rownnz)> pattern{m.nv, m.M_rownnz, m.M_rowadr, m.M_colind, m.M_parentid, m.M_chainnum};
  if constexpr (requires { m.order; }) {
    pattern.nlevel = m.order.ndof_level;
    pattern.level_adr = m.order.dof_level_adr;
    pattern.level_dof = m.order.level_dof;
  }
  return pattern;
}

/// Calls f(first dof, number of dofs, place of the first within the row) for every run of ancestors of dof i that row i
/// has entries for, nearest first.
template <class I, class F>
PLIANT_HD void for_each_run(const TreePattern<I>& p, int i, F&& f) {
  int left = p.rownnz[i] - 1;
  for (int a = p.parent[i]; left > 0;) {
    const int length = p.chain[a] + 1, first = a - length + 1;
    left -= length;
    f(first, length, left);
    a = p.parent[first];
  }
}

/// Pivot of row k. One that is not positive is reported and becomes the smallest one allowed.
template <class I, class F, class G>
PLIANT_HD auto tree_pivot(const TreePattern<I>& p, F matrix, G inverse, int k, int& bad) {
  using R = std::remove_cvref_t<decltype(matrix[0])>;
  const int diagonal = p.rowadr[k] + p.rownnz[k] - 1;
  if (!(matrix[diagonal] >= R(kTiny))) {
    matrix[diagonal] = R(kTiny);
    bad = k;
  }
  return inverse[k] = 1 / matrix[diagonal];
}

/// In place: `matrix` becomes L (below the diagonal) and D (on it); `inverse` becomes 1/D. A pivot that is not positive
/// becomes the smallest one allowed; the first dof with such a pivot is returned, -1 if none.
///
/// Two dofs are eliminated at a time where the second is the parent of the first: rows are short, and what
/// costs is visiting them.
template <class I, class F, class G>
PLIANT_HD int factor_tree(const TreePattern<I>& p, F matrix, G inverse) {
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
    subtract_scaled(y, x, shared, last);
    x[last - 1] = shared;
    if (parent != k - 1) {
      for (int a = last - 2; a >= 0; --a) {
        const auto f = x[a] * inverse_x;
        subtract_scaled(matrix + p.rowadr[p.colind[p.rowadr[k] + a]], x, f, a + 1);
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

/// Whether dof i - 1 is the parent of dof i and both have all their ancestors as columns: such pairs of rows are
/// worked off together.
template <class I>
PLIANT_HD bool is_pair(const TreePattern<I>& p, int i) {
  return p.chain[i] > 0 && p.rownnz[i] > 1 && p.rownnz[i - 1] == p.rownnz[i] - 1;
}

/// x becomes the solution of L' D L x = x, for dofs first … end - 1, which must be whole kinematic trees.
template <class I, class F, class G, class X>
PLIANT_HD void solve_tree(const TreePattern<I>& p, F factors, const G& inverse, X x, int first, int end) {
  // L' from the leaves
  for (int i = end - 1; i >= first; --i) {
    const int row = p.rowadr[i], last = p.rownnz[i] - 1;
    if (last == 0) continue;
    const auto value = x[i];
    if (!is_pair(p, i)) {
      for_each_run(p, i, [&](int dof, int length, int offset) {
        subtract_scaled(x + dof, factors + row + offset, value, length);
      });
      continue;
    }
    const int above = p.rowadr[i - 1];
    const auto next = mul_add(-factors[row + last - 1], value, x[i - 1]);
    x[i - 1] = next;
    for_each_run(p, i - 1, [&](int dof, int length, int offset) {
      subtract_two(x + dof, factors + row + offset, value, factors + above + offset, next, length);
    });
    --i;
  }
  // D, and L from the root
  for (int i = first; i < end; ++i) {
    auto value = x[i] * inverse[i];
    const int row = p.rowadr[i];
    if (i + 1 >= end || !is_pair(p, i + 1)) {
      for_each_run(p, i, [&](int dof, int length, int offset) {
        value -= sum_products(factors + row + offset, x + dof, length);
      });
      x[i] = value;
      continue;
    }
    auto next = x[i + 1] * inverse[i + 1];
    const int below = p.rowadr[i + 1];
    for_each_run(p, i, [&](int dof, int length, int offset) {
      subtract_products(factors + row + offset, factors + below + offset, x + dof, length, value, next);
    });
    x[i] = value;
    x[i + 1] = mul_add(-factors[below + p.rownnz[i + 1] - 2], value, next);
    ++i;
  }
}
template <class I, class F, class G, class X>
PLIANT_HD void solve_tree(const TreePattern<I>& p, F factors, const G& inverse, X x) {
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
