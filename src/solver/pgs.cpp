// Projected Gauss-Seidel: sweeps over the forces of all blocks (sweeper.h) until they improve the dual cost no more.
//
// Every block is minimised exactly, so the sweeps come to rest at the minimum only; moving normal and tangential forces
// of a cone in turn would rest at its apex as well.

#include "solver/methods.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/sweeper.h"

namespace pliant {

SolverReport solve_pgs(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                       std::span<int> row_state) {
  const SolverOptions& opt = problem.opt;
  const Arena::Mark mark = arena.mark();
  SolverReport report;
  Sweeper sweeper;
  Sweeps sweeps;
  double* f = row_force.data();
  const auto fail = [&](SolverStatus status) {
    arena.release(mark);
    return refuse(problem, status, qacc, row_force, row_state);
  };
  if (!sweeps.build(problem, arena) || !sweeper.build(problem, arena, true)) return fail(SolverStatus::kOutOfMemory);
  if (!sweeper.start(f)) return fail(SolverStatus::kNotFinite);
  // sweep
  sweeps.restart(f);
  report.status = SolverStatus::kIterationLimit;
  while (report.iterations < opt.iterations) {
    report.improvement = opt.scale * sweeps.sweep(sweeper, f);
    ++report.iterations;
    if (static_cast<size_t>(report.iterations) <= opt.history.size()) {
      opt.history[report.iterations - 1] = {.improvement = report.improvement};
    }
    if (report.improvement < opt.tolerance) {
      report.status = SolverStatus::kStopped;
      break;
    }
  }
  sweeper.hold_rigid_rows(f);
  // accelerations and certificate
  accelerations_of_forces(problem, sweeper.white.rows, f, qacc.data(), row_state.data());
  certify_report(problem, sweeper.white.rows, arena, qacc, row_force, report);
  arena.release(mark);
  return report;
}

}  // namespace pliant
