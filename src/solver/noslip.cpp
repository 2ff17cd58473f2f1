// No-slip sweeps: Gauss-Seidel on friction alone, without the regularisation R, after any solver.
// Takes the creep out of contacts.
//
// Normal forces, limits and equalities stay; friction loss is solved row by row, the edges of a
// pyramid in opposing pairs with their sum held, an elliptic contact by its tangents with the
// normal force held. The result depends on the order of rows (it is not the minimum of one
// problem); order and formulas are MuJoCo's.

#include <algorithm>
#include <cmath>

#include "math/constants.h"
#include "math/dense.h"
#include "math/scalar.h"
#include "solver/cone_problems_hd.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/whitened.h"

namespace pliant {
namespace {

constexpr double kSmallestDiagonal = 1e-10;  // of a block's matrix; the reference's
constexpr double kWorse = 1e-10;             // a block that raises the cost by more is put back; the reference's

struct NoSlip {
  WhitenedRows white;

  /// Forces of the block's rows change to `next`; returns the change of the cost, 0 if it was put
  /// back.
  double replace(const WhitenedRows::Block& block, const double* A, const double* residual, const double* next,
                 double* f) {
    const int dim = block.law->dim;
    double change[kMaxConeDim], cost = 0;
    for (int i = 0; i < dim; ++i) change[i] = next[i] - f[i];
    for (int i = 0; i < dim; ++i) cost += change[i] * (0.5 * dot(A + i * dim, change, dim) + residual[i]);
    if (cost > kWorse) return 0;
    white.apply(block, change);
    std::copy(next, next + dim, f);
    return cost;
  }

  double friction_loss(const WhitenedRows::Block& block, double* f) {
    double residual, A;
    white.residual(block, &residual);
    white.block_matrix(block, &A);
    const double next = clamped(f[0] - residual / at_least(kTiny, A), -block.law->bound, block.law->bound);
    return replace(block, &A, &residual, &next, f);
  }

  /// Two opposing edges, which follow one another.
  double edges(const WhitenedRows::Block& first, double* f) {
    RowBlock both = *first.law;
    both.dim = 2;
    WhitenedRows::Block pair = first;
    pair.law = &both;
    double residual[2], A[4], rest[2];
    white.residual(pair, residual);
    white.block_matrix(pair, A);
    for (int i = 0; i < 2; ++i) A[3 * i] = at_least(kSmallestDiagonal, A[3 * i]);
    for (int i = 0; i < 2; ++i) rest[i] = residual[i] - A[2 * i] * f[0] - A[2 * i + 1] * f[1];
    const double middle = 0.5 * (f[0] + f[1]);
    const double K1 = A[0] + A[3] - A[1] - A[2], K0 = middle * (A[0] - A[3]) + rest[0] - rest[1];
    const double y = K1 < kTiny ? 0 : clamped(-K0 / K1, -middle, middle);
    const double next[2] = {middle + y, middle - y};
    return replace(pair, A, residual, next, f);
  }

  double elliptic(const WhitenedRows::Block& block, double* f) {
    const int dim = block.law->dim, n = dim - 1;
    double residual[kMaxConeDim], A[kMaxConeDim * kMaxConeDim], tangential[25], right[5], next[kMaxConeDim] = {f[0]};
    white.residual(block, residual);
    white.block_matrix(block, A);
    for (int i = 1; i < dim; ++i) A[i * (dim + 1)] = at_least(kSmallestDiagonal, A[i * (dim + 1)]);
    if (f[0] >= kTiny) {
      for (int i = 0; i < n; ++i) {
        right[i] = residual[i + 1];
        for (int j = 0; j < n; ++j) {
          tangential[i * n + j] = A[(i + 1) * dim + j + 1];
          right[i] -= tangential[i * n + j] * f[j + 1];
        }
      }
      const double* friction = block.law->friction;
      if (solve_qcqp(n, tangential, right, friction, f[0], next + 1)) {
        // exactly onto the cone
        double squares = 0;
        for (int j = 0; j < n; ++j) squares += next[j + 1] / friction[j] * (next[j + 1] / friction[j]);
        const double scale = std::sqrt(f[0] * f[0] / at_least(kTiny, squares));
        for (int j = 0; j < n; ++j) next[j + 1] *= scale;
      }
    }
    return replace(block, A, residual, next, f);
  }

  /// Returns by how much the cost fell.
  double sweep(double* force) {
    double change = 0;
    for (size_t b = 0; b < white.blocks.size(); ++b) {
      const WhitenedRows::Block& block = white.blocks[b];
      double* f = force + block.law->first;
      if (block.law->law == RowLaw::kFriction) {
        change += friction_loss(block, f);
      } else if (block.law->law == RowLaw::kElliptic) {
        change += elliptic(block, f);
      } else if (block.law->edges > 0) {
        for (int e = 0; e + 1 < block.law->edges; e += 2) {
          change += edges(white.blocks[b + e], force + white.blocks[b + e].law->first);
        }
        b += block.law->edges - 1;
      }
    }
    return -change;
  }
};

}  // namespace

SolverReport solve_noslip(const SolverProblem& p, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                          std::span<int> row_state) {
  const Arena::Mark mark = arena.mark();
  SolverReport report;
  NoSlip noslip;
  double* f = row_force.data();
  if (!noslip.white.build(p, arena)) {
    report.status = SolverStatus::kOutOfMemory;
    arena.release(mark);
    return report;
  }
  noslip.white.set_forces(f);
  report.status = SolverStatus::kIterationLimit;
  while (report.iterations < p.opt.noslip_iterations) {
    // what the regularisation cost counts as won in the first sweep
    double improvement = 0;
    if (report.iterations == 0) {
      for (int i = 0; i < p.rows.n; ++i) improvement += 0.5 * f[i] * f[i] * p.rows.R[i];
    }
    improvement += noslip.sweep(f);
    ++report.iterations;
    report.improvement = p.opt.scale * improvement;
    if (report.improvement < p.opt.noslip_tolerance) {
      report.status = SolverStatus::kStopped;
      break;
    }
  }
  accelerations_of_forces(p, noslip.white.rows, f, qacc.data(), row_state.data());
  arena.release(mark);
  return report;
}

}  // namespace pliant
