#pragma once
// Factors and solutions of unsymmetric tree matrices by a team. A team of one runs the plain versions of tree_lu.h.
//
// Rows are eliminated one after the other, from the leaves; the entries that change with one row are shared out.
// Factors have the bits of the plain version: every entry sees the same operations in the same order.

#include "base/team.h"
#include "math/tree_lu.h"

namespace pliant {

template <class Team, class I, class F>
PLIANT_HD void factor_tree_lu(const Team& team, const TreeSquarePattern<I>& p, F matrix) {
  if constexpr (Team::kSerial) {
    factor_tree_lu(p, matrix);
  } else {
    for (int r = p.n - 1; r >= 0; --r) {
      const int row = p.rowadr[r], last = p.diag[r];
      if (last == 0) continue;
      const auto scale = 1 / matrix[row + last];
      // column r of all ancestors: factors of their rows
      const auto place_of = [&](int i, int column) { return p.rowadr[i] + p.diag[i] + column - i; };
      each(team, last, [&](int a) {
        const int place = place_of(p.colind[row + a], r);
        matrix[place] = matrix[place] * scale;
      });
      each(team, last * last, [&](int k) {
        const int a = k / last, c = k % last, i = p.colind[row + a];
        const auto factor = matrix[place_of(i, r)];
        if (factor == 0) return;
        // columns up to i are the first a + 1 columns of both rows
        const int to = c <= a ? p.rowadr[i] + c : place_of(i, p.colind[row + c]);
        matrix[to] -= factor * matrix[row + c];
      });
    }
  }
}

/// x becomes the solution of U L x = x. A row's value goes to all rows that need it.
template <class Team, class I, class F, class X>
PLIANT_HD void solve_tree_lu(const Team& team, const TreeSquarePattern<I>& p, const F& factors, X x) {
  if constexpr (Team::kSerial) {
    solve_tree_lu(p, factors, x);
  } else {
    // U from the leaves: to the ancestors
    for (int i = p.n - 1; i >= 0; --i) {
      if (p.diag[i] == 0) continue;
      const auto value = x[i];
      each(team, p.diag[i], [&](int c) {
        const int k = p.colind[p.rowadr[i] + c];
        x[k] -= factors[p.rowadr[k] + p.diag[k] + i - k] * value;
      });
    }
    // L from the root: to the descendants, in whose rows this dof stands at the place that its own depth gives
    for (int i = 0; i < p.n; ++i) {
      const auto value = x[i] / factors[p.rowadr[i] + p.diag[i]];
      const int behind = p.rownnz[i] - p.diag[i];
      team.sync();  // everybody has read x[i]
      each(team, behind,
           [&](int c) { x[i + c] = c == 0 ? value : x[i + c] - factors[p.rowadr[i + c] + p.diag[i]] * value; });
    }
  }
}

}  // namespace pliant
