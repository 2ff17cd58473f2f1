#pragma once
// What CG and Newton share on the CPU: the point, kept from iteration to iteration as M a, x = J a - aref, forces,
// states and the gradient g = M a - tau - J' f; and the way down (descent_hd.h) along directions that a method chooses.
// The answer carries its certificate.

#include <algorithm>
#include <cmath>
#include <span>

#include "math/dense.h"
#include "math/tree_matrix.h"
#include "solver/descent_hd.h"
#include "solver/line_search.h"
#include "solver/row_groups.h"

namespace pliant {

/// Where the search is.
struct PrimalPoint {
  const SolverProblem* problem = nullptr;
  RowGroups rows;
  int n = 0;
  double *a = nullptr, *Ma = nullptr, *gradient = nullptr;  // dofs
  double *x = nullptr, *force = nullptr;                    // rows
  int *state = nullptr, *changed = nullptr;
  double* work = nullptr;   // dofs
  double* dense = nullptr;  // M with all its numbers, where n is small (dense_mass.h)
  double cost = 0;
  RowGroups::Update update;

  /// `searches`: it will move; otherwise a few products with M do not pay for a dense one.
  bool build(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
             std::span<int> row_state, bool searches = true);
  /// Forces, states and cost from `a`, as far as a comparison of warm starts needs them.
  void evaluate();
  /// What remains to start a search: the gradient. False if it or the cost is not finite.
  bool start();
  /// out = M v.
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

/// Certificate of an answer, into a report that has its status of termination; `rows` are those of the problem.
void certify_report(const SolverProblem& problem, const RowGroups& rows, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force, SolverReport& report);

/// Sets the report for input that is not finite: qacc becomes qacc_smooth, or zero if that is not
/// finite either.
SolverReport refuse(const SolverProblem& problem, SolverStatus status, std::span<double> qacc,
                    std::span<double> row_force, std::span<int> row_state);

/// The way down of a point (descent_hd.h) along the directions of a method.
template <class Method>
struct HostDescent {
  static constexpr bool kNewton = Method::kNewton;
  PrimalPoint& point;
  LineSearch& line;
  Method& method;
  Arena& arena;
  double *direction, *Ms, *Js, *preconditioned;

  double gradient_norm() const { return std::sqrt(dot(point.gradient, point.gradient, point.n)); }
  double gap() const { return point.gap(preconditioned); }
  double cost() const { return point.cost; }
  bool prepare() { return method.build(point, arena); }
  bool first_direction(double& decrement, SolverReport& report) {
    return method.first_direction(point, direction, decrement, report);
  }
  bool next_direction(double& decrement, SolverReport& report) {
    return method.next_direction(point, direction, decrement, report);
  }
  double direction_norm() const { return std::sqrt(dot(direction, direction, point.n)); }
  LinePoint search(double slope_tolerance, int most_evaluations, double noise) {
    const SolverProblem& problem = *point.problem;
    point.times_mass(direction, Ms);
    point.rows.times(direction, Js);
    for (int i = 0; i < point.n; ++i) point.work[i] = point.Ma[i] - problem.qfrc_smooth[i];
    line.prepare(point.x, Js, dot(direction, point.work, point.n), dot(direction, Ms, point.n));
    return line.search(slope_tolerance, most_evaluations, noise);
  }
  int evaluations() const { return line.evaluations(); }
  void move(double alpha) {
    point.move(alpha, direction, Ms, Js);
    point.refresh(true);
  }
  void record(const SolverReport& report, const LinePoint& best, double length, int updates, int factorizations) {
    const SolverOptions& opt = point.problem->opt;
    if (static_cast<size_t>(report.iterations) > opt.history.size()) return;
    opt.history[static_cast<size_t>(report.iterations - 1)] = {
        .improvement = report.improvement,
        .gradient = report.gradient,
        .slope = opt.scale * std::fabs(best.slope) / length,
        .active = point.update.active,
        .changes = point.update.changes,
        .evaluations = line.evaluations(),
        .updates = report.factorizations > factorizations ? point.problem->rows.n : report.updates - updates};
  }
};

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
  HostDescent<Method> descent{point, line, method, arena, direction, Ms, Js, preconditioned};
  const DescentRules<double> rules{opt.iterations,   opt.ls_iterations, opt.tolerance,
                                   opt.ls_tolerance, opt.scale,         opt.proves};
  const SolverStatus status = descend(descent, rules, report);
  if (status == SolverStatus::kOutOfMemory) return give_back(refuse(problem, status, qacc, row_force, row_state));
  report.gap = opt.scale * descent.gap();
  report.gradient = opt.scale * descent.gradient_norm();
  report.converged = report.gap < opt.tolerance;
  report.status = report.converged ? SolverStatus::kConverged : status;
  if constexpr (!Method::kNewton) {
    if (method.settle_forces(point)) {
      report.status = status;
      certify_report(problem, point.rows, arena, qacc, row_force, report);
    }
  }
  return give_back(report);
}

}  // namespace pliant
