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

/// H = L L', in place, column by column; the diagonal becomes 1 / L_kk. False if a pivot is not positive; all members
/// know.
template <class Team, class R>
PLIANT_HD bool factor_triangle(const Team& team, R* H, int n) {
  for (int k = 0; k < n; ++k) {
    const R pivot = H[triangle_at(k, k)];
    if (!(pivot > R(kTiny))) return false;
    const R inverse = 1 / std::sqrt(pivot);
    team.sync();  // everybody has read the pivot
    for (int i = k + team.lane(); i < n; i += team.size()) {
      H[triangle_at(i, k)] = i == k ? inverse : H[triangle_at(i, k)] * inverse;
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
    const R value = x[k] * L[triangle_at(k, k)];
    team.sync();
    for (int i = k + team.lane(); i < n; i += team.size()) {
      x[i] = i == k ? value : mul_add(-L[triangle_at(i, k)], value, x[i]);
    }
    team.sync();
  }
  for (int k = n - 1; k >= 0; --k) {
    const R value = x[k] * L[triangle_at(k, k)];
    team.sync();
    for (int i = team.lane(); i <= k; i += team.size()) {
      x[i] = i == k ? value : mul_add(-L[triangle_at(k, i)], value, x[i]);
    }
    team.sync();
  }
}

/// A lower triangle with a member for every row, which it holds by itself (in registers, on a device): the same
/// operations in the same order as above, without looking for places.
template <class Team, class R>
class RowPerMember {
 public:
  static constexpr int kMost = 32;               // rows
  static constexpr int kShared = 2 * kMost + 4;  // numbers that members share; the first at a multiple of 16 bytes
  static constexpr bool kPossible = Team::kMembers == kMost;

  PLIANT_HD RowPerMember(const Team& team, int n, R* shared) : team_(team), n_(n), shared_(shared) {}

  PLIANT_HD void load(const R* triangle) {
    const int i = team_.lane();
    PLIANT_UNROLL
    for (int j = 0; j < kMost; ++j) row_[j] = i < n_ && j <= i ? triangle[triangle_at(i, j)] : R(0);
  }
  PLIANT_HD void store(R* triangle) const {
    const int i = team_.lane();
    PLIANT_UNROLL
    for (int j = 0; j < kMost; ++j) {
      if (i < n_ && j <= i) triangle[triangle_at(i, j)] = row_[j];
    }
    team_.sync();
  }
  /// H += weight x x'. Every member says its number of x; those without a row say 0.
  PLIANT_HD void add(R weight, R x) {
    R* all = shared_ + (turn_ ? kMost : 0);  // so that nobody waits for those who still read the last one
    turn_ = !turn_;
    all[team_.lane()] = x;
    team_.sync();
    const R mine = weight * x;
    subtract(-mine, all, 0);
  }
  /// H = L L', in place, as factor_triangle.
  PLIANT_HD bool factor() {
    const int i = team_.lane();
    R* all = shared_;
    R* pivot = shared_ + 2 * kMost;
    team_.sync();
    PLIANT_UNROLL
    for (int k = 0; k < kMost; ++k) {
      if (k >= n_) break;
      if (i == k) *pivot = row_[k];
      team_.sync();
      if (!(*pivot > R(kTiny))) return false;
      const R inverse = 1 / std::sqrt(*pivot);
      row_[k] = i == k ? inverse : row_[k] * inverse;
      all[i] = row_[k];
      team_.sync();
      subtract(row_[k], all, k + 1);
    }
    return true;
  }
  /// x of inv(L L') x after factor and store; every member says its number and gets it back.
  PLIANT_HD R solve(R x, const R* triangle) {
    const int i = team_.lane();
    R* done = shared_;
    PLIANT_UNROLL
    for (int k = 0; k < kMost; ++k) {
      if (k >= n_) break;
      if (i == k) done[k] = x = x * row_[k];
      team_.sync();
      if (i > k) x = mul_add(-row_[k], done[k], x);
    }
    done = shared_ + kMost;
    const R inverse = i < n_ ? triangle[triangle_at(i, i)] : R(0);
    for (int k = n_ - 1; k >= 0; --k) {
      if (i == k) done[k] = x = x * inverse;
      team_.sync();
      if (i < k) x = mul_add(-triangle[triangle_at(k, i)], done[k], x);
    }
    return x;
  }

 private:
  /// row -= factor x' from a column on. Columns beyond the row are numbers that nobody looks at.
  PLIANT_HD void subtract(R factor, const R* x, int first) {
    PLIANT_UNROLL
    for (int j = 0; j < kMost; j += 4) {
      if (j + 4 <= first || j >= n_) continue;
      const Four four = load_four(x + j);
      PLIANT_UNROLL
      for (int c = 0; c < 4; ++c) {
        if (j + c >= first) row_[j + c] = mul_add(-factor, four.x[c], row_[j + c]);
      }
    }
  }
  struct alignas(16) Four {
    R x[4];
  };
  PLIANT_HD static Four load_four(const R* x) { return *reinterpret_cast<const Four*>(x); }

  const Team& team_;
  int n_;
  R* shared_;
  bool turn_ = false;
  R row_[kMost];
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
