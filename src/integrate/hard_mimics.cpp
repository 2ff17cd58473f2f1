// Hard mimics under implicit damping.
// reads rows mimic_* · writes the acceleration it is given

#include "integrate/hard_mimics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraint/reference_hd.h"
#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "state/fault.h"

namespace pliant {
namespace {

bool is_hard_row(const Model& m, const Rows& rows, int row) {
  return is_mimic_row(m, rows, row) &&
         m.mimic_mode[m.eq_mimicid[rows.row_id[row]]] == static_cast<int>(MimicMode::kHard);
}

int block_of(const Model& m, const Rows& rows, int row) { return m.mimic_blockid[m.eq_mimicid[rows.row_id[row]]]; }

/// x = inv(a) x for a dense matrix that need not be symmetric, by elimination with row pivots. A column without a pivot
/// (rows that say the same twice, to the last bit) leaves its unknown at zero.
void solve_dense(int n, double* a, double* x) {
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int r = c + 1; r < n; ++r) pivot = std::abs(a[r * n + c]) > std::abs(a[pivot * n + c]) ? r : pivot;
    if (pivot != c) {
      std::swap_ranges(a + pivot * n, a + pivot * n + n, a + c * n);
      std::swap(x[pivot], x[c]);
    }
    if (a[c * n + c] == 0) continue;
    for (int r = c + 1; r < n; ++r) {
      const double factor = a[r * n + c] / a[c * n + c];
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

/// Rows first … end - 1 are mimics of one block. False if there is no room.
bool hold_block(const Model& m, const State& s, Data& d, ImplicitSolve integrator, int first, int end,
                const double* solved, double* advanced) {
  const Rows& rows = d.rows;
  const size_t most = static_cast<size_t>(end - first), nv = static_cast<size_t>(m.nv);
  int* hard = d.arena.take<int>(most);
  if (!hard) return false;
  int n = 0;
  for (int i = first; i < end; ++i) {
    if (is_hard_row(m, rows, i)) hard[n++] = i;
  }
  const size_t count = static_cast<size_t>(n);
  double* response = d.arena.take<double>(count * nv);  // inv(A) Jᵀ, a row of nv numbers for each row
  double* matrix = d.arena.take<double>(count * count);
  double* force = d.arena.take<double>(count);
  if (!response || !matrix || !force) return false;
  std::fill_n(response, count * nv, 0.0);
  for (int k = 0; k < n; ++k) {
    double* const x = response + k * m.nv;
    add_row_times(rows, hard[k], 1.0, x);
    integrator.solve(m, s, d, x);
    for (int r = 0; r < n; ++r) matrix[r * n + k] = row_times(rows, hard[r], x);
    matrix[k * n + k] += rows.row_R[hard[k]];
    force[k] = row_times(rows, hard[k], solved) - row_times(rows, hard[k], advanced);
  }
  solve_dense(n, matrix, force);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m.nv; ++i) advanced[i] += force[k] * response[k * m.nv + i];
  }
  return true;
}

/// Where the solver took the step in parts: the velocity that moves positions, its mimics as without damping.
void hold_mean_velocity(const Model& m, const State& s, Data& d, ImplicitSolve integrator) {
  const Arena::Mark mark = d.arena.mark();
  double* solved = d.arena.take<double>(static_cast<size_t>(m.nv));
  if (!solved) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
    return;
  }
  const int n = solver_substeps(m.opt);
  const double reach = m.opt.timestep * (n + 1) / (2.0 * n);
  for (int i = 0; i < m.nv; ++i) solved[i] = d.qfrc_smooth[i] + d.qfrc_advance[i];
  solve_mass(m, d, solved);
  for (int i = 0; i < m.nv; ++i) solved[i] = s.qvel[i] + reach * solved[i];
  hold_hard_mimics(m, s, d, integrator, solved, d.qvel_advance);
  d.arena.release(mark);
}

}  // namespace

void advance_implicitly(const Model& m, const State& s, Data& d, ImplicitSolve integrator) {
  const double* qvel = mean_velocity(m, s, d, [&](double* x) { integrator.solve(m, s, d, x); });
  if (has_hard_mimics(m, d)) {
    hold_hard_mimics(m, s, d, integrator, d.qacc, d.qacc_advance);
    if (qvel) hold_mean_velocity(m, s, d, integrator);
  }
  advance_state(m, s, d, d.act_dot, d.qacc_advance, qvel);
}

bool has_hard_mimics(const Model& m, const Data& d) {
  if (m.nmimicrow == 0) return false;
  for (int i = d.rows.ne - 1; i >= 0 && is_mimic_row(m, d.rows, i); --i) {
    if (is_hard_row(m, d.rows, i)) return true;
  }
  return false;
}

void hold_hard_mimics(const Model& m, const State& s, Data& d, ImplicitSolve integrator, const double* solved,
                      double* advanced) {
  const Rows& rows = d.rows;
  int first = rows.ne;
  while (first > 0 && is_mimic_row(m, rows, first - 1)) --first;
  while (first < rows.ne) {
    int end = first;
    while (end < rows.ne && block_of(m, rows, end) == block_of(m, rows, first)) ++end;
    const Arena::Mark mark = d.arena.mark();
    const bool done = hold_block(m, s, d, integrator, first, end, solved, advanced);
    d.arena.release(mark);
    if (!done) {
      record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
      return;
    }
    first = end;
  }
}

}  // namespace pliant
