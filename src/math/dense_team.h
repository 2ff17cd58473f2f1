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

/// From row to row of a dense matrix with n columns: a multiple of four that is odd in fours, so that members of a team
/// which read four numbers of a row each do not wait for each other.
PLIANT_HD int dense_stride(int n) { return 4 * ((n + 3) / 4 | 1); }

/// Four neighbours, the first at a multiple of 16 bytes.
template <class R>
struct alignas(16) FourNumbers {
  R x[4];
};
template <class R>
PLIANT_HD FourNumbers<R> load_four(const R* x) {
  return *reinterpret_cast<const FourNumbers<R>*>(x);
}

/// Members of a team that can hold a row each, and how many numbers they then share, the first at a multiple of 16
/// bytes.
inline constexpr int kMembersOfRows = 32, kSharedByRows = 2 * kMembersOfRows;

/// Whether a team has a member for every number, which then stays with it.
template <class Team>
PLIANT_HD constexpr bool has_member_for(int n) {
  return Team::kMembers == kMembersOfRows && n <= kMembersOfRows;
}

/// 1 / sqrt(x). On a device single precision is rounded less well, which directions do not notice.
PLIANT_HD double inverse_root(double x) { return 1 / std::sqrt(x); }
PLIANT_HD float inverse_root(float x) {
#ifdef __CUDA_ARCH__
  return rsqrtf(x);
#else
  return 1 / std::sqrt(x);
#endif
}

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
    const R inverse = inverse_root(pivot);
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

/// x = inv(L L') x, column by column; diagonal as factor_triangle leaves it.
template <class Team, class R>
PLIANT_HD void solve_triangle(const Team& team, const R* L, int n, R* x) {
  if constexpr (Team::kMembers == kMembersOfRows) {
    if (has_member_for<Team>(n)) {
      const int i = team.lane(), row = i < n ? i : n - 1;
      const R* mine = L + triangle_at(row, 0);
      R value = x[row];
      const R inverse = mine[row];
      PLIANT_UNROLL_SOME
      for (int k = 0; k < n; ++k) {
        if (i == k) value *= inverse;
        const R done = team.of(value, k);
        if (i > k) value = mul_add(-mine[k < row ? k : 0], done, value);
      }
      const R* below = L + triangle_at(n, 0) + i;
      PLIANT_UNROLL_SOME
      for (int k = n - 1; k >= 0; --k) {
        below -= k + 1;  // row k
        if (i == k) value *= inverse;
        const R done = team.of(value, k);
        if (i < k) value = mul_add(-*below, done, value);
      }
      if (i < n) x[i] = value;
      team.sync();
      return;
    }
  }
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

/// x = inv(L' D L) x, L with ones on its diagonal (whatever stands there): the mass matrix, as a dense triangle.
template <class Team, class R>
PLIANT_HD void solve_unit_triangle(const Team& team, const R* L, const R* inverse_D, int n, R* x) {
  if constexpr (Team::kMembers == kMembersOfRows) {
    if (has_member_for<Team>(n)) {
      const int i = team.lane(), row = i < n ? i : n - 1;
      const R* mine = L + triangle_at(row, 0);
      R value = x[row];
      const R* below = L + triangle_at(n, 0) + i;
      PLIANT_UNROLL_SOME
      for (int k = n - 1; k > 0; --k) {
        below -= k + 1;  // row k
        const R done = team.of(value, k);
        if (i < k) value = mul_add(-*below, done, value);
      }
      value *= inverse_D[row];
      PLIANT_UNROLL_SOME
      for (int k = 0; k < n - 1; ++k) {
        const R done = team.of(value, k);
        if (i > k) value = mul_add(-mine[k < row ? k : 0], done, value);
      }
      if (i < n) x[i] = value;
      team.sync();
      return;
    }
  }
  for (int k = n - 1; k > 0; --k) {
    const R value = x[k];
    each(team, k, [&](int i) { x[i] = mul_add(-L[triangle_at(k, i)], value, x[i]); });
  }
  each(team, n, [&](int i) { x[i] *= inverse_D[i]; });
  for (int k = 0; k < n - 1; ++k) {
    const R value = x[k];
    each(team, n - k - 1, [&](int i) { x[k + 1 + i] = mul_add(-L[triangle_at(k + 1 + i, k)], value, x[k + 1 + i]); });
  }
}

/// A lower triangle with a member for every row, which it holds by itself (in registers, on a device): the same
/// operations in the same order as above, without looking for places. `columns`: at least as many as there are rows, a
/// multiple of four.
template <class Team, class R, int columns>
class RowPerMember {
 public:
  PLIANT_HD RowPerMember(const Team& team, int n, R* shared) : team_(team), n_(n), shared_(shared) {}

  /// The rows of a dense symmetric matrix (dense_stride).
  PLIANT_HD void load(const R* matrix, int stride) {
    const R* mine = matrix + (team_.lane() < n_ ? team_.lane() : 0) * stride;
    PLIANT_UNROLL
    for (int j = 0; j < columns; j += 4) {
      const FourNumbers<R> four = load_four(mine + j);
      PLIANT_UNROLL
      for (int c = 0; c < 4; ++c) row_[j + c] = four.x[c];
    }
  }
  PLIANT_HD void store(R* triangle) const {
    const int i = team_.lane();
    R* mine = triangle + triangle_at(i, 0);
    PLIANT_UNROLL
    for (int j = 0; j < columns; ++j) {
      if (i < n_ && j <= i) mine[j] = row_[j];
    }
    team_.sync();
  }
  /// Row += factor x', x a row of a dense matrix.
  PLIANT_HD void add(R factor, const R* x) { subtract(-factor, x, 0); }
  /// H = L L', in place, as factor_triangle.
  PLIANT_HD bool factor() {
    const int i = team_.lane();
    PLIANT_UNROLL
    for (int k = 0; k < columns; ++k) {
      if (k >= n_) break;
      const R pivot = team_.of(row_[k], k);
      if (!(pivot > R(kTiny))) return false;
      const R inverse = inverse_root(pivot);
      row_[k] = i == k ? inverse : row_[k] * inverse;
      R* all = shared_ + k % 2 * kMembersOfRows;  // in turn: nobody waits for those who still read the last column
      all[i] = row_[k];
      team_.sync();
      subtract(row_[k], all, k + 1);
    }
    return true;
  }

 private:
  /// row -= factor x' from a column on. Columns beyond the row are numbers that nobody looks at.
  PLIANT_HD void subtract(R factor, const R* x, int first) {
    PLIANT_UNROLL
    for (int j = 0; j < columns; j += 4) {
      if (j + 4 <= first) continue;
      const FourNumbers<R> four = load_four(x + j);
      PLIANT_UNROLL
      for (int c = 0; c < 4; ++c) {
        if (j + c >= first) row_[j + c] = mul_add(-factor, four.x[c], row_[j + c]);
      }
    }
  }

  const Team& team_;
  int n_;
  R* shared_;
  R row_[columns];
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
