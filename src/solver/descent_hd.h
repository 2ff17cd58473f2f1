#pragma once
// The way down: what CG and Newton do from iteration to iteration, on the CPU and by teams of a GPU.
//
// Rules of termination and their scale are MuJoCo's: gradient, improvement, and for Newton the decrement
// 1/2 g' inv(H) g, all times `scale` and below `tolerance`.
//
// A Descent knows the point and how to move it:
//   kNewton               there is a decrement, and the first test needs the gradient as well
//   gradient_norm()       |g|
//   gap()                 1/2 g' inv(M) g: bounds what is missing to the minimum, as the cost is strongly convex in M
//   prepare()             room for directions; false: there is none
//   first_direction(decrement, report), next_direction(decrement, report)      false: the Hessian is not positive
//   direction_norm()      |s|
//   search(slope_tolerance, most_evaluations, noise)      exact line search along s; evaluations() of the last one
//   cost()                at the point
//   move(alpha)           a += alpha s, and everything that follows
//   record(report, best, length, updates, factorizations)      statistics of the iteration; counts before it

#include <cmath>

#include "math/constants.h"
#include "pliant/solver_report.h"
#include "solver/line_search_hd.h"

namespace pliant {

/// Rounding errors of a cost, relative to it.
template <class R>
inline constexpr R kCostRounding = sizeof(R) == 8 ? R(1e-15) : R(1e-6);

template <class R>
struct DescentRules {
  int iterations = 100, ls_iterations = 50;
  R tolerance = R(1e-8), ls_tolerance = R(0.01), scale = 1;
  bool proves = false;  // by the gap alone: a start that is proven is the answer, and CG (whose decrement is the gap)
                        // goes on until it is
};

/// Returns why it ended; kConverged is for the caller to say, by the gap.
template <class R, class Descent>
PLIANT_HD SolverStatus descend(Descent& descent, const DescentRules<R>& opt, SolverReport& report) {
  // good already?
  const R first = opt.scale * descent.gradient_norm();
  if (!Descent::kNewton || opt.proves || first < opt.tolerance) {
    if (opt.scale * descent.gap() < opt.tolerance) return SolverStatus::kStopped;
  }
  if (!descent.prepare()) return SolverStatus::kOutOfMemory;
  R decrement = 0;
  if (!descent.first_direction(decrement, report)) return SolverStatus::kNotPositive;
  if (Descent::kNewton && first < opt.tolerance && opt.scale * decrement < opt.tolerance) return SolverStatus::kStopped;

  while (report.iterations < opt.iterations) {
    const R length = descent.direction_norm();
    if (!(length >= R(kTiny))) return SolverStatus::kNoProgress;
    const LinePointT<R> best = descent.search(opt.tolerance * opt.ls_tolerance * length / opt.scale, opt.ls_iterations,
                                              kCostRounding<R> * std::fabs(descent.cost()));
    report.evaluations += descent.evaluations();
    if (best.alpha == 0 || !std::isfinite(best.alpha) || !std::isfinite(best.cost)) return SolverStatus::kNoProgress;
    descent.move(best.alpha);
    ++report.iterations;
    report.improvement = opt.scale * -best.cost;
    report.gradient = opt.scale * descent.gradient_norm();
    const bool by_gap = !Descent::kNewton && opt.proves;
    const bool stops =
        !by_gap && ((report.improvement > 0 && report.improvement < opt.tolerance) || report.gradient < opt.tolerance);
    // Where it stops nobody needs another direction. (In single precision the whole of it is tried afterwards.)
    const int updates = report.updates, factorizations = report.factorizations;
    const bool good = (stops && sizeof(R) == sizeof(double)) || descent.next_direction(decrement, report);
    descent.record(report, best, length, updates, factorizations);
    if (stops) return SolverStatus::kStopped;
    if (!good) return SolverStatus::kNotPositive;
    if ((Descent::kNewton || by_gap) && opt.scale * decrement < opt.tolerance) return SolverStatus::kStopped;
  }
  return SolverStatus::kIterationLimit;
}

}  // namespace pliant
