#pragma once
// What CG and Newton share: minimise cost(a) over accelerations with exact line searches along
// directions that a method chooses.
//
// Kept from iteration to iteration: M a, x = J a - aref, forces, states and the gradient g = M a -
// tau - J' f. Rules of termination and their scale are MuJoCo's: gradient, improvement, and for
// Newton the decrement 1/2 g' inv(H) g, all times `scale` and below `tolerance`. Besides, the
// answer carries its certificate: the gap 1/2 g' inv(M) g bounds what is missing to the minimum,
// because the cost is strongly convex in the norm of M.

#include <algorithm>
#include <cmath>
#include <span>

#include "math/dense.h"
#include "math/tree_matrix.h"
#include "solver/line_search.h"
#include "solver/row_groups.h"

namespace pliant {

/// Rounding errors of a cost, relative to it.
inline constexpr double kCostRounding = 1e-15;

/// Where the search is.
struct PrimalPoint {
  const SolverProblem* problem = nullptr;
  RowGroups rows;
  int n = 0;
  double *a = nullptr, *Ma = nullptr, *gradient = nullptr;  // dofs
  double *x = nullptr, *force = nullptr;                    // rows
  int *state = nullptr, *changed = nullptr;
  double* work = nullptr;   // dofs
  double* dense = nullptr;  // M as n x n numbers, where n is small
  double cost = 0;
  RowGroups::Update update;

  bool build(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
             std::span<int> row_state);
  /// Forces, states and cost from `a`, as far as a comparison of warm starts needs them.
  void evaluate();
  /// What remains to start a search: the gradient. False if it or the cost is not finite.
  bool start();
  /// out = M v. Of small matrices all numbers are multiplied, zeros too: vector instructions are quicker than finding
  /// out.
  void times_mass(const double* v, double* out) const;
  /// a += alpha s, with M s and J s known.
  void move(double alpha, const double* s, const double* Ms, const double* Js);
  /// Forces, states, cost and gradient.
  void refresh(bool count_changes);
  void evaluate_rows(bool count_changes);
  void finish_gradient();
  /// 1/2 g' inv(M) g; `inverse_gradient` becomes inv(M) g.
  double gap(double* inverse_gradient) const;
};

/// out = M x, by runs of dofs.
void times_mass(const SolverProblem& problem, const double* x, double* out);

/// Certificate of an answer, into a report that has its status of termination.
void certify_report(const SolverProblem& problem, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force, SolverReport& report);

/// Sets the report for input that is not finite: qacc becomes qacc_smooth, or zero if that is not
/// finite either.
SolverReport refuse(const SolverProblem& problem, SolverStatus status, std::span<double> qacc,
                    std::span<double> row_force, std::span<int> row_state);

/// Method::build(point, arena), Method::first_direction(point, direction, decrement) and
/// Method::next_direction(...) write the direction; false: give up. kNewton: there is a decrement,
/// and the first test needs the gradient as well; otherwise Method::settle_forces(point) has the last word on
/// forces, and says whether it changed them: the certificate is that of the forces returned.
template <class Method>
SolverReport minimise(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                      std::span<int> row_state, Method& method) {
  const SolverOptions& opt = problem.opt;
  const Arena::Mark mark = arena.mark();
  SolverReport report;
  PrimalPoint point;
  LineSearch line;
  const int n = problem.pattern.n;
  double *direction = nullptr, *Ms = nullptr, *Js = nullptr, *preconditioned = nullptr;
  const auto ready = [&] {
    direction = arena.take<double>(n);
    Ms = arena.take<double>(n);
    preconditioned = arena.take<double>(n);
    Js = arena.take<double>(problem.rows.n);
    if (!direction || !Ms || !preconditioned || !Js) return false;
    if (problem.start) {
      point = *problem.start;
    } else {
      if (!point.build(problem, arena, qacc, row_force, row_state)) return false;
      point.evaluate();
    }
    return line.build(point.rows, arena);
  };
  const auto give_back = [&](SolverReport r) {
    arena.release(mark);
    return r;
  };
  if (!ready()) return give_back(refuse(problem, SolverStatus::kOutOfMemory, qacc, row_force, row_state));
  // a warm start that is not finite is no warm start
  if (!point.start()) {
    std::copy(problem.qacc_smooth.begin(), problem.qacc_smooth.end(), qacc.begin());
    point.evaluate();
    if (!point.start()) return give_back(refuse(problem, SolverStatus::kNotFinite, qacc, row_force, row_state));
  }
  const auto finish = [&](SolverStatus status) {
    report.gap = opt.scale * point.gap(preconditioned);
    report.gradient = opt.scale * std::sqrt(dot(point.gradient, point.gradient, n));
    report.converged = report.gap < opt.tolerance;
    report.status = report.converged ? SolverStatus::kConverged : status;
    if constexpr (!Method::kNewton) {
      if (method.settle_forces(point)) {
        report.status = status;
        certify_report(problem, arena, qacc, row_force, report);
      }
    }
    return give_back(report);
  };

  // good already?
  const double first = opt.scale * std::sqrt(dot(point.gradient, point.gradient, n));
  if (!Method::kNewton || first < opt.tolerance) {
    if (opt.scale * point.gap(preconditioned) < opt.tolerance) return finish(SolverStatus::kStopped);
  }
  if (!method.build(point, arena)) {
    return give_back(refuse(problem, SolverStatus::kOutOfMemory, qacc, row_force, row_state));
  }
  double decrement = 0;
  if (!method.first_direction(point, direction, decrement, report)) return finish(SolverStatus::kNotPositive);
  if (Method::kNewton && first < opt.tolerance && opt.scale * decrement < opt.tolerance) {
    return finish(SolverStatus::kStopped);
  }

  while (report.iterations < opt.iterations) {
    // search
    const double length = std::sqrt(dot(direction, direction, n));
    if (!(length >= kTiny)) return finish(SolverStatus::kNoProgress);
    point.times_mass(direction, Ms);
    point.rows.times(direction, Js);
    for (int i = 0; i < n; ++i) point.work[i] = point.Ma[i] - problem.qfrc_smooth[i];
    line.prepare(point.x, Js, dot(direction, point.work, n), dot(direction, Ms, n));
    const LinePoint best = line.search(opt.tolerance * opt.ls_tolerance * length / opt.scale, opt.ls_iterations,
                                       kCostRounding * std::fabs(point.cost));
    report.evaluations += line.evaluations();
    if (best.alpha == 0 || !std::isfinite(best.alpha) || !std::isfinite(best.cost)) {
      return finish(SolverStatus::kNoProgress);
    }
    // move
    point.move(best.alpha, direction, Ms, Js);
    point.refresh(true);
    ++report.iterations;
    const int updates_before = report.updates, factors_before = report.factorizations;
    const bool good = method.next_direction(point, direction, decrement, report);
    report.improvement = opt.scale * -best.cost;
    report.gradient = opt.scale * std::sqrt(dot(point.gradient, point.gradient, n));
    if (static_cast<size_t>(report.iterations) <= opt.history.size()) {
      opt.history[report.iterations - 1] = {
          .improvement = report.improvement,
          .gradient = report.gradient,
          .slope = opt.scale * std::fabs(best.slope) / length,
          .active = point.update.active,
          .changes = point.update.changes,
          .evaluations = line.evaluations(),
          .updates = report.factorizations > factors_before ? problem.rows.n : report.updates - updates_before};
    }
    // stop?
    if (report.improvement > 0 && report.improvement < opt.tolerance) return finish(SolverStatus::kStopped);
    if (report.gradient < opt.tolerance) return finish(SolverStatus::kStopped);
    if (!good) return finish(SolverStatus::kNotPositive);
    if (Method::kNewton && opt.scale * decrement < opt.tolerance) return finish(SolverStatus::kStopped);
  }
  return finish(SolverStatus::kIterationLimit);
}

}  // namespace pliant
