// solver="auto": which of the solvers of the convex problem an island gets. All of them find the same answer; the
// choice follows from sizes and from the start, never from clocks, and so is the same on every machine.
//
//   the start is within the tolerance, proven by its gap   nothing more (what rests)
//   one row                                                CG: its first two steps are exact, without a Hessian
//   rows that reach more than kLongRows dofs               CG until its gap proves the answer; where iterations run
//                                                          out before, Newton from there
//   else                                                   Newton
//
// An iteration of CG passes over the numbers of the rows a few times; one of Newton multiplies every row with itself
// and factors the sum, so what decides is how many dofs a row reaches (the mean over the numbers of rows), and that
// CG needs 20 to 80 iterations where Newton needs 1 to 6, more for smaller tolerances. Rows between free bodies reach
// 12 dofs, those of legs and arms 10 to 30: Newton in piles of any size. A chain of 200 links that lies on itself is
// where CG begins to win (docs/physics.md has the table). PGS is never taken: where it is proven first, it is by less
// than the choice of its start would cost. TGS solves another problem.

#include "solver/methods.h"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kLongRows = 200;
/// Share of the iterations that CG leaves to Newton.
constexpr int kLeftToNewton = 5;

/// How many dofs rows reach: the mean over all numbers of rows, so that long rows count for what they cost.
double reach(const RowsView& rows) {
  double numbers = 0, squares = 0;
  for (int i = 0; i < rows.n; ++i) {
    double width = 0;
    for (int s = rows.segadr[i]; s < rows.segadr[i] + rows.segnum[i]; ++s) width += rows.segment_len[s];
    numbers += width;
    squares += width * width;
  }
  return numbers > 0 ? squares / numbers : 0;
}

SolverChoice choose(const SolverProblem& problem) {
  if (problem.rows.n == 1) return SolverChoice::kSingleRow;
  // (no row reaches more dofs than there are)
  if (problem.pattern.n <= kLongRows || reach(problem.rows) <= kLongRows) return SolverChoice::kShortRows;
  return SolverChoice::kLongRows;
}

}  // namespace

SolverReport solve_auto(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                        std::span<int> row_state) {
  SolverProblem taken = problem;
  taken.opt.proves = true;
  const SolverChoice choice = choose(problem);
  if (choice == SolverChoice::kLongRows) taken.opt.iterations -= problem.opt.iterations / kLeftToNewton;
  SolverReport report =
      (choice == SolverChoice::kShortRows ? solve_newton : solve_cg)(taken, arena, qacc, row_force, row_state);
  report.choice = report.converged && report.iterations == 0 ? SolverChoice::kStart : choice;
  const bool goes_on = report.status == SolverStatus::kIterationLimit || report.status == SolverStatus::kStopped ||
                       report.status == SolverStatus::kNoProgress;
  if (choice != SolverChoice::kLongRows || !goes_on || report.iterations >= problem.opt.iterations) return report;
  // Newton, from where CG ended
  const SolverReport before = report;
  const auto done = static_cast<size_t>(before.iterations);
  taken.start = nullptr;
  taken.opt.iterations = problem.opt.iterations - before.iterations;
  taken.opt.history = problem.opt.history.subspan(std::min(done, problem.opt.history.size()));
  report = solve_newton(taken, arena, qacc, row_force, row_state);
  report.choice = SolverChoice::kUnproven;
  report.iterations += before.iterations;
  report.evaluations += before.evaluations;
  return report;
}

}  // namespace pliant
