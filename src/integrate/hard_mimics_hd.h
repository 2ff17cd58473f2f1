#pragma once
// Hard mimics under implicit damping, for one world.
//
// The solver gives a row of a hard mimic the acceleration it asks for, with M as the inertia. An integrator that takes
// damping at the end of the step then turns the same forces into other accelerations, inv(A) f with A = M + h D, and a
// follower with another damping than its leader leaves it: by some 1e-4 rad, where without damping it is 1e-9. So the
// rows' forces get what is missing,
//
//   (J inv(A) Jᵀ + R) Δf = J a - J a',    a' += inv(A) Jᵀ Δf
//
// (a the solver's acceleration, a' the integrator's): the rows move as the solver said. Other rows do not take part, as
// they do not in what the integrator does to their accelerations. Forces in Data stay those of the solver.
//
// Mimics of connected trees are solved together. Cost: a solve with A per row, a dense solve of as many unknowns.
//
// reads rows mimic_* eq_mimicid · writes the acceleration it is given

#include <cmath>

#include "base/team.h"
#include "constraint/reference_hd.h"
#include "pliant/types.h"
#include "state/hard_mimic_memory.h"

namespace pliant {

template <class M>
PLIANT_HD bool is_hard_mimic(const M& m, int mimic) {
  return m.mimic_mode[mimic] == static_cast<int>(MimicMode::kHard);
}

/// The row of a mimic; -1 if it has none in this step. Mimics are the last equalities.
template <class M, class Rows>
PLIANT_HD int row_of_mimic(const M& m, const Rows& rows, int mimic) {
  for (int i = rows.ne - 1; i >= 0 && is_mimic_row(m, rows, i); --i) {
    if (m.eq_mimicid[rows.row_id[i]] == mimic) return i;
  }
  return -1;
}

/// x = inv(a) x for a dense matrix that need not be symmetric, by elimination with row pivots. A column without a pivot
/// (rows that say the same twice, to the last bit) leaves its unknown at zero.
template <class R>
PLIANT_HD_FREE void solve_dense(int n, R* a, R* x) {
  const auto exchange = [](R& one, R& other) {
    const R kept = one;
    one = other, other = kept;
  };
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int r = c + 1; r < n; ++r) pivot = std::abs(a[r * n + c]) > std::abs(a[pivot * n + c]) ? r : pivot;
    if (pivot != c) {
      for (int k = 0; k < n; ++k) exchange(a[pivot * n + k], a[c * n + k]);
      exchange(x[pivot], x[c]);
    }
    if (a[c * n + c] == 0) continue;
    for (int r = c + 1; r < n; ++r) {
      const R factor = a[r * n + c] / a[c * n + c];
      if (factor == 0) continue;
      for (int k = c; k < n; ++k) a[r * n + k] -= factor * a[c * n + k];
      x[r] -= factor * x[c];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) x[r] -= a[r * n + k] * x[k];
    x[r] = a[r * n + r] == 0 ? 0 : x[r] / a[r * n + r];
  }
}

/// Mimics first … end - 1 of mimicrow_mimicid, a block. Those without a row are unknowns that stay zero, so that all
/// worlds of a batch do the same.
template <class Team, class M, class Rows, class R, class Solve, class A, class X>
PLIANT_HD_FREE void hold_block(const Team& team, const M& m, const Rows& rows, const HardMimicMemory<R>& work,
                               Solve& solve, const A& solved, X advanced, int first, int end) {
  int n = 0;
  for (int k = first; k < end; ++k) n += is_hard_mimic(m, m.mimicrow_mimicid[k]);
  if (n == 0) return;
  int* const row = work.row;
  R* const response = work.number;  // inv(A) Jᵀ, nv numbers for each row
  R *const matrix = response + n * m.nv, *const force = matrix + n * n;
  once(team, [&] {
    int place = 0;
    for (int k = first; k < end; ++k) {
      const int mimic = m.mimicrow_mimicid[k];
      if (is_hard_mimic(m, mimic)) row[place++] = row_of_mimic(m, rows, mimic);
    }
  });
  each(team, n * m.nv, [&](int i) { response[i] = 0; });
  for (int k = 0; k < n; ++k) {
    R* const x = response + k * m.nv;
    once(team, [&] {
      if (row[k] >= 0) add_row_times(rows, row[k], R(1), x);
    });
    solve(x);
    team.sync();
  }
  each(team, n * n, [&](int i) {
    const int r = i / n, k = i % n;
    if (row[r] < 0 || row[k] < 0) {
      matrix[i] = r == k;
      return;
    }
    matrix[i] = row_times(rows, row[r], static_cast<const R*>(response + k * m.nv));
    if (r == k) matrix[i] += rows.row_R[row[r]];
  });
  each(team, n, [&](int k) {
    force[k] = row[k] < 0 ? R(0) : row_times(rows, row[k], solved) - row_times(rows, row[k], advanced);
  });
  once(team, [&] { solve_dense(n, matrix, force); });
  each(team, m.nv, [&](int i) {
    for (int k = 0; k < n; ++k) advanced[i] += force[k] * response[k * m.nv + i];
  });
}

/// `advanced` (a') moves hard mimics as `solved` (a) does. solve(R* x): turns a force into the acceleration that the
/// integrator gives to it, in place, by all members.
template <class Team, class M, class Rows, class R, class Solve, class A, class X>
PLIANT_HD_FREE void hold_hard_mimics(const Team& team, const M& m, const Rows& rows, const HardMimicMemory<R>& work,
                                     Solve&& solve, const A& solved, X advanced) {
  for (int first = 0; first < m.nmimicrow;) {
    const int block = m.mimic_blockid[m.mimicrow_mimicid[first]];
    int end = first;
    while (end < m.nmimicrow && m.mimic_blockid[m.mimicrow_mimicid[end]] == block) ++end;
    hold_block(team, m, rows, work, solve, solved, advanced, first, end);
    first = end;
  }
}

}  // namespace pliant
