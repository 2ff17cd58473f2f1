// Temporal Gauss-Seidel: the step in n parts of length h_s = h / n, a few sweeps over the forces in each, and the rows'
// velocities and positions moved in between.
//
// A part is an ordinary step of that length whose M, J, R and smooth forces are those at the start: the rows ask for
//
//   aref_k = aref - B (u_k - u_0) - K d (C_k - C_0),     u_k+1 = u_k + h_s (J a_k),     C_k+1 = C_k + h_s u_k+1
//
// (u = row velocity, C = violation, a_k = a_s + inv(M) J' f_k), and f_k starts at f_k-1, made smaller where that lowers
// the cost (this keeps rows that are stiff for so few sweeps from ringing: the chain of ten masses holds 2.5 times the
// stiffness). Forces, not impulses, are carried, so a change of h_s changes nothing about them; soft rows hold R f in
// every visit (sweeper.h), so what they are does not depend on how often they are visited. The edges of a friction
// pyramid share the position of their contact: it moves with the mean of their velocities, which is that along the
// normal.
//
// row_force becomes the mean of f_k, qacc the mean of a_k; the certificate is that of the last part. Sweeps visit rows
// in their order: equalities, friction, limits, contacts; the last are held best. Rigid rows (hard mimics) are visited
// once more after them. (Measured on a chain of ten masses: shuffled or alternating orders keep ringing where timeconst
// = 2 h_s, this one comes to rest.) With one part the sweeps are those of PGS, bit for bit. Cost per part: 2 passes
// over the whitened rows per sweep, one for the positions. Method: M. Macklin et al., Small Steps in Physics Simulation
// (2019); E. Catto, Solver2D (2024).

#include <algorithm>
#include <cmath>

#include "solver/methods.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/sweeper.h"

namespace pliant {
namespace {

struct Substeps {
  const SolverProblem* p = nullptr;
  int n = 1;                                 // substeps
  double length = 0;                         // of one [s]
  double* start = nullptr;                   // rows' free = J a_s - aref, at the start of the step
  double* gained = nullptr;                  // u_k - u_0
  double* moved = nullptr;                   // C_k - C_0
  double* rate = nullptr;                    // work: J a_k, then dC/dt
  double *sum = nullptr, *moving = nullptr;  // of forces

  bool build(const SolverProblem& problem, const WhitenedRows& white, Arena& arena) {
    p = &problem;
    n = std::max(1, problem.opt.substeps);
    length = problem.timestep / n;
    for (double** array : {&start, &gained, &moved, &rate, &sum, &moving}) {
      *array = arena.take<double>(problem.rows.n);
      if (!*array) return false;
      std::fill_n(*array, problem.rows.n, 0.0);
    }
    std::copy_n(white.free, problem.rows.n, start);
    return true;
  }

  /// Adds the forces of substep k = 0, 1 ... to the sums.
  void count_forces(int k, const double* f) {
    const double weight = 2.0 * (n - k) / (double(n) * (n + 1));
    for (int i = 0; i < p->rows.n; ++i) {
      sum[i] += f[i];
      moving[i] = mul_add(weight, f[i], moving[i]);
    }
  }

  /// Rows to the end of the substep: white.free is that of the next.
  void move_rows(WhitenedRows& white) {
    const RowsView& rows = p->rows;
    white.groups.times(white.w, rate);
    for (int i = 0; i < rows.n; ++i) {
      gained[i] = mul_add(length, start[i] + rows.aref[i] + rate[i], gained[i]);
      rate[i] = rows.vel[i] + gained[i];
    }
    for (const RowBlock& block : p->blocks) {
      // (friction has a position where it is anchored: that of the step's start)
      if (block.law == RowLaw::kElliptic) std::fill_n(rate + block.first + 1, block.dim - 1, 0.0);
      if (block.edges <= 0) continue;
      double mean = 0;
      for (int e = 0; e < block.edges; ++e) mean += rate[block.first + e];
      std::fill_n(rate + block.first, block.edges, mean / block.edges);
    }
    for (int i = 0; i < rows.n; ++i) {
      moved[i] = mul_add(length, rate[i], moved[i]);
      white.free[i] = start[i] - change_of_aref(i);
    }
  }

  double change_of_aref(int i) const {
    if (n == 1) return 0;
    const double* KBIP = p->rows.KBIP + 4 * i;
    return -mul_add(KBIP[1], gained[i], KBIP[0] * KBIP[2] * moved[i]);
  }
};

/// The certificate of the last substep, whose rows ask for other accelerations.
void certify_last(const Substeps& steps, const RowGroups& rows, Arena& arena, const double* force,
                  SolverReport& report) {
  const SolverProblem& problem = *steps.p;
  SolverProblem last = problem;
  double* aref = arena.take<double>(problem.rows.n);
  double* qacc = arena.take<double>(problem.pattern.n);
  int* state = arena.take<int>(problem.rows.n);
  if (!aref || !qacc || !state) {
    report.gap = HUGE_VAL;
    return;
  }
  for (int i = 0; i < problem.rows.n; ++i) aref[i] = problem.rows.aref[i] + steps.change_of_aref(i);
  last.rows.aref = aref;
  accelerations_of_forces(problem, rows, force, qacc, state);
  certify_report(last, arena, {qacc, problem.qacc_smooth.size()}, {force, static_cast<size_t>(problem.rows.n)}, report);
}

}  // namespace

SolverReport solve_tgs(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                       std::span<int> row_state) {
  const SolverOptions& opt = problem.opt;
  const Arena::Mark mark = arena.mark();
  const int n = problem.rows.n;
  SolverReport report;
  Sweeper sweeper;
  Sweeps sweeps;
  Substeps steps;
  double* f = row_force.data();
  const auto fail = [&](SolverStatus status) {
    std::ranges::fill(opt.last_force, 0.0);
    std::ranges::fill(opt.moving_force, 0.0);
    arena.release(mark);
    return refuse(problem, status, qacc, row_force, row_state);
  };
  const bool moves = opt.substeps > 1;  // rows, by w
  if (!sweeps.build(problem, arena) || !sweeper.build(problem, arena, !moves) ||
      !steps.build(problem, sweeper.white, arena)) {
    return fail(SolverStatus::kOutOfMemory);
  }
  if (!sweeper.start(f)) return fail(SolverStatus::kNotFinite);
  report.status = SolverStatus::kIterationLimit;
  for (int k = 0; k < steps.n; ++k) {
    if (k > 0) steps.move_rows(sweeper.white);
    for (size_t b = 0; b < problem.blocks.size(); ++b) {
      if (problem.blocks[b].cold_start) sweeper.remove_force(static_cast<int>(b), f);
    }
    if (steps.n > 1) sweeper.shrink_to_best(f);
    sweeps.restart(f);
    for (int sweep = 0; sweep < std::max(1, opt.sweeps); ++sweep) {
      report.improvement = opt.scale * (steps.n == 1 ? sweeps.sweep(sweeper, f) : sweeper.sweep_in_order(f));
      if (static_cast<size_t>(report.iterations) < opt.history.size()) {
        opt.history[report.iterations] = {.improvement = report.improvement};
      }
      ++report.iterations;
    }
    sweeper.hold_rigid_rows(f);
    steps.count_forces(k, f);
  }
  if (!std::isfinite(sweeper.cost(f))) return fail(SolverStatus::kNotFinite);
  certify_last(steps, sweeper.white.rows, arena, f, report);
  if (!opt.last_force.empty()) std::copy_n(f, n, opt.last_force.begin());
  if (!opt.moving_force.empty()) std::copy_n(steps.moving, n, opt.moving_force.begin());
  // the mean of all substeps; the forces of one are their own mean, to the bit
  if (steps.n > 1) {
    for (int i = 0; i < n; ++i) f[i] = steps.sum[i] / steps.n;
  }
  accelerations_of_forces(problem, sweeper.white.rows, f, qacc.data(), row_state.data());
  arena.release(mark);
  return report;
}

}  // namespace pliant
