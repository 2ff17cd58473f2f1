#pragma once
// Factors, solutions and products of tree matrices by a team. A team of one runs the plain versions of tree_matrix.h.
//
// Rows are eliminated one after the other, from the leaves; the entries that change with one row are shared
// out. Bits equal those of the plain factorisation: every entry sees the same operations in the same order.

#include "base/team.h"
#include "math/tree_matrix.h"

namespace pliant {

template <class Team, class I, class F, class G>
PLIANT_HD int factor_tree(const Team& team, const TreePattern<I>& p, F matrix, G inverse) {
  if constexpr (Team::kSerial) {
    return factor_tree(p, matrix, inverse);
  } else {
    using R = std::remove_cvref_t<decltype(matrix[0])>;
    int bad = -1;
    for (int k = p.n - 1; k >= 0; --k) {
      const int row = p.rowadr[k], last = p.rownnz[k] - 1;
      // every member knows the pivot; one writes it (a tiny one becomes kTiny, which gives the same inverse again)
      const R pivot = matrix[row + last];
      const R inverse_k = 1 / (pivot >= R(kTiny) ? pivot : R(kTiny));
      if (team.lane() == 0) tree_pivot(p, matrix, inverse, k, bad);
      // row a of the ancestors, column c <= a: -= x_a / D x_c; entries of the triangle are dealt out in turn
      for (int a = 0, c = team.lane(); a < last; c += team.size()) {
        while (a < last && c > a) c -= ++a;
        if (a >= last) break;
        const int place = p.rowadr[p.colind[row + a]] + c;
        matrix[place] = mul_add(-(matrix[row + a] * inverse_k), matrix[row + c], matrix[place]);
      }
      team.sync();
      for (int a = team.lane(); a < last; a += team.size()) matrix[row + a] = matrix[row + a] * inverse_k;
    }
    team.sync();
    return bad;
  }
}

template <class Team, class I, class F, class G, class X>
PLIANT_HD void solve_tree(const Team& team, const TreePattern<I>& p, F factors, const G& inverse, X x) {
  if constexpr (Team::kSerial) {
    solve_tree(p, factors, inverse, x);
  } else {
    // L' from the leaves: a row's value goes to all its ancestors
    for (int i = p.n - 1; i >= 0; --i) {
      const int row = p.rowadr[i], last = p.rownnz[i] - 1;
      if (last == 0) continue;
      const auto value = x[i];
      for (int c = team.lane(); c < last; c += team.size()) {
        const int j = p.colind[row + c];
        x[j] = mul_add(-factors[row + c], value, x[j]);
      }
      team.sync();
    }
    // D, and L from the root: the same entries, one ancestor after the other
    each(team, p.n, [&](int i) { x[i] = x[i] * inverse[i]; });
    for (int level = 1; level < p.nlevel; ++level) {
      const int first = p.level_adr[level];
      each(team, p.level_adr[level + 1] - first, [&](int k) {
        const int i = p.level_dof[first + k], row = p.rowadr[i];
        auto value = x[i];
        for (int c = 0; c < p.rownnz[i] - 1; ++c) value = mul_add(-factors[row + c], x[p.colind[row + c]], value);
        x[i] = value;
      });
    }
  }
}

/// y = M x, y another array than x. The rows that have a column follow the column's own row without a gap.
template <class Team, class I, class F, class X, class Y>
PLIANT_HD void multiply_tree(const Team& team, const TreePattern<I>& p, const F& matrix, const X& x, Y y) {
  if constexpr (Team::kSerial) {
    multiply_tree(p, matrix, x, y);
  } else {
    each(team, p.n, [&](int j) {
      const int row = p.rowadr[j], depth = p.rownnz[j] - 1;
      auto sum = matrix[row + depth] * x[j];
      for (int c = 0; c < depth; ++c) sum += matrix[row + c] * x[p.colind[row + c]];
      // an ancestor stands in every row at the place that its own depth gives
      for (int i = j + 1; i < p.n && p.rownnz[i] > depth && p.colind[p.rowadr[i] + depth] == j; ++i) {
        sum += matrix[p.rowadr[i] + depth] * x[i];
      }
      y[j] = sum;
    });
  }
}

}  // namespace pliant
