// Rows of Data seen as blocks with laws; products with the Jacobian; forces that belong to given accelerations.
//
// reads rows contact qacc · writes row_force row_state qfrc_constraint

#include "step/constraint_problem.h"

#include <algorithm>
#include <memory>

#include "constraint/reference_hd.h"
#include "constraint/row_law_hd.h"
#include "integrate/metric.h"
#include "model/position_lead.h"
#include "solver/solvers.h"
#include "state/fault.h"

namespace pliant {

namespace {

// Mimics of connected trees are solved together: row by row, Gauss-Seidel lets a light leader stop at its first
// follower.
void join_mimics(const Model& m, const Rows& rows, RowBlock& block) {
  const int mimic = m.eq_mimicid[rows.row_id[block.first]];
  if (mimic < 0) return;
  int end = block.first;
  for (; end < rows.ne && m.mimic_blockid[m.eq_mimicid[rows.row_id[end]]] == m.mimic_blockid[mimic]; ++end) {
    const int mode = m.mimic_mode[m.eq_mimicid[rows.row_id[end]]];
    block.cold_start = block.cold_start || mode == static_cast<int>(MimicMode::kHard);
  }
  block.dim = end - block.first;
}

// Contacts and limits act where they are violated: a solver that takes the step in parts decides that for each. What
// pulls (adhesion) acts before, and so does what the flag speculative predicts.
bool is_gated(const Model& m, const Data& d, const RowBlock& block) {
  if (block.law != RowLaw::kUnilateral && block.law != RowLaw::kElliptic) return false;
  const auto type = static_cast<RowType>(d.rows.row_type[block.first]);
  if (type < RowType::kContactFrictionless) return true;
  return (m.opt.enableflags & kEnableSpeculative) == 0 && d.contact[d.rows.row_id[block.first]].adhesion == 0;
}

// Of the contact or limit that a row belongs to.
double contact_violation(const Data& d, int row) {
  const bool contact = static_cast<RowType>(d.rows.row_type[row]) >= RowType::kContactFrictionless;
  return (contact ? d.contact[d.rows.row_id[row]].dist : d.rows.row_pos[row]) - d.rows.row_margin[row];
}

const double* solimp_of(const Model& m, const Data& d, int row) {
  const int id = d.rows.row_id[row];
  switch (static_cast<RowType>(d.rows.row_type[row])) {
    case RowType::kLimitJoint:
      return m.jnt_solimp + kNumImp * id;
    case RowType::kLimitTendon:
      return m.tendon_solimp_lim + kNumImp * id;
    default:
      return d.contact[id].solimp;
  }
}

}  // namespace

Solimp<double>* take_impedances(const Model& m, Data& d, std::span<const RowBlock> blocks) {
  auto* curves = d.arena.take<Solimp<double>>(static_cast<size_t>(d.rows.n) + static_cast<size_t>(d.metric.nterm));
  if (!curves) return nullptr;
  for (const RowBlock& block : blocks) {
    Solimp<double> curve{};
    if (block.gated) {
      int clamps = 0;
      curve = checked_solimp<double>(solimp_of(m, d, block.first), clamps);
    }
    std::fill_n(curves + block.first, block.dim, curve);
  }
  return curves;
}

RowBlock metric_block(int first, int terms) {
  RowBlock block;
  block.first = first;
  block.dim = terms;
  block.law = RowLaw::kEquality;
  block.metric = true;
  return block;
}

std::span<RowBlock> take_blocks(const Model& m, Data& d) {
  const Rows& rows = d.rows;
  RowBlock* blocks = d.arena.take<RowBlock>(static_cast<size_t>(rows.n) + 1);
  if (!blocks) return {};
  const bool parts = solver_substeps(m.opt) > 1;
  size_t n = 0;
  for (int i = 0; i < rows.n;) {
    // (in its place: a copy of what was just written in pieces waits for all of them)
    RowBlock& block = *std::construct_at(blocks + n++);
    set_row_block(d, i, block);
    if (block.law == RowLaw::kEquality) join_mimics(m, rows, block);
    block.gated = parts && is_gated(m, d, block);
    i += block.dim;
  }
  if (const int terms = metric_of(m, d).nterm) blocks[n++] = metric_block(rows.n, terms);
  return {blocks, n};
}

RowsView rows_view(const Rows& rows) {
  RowsView view;
  view.n = rows.n;
  view.Jadr = rows.row_Jadr;
  view.segadr = rows.row_segadr;
  view.segnum = rows.row_segnum;
  view.segment_dof = rows.segment_dof;
  view.segment_len = rows.segment_len;
  view.J = rows.row_J;
  view.aref = rows.row_aref;
  view.D = rows.row_D;
  view.R = rows.row_R;
  view.pos = rows.row_pos;
  view.margin = rows.row_margin;
  view.vel = rows.row_vel;
  view.KBIP = rows.row_KBIP;
  return view;
}

SolverProblem whole_problem(const Model& m, const State& s, const Data& d, std::span<const RowBlock> blocks) {
  const size_t nv = static_cast<size_t>(m.nv);
  const Metric metric = metric_of(m, d);
  SolverProblem problem;
  problem.pattern = {m.nv, m.M_rownnz, m.M_rowadr, m.M_colind, m.M_parentid, m.M_chainnum};
  problem.M = metric.matrix;
  problem.LD = metric.LD;
  problem.inverse_D = metric.inverse_D;
  problem.rows = rows_view(d.rows);
  problem.rows.n += metric.nterm;
  problem.blocks = blocks;
  problem.qvel = {s.qvel, nv};
  problem.qacc_smooth = {d.qacc_smooth, nv};
  problem.qfrc_smooth = {metric.discrete ? d.qfrc_metric : d.qfrc_smooth, nv};
  problem.timestep = m.opt.timestep;
  SolverOptions& opt = problem.opt;
  opt.iterations = m.opt.iterations;
  opt.tolerance = m.opt.tolerance;
  opt.ls_iterations = m.opt.ls_iterations;
  opt.ls_tolerance = m.opt.ls_tolerance;
  opt.noslip_iterations = m.opt.noslip_iterations;
  opt.noslip_tolerance = m.opt.noslip_tolerance;
  opt.substeps = solver_substeps(m.opt);
  opt.lead = position_lead(m);
  // what cannot be divided into substeps gets all sweeps at once
  opt.sweeps = std::max(1, m.opt.tgs_sweeps) * std::max(1, m.opt.tgs_substeps / opt.substeps);
  double trace = 0;
  for (int i = 0; i < m.nv; ++i) trace += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
  opt.scale = 1 / std::max(kTiny, trace);
  return problem;
}

void row_residuals(const Rows& rows, int n, const double* x, double* out) {
  for (int i = 0; i < n; ++i) out[i] = row_times(rows, i, x) - rows.row_aref[i];
}

void project_forces(const Model& m, const Data& d, int n, const double* force, double* qfrc) {
  std::fill_n(qfrc, m.nv, 0.0);
  for (int i = 0; i < n; ++i) {
    if (force[i] != 0) add_row_times(d.rows, i, force[i], qfrc);
  }
}

void project_row_forces(const Model& m, Data& d) {
  project_forces(m, d, d.rows.n, d.rows.row_force, d.qfrc_constraint);
}

bool constraint_forces_of(const Model& m, const State& s, Data& d, const double* qacc) {
  const size_t n = static_cast<size_t>(d.rows.n);
  std::fill_n(d.qfrc_constraint, m.nv, 0.0);
  if (n == 0) return true;
  const Arena::Mark mark = d.arena.mark();
  std::span<RowBlock> blocks = take_blocks(m, d);
  if (!blocks.empty() && blocks.back().metric) blocks = blocks.first(blocks.size() - 1);
  double* residual = d.arena.take<double>(n);
  if (!residual || blocks.empty()) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
    return false;
  }
  row_residuals(d.rows, d.rows.n, qacc, residual);
  row_penalties(rows_view(d.rows), blocks, {residual, n}, {d.rows.row_force, n}, {d.rows.row_state, n});
  // what will be violated within the step only is not yet
  for (const RowBlock& block : blocks) {
    if (!block.gated || contact_violation(d, block.first) < 0) continue;
    std::fill_n(d.rows.row_force + block.first, block.dim, 0.0);
    std::fill_n(d.rows.row_state + block.first, block.dim, 0);
  }
  project_row_forces(m, d);
  d.arena.release(mark);
  return true;
}

}  // namespace pliant
