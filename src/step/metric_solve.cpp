// Products and solves with the metric: its part in the pattern of M through its factors; terms beyond the pattern
// through the factorisation that Newton's method has for M + J' D J.

#include "step/metric_solve.h"

#include <algorithm>

#include "constraint/reference_hd.h"
#include "integrate/metric.h"
#include "math/tree_matrix_two.h"
#include "solver/hessian.h"
#include "solver/row_groups.h"
#include "step/constraint_problem.h"

namespace pliant {
namespace {

bool solve_with_terms(const Model& m, const State& s, Data& d, double* x) {
  const int first = d.rows.n, n = d.metric.nterm;
  const RowBlock block = metric_block(0, n);
  SolverProblem problem = whole_problem(m, s, d, {&block, 1});
  RowsView& rows = problem.rows;
  rows.n = n;
  for (const int** p : {&rows.Jadr, &rows.segadr, &rows.segnum}) *p += first;
  for (const double** p : {&rows.aref, &rows.D, &rows.R}) *p += first;
  RowGroups groups;
  Hessian hessian;
  int* state = d.arena.take<int>(static_cast<size_t>(n));
  double* residual = d.arena.take<double>(static_cast<size_t>(n));
  if (!state || !residual || !groups.build(rows, problem.blocks, m.nv, d.arena)) return false;
  std::fill_n(state, n, static_cast<int>(RowState::kQuadratic));
  std::fill_n(residual, n, 0.0);
  if (!hessian.build(problem, groups, d.arena) || !hessian.factor(residual, state)) return false;
  hessian.solve(x);
  return true;
}

/// A single term s w wᵀ, unless it is so stiff that differences lose digits:
///   M̂⁻¹ x = y - z s (w·y) / (1 + s w·z),   y = T⁻¹ x, z = T⁻¹ w
bool solve_with_one_term(const Model& m, Data& d, double* x, double* within) {
  constexpr double kStiffest = 1e5;
  const Metric& metric = d.metric;
  const auto pattern = mass_pattern(m);
  const int term = d.rows.n;
  double *z = d.dof_scratch, *y = within ? within : z + m.nv;
  std::fill_n(z, m.nv, 0.0);
  add_row_times(d.rows, term, 1.0, z);
  std::copy_n(x, m.nv, y);
  solve_tree_for_both(pattern, metric.LD, metric.inverse_D, y, z);
  const double scale = d.rows.row_D[term], answer = scale * row_times(d.rows, term, static_cast<const double*>(z));
  if (!(answer < kStiffest)) return false;
  const double share = scale * row_times(d.rows, term, static_cast<const double*>(y)) / (1 + answer);
  for (int i = 0; i < m.nv; ++i) x[i] = y[i] - share * z[i];
  return true;
}

}  // namespace

bool solve_metric(const Model& m, const State& s, Data& d, double* x, double* within) {
  if (d.metric.nterm == 1 && solve_with_one_term(m, d, x, within)) return true;
  const Metric metric = metric_of(m, d);
  if (metric.nterm > 0) {
    if (within) {
      std::copy_n(x, m.nv, within);
      solve_tree(mass_pattern(m), metric.LD, metric.inverse_D, within);
    }
    const Arena::Mark mark = d.arena.mark();
    const bool solved = solve_with_terms(m, s, d, x);
    d.arena.release(mark);
    if (solved) return true;
  }
  solve_tree(mass_pattern(m), metric.LD, metric.inverse_D, x);
  return metric.nterm == 0;
}

void multiply_metric(const Model& m, const Data& d, const double* x, double* y) {
  const Metric metric = metric_of(m, d);
  multiply_tree(mass_pattern(m), metric.matrix, x, y);
  for (int i = d.rows.n; i < d.rows.n + metric.nterm; ++i) {
    add_row_times(d.rows, i, d.rows.row_D[i] * row_times(d.rows, i, x), y);
  }
}

}  // namespace pliant
