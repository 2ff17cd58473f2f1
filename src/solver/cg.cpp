// Nonlinear conjugate gradients with M as preconditioner.
//
// Directions of Hager and Zhang (2005): with y = g_new - g, s the last direction and P = inv(M),
//   beta = (y' P g_new - 2 (y' P y) / (s' y) s' g_new) / (s' y),  not below -1 / (|s| min(0.01,
//   |g_new|)).
//
// Equalities that are solved together, or are rigid (mimic joints, terms of the metric), are a million times as stiff
// as M: there P is the inverse of M + J' D J of these rows, inv(M) - X inv(R + J X) J inv(M) with X = inv(M) J'
// (Woodbury). Their forces f = -D (J a - aref) magnify what is missing to the minimum, and integrators go by forces:
// where iterations end, y = inv(R
// + J X) J inv(M) g is added to f. That is the force after a -= P g, since D J P = inv(R + J X) J inv(M); the motion it
// causes obeys the rows.

#include "solver/methods.h"
#include "solver/primal.h"

namespace pliant {
namespace {

struct StiffRows {
  const SolverProblem* p = nullptr;
  int n = 0;  // rows
  int* row = nullptr;
  double* X = nullptr;  // inv(M) J', one row after the other
  double* L = nullptr;  // R + J X = L L', by rows
  double* y = nullptr;  // what `correct` leaves

  bool build(const SolverProblem& problem, Arena& arena) {
    p = &problem;
    const auto is_stiff = [](const RowBlock& b) {
      return b.law == RowLaw::kEquality && (b.dim > 1 || b.cold_start || b.metric);
    };
    for (const RowBlock& block : problem.blocks) n += is_stiff(block) ? block.dim : 0;
    if (n == 0) return true;
    const size_t size = static_cast<size_t>(n), dofs = static_cast<size_t>(problem.pattern.n);
    row = arena.take<int>(size);
    X = arena.take<double>(size * dofs);
    L = arena.take<double>(size * size);
    y = arena.take<double>(size);
    if (!row || !X || !L || !y) return false;
    int count = 0;
    for (const RowBlock& block : problem.blocks) {
      for (int i = 0; is_stiff(block) && i < block.dim; ++i) row[count++] = block.first + i;
    }
    factor();
    return true;
  }

  /// x = inv(M) g becomes P g; y becomes inv(R + J X) J inv(M) g.
  void correct(double* x) const {
    if (n == 0) return;
    const int dofs = p->pattern.n;
    for (int i = 0; i < n; ++i) {
      y[i] = row_times(row[i], x);
      for (int k = 0; k < i; ++k) y[i] -= L[i * n + k] * y[k];
      y[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) y[i] -= L[k * n + i] * y[k];
      y[i] /= L[i * n + i];
      add_scaled(x, X + i * dofs, -y[i], dofs);
    }
  }

 private:
  void factor() {
    const int dofs = p->pattern.n;
    for (int i = 0; i < n; ++i) {
      double* x = X + i * dofs;
      std::fill_n(x, dofs, 0.0);
      each_run(row[i], [&](int dof, const double* J, int length) { std::copy_n(J, length, x + dof); });
      solve_tree(p->pattern, p->LD, p->inverse_D, x);
      for (int k = 0; k <= i; ++k) {
        double sum = row_times(row[k], x) + (k == i ? p->rows.R[row[i]] : 0);
        for (int c = 0; c < k; ++c) sum -= L[i * n + c] * L[k * n + c];
        L[i * n + k] = k < i ? sum / L[k * n + k] : std::sqrt(std::max(sum, kTiny));
      }
    }
  }
  template <class F>
  void each_run(int i, F&& f) const {
    const double* J = p->rows.J + p->rows.Jadr[i];
    for (int s = p->rows.segadr[i]; s < p->rows.segadr[i] + p->rows.segnum[i]; ++s) {
      f(p->rows.segment_dof[s], J, p->rows.segment_len[s]);
      J += p->rows.segment_len[s];
    }
  }
  double row_times(int i, const double* x) const {
    double sum = 0;
    each_run(i, [&](int dof, const double* J, int length) { sum += dot(J, x + dof, length); });
    return sum;
  }
};

struct ConjugateGradient {
  static constexpr bool kNewton = false;
  double *old_gradient = nullptr, *inverse = nullptr,
         *old_inverse = nullptr;  // P g, now and before
  StiffRows stiff;

  bool build(PrimalPoint& point, Arena& arena) {
    old_gradient = arena.take<double>(point.n);
    inverse = arena.take<double>(point.n);
    old_inverse = arena.take<double>(point.n);
    return old_gradient && inverse && old_inverse && stiff.build(*point.problem, arena);
  }

  bool first_direction(PrimalPoint& point, double* direction, double& decrement, SolverReport&) {
    decrement = point.gap(inverse);
    stiff.correct(inverse);
    for (int i = 0; i < point.n; ++i) direction[i] = -inverse[i];
    remember(point);
    return true;
  }

  bool next_direction(PrimalPoint& point, double* s, double& decrement, SolverReport&) {
    decrement = point.gap(inverse);
    stiff.correct(inverse);
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

  /// Forces of stiff rows that fit the acceleration; false: there are none.
  bool settle_forces(PrimalPoint& point) {
    if (stiff.n == 0) return false;
    point.gap(inverse);
    stiff.correct(inverse);
    for (int i = 0; i < stiff.n; ++i) point.force[stiff.row[i]] += stiff.y[i];
    return true;
  }

 private:
  void remember(PrimalPoint& point) {
    std::copy(point.gradient, point.gradient + point.n, old_gradient);
    std::copy(inverse, inverse + point.n, old_inverse);
  }
};

}  // namespace

SolverReport solve_cg(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                      std::span<int> row_state) {
  ConjugateGradient method;
  return minimise(problem, arena, qacc, row_force, row_state, method);
}

}  // namespace pliant
