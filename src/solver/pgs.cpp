// Projected Gauss-Seidel: minimise the dual cost 1/2 f' (A + R) f + f' b over forces within their
// bounds, block by block, A = J inv(M) J' = Y Y' (whitened.h), b = J a_s - aref.
//
// A scalar row is minimised in closed form, an elliptic contact exactly over its whole cone
// (cone_problems_hd.h), so the sweeps come to rest at the minimum only; moving normal and
// tangential forces in turn would rest at the apex of a cone as well. Sweeps go over the blocks in
// shuffled order (fixed generator), and between them the forces are extrapolated (Nesterov) with a
// restart whenever that leads uphill; both as in MuJoCo, so that for scalar rows the iterates are
// its own.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/dense.h"
#include "math/scalar.h"
#include "solver/cone_problems_hd.h"
#include "solver/methods.h"
#include "solver/primal.h"
#include "solver/solvers.h"
#include "solver/whitened.h"

namespace pliant {
namespace {

/// PCG32 (O'Neill 2014): state 0, increment 1, the first number thrown away.
struct Shuffler {
  uint64_t state = 0;
  Shuffler() { next(); }
  uint32_t next() {
    const uint64_t old = state;
    state = old * 6364136223846793005ULL + 1;
    const auto mixed = static_cast<uint32_t>(((old >> 18) ^ old) >> 27),
               turn = static_cast<uint32_t>(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
  }
  void shuffle(int* order, int n) {
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[next() % (i + 1)]);
  }
};

struct Sweeper {
  const SolverProblem* p = nullptr;
  WhitenedRows white;
  double* diagonal = nullptr;          // of A + R, scalar rows
  ConeBlock<double>* cones = nullptr;  // by block; only those of elliptic ones are set
  int* cone_of_block = nullptr;

  bool build(const SolverProblem& problem, Arena& arena) {
    p = &problem;
    const size_t blocks = problem.blocks.size();
    if (!white.build(problem, arena)) return false;
    size_t elliptic = 0;
    for (const RowBlock& block : problem.blocks) elliptic += block.law == RowLaw::kElliptic;
    diagonal = arena.take<double>(blocks);
    cone_of_block = arena.take<int>(blocks);
    cones = arena.take<ConeBlock<double>>(elliptic);
    if (!diagonal || !cone_of_block || !cones) return false;
    elliptic = 0;
    for (size_t b = 0; b < blocks; ++b) {
      const RowBlock& block = problem.blocks[b];
      double A[kMaxConeDim * kMaxConeDim];
      white.block_matrix(white.blocks[b], A);
      for (int i = 0; i < block.dim; ++i) A[i * (block.dim + 1)] += problem.rows.R[block.first + i];
      diagonal[b] = A[0];
      if (block.law != RowLaw::kElliptic) continue;
      cone_of_block[b] = static_cast<int>(elliptic);
      prepare_cone_block(block.dim, A, block.friction, cones[elliptic++]);
    }
    return true;
  }

  /// Minimises over one block; returns by how much the cost falls.
  double visit(int b, double* force) {
    const WhitenedRows::Block& block = white.blocks[b];
    const RowBlock& law = *block.law;
    double* f = force + law.first;
    const double* R = p->rows.R + law.first;
    double residual[kMaxConeDim], change[kMaxConeDim];
    white.residual(block, residual);
    for (int i = 0; i < law.dim; ++i) residual[i] = mul_add(R[i], f[i], residual[i]);
    if (law.law != RowLaw::kElliptic) {
      double next = f[0] - residual[0] / diagonal[b];
      if (law.law == RowLaw::kFriction) next = clamped(next, -law.bound, law.bound);
      if (law.law == RowLaw::kUnilateral && next < 0) next = 0;
      change[0] = next - f[0];
      f[0] = next;
      if (change[0] == 0) return 0;
      white.apply(block, change);
      return -change[0] * (0.5 * change[0] * diagonal[b] + residual[0]);
    }
    // linear part of the block without its own force: c = residual - (A + R) f
    double A[kMaxConeDim * kMaxConeDim], c[kMaxConeDim], next[kMaxConeDim];
    white.block_matrix(block, A);
    for (int i = 0; i < law.dim; ++i) {
      A[i * (law.dim + 1)] += R[i];
      c[i] = residual[i] - dot(A + i * law.dim, f, law.dim);
      next[i] = f[i];
    }
    solve_cone_block(cones[cone_of_block[b]], c, next);
    double gain = 0;
    for (int i = 0; i < law.dim; ++i) change[i] = next[i] - f[i];
    for (int i = 0; i < law.dim; ++i)
      gain -= change[i] * (0.5 * dot(A + i * law.dim, change, law.dim) + residual[i]);
    if (!(gain > 0)) return 0;  // the limit of rounding
    std::copy(next, next + law.dim, f);
    white.apply(block, change);
    return gain;
  }

  /// Into the bounds: boxes, and for cones shrinks the tangent.
  void project(double* force) const {
    for (const RowBlock& block : p->blocks) {
      double* f = force + block.first;
      if (block.law == RowLaw::kFriction) {
        f[0] = clamped(f[0], -block.bound, block.bound);
      } else if (block.law == RowLaw::kUnilateral) {
        if (f[0] < 0) f[0] = 0;
      } else if (block.law == RowLaw::kElliptic) {
        double squares = 0;
        for (int j = 1; j < block.dim; ++j)
          squares += f[j] / block.friction[j - 1] * (f[j] / block.friction[j - 1]);
        const double length = std::sqrt(squares);
        if (f[0] < 0) f[0] = 0;
        if (length > f[0]) {
          for (int j = 1; j < block.dim; ++j) f[j] *= f[0] / length;
        }
      }
    }
  }

  /// 1/2 f' (A + R) f + f' b; w belongs to f.
  double cost(const double* f) const {
    const int n = p->rows.n;
    double total = 0.5 * dot(white.w, white.w, p->pattern.n);
    for (int i = 0; i < n; ++i) total += f[i] * (0.5 * p->rows.R[i] * f[i] + white.free[i]);
    return total;
  }
};

bool all_finite(const double* v, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += v[i] * 0;
  return total == 0;
}

}  // namespace

SolverReport solve_pgs(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                       std::span<double> row_force, std::span<int> row_state) {
  const SolverOptions& opt = problem.opt;
  const Arena::Mark mark = arena.mark();
  const int n = problem.rows.n, blocks = static_cast<int>(problem.blocks.size());
  SolverReport report;
  Sweeper sweeper;
  int* order = arena.take<int>(blocks);
  double* last = arena.take<double>(n);      // forces before a sweep, not extrapolated
  double* previous = arena.take<double>(n);  // and those of the sweep before
  double* ahead = arena.take<double>(n);     // extrapolated
  double* f = row_force.data();
  const auto fail = [&](SolverStatus status) {
    arena.release(mark);
    return refuse(problem, status, qacc, row_force, row_state);
  };
  if (!order || !last || !previous || !ahead || !sweeper.build(problem, arena))
    return fail(SolverStatus::kOutOfMemory);
  // start: the forces given, if they are better than none
  if (!all_finite(f, n)) std::fill(f, f + n, 0.0);
  sweeper.project(f);
  sweeper.white.set_forces(f);
  const double start = sweeper.cost(f);
  if (!std::isfinite(start) || !all_finite(sweeper.white.free, n) ||
      !all_finite(problem.rows.D, n) || !all_finite(problem.rows.R, n) ||
      !all_finite(problem.qfrc_smooth.data(), problem.pattern.n)) {
    return fail(SolverStatus::kNotFinite);
  }
  if (start > 0) {
    std::fill(f, f + n, 0.0);
    sweeper.white.set_forces(f);
  }
  // sweep
  for (int b = 0; b < blocks; ++b) order[b] = b;
  Shuffler shuffler;
  std::copy(f, f + n, previous);
  report.status = SolverStatus::kIterationLimit;
  for (int momentum = 0; report.iterations < opt.iterations;) {
    std::copy(f, f + n, last);
    const double beta = report.iterations > 0 ? (momentum - 1.0) / (momentum + 2.0) : 0;
    if (beta > 0) {
      for (int i = 0; i < n; ++i) f[i] = mul_add(beta, last[i] - previous[i], last[i]);
      sweeper.project(f);
      sweeper.white.set_forces(f);
    }
    std::copy(f, f + n, ahead);
    shuffler.shuffle(order, blocks);
    double improvement = 0;
    for (int b = 0; b < blocks; ++b) improvement += sweeper.visit(order[b], f);
    ++report.iterations;
    report.improvement = opt.scale * improvement;
    // uphill: without momentum again
    double turn = 0;
    for (int i = 0; i < n; ++i) turn = mul_add(f[i] - ahead[i], ahead[i] - last[i], turn);
    momentum = turn < 0 ? 0 : momentum + 1;
    std::swap(previous, last);
    if (static_cast<size_t>(report.iterations) <= opt.history.size()) {
      opt.history[report.iterations - 1] = {.improvement = report.improvement};
    }
    if (report.improvement < opt.tolerance) {
      report.status = SolverStatus::kStopped;
      break;
    }
  }
  // accelerations and certificate
  accelerations_of_forces(problem, sweeper.white.rows, f, qacc.data(), row_state.data());
  arena.release(mark);
  const Certificate proof = certify(problem, arena, qacc, row_force);
  report.gap = opt.scale * proof.gap;
  report.gradient = opt.scale * proof.gradient;
  report.cone_violation = proof.cone_violation;
  report.converged = report.gap < opt.tolerance;
  if (report.converged) report.status = SolverStatus::kConverged;
  return report;
}

}  // namespace pliant
