#pragma once
// Dense symmetric matrices by a team: the lower triangle by rows, entry (i, j) at i (i + 1) / 2 + j. For a few dozen
// unknowns that beats anything that looks for zeros.

#include <cmath>

#include "base/team.h"
#include "math/constants.h"
#include "math/rounding.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

PLIANT_HD int triangle_size(int n) { return n * (n + 1) / 2; }
PLIANT_HD int triangle_at(int i, int j) { return i * (i + 1) / 2 + j; }

/// f(row, column) for every entry of a triangle with n rows, dealt out in turn. Waits for all of them.
template <class Team, class F>
PLIANT_HD void each_of_triangle(const Team& team, int n, F&& f) {
  const int entries = triangle_size(n);
  int row = 0;
  for (int e = team.lane(); e < entries; e += team.size()) {
    while (e >= triangle_size(row + 1)) ++row;
    f(row, e - triangle_size(row));
  }
  team.sync();
}

/// H = L L', in place, column by column. False if a pivot is not positive; all members know.
template <class Team, class R>
PLIANT_HD bool factor_triangle(const Team& team, R* H, int n) {
  for (int k = 0; k < n; ++k) {
    const R pivot = H[triangle_at(k, k)];
    if (!(pivot > R(kTiny))) return false;
    const R root = std::sqrt(pivot), inverse = 1 / root;
    team.sync();  // everybody has read the pivot
    for (int i = k + team.lane(); i < n; i += team.size()) {
      H[triangle_at(i, k)] = i == k ? root : H[triangle_at(i, k)] * inverse;
    }
    team.sync();
    each_of_triangle(team, n - k - 1, [&](int row, int column) {
      const int i = k + 1 + row, j = k + 1 + column;
      H[triangle_at(i, j)] = mul_add(-H[triangle_at(i, k)], H[triangle_at(j, k)], H[triangle_at(i, j)]);
    });
  }
  return true;
}

/// x = inv(L L') x, column by column.
template <class Team, class R>
PLIANT_HD void solve_triangle(const Team& team, const R* L, int n, R* x) {
  for (int k = 0; k < n; ++k) {
    const R value = x[k] / L[triangle_at(k, k)];
    team.sync();
    for (int i = k + team.lane(); i < n; i += team.size()) {
      x[i] = i == k ? value : mul_add(-L[triangle_at(i, k)], value, x[i]);
    }
    team.sync();
  }
  for (int k = n - 1; k >= 0; --k) {
    const R value = x[k] / L[triangle_at(k, k)];
    team.sync();
    for (int i = team.lane(); i <= k; i += team.size()) {
      x[i] = i == k ? value : mul_add(-L[triangle_at(k, i)], value, x[i]);
    }
    team.sync();
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
