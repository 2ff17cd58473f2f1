// No-slip sweeps: Gauss-Seidel on friction alone, without the regularisation R, after any solver.
// Takes the creep out of contacts.
//
// Normal forces, limits and equalities stay; friction loss is solved row by row, the edges of a
// pyramid in opposing pairs with their sum held, an elliptic contact by its tangents with the
// normal force held. The result depends on the order of rows (it is not the minimum of one
// problem); order and formulas are MuJoCo's.

#include <algorithm>

#include "math/dense.h"
#include "solver/noslip.h"
#include "solver/noslip_hd.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/whitened.h"

namespace pliant {

/// Forces of the block's rows change to `next`; returns the change of the cost, 0 if it was put back.
double NoSlip::replace(const WhitenedRows::Block& block, const double* A, const double* residual, const double* next,
                       double* f) {
  const int dim = block.law->dim;
  double change[kMaxConeDim], cost;
  if (!change_without_slip(dim, A, residual, next, f, change, cost, dot)) return 0;
  white.apply(block, change);
  std::copy(next, next + dim, f);
  return cost;
}

double NoSlip::friction_loss(const WhitenedRows::Block& block, double* f) {
  double residual, A;
  white.residual(block, &residual);
  white.block_matrix(block, &A);
  const double next = friction_loss_without_slip(f[0], residual, A, block.law->bound);
  return replace(block, &A, &residual, &next, f);
}

/// Two opposing edges, which follow one another.
double NoSlip::edges(const WhitenedRows::Block& first, double* f) {
  RowBlock both = *first.law;
  both.dim = 2;
  WhitenedRows::Block pair = first;
  pair.law = &both;
  double residual[2], A[4], next[2];
  white.residual(pair, residual);
  white.block_matrix(pair, A);
  edges_without_slip(f, residual, A, next);
  return replace(pair, A, residual, next, f);
}

double NoSlip::elliptic(const WhitenedRows::Block& block, double* f) {
  double residual[kMaxConeDim], A[kMaxConeDim * kMaxConeDim], next[kMaxConeDim];
  white.residual(block, residual);
  white.block_matrix(block, A);
  elliptic_without_slip(block.law->dim, block.law->friction, f, residual, A, next);
  return replace(block, A, residual, next, f);
}

/// Returns by how much the cost fell.
double NoSlip::sweep(double* force) {
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

SolverReport NoSlip::run(const SolverProblem& p, double* f) {
  SolverReport report;
  report.status = SolverStatus::kIterationLimit;
  while (report.iterations < p.opt.noslip_iterations) {
    // what the regularisation cost counts as won in the first sweep
    double improvement = 0;
    if (report.iterations == 0) {
      for (int i = 0; i < p.rows.n; ++i) improvement += 0.5 * f[i] * f[i] * p.rows.R[i];
    }
    improvement += sweep(f);
    ++report.iterations;
    report.improvement = p.opt.scale * improvement;
    if (report.improvement < p.opt.noslip_tolerance) {
      report.status = SolverStatus::kStopped;
      break;
    }
  }
  return report;
}

SolverReport solve_noslip(const SolverProblem& p, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                          std::span<int> row_state) {
  const Arena::Mark mark = arena.mark();
  SolverReport report;
  WhitenedRows white;
  double* f = row_force.data();
  if (!white.build(p, arena)) {
    report.status = SolverStatus::kOutOfMemory;
    arena.release(mark);
    return report;
  }
  white.set_forces(f);
  report = NoSlip{white}.run(p, f);
  accelerations_of_forces(p, white.rows, f, qacc.data(), row_state.data());
  arena.release(mark);
  return report;
}

}  // namespace pliant
