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

template <class R>
PLIANT_HD void store_four(R* x, const FourNumbers<R>& four) {
  *reinterpret_cast<FourNumbers<R>*>(x) = four;
}
/// sum + a_0 b_0 + … + a_3 b_3.
template <class R>
PLIANT_HD R add_products(const FourNumbers<R>& a, const FourNumbers<R>& b, R sum) {
  PLIANT_UNROLL
  for (int k = 0; k < 4; ++k) sum = mul_add(a.x[k], b.x[k], sum);
  return sum;
}
/// n, up to a multiple of four.
PLIANT_HD int four_places(int n) { return (n + 3) / 4 * 4; }

/// Where the t-th entry of a triangle by rows stands.
struct TilePlace {
  int row, column;
};
PLIANT_HD TilePlace tile_place(int t) {
  int row = 0;
  PLIANT_ROLLED
  while (t >= triangle_size(row + 1)) ++row;
  return {row, t - triangle_size(row)};
}

inline constexpr int kMembersOfRows = 32;

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

// ---- by fours --------------------------------------------------------------------------------------------------
//
// Dense matrices in rows (dense_stride), of a multiple of four unknowns: tiles of four by four, a tile or a row per
// member. Of a factor the lower tiles are there, and diagonals are 1 / L_kk.

/// The lower triangle of a tile on the diagonal, as numbers of every member; zero above.
template <class R>
struct DiagonalTile {
  R x[4][4];
};
template <class R>
PLIANT_HD DiagonalTile<R> load_diagonal(const R* tile, int stride) {
  DiagonalTile<R> t;
  PLIANT_UNROLL
  for (int i = 0; i < 4; ++i) {
    const FourNumbers<R> four = load_four(tile + i * stride);
    PLIANT_UNROLL
    for (int j = 0; j < 4; ++j) t.x[i][j] = j <= i ? four.x[j] : R(0);
  }
  return t;
}

/// The lower triangle of a tile = L L', with 1 / L_kk on the diagonal. False if a pivot is not positive.
template <class R>
PLIANT_HD bool factor_diagonal(DiagonalTile<R>& L) {
  bool positive = true;
  PLIANT_UNROLL
  for (int c = 0; c < 4; ++c) {
    positive = positive && L.x[c][c] > R(kTiny);
    const R inverse = inverse_root(L.x[c][c]);
    L.x[c][c] = inverse;
    PLIANT_UNROLL
    for (int i = c + 1; i < 4; ++i) L.x[i][c] *= inverse;
    PLIANT_UNROLL
    for (int j = c + 1; j < 4; ++j) {
      PLIANT_UNROLL
      for (int i = j; i < 4; ++i) L.x[i][j] = mul_add(-L.x[i][c], L.x[j][c], L.x[i][j]);
    }
  }
  return positive;
}
/// x = x inv(L'): a row below a tile.
template <class R>
PLIANT_HD void solve_row(const DiagonalTile<R>& L, FourNumbers<R>& x) {
  PLIANT_UNROLL
  for (int c = 0; c < 4; ++c) {
    PLIANT_UNROLL
    for (int j = 0; j < c; ++j) x.x[c] = mul_add(-x.x[j], L.x[c][j], x.x[c]);
    x.x[c] *= L.x[c][c];
  }
}

/// factor_by_fours with a member per row: of each panel it takes what stands left of it, when it is its turn. A third
/// of the instructions, the same operations on every number.
template <class Team, class R>
PLIANT_HD bool factor_by_rows(const Team& team, R* H, int n, int stride) {
  const int row = team.lane() < n ? team.lane() : n - 1;
  R* const mine = H + row * stride;
  PLIANT_ROLLED
  for (int k = 0; k < n; k += 4) {
    FourNumbers<R> x{};
    if (team.lane() < n) x = load_four(static_cast<const R*>(mine + k));
    const R* const panel = H + k * stride;
    PLIANT_ROLLED
    for (int left = 0; left < k; left += 4) {
      const FourNumbers<R> a = load_four(static_cast<const R*>(mine + left));
      PLIANT_UNROLL
      for (int j = 0; j < 4; ++j) {
        const FourNumbers<R> b = load_four(panel + j * stride + left);
        PLIANT_UNROLL
        for (int c = 0; c < 4; ++c) x.x[j] = mul_add(-a.x[c], b.x[c], x.x[j]);
      }
    }
    DiagonalTile<R> L{};
    PLIANT_UNROLL
    for (int i = 0; i < 4; ++i) {
      PLIANT_UNROLL
      for (int j = 0; j <= i; ++j) L.x[i][j] = team.of(x.x[j], k + i);
    }
    if (!factor_diagonal(L)) return false;
    if (team.lane() >= n) {  // nobody's row
    } else if (row >= k + 4) {
      solve_row(L, x);
      store_four(mine + k, x);
    } else if (row >= k) {
      PLIANT_UNROLL
      for (int i = 0; i < 4; ++i) {
        if (row == k + i) store_four(mine + k, FourNumbers<R>{{L.x[i][0], L.x[i][1], L.x[i][2], L.x[i][3]}});
      }
    }
    team.sync();
  }
  return true;
}

/// H = L L', in place, four columns at a time. False if a pivot is not positive; all members know.
template <class Team, class R>
PLIANT_HD bool factor_by_fours(const Team& team, R* H, int n, int stride) {
  if constexpr (Team::kMembers == kMembersOfRows) {
    if (n <= kMembersOfRows) return factor_by_rows(team, H, n, stride);
  }
  const TilePlace mine = tile_place(team.lane());
  PLIANT_ROLLED
  for (int k = 0; k < n; k += 4) {
    // everybody factors the tile on the diagonal
    DiagonalTile<R> L = load_diagonal(H + k * stride + k, stride);
    if (!factor_diagonal(L)) return false;
    team.sync();  // everybody has read it
    // a member per row of the panel
    PLIANT_ROLLED
    for (int row = k + team.lane(); row < n; row += team.size()) {
      R* const at = H + row * stride + k;
      FourNumbers<R> x;
      if (row < k + 4) {
        PLIANT_UNROLL
        for (int i = 0; i < 4; ++i) {
          if (row == k + i) x = {{L.x[i][0], L.x[i][1], L.x[i][2], L.x[i][3]}};
        }
      } else {
        x = load_four(static_cast<const R*>(at));
        solve_row(L, x);
      }
      store_four(at, x);
    }
    team.sync();
    // a member per tile of what is left
    const int left = (n - k) / 4 - 1;
    PLIANT_ROLLED
    for (int t = team.lane(); t < triangle_size(left); t += team.size()) {
      const TilePlace place = t == team.lane() ? mine : tile_place(t);
      const int row = k + 4 + 4 * place.row, column = k + 4 + 4 * place.column;
      FourNumbers<R> a[4], b[4];
      PLIANT_UNROLL
      for (int i = 0; i < 4; ++i) {
        a[i] = load_four(static_cast<const R*>(H + (row + i) * stride + k));
        b[i] = load_four(static_cast<const R*>(H + (column + i) * stride + k));
      }
      PLIANT_UNROLL
      for (int i = 0; i < 4; ++i) {
        R* const to = H + (row + i) * stride + column;
        FourNumbers<R> x = load_four(static_cast<const R*>(to));
        PLIANT_UNROLL
        for (int j = 0; j < 4; ++j) {
          PLIANT_UNROLL
          for (int c = 0; c < 4; ++c) x.x[j] = mul_add(-a[i].x[c], b[j].x[c], x.x[j]);
        }
        store_four(to, x);
      }
    }
    team.sync();
  }
  return true;
}

/// solve_by_fours with a member per unknown.
template <class Team, class R>
PLIANT_HD void solve_by_members(const Team& team, const R* L, int n, int stride, const R* x, R* y) {
  const int i = team.lane(), row = i < n ? i : n - 1;
  const R* const mine = L + row * stride;
  R value = x[row];
  const R inverse = mine[row];
  PLIANT_ROLLED
  for (int k = 0; k < n; k += 4) {
    const FourNumbers<R> four = load_four(mine + k);
    PLIANT_UNROLL
    for (int c = 0; c < 4; ++c) {
      if (i == k + c) value *= inverse;
      const R done = team.of(value, k + c);
      if (i > k + c) value = mul_add(-four.x[c], done, value);
    }
  }
  PLIANT_ROLLED
  for (int k = n - 4; k >= 0; k -= 4) {
    const R* const below = L + k * stride + row;
    R entry[4], done[4];
    PLIANT_UNROLL
    for (int c = 0; c < 4; ++c) entry[c] = below[c * stride];
    PLIANT_UNROLL
    for (int c = 3; c >= 0; --c) {
      if (i == k + c) {
        PLIANT_UNROLL
        for (int j = c + 1; j < 4; ++j) value = mul_add(-entry[j], done[j], value);
        value *= inverse;
      }
      done[c] = team.of(value, k + c);
    }
    if (i >= k) continue;
    PLIANT_UNROLL
    for (int c = 0; c < 4; ++c) value = mul_add(-entry[c], done[c], value);
  }
  if (i < n) y[i] = value;
  team.sync();
}

/// y = inv(L L') x, L as factor_by_fours leaves it; x is lost.
template <class Team, class R>
PLIANT_HD void solve_by_fours(const Team& team, const R* L, int n, int stride, R* x, R* y) {
  if constexpr (Team::kMembers == kMembersOfRows) {
    if (n <= kMembersOfRows) return solve_by_members(team, L, n, stride, static_cast<const R*>(x), y);
  }
  PLIANT_ROLLED
  for (int k = 0; k < n; k += 4) {
    const DiagonalTile<R> tile = load_diagonal(L + k * stride + k, stride);
    FourNumbers<R> z = load_four(static_cast<const R*>(x + k));
    PLIANT_UNROLL
    for (int c = 0; c < 4; ++c) {
      PLIANT_UNROLL
      for (int j = 0; j < c; ++j) z.x[c] = mul_add(-tile.x[c][j], z.x[j], z.x[c]);
      z.x[c] *= tile.x[c][c];
    }
    if (team.lane() == 0) store_four(y + k, z);
    PLIANT_ROLLED
    for (int row = k + 4 + team.lane(); row < n; row += team.size()) {
      const FourNumbers<R> mine = load_four(L + row * stride + k);
      R sum = x[row];
      PLIANT_UNROLL
      for (int c = 0; c < 4; ++c) sum = mul_add(-mine.x[c], z.x[c], sum);
      x[row] = sum;
    }
    team.sync();
  }
  // backwards, in y: four unknowns are written when everybody has read what stood there
  FourNumbers<R> z{};
  PLIANT_ROLLED
  for (int k = n - 4; k >= 0; k -= 4) {
    const DiagonalTile<R> tile = load_diagonal(L + k * stride + k, stride);
    const FourNumbers<R> last = z;
    z = load_four(static_cast<const R*>(y + k));
    PLIANT_UNROLL
    for (int c = 3; c >= 0; --c) {
      PLIANT_UNROLL
      for (int i = c + 1; i < 4; ++i) z.x[c] = mul_add(-tile.x[i][c], z.x[i], z.x[c]);
      z.x[c] *= tile.x[c][c];
    }
    if (team.lane() == 0 && k + 4 < n) store_four(y + k + 4, last);
    PLIANT_ROLLED
    for (int i = team.lane(); i < k; i += team.size()) {
      R sum = y[i];
      PLIANT_UNROLL
      for (int c = 0; c < 4; ++c) sum = mul_add(-L[(k + c) * stride + i], z.x[c], sum);
      y[i] = sum;
    }
    team.sync();
  }
  if (team.lane() == 0) store_four(y, z);
  team.sync();
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
