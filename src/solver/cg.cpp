// Nonlinear conjugate gradients with M as preconditioner.
//
// Directions of Hager and Zhang (2005): with y = g_new - g, s the last direction and P = inv(M),
//   beta = (y' P g_new - 2 (y' P y) / (s' y) s' g_new) / (s' y),  not below -1 / (|s| min(0.01,
//   |g_new|)).

#include "solver/methods.h"
#include "solver/primal.h"

namespace pliant {
namespace {

struct ConjugateGradient {
  static constexpr bool kNewton = false;
  double *old_gradient = nullptr, *inverse = nullptr,
         *old_inverse = nullptr;  // inv(M) g, now and before

  bool build(PrimalPoint& point, Arena& arena) {
    old_gradient = arena.take<double>(point.n);
    inverse = arena.take<double>(point.n);
    old_inverse = arena.take<double>(point.n);
    return old_gradient && inverse && old_inverse;
  }

  bool first_direction(PrimalPoint& point, double* direction, double&, SolverReport&) {
    point.gap(inverse);
    for (int i = 0; i < point.n; ++i) direction[i] = -inverse[i];
    remember(point);
    return true;
  }

  bool next_direction(PrimalPoint& point, double* s, double&, SolverReport&) {
    point.gap(inverse);
    const double* g = point.gradient;
    double sy = 0, yPg = 0, yPy = 0, sg = 0, ss = 0, gg = 0;
    for (int i = 0; i < point.n; ++i) {
      const double y = g[i] - old_gradient[i];
      sy = mul_add(s[i], y, sy);
      yPg = mul_add(y, inverse[i], yPg);
      yPy = mul_add(y, inverse[i] - old_inverse[i], yPy);
      sg = mul_add(s[i], g[i], sg);
      ss = mul_add(s[i], s[i], ss);
      gg = mul_add(g[i], g[i], gg);
    }
    double beta = 0;
    if (sy >= kTiny) {
      const double smallest = -1 / std::max(kTiny, std::sqrt(ss) * std::min(0.01, std::sqrt(gg)));
      beta = std::max(smallest, (yPg - 2 * yPy / sy * sg) / sy);
    }
    for (int i = 0; i < point.n; ++i) s[i] = mul_add(beta, s[i], -inverse[i]);
    remember(point);
    return true;
  }

 private:
  void remember(PrimalPoint& point) {
    std::copy(point.gradient, point.gradient + point.n, old_gradient);
    std::copy(inverse, inverse + point.n, old_inverse);
  }
};

}  // namespace

SolverReport solve_cg(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                      std::span<double> row_force, std::span<int> row_state) {
  ConjugateGradient method;
  return minimise(problem, arena, qacc, row_force, row_state, method);
}

}  // namespace pliant
