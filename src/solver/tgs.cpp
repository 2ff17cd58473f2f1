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

#include "math/four.h"
#include "solver/methods.h"
#include "solver/noslip.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/sweeper.h"

namespace pliant {
namespace {

/// Damping per part from which on a contact stops, or reverses, a motion within few parts. (analysis/scalar_map.cpp)
constexpr double kBlow = 0.5;

struct Substeps {
  const SolverProblem* p = nullptr;
  int n = 1;                                 // substeps
  double length = 0;                         // of one [s]
  double* start = nullptr;                   // rows' free = J a_s - aref, at the start of the step
  double* gained = nullptr;                  // u_k - u_0
  double* moved = nullptr;                   // C_k - C_0
  double* change = nullptr;                  // of aref
  double* rate = nullptr;                    // work: J a_k, then dC/dt
  double *sum = nullptr, *moving = nullptr;  // of forces
  bool* asleep = nullptr;                    // by block: it is gated, and not violated where the substep begins

  bool build(const SolverProblem& problem, const WhitenedRows& white, Arena& arena) {
    p = &problem;
    n = std::max(1, problem.opt.substeps);
    length = problem.timestep / n;
    for (double** array : {&start, &gained, &moved, &change, &rate, &sum, &moving}) {
      *array = arena.take<double>(problem.rows.n);
      if (!*array) return false;
      std::fill_n(*array, problem.rows.n, 0.0);
    }
    asleep = arena.take<bool>(problem.blocks.size());
    if (!asleep) return false;
    std::fill_n(asleep, problem.blocks.size(), false);
    std::copy_n(white.free, problem.rows.n, start);
    if (n > 1 && problem.opt.lead > 0) {
      normal_rates();
      for (int i = 0; i < problem.rows.n; ++i) moved[i] = -problem.opt.lead * rate[i];
    }
    return true;
  }

  /// Sweeps of a substep. Contacts and limits that are too stiff for the whole step (timeconst < 2 h) answer more
  /// strongly to what the others leave open: they need more, in proportion.
  int sweeps() const {
    double stiffest = 0;
    for (size_t b = 0; b < p->blocks.size() && n > 1; ++b) {
      if (!p->blocks[b].gated || asleep[b] || p->blocks[b].edges < 0) continue;  // (a contact's edges are as stiff)
      const double* KBIP = p->rows.KBIP + 4 * p->blocks[b].first;
      stiffest = std::max({stiffest, KBIP[1] * KBIP[2], 2 * std::sqrt(std::max(0.0, KBIP[0])) * KBIP[2]});
    }
    const double times = std::round(stiffest * p->timestep);
    return std::max(1, p->opt.sweeps) * static_cast<int>(std::clamp(times, 1.0, static_cast<double>(n)));
  }

  /// Adds the forces of substep k = 0, 1 ... to the sums.
  void count_forces(int k, const double* f) {
    const double weight = 2.0 * (n - k) / (double(n) * (n + 1));
    for (int i = 0; i < p->rows.n; ++i) {
      sum[i] += f[i];
      moving[i] = mul_add(weight, f[i], moving[i]);
    }
  }

  /// Rows to the end of the substep.
  void move_rows(const WhitenedRows& white) {
    const RowsView& rows = p->rows;
    white.groups.times(white.w, rate);
    for (int i = 0; i < rows.n; ++i) {
      gained[i] = mul_add(length, start[i] + rows.aref[i] + rate[i], gained[i]);
    }
    normal_rates();
    for (int i = 0; i < rows.n; ++i) moved[i] = mul_add(length, rate[i], moved[i]);
  }

  /// What rows ask for in the substep that begins, and which of them take part in it: white.free.
  void look(WhitenedRows& white) {
    if (n == 1) return;
    for (size_t b = 0; b < p->blocks.size(); ++b) {
      const RowBlock& block = p->blocks[b];
      if (block.edges < 0) continue;  // (the other edges of a pyramid come with the first)
      const Touch touch = block.gated ? touch_of(block) : Touch{};
      const int blocks = std::max(1, block.edges);
      std::fill_n(asleep + b, blocks, touch.share == 0);
      change_aref(block, touch);
    }
    for (int i = 0; i < p->rows.n; ++i) white.free[i] = start[i] - change[i];
  }

 private:
  /// How violations change: of a contact along its normal.
  void normal_rates() {
    for (int i = 0; i < p->rows.n; ++i) rate[i] = p->rows.vel[i] + gained[i];
    for (const RowBlock& block : p->blocks) {
      // (friction has a position where it is anchored: that of the step's start)
      if (block.law == RowLaw::kElliptic) std::fill_n(rate + block.first + 1, block.dim - 1, 0.0);
      if (block.edges <= 0) continue;
      double mean = 0;
      for (int e = 0; e < block.edges; ++e) mean += rate[block.first + e];
      std::fill_n(rate + block.first, block.edges, mean / block.edges);
    }
  }

  /// How a contact or a limit touches in a substep. Where it comes or goes, violation is not linear in time: what
  /// counts is the mean of what it pushes with, over a substep's length around the moment at which it is looked at.
  /// (With the violation of that moment alone a bounce without damping would gain or lose up to (omega h_s)^2 / 8 of
  /// its speed, depending on when in the substep it begins.)
  struct Touch {
    double share = 1;   // of that time in which it touches; 0: it does not take part
    double speed = 0;   // along the normal, at the moment
    double deeper = 0;  // mean violation less the one of the moment
    double d = 0;       // impedance; 0: that of the step's start
  };
  Touch touch_of(const RowBlock& block) const {
    const RowsView& rows = p->rows;
    const int count = std::max(1, block.edges), first = block.first;
    // of a pyramid the mean of its edges
    double violation = 0, speed = 0;
    for (int i = first; i < first + count; ++i) {
      violation += rows.pos[i] - rows.margin[i] + moved[i];
      speed += rows.vel[i] + gained[i];
    }
    violation /= count, speed /= count;
    // (what a damper stops within a part is not smooth anyway: it acts from the part on that begins inside)
    const bool blow = rows.KBIP[4 * first + 1] * rows.KBIP[4 * first + 2] * length > kBlow;
    const double half = blow ? 0 : 0.5 * length * std::fabs(speed);
    if (!(violation < half)) return {.share = 0};
    Touch touch{.speed = speed};
    if (violation > -half) {
      touch.share = (half - violation) / (2 * half);
      touch.deeper = -(half - violation) * (half - violation) / (4 * half) - violation;
    }
    const Solimp<double>& curve = rows.solimp[first];
    if (curve.d0 != curve.dwidth) touch.d = impedance_at(curve, violation + touch.deeper).d;
    return touch;
  }

  /// R stays, so what impedance drives is scaled: the acceleration of a row alone, (1 - d) a_s + d aref, follows spring
  /// and damper as they are now. Of a contact's motion only that along its normal has a share: friction is bounded by
  /// the normal force, which is small where the share is; were it damped less as well, what slides would be held by
  /// less than mu times that force.
  void change_aref(const RowBlock& block, const Touch& touch) {
    if (block.edges == 4) return change_four_edges(block.first, touch);
    const RowsView& rows = p->rows;
    const bool elliptic = block.law == RowLaw::kElliptic;
    for (int i = block.first; i < block.first + std::max(block.edges, block.dim); ++i) {
      const double *KBIP = rows.KBIP + 4 * i, d = KBIP[2];
      change[i] = -mul_add(KBIP[1], gained[i], KBIP[0] * d * moved[i]);
      const double now = touch.d == 0 ? d : touch.d;
      if (now == d && touch.share == 1) continue;
      const bool tangent = elliptic && i > block.first;
      const double more = now / d, speed = rows.vel[i] + gained[i], normal = tangent ? 0 : touch.speed,
                   violation = rows.pos[i] - rows.margin[i] + moved[i], deeper = tangent ? 0 : touch.deeper;
      change[i] -= KBIP[1] * mul_add(more, mul_add(touch.share, normal, speed - normal), -speed);
      change[i] -= KBIP[0] * (more * now * (violation + deeper) - d * violation);
    }
  }

  /// The same for the four edges of a pyramid, which have stiffness, damping and impedance in common.
  void change_four_edges(int first, const Touch& touch) {
    const RowsView& rows = p->rows;
    const double *KBIP = rows.KBIP + 4 * first, d = KBIP[2], now = touch.d == 0 ? d : touch.d;
    const Four K(KBIP[0]), B(KBIP[1]), gain = Four::load(gained + first), shift = Four::load(moved + first);
    Four to = Four(0.0) - mul_add(B, gain, Four(KBIP[0] * d) * shift);
    if (now != d || touch.share != 1) {
      const double more = now / d;
      const Four speed = Four::load(rows.vel + first) + gain, normal(touch.speed);
      const Four violation = Four::load(rows.pos + first) - Four::load(rows.margin + first) + shift;
      to = to - B * mul_add(Four(more), mul_add(Four(touch.share), normal, speed - normal), Four(0.0) - speed);
      to = to - K * (Four(more * now) * (violation + Four(touch.deeper)) - Four(d) * violation);
    }
    to.store(change + first);
  }
};

/// The certificate of the last substep, whose rows ask for other accelerations, and of which some do not take part.
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
  constexpr double kOpen = 1e100;  // an acceleration that no contact needs to push for
  for (int i = 0; i < problem.rows.n; ++i) aref[i] = problem.rows.aref[i] + steps.change[i];
  for (size_t b = 0; b < problem.blocks.size(); ++b) {
    if (steps.asleep[b]) aref[problem.blocks[b].first] = -kOpen;
  }
  last.rows.aref = aref;
  accelerations_of_forces(problem, rows, force, qacc, state);
  certify_report(last, rows, arena, {qacc, problem.qacc_smooth.size()}, {force, static_cast<size_t>(problem.rows.n)},
                 report);
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
  if (!sweeps.build(problem, arena) || !sweeper.build(problem, arena, !moves, moves) ||
      !steps.build(problem, sweeper.white, arena)) {
    return fail(SolverStatus::kOutOfMemory);
  }
  sweeper.asleep = steps.asleep;
  if (!sweeper.start(f)) return fail(SolverStatus::kNotFinite);
  report.status = SolverStatus::kIterationLimit;
  for (int k = 0; k < steps.n; ++k) {
    if (k > 0) steps.move_rows(sweeper.white);
    steps.look(sweeper.white);
    for (size_t b = 0; b < problem.blocks.size(); ++b) {
      if (problem.blocks[b].cold_start || steps.asleep[b]) sweeper.remove_force(static_cast<int>(b), f);
    }
    if (steps.n > 1) sweeper.shrink_to_best(f);
    sweeps.restart(f);
    for (int sweep = 0, sweeps_here = steps.sweeps(); sweep < sweeps_here; ++sweep) {
      report.improvement = opt.scale * (steps.n == 1 ? sweeps.sweep(sweeper, f) : sweeper.sweep_in_order(f));
      if (static_cast<size_t>(report.iterations) < opt.history.size()) {
        opt.history[report.iterations] = {.improvement = report.improvement};
      }
      ++report.iterations;
    }
    // with one part the caller does it, as for all solvers
    if (moves && opt.noslip_iterations > 0) {
      const auto before = static_cast<size_t>(report.iterations);
      report.iterations += NoSlip{sweeper.white}.run(problem, f).iterations;
      for (size_t i = before; i < std::min<size_t>(report.iterations, opt.history.size()); ++i) opt.history[i] = {};
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
