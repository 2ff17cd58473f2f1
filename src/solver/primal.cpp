// The point that CG and Newton move: forces, cost and gradient from accelerations.

#include "solver/primal.h"

#include "solver/dense_mass.h"
#include "solver/solvers.h"

namespace pliant {
bool PrimalPoint::build(const SolverProblem& p, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                        std::span<int> row_state, bool searches) {
  problem = &p;
  n = p.pattern.n;
  a = qacc.data();
  force = row_force.data();
  state = row_state.data();
  Ma = arena.take<double>(n);
  gradient = arena.take<double>(n);
  work = arena.take<double>(n);
  x = arena.take<double>(p.rows.n);
  changed = arena.take<int>(p.rows.n + 1);
  const bool small = searches && n <= kDenseDofs;
  dense = small ? arena.take<double>(dense_mass_size(n)) : nullptr;
  if (!Ma || !gradient || !work || !x || !changed || (small && !dense)) return false;
  if (small) fill_dense_mass(p, dense);
  return rows.build(p.rows, p.blocks, n, arena);
}

void PrimalPoint::times_mass(const double* v, double* out) const {
  if (dense) {
    rows_times(dense, n, n, padded(n), v, out);
  } else {
    pliant::times_mass(*problem, v, out);
  }
}

void times_mass(const SolverProblem& p, const double* x, double* out) {
  const auto& tree = p.pattern;
  for (int i = 0; i < tree.n; ++i) {
    const double* row = p.M + tree.rowadr[i];
    const double value = x[i];
    double sum = row[tree.rownnz[i] - 1] * value;
    for_each_run(tree, i, [&](int dof, int length, int offset) {
      sum += sum_products(row + offset, x + dof, length);
      subtract_scaled(out + dof, row + offset, -value, length);
    });
    out[i] = sum;
  }
}

void PrimalPoint::evaluate() {
  times_mass(a, Ma);
  rows.times(a, x);
  for (int i = 0; i < problem->rows.n; ++i) x[i] -= problem->rows.aref[i];
  evaluate_rows(false);
}

bool PrimalPoint::start() {
  finish_gradient();
  return std::isfinite(cost) && std::isfinite(dot(gradient, gradient, n));
}

void PrimalPoint::move(double alpha, const double* s, const double* Ms, const double* Js) {
  add_scaled(a, s, alpha, n);
  add_scaled(Ma, Ms, alpha, n);
  add_scaled(x, Js, alpha, problem->rows.n);
}

void PrimalPoint::refresh(bool count_changes) {
  evaluate_rows(count_changes);
  finish_gradient();
}

void PrimalPoint::evaluate_rows(bool count_changes) {
  update = rows.evaluate(x, force, state, count_changes ? changed : nullptr);
  // the Gauss cost 1/2 (a - a_s)' M (a - a_s)
  double gauss = 0;
  for (int i = 0; i < n; ++i) {
    gradient[i] = Ma[i] - problem->qfrc_smooth[i];
    gauss = mul_add(0.5 * gradient[i], a[i] - problem->qacc_smooth[i], gauss);
  }
  cost = update.cost + gauss;
}

void PrimalPoint::finish_gradient() {
  // g = M a - tau - J' f
  std::fill(work, work + n, 0.0);
  rows.add_transposed_times(force, work);
  for (int i = 0; i < n; ++i) gradient[i] -= work[i];
}

double PrimalPoint::gap(double* inverse_gradient) const {
  std::copy(gradient, gradient + n, inverse_gradient);
  solve_tree(problem->pattern, problem->LD, problem->inverse_D, inverse_gradient);
  const double half = 0.5 * dot(gradient, inverse_gradient, n);
  return half > 0 ? half : 0;
}

SolverReport refuse(const SolverProblem& problem, SolverStatus status, std::span<double> qacc,
                    std::span<double> row_force, std::span<int> row_state) {
  SolverReport report;
  report.status = status;
  const auto finite = [](std::span<const double> v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  if (finite(problem.qacc_smooth)) {
    std::copy(problem.qacc_smooth.begin(), problem.qacc_smooth.end(), qacc.begin());
  } else {
    std::fill(qacc.begin(), qacc.end(), 0.0);
  }
  std::fill(row_force.begin(), row_force.end(), 0.0);
  std::fill(row_state.begin(), row_state.end(), 0);
  // the first row with such a number
  const RowsView& rows = problem.rows;
  for (int i = 0; i < rows.n && status == SolverStatus::kNotFinite && report.bad_row < 0; ++i) {
    double total = rows.aref[i] * 0 + rows.D[i] * 0 + rows.R[i] * 0;
    const double* J = rows.J + rows.Jadr[i];
    for (int s = 0; s < rows.segnum[i]; ++s) {
      for (int c = 0; c < rows.segment_len[rows.segadr[i] + s]; ++c) total += *J++ * 0;
    }
    if (total != 0) report.bad_row = i;
  }
  report.gap = report.gradient = 0;
  return report;
}

}  // namespace pliant
