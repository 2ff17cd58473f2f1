// Newton's method: directions -inv(H) g with the exact Hessian of the cost (hessian.h). Ends in 2
// to 5 iterations as a rule.

#include "solver/hessian.h"
#include "solver/methods.h"
#include "solver/primal.h"

namespace pliant {
namespace {

struct Newton {
  static constexpr bool kNewton = true;
  Hessian hessian;
  bool has_cones = false;  // the factor holds second derivatives of cones

  bool build(PrimalPoint& point, Arena& arena) { return hessian.build(*point.problem, point.rows, arena, point.dense); }

  bool first_direction(PrimalPoint& point, double* direction, double& decrement, SolverReport& report) {
    return factor(point, report) && solve(point, direction, decrement);
  }

  bool next_direction(PrimalPoint& point, double* direction, double& decrement, SolverReport& report) {
    if (point.update.cones > 0 || has_cones) return factor(point, report) && solve(point, direction, decrement);
    const std::span<const int> changed(point.changed, point.update.changes);
    const int updates = hessian.update(changed, point.state);
    if (updates < 0 && !factor(point, report)) return false;
    report.updates += updates > 0 ? updates : 0;
    return solve(point, direction, decrement);
  }

 private:
  bool factor(PrimalPoint& point, SolverReport& report) {
    has_cones = point.update.cones > 0;
    ++report.factorizations;
    return hessian.factor(point.x, point.state);
  }

  /// direction = -inv(H) g; decrement = 1/2 g' inv(H) g.
  bool solve(PrimalPoint& point, double* direction, double& decrement) {
    for (int i = 0; i < point.n; ++i) direction[i] = -point.gradient[i];
    hessian.solve(direction);
    const double half = -0.5 * dot(point.gradient, direction, point.n);
    decrement = half > 0 ? half : 0;
    return std::isfinite(half);
  }
};

}  // namespace

SolverReport solve_newton(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                          std::span<double> row_force, std::span<int> row_state) {
  Newton newton;
  return minimise(problem, arena, qacc, row_force, row_state, newton);
}

}  // namespace pliant
