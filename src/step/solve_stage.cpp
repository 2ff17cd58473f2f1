// The stage solver: accelerations and constraint forces.
//
// reads rows islands contact M qLD qacc_smooth qfrc_smooth qacc_warmstart row_memory · writes qacc qfrc_constraint
// qfrc_advance (TGS) row_force row_state, Data::solver
// Islands are problems of their own: their dofs and rows are copied next to one another, so that a solver sees a
// small dense range. Where one island holds everything (or islands are off) it sees Data's arrays themselves.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "integrate/metric.h"
#include "joint/followers_hd.h"
#include "pliant/place.h"
#include "solver/primal.h"
#include "solver/signorini.h"
#include "solver/solvers.h"
#include "state/row_memory.h"
#include "step/constraint_problem.h"
#include "state/fault.h"
#include "step/free_bodies.h"
#include "step/metric_solve.h"
#include "step/stages.h"

namespace pliant {
namespace {

const SolverEntry& solver_of(const Model& m) { return solver_table()[static_cast<size_t>(m.opt.solver)]; }

void without_constraints(const Model& m, Data& d) {
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_constraint[i] = d.qfrc_advance[i] = 0;
    d.qacc[i] = d.qacc_smooth[i];
  }
  std::fill_n(d.rows.row_force, d.rows.n, 0.0);
  std::fill_n(d.rows.row_state, d.rows.n, 0);
}

// ---- warm start --------------------------------------------------------------------------------

// Dual cost ½ f'(J M⁻¹ J' + R) f + f'b of the forces in Data, b = J qacc_smooth - aref.
double dual_cost(const Model& m, Data& d, const SolverProblem& whole, const double* b, double* q) {
  const Rows& rows = d.rows;
  double cost = 0;
  for (int i = 0; i < whole.rows.n; ++i) {
    const double f = rows.row_force[i];
    cost += (0.5 * rows.row_R[i] * f + b[i]) * f;
  }
  double* push = q + m.nv;
  project_forces(m, d, whole.rows.n, rows.row_force, push);
  std::copy_n(push, m.nv, q);
  solve_tree(whole.pattern, whole.LD, whole.inverse_D, q);
  for (int i = 0; i < m.nv; ++i) cost += 0.5 * push[i] * q[i];
  return cost;
}

// Accelerations to start from: those of the last step, unless no force at all is better; the comparison is over all
// islands together, as in the reference. The point stays evaluated, so that a solver of the whole need not do it again
// (`continues`).
bool start_primal(const Model& m, const State& s, Data& d, const SolverProblem& whole, bool continues,
                  PrimalPoint& point) {
  const size_t n = static_cast<size_t>(whole.rows.n), nv = static_cast<size_t>(m.nv);
  std::copy_n(s.qacc_warmstart, nv, d.qacc);
  if (!point.build(whole, d.arena, {d.qacc, nv}, {d.rows.row_force, n}, {d.rows.row_state, n}, continues)) return false;
  // without force M a = tau, and only the rows cost something
  point.rows.times(d.qacc_smooth, point.x);
  for (size_t i = 0; i < n; ++i) point.x[i] -= d.rows.row_aref[i];
  double cold = point.rows.evaluate(point.x, point.force, point.state).cost;
  if (d.metric.nterm > 0) {
    // with the terms of the metric, T the rest: 1/2 (a - b)' T (a - b) with T b = tau, T a = tau - W' D W a
    for (size_t i = 0; i < nv; ++i) cold += 0.5 * d.qfrc_metric[i] * (whole.qacc_smooth[i] - d.qacc_smooth[i]);
    for (size_t i = static_cast<size_t>(d.rows.n); i < n; ++i) cold -= 0.5 * d.rows.row_D[i] * point.x[i] * point.x[i];
  }
  point.evaluate();
  if (cold < point.cost) {
    std::copy_n(d.qacc_smooth, nv, d.qacc);
    point.evaluate();
  }
  return true;
}

// Forces to start from, by the same comparison.
bool start_dual(const Model& m, const State& s, Data& d, const SolverProblem& whole) {
  const size_t n = static_cast<size_t>(whole.rows.n), nv = static_cast<size_t>(m.nv);
  const Arena::Mark mark = d.arena.mark();
  double* residual = d.arena.take<double>(n);
  double* q = d.arena.take<double>(2 * nv);
  if (!residual || !q) return false;
  row_residuals(d.rows, whole.rows.n, s.qacc_warmstart, residual);
  row_penalties(whole.rows, whole.blocks, {residual, n}, {d.rows.row_force, n}, {d.rows.row_state, n});
  row_residuals(d.rows, whole.rows.n, whole.qacc_smooth.data(), residual);
  if (dual_cost(m, d, whole, residual, q) > 0) std::fill_n(d.rows.row_force, n, 0.0);
  std::copy_n(d.qacc_smooth, nv, d.qacc);
  d.arena.release(mark);
  return true;
}

// Where the solver starts: qacc (primal) or row_force (dual). TGS starts with the last step's forces where there are
// any.
bool warm_start(const Model& m, const State& s, Data& d, SolverProblem& whole, bool dual, bool continues,
                PrimalPoint& point) {
  const bool cold = m.opt.disableflags & kDisableWarmStart;
  if (cold) std::fill_n(d.rows.row_force, whole.rows.n, 0.0);
  if (cold || (traits(m.opt.solver).row_memory && recall_row_forces(s.row_memory, d))) {
    std::copy_n(d.qacc_smooth, m.nv, d.qacc);
    return true;
  }
  if (dual) return start_dual(m, s, d, whole);
  if (!start_primal(m, s, d, whole, continues, point)) return false;
  if (continues) whole.start = &point;
  return true;
}

// ---- islands -----------------------------------------------------------------------------------

// Dofs and rows of all islands, one island after the other. Numbers of an island count from its own first dof and row.
struct Gathered {
  // per dof of islands
  int *rownnz, *rowadr, *parent, *chain, *colind;
  double *M, *LD, *inverse_D, *qvel, *qacc_smooth, *qfrc_smooth, *qacc;
  // for the sweeps of noslip, where they see another matrix (Backbone)
  double *backbone_LD, *backbone_inverse_D, *metric_smooth;
  // per row, those of an island's terms of the metric behind its own
  int *Jadr, *segadr, *segnum, *segment_dof, *state;
  double *aref, *D, *R, *force;
  double *pos, *margin, *vel, *KBIP, *last_force, *moving_force;  // of TGS in parts, as solimp
  Solimp<double>* solimp;
  int* entryadr;   // per island: first number of its M
  int* rowadr_of;  // per island, and the end: its first row
  int* row_of;     // per row: which of Data's
  double* trace;   // per island: sum of the diagonal of the mass matrix
};

bool take_gathered(const Model& m, Data& d, const SolverProblem& whole, bool backbone, Gathered& g) {
  bool fits = true;
  const auto take = [&]<class T>(T*& to, int n) {
    to = d.arena.take<T>(static_cast<size_t>(n));
    fits = fits && to;
  };
  const int ndof = d.islands.ndof, nrow = whole.rows.n, moving = whole.rows.solimp ? nrow : 0;
  for (int** p : {&g.rownnz, &g.rowadr, &g.parent, &g.chain}) take(*p, ndof);
  for (double** p : {&g.inverse_D, &g.qvel, &g.qacc_smooth, &g.qfrc_smooth, &g.qacc}) take(*p, ndof);
  take(g.colind, m.nC);
  take(g.M, m.nC);
  take(g.LD, m.nC);
  for (int** p : {&g.Jadr, &g.segadr, &g.segnum, &g.state}) take(*p, nrow);
  for (double** p : {&g.aref, &g.D, &g.R, &g.force}) take(*p, nrow);
  for (double** p : {&g.pos, &g.margin, &g.vel, &g.last_force, &g.moving_force}) take(*p, moving);
  take(g.KBIP, 4 * moving);
  take(g.solimp, moving);
  take(g.segment_dof, d.rows.segment_room);
  take(g.entryadr, d.islands.n);
  take(g.rowadr_of, d.islands.n + 1);
  take(g.row_of, nrow);
  take(g.trace, d.islands.n);
  take(g.backbone_LD, backbone ? m.nC : 0);
  take(g.backbone_inverse_D, backbone ? ndof : 0);
  take(g.metric_smooth, backbone ? ndof : 0);
  return fits;
}

void gather_dofs(const Model& m, const State& s, const Data& d, const SolverProblem& whole, bool backbone,
                 Gathered& g) {
  const Islands& islands = d.islands;
  int entry = 0;  // of M, over all islands
  for (int k = 0; k < islands.n; ++k) {
    const int start = islands.island_dofadr[k];
    g.entryadr[k] = entry;
    g.trace[k] = 0;
    for (int i = start; i < islands.island_dofadr[k + 1]; ++i) {
      // trees are whole: a dof and its ancestors have moved by the same distance
      const int dof = islands.island_dof[i], shift = dof - (i - start), row = m.M_rowadr[dof], nnz = m.M_rownnz[dof];
      g.rownnz[i] = nnz;
      g.rowadr[i] = entry - g.entryadr[k];
      g.parent[i] = m.M_parentid[dof] < 0 ? -1 : m.M_parentid[dof] - shift;
      g.chain[i] = m.M_chainnum[dof];
      for (int c = 0; c < nnz; ++c) {
        g.colind[entry + c] = m.M_colind[row + c] - shift;
        g.M[entry + c] = whole.M[row + c];
        g.LD[entry + c] = whole.LD[row + c];
      }
      g.inverse_D[i] = whole.inverse_D[dof];
      g.qvel[i] = s.qvel[dof];
      g.qacc_smooth[i] = whole.qacc_smooth[static_cast<size_t>(dof)];
      g.qfrc_smooth[i] = whole.qfrc_smooth[static_cast<size_t>(dof)];
      g.qacc[i] = d.qacc[dof];
      g.trace[k] += d.M[row + nnz - 1];
      if (backbone) {
        std::copy_n(d.metric.backbone_LD + row, nnz, g.backbone_LD + entry);
        g.backbone_inverse_D[i] = d.metric.backbone_inverse_D[dof];
        g.metric_smooth[i] = d.qacc_smooth[dof];
      }
      entry += nnz;
    }
  }
}

// Rows of the islands in order, each island's terms of the metric behind its own rows.
void list_rows(const Data& d, const SolverProblem& whole, Gathered& g) {
  const Islands& islands = d.islands;
  int n = 0;
  for (int k = 0; k < islands.n; ++k) {
    g.rowadr_of[k] = n;
    for (int i = islands.island_rowadr[k]; i < islands.island_rowadr[k + 1]; ++i) g.row_of[n++] = islands.island_row[i];
    for (int i = d.rows.n; i < whole.rows.n; ++i) {
      if (d.rows.row_island[i] == k) g.row_of[n++] = i;
    }
  }
  g.rowadr_of[islands.n] = n;
}

void gather_rows(const Data& d, const Solimp<double>* solimp, Gathered& g) {
  const Islands& islands = d.islands;
  const Rows& rows = d.rows;
  for (int k = 0; k < rows.nsegment; ++k) g.segment_dof[k] = islands.dof_place[rows.segment_dof[k]];
  for (int i = 0; i < g.rowadr_of[islands.n]; ++i) {
    const int row = g.row_of[i];
    g.Jadr[i] = rows.row_Jadr[row];
    g.segadr[i] = rows.row_segadr[row];
    g.segnum[i] = rows.row_segnum[row];
    g.state[i] = rows.row_state[row];
    g.aref[i] = rows.row_aref[row];
    g.D[i] = rows.row_D[row];
    g.R[i] = rows.row_R[row];
    g.force[i] = rows.row_force[row];
    if (solimp) {
      g.pos[i] = rows.row_pos[row];
      g.margin[i] = rows.row_margin[row];
      g.vel[i] = rows.row_vel[row];
      std::copy_n(rows.row_KBIP + 4 * row, 4, g.KBIP + 4 * i);
      g.solimp[i] = solimp[row];
    }
    if (row < rows.n) continue;
    for (int k = rows.row_segadr[row]; k < rows.row_segadr[row] + rows.row_segnum[row]; ++k) {
      g.segment_dof[k] = islands.dof_place[rows.segment_dof[k]];
    }
  }
}

// Blocks sorted by island; `adr` becomes the first block of each. Rows of a block are neighbours in their island.
void gather_blocks(const Data& d, std::span<const RowBlock> blocks, const Gathered& g, RowBlock* out, int* adr) {
  const Islands& islands = d.islands;
  if (!blocks.empty() && blocks.back().metric) blocks = blocks.first(blocks.size() - 1);
  const auto island = [&](const RowBlock& block) { return d.rows.row_island[block.first]; };
  const auto terms = [&](int k) {
    return g.rowadr_of[k + 1] - g.rowadr_of[k] - (islands.island_rowadr[k + 1] - islands.island_rowadr[k]);
  };
  std::fill_n(adr, islands.n + 1, 0);
  for (const RowBlock& block : blocks) {
    if (island(block) >= 0) ++adr[island(block) + 1];
  }
  for (int k = 0; k < islands.n; ++k) adr[k + 1] += adr[k] + (terms(k) > 0);
  int* next = adr + islands.n + 1;  // per island: place of the next block
  int* row = next + islands.n;      // per island: next row
  std::copy_n(adr, islands.n, next);
  std::fill_n(row, islands.n, 0);
  for (const RowBlock& block : blocks) {
    const int k = island(block);
    if (k < 0) continue;
    RowBlock& copy = out[next[k]++];
    copy = block;
    copy.first = row[k];
    row[k] += block.dim;
  }
  for (int k = 0; k < islands.n; ++k) {
    if (terms(k) > 0) out[next[k]] = metric_block(row[k], terms(k));
  }
}

SolverProblem island_problem(const SolverProblem& whole, const Data& d, const Gathered& g, int k,
                             std::span<const RowBlock> blocks) {
  const Islands& islands = d.islands;
  const int dof = islands.island_dofadr[k], n = islands.island_dofadr[k + 1] - dof;
  const int row = g.rowadr_of[k], entry = g.entryadr[k];
  const size_t size = static_cast<size_t>(n);
  SolverProblem problem = whole;
  problem.start = nullptr;
  problem.opt.scale = 1 / std::max(kTiny, g.trace[k]);
  problem.pattern = {n, g.rownnz + dof, g.rowadr + dof, g.colind + entry, g.parent + dof, g.chain + dof};
  problem.M = g.M + entry;
  problem.LD = g.LD + entry;
  problem.inverse_D = g.inverse_D + dof;
  problem.blocks = blocks;
  problem.qvel = {g.qvel + dof, size};
  problem.qacc_smooth = {g.qacc_smooth + dof, size};
  problem.qfrc_smooth = {g.qfrc_smooth + dof, size};
  RowsView& rows = problem.rows;
  rows.n = g.rowadr_of[k + 1] - row;
  rows.Jadr = g.Jadr + row, rows.segadr = g.segadr + row, rows.segnum = g.segnum + row;
  rows.segment_dof = g.segment_dof;
  rows.aref = g.aref + row, rows.D = g.D + row, rows.R = g.R + row;
  rows.pos = rows.margin = rows.vel = rows.KBIP = nullptr;
  if (!rows.solimp) return problem;
  rows.pos = g.pos + row, rows.margin = g.margin + row, rows.vel = g.vel + row, rows.KBIP = g.KBIP + 4 * row;
  rows.solimp = g.solimp + row;
  return problem;
}

// ---- solving -----------------------------------------------------------------------------------

std::span<SolverIteration> history_of(const Data& d, int island) {
  if (island >= SolverReports::kMostIslands || !d.solver.history) return {};
  return {d.solver.history + island * SolverReports::kMostIterations, SolverReports::kMostIterations};
}

// What the sweeps of noslip see instead of the metric, as in the reference: of terms that couple dofs their diagonals
// only, and accelerations without rows that are those of the whole metric. Empty: the metric itself.
struct Backbone {
  const double *LD = nullptr, *inverse_D = nullptr;
  std::span<const double> qacc_smooth;
};

// Sweeps of noslip after the main solver.
int sweep_without_slip(const SolverProblem& solved, const Backbone& backbone, Arena& arena, std::span<double> qacc,
                       std::span<double> force, std::span<int> state) {
  SolverProblem problem = solved;
  if (backbone.LD) {
    problem.LD = backbone.LD;
    problem.inverse_D = backbone.inverse_D;
    problem.qacc_smooth = backbone.qacc_smooth;
  }
  if (!problem.blocks.empty() && problem.blocks.back().metric) {
    problem.rows.n -= problem.blocks.back().dim;
    problem.blocks = problem.blocks.first(problem.blocks.size() - 1);
  }
  const size_t n = static_cast<size_t>(problem.rows.n);
  return solve_noslip(problem, arena, qacc, force.first(n), state.first(n)).iterations;
}

// Main solver (as often as resolution="signorini" needs it), then the sweeps of noslip. (A solver that takes the step
// in parts makes them itself, in every part: a damper that is stable over a part need not be over the step.)
SolverReport solve(const Model& m, const SolverProblem& problem, const Backbone& backbone, Arena& arena,
                   std::span<double> qacc, std::span<double> force, std::span<int> state) {
  const SolverFn solver = solver_of(m).solve;
  SolverReport report = m.opt.resolution == Resolution::kSignorini
                            ? solve_signorini(solver, problem, arena, qacc, force, state)
                            : solver(problem, arena, qacc, force, state);
  if (problem.opt.noslip_iterations > 0 && problem.opt.substeps == 1) {
    const int before = report.iterations;
    report.iterations += sweep_without_slip(problem, backbone, arena, qacc, force, state);
    // sweeps count as iterations, without statistics
    const int kept = std::min(report.iterations, static_cast<int>(problem.opt.history.size()));
    for (int i = before; i < kept; ++i) problem.opt.history[static_cast<size_t>(i)] = {};
  }
  return report;
}

// Rows that no dof can change: their force is what their law says, and moves nothing.
void force_of_immobile_rows(Data& d, std::span<const RowBlock> blocks) {
  for (const RowBlock& block : blocks) {
    if (d.rows.row_island[block.first] >= 0) continue;
    // (equalities solved together hold one another only through dofs)
    const int together = block.law == RowLaw::kElliptic ? block.dim : 1;
    for (int row = block.first; row < block.first + block.dim; row += together) {
      double residual[6];
      for (int k = 0; k < together; ++k) residual[k] = -d.rows.row_aref[row + k];
      RowBlock alone = block;
      alone.first = 0;
      alone.dim = together;
      RowsView view;
      view.n = together;
      view.D = d.rows.row_D + row;
      view.R = d.rows.row_R + row;
      const size_t n = static_cast<size_t>(together);
      row_penalties(view, {&alone, 1}, {residual, n}, {d.rows.row_force + row, n}, {d.rows.row_state + row, n});
    }
  }
}

bool solve_islands(const Model& m, const State& s, Data& d, const SolverProblem& whole, bool backbone) {
  const Islands& islands = d.islands;
  Gathered g;
  RowBlock* blocks = d.arena.take<RowBlock>(whole.blocks.size() + static_cast<size_t>(islands.n));
  int* blockadr = d.arena.take<int>(3 * static_cast<size_t>(islands.n) + 1);
  if (!take_gathered(m, d, whole, backbone, g) || !blocks || !blockadr) return false;
  gather_dofs(m, s, d, whole, backbone, g);
  list_rows(d, whole, g);
  gather_rows(d, whole.rows.solimp, g);
  gather_blocks(d, whole.blocks, g, blocks, blockadr);

  std::copy_n(d.qacc_smooth, m.nv, d.qacc);
  for (int k = 0; k < islands.n; ++k) {
    const int dof = islands.island_dofadr[k], row = g.rowadr_of[k];
    // terms of the metric alone: qacc_smooth obeys them
    if (islands.island_rowadr[k + 1] == islands.island_rowadr[k]) continue;
    SolverProblem problem =
        island_problem(whole, d, g, k, {blocks + blockadr[k], static_cast<size_t>(blockadr[k + 1] - blockadr[k])});
    const size_t n = static_cast<size_t>(problem.rows.n);
    problem.opt.history = history_of(d, k);
    if (!whole.opt.last_force.empty()) {
      problem.opt.last_force = {g.last_force + row, n};
      problem.opt.moving_force = {g.moving_force + row, n};
    }
    Backbone other;
    if (backbone) {
      other = {g.backbone_LD + g.entryadr[k], g.backbone_inverse_D + dof, {g.metric_smooth + dof, problem.qvel.size()}};
    }
    d.solver.report[k] =
        solve(m, problem, other, d.arena, {g.qacc + dof, problem.qvel.size()}, {g.force + row, n}, {g.state + row, n});
    // a row counts in all rows, not in those of the island
    int& bad = d.solver.report[k].bad_row;
    if (bad >= 0) bad = g.row_of[row + bad];
    for (int i = dof; i < islands.island_dofadr[k + 1]; ++i) d.qacc[islands.island_dof[i]] = g.qacc[i];
  }
  for (int i = 0; i < g.rowadr_of[islands.n]; ++i) {
    d.rows.row_force[g.row_of[i]] = g.force[i];
    d.rows.row_state[g.row_of[i]] = g.state[i];
    if (whole.opt.last_force.empty()) continue;
    whole.opt.last_force[static_cast<size_t>(g.row_of[i])] = g.last_force[i];
    whole.opt.moving_force[static_cast<size_t>(g.row_of[i])] = g.moving_force[i];
  }
  force_of_immobile_rows(d, whole.blocks);
  return true;
}

bool solve_whole(const Model& m, Data& d, SolverProblem& whole, bool backbone) {
  const size_t n = static_cast<size_t>(whole.rows.n), nv = static_cast<size_t>(m.nv);
  whole.opt.history = history_of(d, 0);
  Backbone other;
  if (backbone) other = {d.metric.backbone_LD, d.metric.backbone_inverse_D, {d.qacc_smooth, nv}};
  d.solver.report[0] = solve(m, whole, other, d.arena, {d.qacc, nv}, {d.rows.row_force, n}, {d.rows.row_state, n});
  return true;
}

// Whether every term of the metric has all its dofs in one island, or in none.
bool islands_hold_terms(const Data& d, const SolverProblem& whole) {
  for (int i = d.rows.n; i < whole.rows.n; ++i) {
    for (int k = d.rows.row_segadr[i]; k < d.rows.row_segadr[i] + d.rows.row_segnum[i]; ++k) {
      for (int c = 0; c < d.rows.segment_len[k]; ++c) {
        if (d.islands.dof_island[d.rows.segment_dof[k] + c] != d.rows.row_island[i]) return false;
      }
    }
  }
  return true;
}

// What stays in the arena after the stage.
bool take_reports(const Model& m, Data& d) {
  d.solver.n = std::max(1, d.islands.n);
  d.solver.report = d.arena.take<SolverReport>(static_cast<size_t>(d.solver.n));
  if (!d.solver.report) return false;
  std::fill_n(d.solver.report, d.solver.n, SolverReport{});
  if (solver_substeps(m.opt) > 1) {
    const int n = d.rows.n + d.metric.nterm;
    d.solver.last_force = d.arena.take<double>(static_cast<size_t>(n));
    if (!d.solver.last_force) return false;
    std::fill_n(d.solver.last_force, n, 0.0);
  }
  // (nullptr where the arena is fixed and full: then there is none)
  const size_t lines = static_cast<size_t>(d.solver.islands_kept()) * SolverReports::kMostIterations;
  d.solver.history = d.arena.take<SolverIteration>(lines);
  return true;
}

// qacc from the forces of rows, by the whole metric.
void accelerate_by_rows(const Model& m, const State& s, Data& d) {
  project_forces(m, d, d.rows.n, d.rows.row_force, d.qacc);
  solve_metric(m, s, d, d.qacc);
  for (int i = 0; i < m.nv; ++i) d.qacc[i] += d.qacc_smooth[i];
}

bool solve_rows(const Model& m, const State& s, Data& d) {
  const Islands& islands = d.islands;
  const Arena::Mark mark = d.arena.mark();
  const std::span<RowBlock> blocks = take_blocks(m, d);
  if (blocks.empty()) return false;
  SolverProblem whole = whole_problem(m, s, d, blocks);
  if (d.metric.nterm > 0) {
    // terms of the metric are rows here: without rows the part within the pattern of M remains
    whole.qacc_smooth = {d.qacc_advance, static_cast<size_t>(m.nv)};
  }
  // substeps: two sums of forces beside their mean
  if (d.solver.last_force) {
    const size_t n = static_cast<size_t>(whole.rows.n);
    double* moving = d.arena.take<double>(n);
    whole.rows.solimp = take_impedances(m, d, blocks);
    if (!moving || !whole.rows.solimp) return false;
    std::fill_n(moving, n, 0.0);
    whole.opt.last_force = {d.solver.last_force, n};
    whole.opt.moving_force = {moving, n};
  }
  // one island with all dofs and rows needs no copies
  const bool everything = islands.n == 1 && islands.ndof == m.nv && islands.island_rowadr[1] == d.rows.n;
  const bool at_once = islands.n == 0 || everything || !islands_hold_terms(d, whole);
  PrimalPoint point;
  if (!warm_start(m, s, d, whole, solver_of(m).dual, at_once, point)) return false;
  const bool backbone = d.metric.coupled && m.opt.noslip_iterations > 0;
  const bool fits = at_once ? solve_whole(m, d, whole, backbone) : solve_islands(m, s, d, whole, backbone);
  if (fits && d.solver.last_force) project_forces(m, d, d.rows.n, whole.opt.moving_force.data(), d.qfrc_advance);
  if (fits && backbone) accelerate_by_rows(m, s, d);
  d.arena.release(mark);
  return fits;
}

// A fault of a row is named by what the row comes from.
void record_row(const State& s, Data& d, Fault fault, int row, double value) {
  const auto type = static_cast<RowType>(d.rows.row_type[row]);
  const int id = d.rows.row_id[row];
  const bool contact = type >= RowType::kContactFrictionless;
  record_row_fault(s, d, fault, row_source(type), contact ? d.contact[id].geom[0] : id, value, row,
                   contact ? d.contact[id].geom[1] : -1);
}

// First row whose law is not finite; -1: none. (Zones of a cone compare: NaN in D would only look like an open
// contact.)
int first_bad_row(const Rows& rows) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto bad = [&](int i) {
    return int{!(std::abs(rows.row_aref[i]) <= kMost)} | int{!(std::abs(rows.row_D[i]) <= kMost)} |
           int{!(std::abs(rows.row_R[i]) <= kMost)};  // no branch: the loop below is vectorised
  };
  int64_t count = 0;
  for (int i = 0; i < rows.n; ++i) count += bad(i);
  if (count == 0) return -1;
  int i = 0;
  while (bad(i) == 0) ++i;
  return i;
}

// The number of a row that is not finite.
double bad_number(const Rows& rows, int row) {
  for (double x : {rows.row_aref[row], rows.row_D[row], rows.row_R[row], rows.row_pos[row]}) {
    if (!std::isfinite(x)) return x;
  }
  return std::numeric_limits<double>::quiet_NaN();  // in the Jacobian
}

void record_bad_row(const Model& m, const State& s, Data& d, int row) {
  if (row >= 0) return record_row(s, d, Fault::kBadRow, row, bad_number(d.rows, row));
  const int dof = std::max(0, first_bad(d.qacc_smooth, m.nv));
  record_fault(s, d, Fault::kBadRow, "qacc_smooth", dof, d.qacc_smooth[dof]);
}

// Not finite, not positive definite or out of memory: the answer is finite, and the fault says where.
void record_solver_faults(const Model& m, const State& s, Data& d) {
  for (int k = 0; k < d.solver.n; ++k) {
    const SolverReport& report = d.solver.report[k];
    if (m.opt.resolution == Resolution::kSignorini && report.resolutions > 0) d.signorini_convex += report.convex;
    if (report.status == SolverStatus::kNotFinite) {
      record_bad_row(m, s, d, report.bad_row);
    } else if (report.status == SolverStatus::kNotPositive) {
      // named by the first row of the island
      const int row = d.islands.n > 0 ? d.islands.island_row[d.islands.island_rowadr[k]] : 0;
      record_row(s, d, Fault::kSolverFailed, row, report.gap);
    } else if (report.status == SolverStatus::kOutOfMemory) {
      record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
    }
  }
}

// Everything but followers.
void solve_independent(const Model& m, const State& s, Data& d) {
  d.solver = {};
  // (who runs stages by hand may not have had the options checked)
  if (const int solver = static_cast<int>(m.opt.solver); solver < 0 || solver >= kNumSolvers) {
    record_fault(s, d, Fault::kBadOption, "opt.solver", -1, solver);
    return without_constraints(m, d);
  }
  // what moves within the step, and the comparison with inverse dynamics, know the convex problem only
  if (m.opt.resolution == Resolution::kSignorini &&
      (traits(m.opt.solver).substeps || (m.opt.enableflags & kEnableFwdInv))) {
    record_fault(s, d, Fault::kBadOption, "opt.resolution", -1, static_cast<int>(m.opt.resolution));
    return without_constraints(m, d);
  }
  if (d.rows.n == 0) return without_constraints(m, d);
  if (const int row = first_bad_row(d.rows); row >= 0) {
    record_bad_row(m, s, d, row);
    return without_constraints(m, d);
  }
  if (!take_reports(m, d) || !solve_rows(m, s, d)) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
    return without_constraints(m, d);
  }
  record_solver_faults(m, s, d);
  project_row_forces(m, d);
}

}  // namespace

void run_solver(const Model& m, const State& s, Data& d) {
  solve_independent(m, s, d);
  if (metric_of(m, d).discrete) turn_free_bodies(m, s, d);
  fill_followers(m, s, d.qacc);
}

}  // namespace pliant
