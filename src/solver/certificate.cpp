// How far an answer can be from the minimum, from the answer alone.
//
// For any acceleration a and any forces f within their bounds, with x = J a - aref and g = M (a -
// a_s) - J' f,
//
//   cost(a) + dual_cost(f) = 1/2 g' inv(M) g + sum over blocks of (s(x) + s*(-f) + f x)
//
// Both parts are >= 0, and the minimum of the cost lies between -dual_cost(f) and cost(a) (weak
// duality): the sum bounds the error of both. Strong convexity gives |a - a_min| in the norm of M,
// too: 1/2 |a - a_min|^2 <= gap.

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/tree_matrix.h"
#include "solver/certificate_hd.h"
#include "solver/primal.h"
#include "solver/row_groups.h"
#include "solver/solvers.h"

namespace pliant {
namespace {

Certificate certify(const SolverProblem& p, const RowGroups& rows, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force) {
  Certificate result;
  const Arena::Mark mark = arena.mark();
  const int n = p.pattern.n;
  double* x = arena.take<double>(p.rows.n);
  double* force = arena.take<double>(p.rows.n);
  int* state = arena.take<int>(p.rows.n);
  double* momentum = arena.take<double>(n);
  double* g = arena.take<double>(n);
  double* inverse = arena.take<double>(n);
  if (!x || !force || !state || !momentum || !g || !inverse) {
    result.gap = std::numeric_limits<double>::infinity();
    return result;
  }
  rows.times(qacc.data(), x);
  for (int i = 0; i < p.rows.n; ++i) x[i] -= p.rows.aref[i];
  times_mass(p, qacc.data(), momentum);
  for (int i = 0; i < n; ++i) momentum[i] -= p.qfrc_smooth[i], inverse[i] = 0;
  // forces and accelerations
  rows.add_transposed_times(row_force.data(), inverse);
  for (int i = 0; i < n; ++i) g[i] = inverse[i] = momentum[i] - inverse[i];
  solve_tree(p.pattern, p.LD, p.inverse_D, inverse);
  result.gap = std::max(0.0, 0.5 * dot(g, inverse, n));
  // rows
  double largest = 0;
  for (const RowBlock& block : p.blocks) {
    const double *at = x + block.first, *f = row_force.data() + block.first;
    result.gap += block_duality_gap(block, at, f, p.rows.D + block.first, p.rows.R + block.first);
    result.cone_violation = std::max(result.cone_violation, block_violation(block, f));
    for (int i = 0; i < block.dim; ++i) largest = std::max(largest, std::fabs(f[i]));
  }
  if (largest > 0) result.cone_violation /= largest;
  // gradient of the primal cost
  rows.evaluate(x, force, state);
  for (int i = 0; i < n; ++i) inverse[i] = 0;
  rows.add_transposed_times(force, inverse);
  for (int i = 0; i < n; ++i) g[i] = momentum[i] - inverse[i];
  result.gradient = std::sqrt(dot(g, g, n));
  arena.release(mark);
  return result;
}

}  // namespace

Certificate certify(const SolverProblem& p, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force) {
  const Arena::Mark mark = arena.mark();
  RowGroups rows;
  Certificate result;
  if (rows.build(p.rows, p.blocks, p.pattern.n, arena)) {
    result = certify(p, rows, arena, qacc, row_force);
  } else {
    result.gap = std::numeric_limits<double>::infinity();
  }
  arena.release(mark);
  return result;
}

void certify_report(const SolverProblem& p, const RowGroups& rows, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force, SolverReport& report) {
  const Certificate proof = certify(p, rows, arena, qacc, row_force);
  report.gap = p.opt.scale * proof.gap;
  report.gradient = p.opt.scale * proof.gradient;
  report.cone_violation = proof.cone_violation;
  report.converged = report.gap < p.opt.tolerance;
  if (report.converged) report.status = SolverStatus::kConverged;
}

double row_penalties(const RowsView& view, std::span<const RowBlock> blocks, std::span<const double> residual,
                     std::span<double> row_force, std::span<int> row_state) {
  double cost = 0;
  for (const RowBlock& block : blocks) {
    const int first = block.first;
    if (block.law == RowLaw::kElliptic) {
      const ConeZone zone = cone_force(block.dim, residual.data() + first, view.D + first, block.mu, block.friction,
                                       row_force.data() + first, cost);
      const int now = zone == ConeZone::kTop ? 0 : zone == ConeZone::kBottom ? 1 : 4;
      for (int i = 0; i < block.dim; ++i) row_state[first + i] = now;
      continue;
    }
    for (int i = first; i < first + block.dim; ++i) {
      const auto interval = row_interval(block.law, view.R[i], block.bound);
      cost += row_cost(residual[i], view.D[i], interval);
      row_force[i] = force_of_row(residual[i], view.D[i], interval);
      row_state[i] = row_state_at(residual[i], block.law, interval);
    }
  }
  return cost;
}

}  // namespace pliant
