#pragma once
// The stage solver by a team: rows of one world as a problem of Newton's method or of CG, warm start, answer.
//
// reads rows contact M qLD qLDiagInv or the metric, qacc_smooth qfrc_smooth qacc_warmstart · writes qacc
// qfrc_constraint row_force row_state
//
// What the team reads again and again is copied into memory that its members share, one number after the other.

#include "constraint/parts_hd.h"
#include "constraint/contact_directions_hd.h"
#include "constraint/reference_hd.h"
#include "constraint/row_law_hd.h"
#include "solver/dense_newton_hd.h"
#include "solver/team_cg_hd.h"
#include "solver/team_newton_hd.h"
#include "solver/team_noslip_hd.h"
#include "step/free_bodies_hd.h"
#include "step/metric_solve_hd.h"
#include "step/solver_shape_hd.h"

namespace pliant {

/// Memory of a team for a world with up to so many dofs, entries of M and rows.
template <class R>
struct SolverWork {
  R* numbers;  // of DenseMemory or TeamMemory
  ConeLine<R>* cone;
  LawBlock<R>* block;
  int dofs, row_room;
  // kGrouped; what members look up again and again lies where they share it: a copy for each would fill a device's
  // caches.
  TeamMemory<R>* solver;
  TeamProblem<R>* problem;
  R *qacc_smooth, *qfrc_smooth;
  R *M, *LD, *inverse_D;
  TeamGroup<R>* group;
  R* J;  // copies of rows
  int J_room;
  TeamStiffRow* stiff;
  R* noslip = nullptr;                                            // numbers of TeamNoSlip, with the option
  int *row_of = nullptr, *dof_of = nullptr, *place_of = nullptr;  // of TeamProblem, where has_parts

  PLIANT_HD TeamMemory<R> memory() const { return team_memory(numbers, cone, dofs, row_room); }
};

/// Numbers that the method of a model needs (TeamMemory::method), with rows in groups, so many mimic rows, and terms of
/// the metric behind the rows.
template <class R, class M>
PLIANT_HD size_t method_numbers(const M& m, int stiff, int terms) {
  const size_t newton = TeamNewton<SerialTeam, R>::numbers(m.nv, stiff);
  if (m.opt.solver != SolverType::kCg) return newton;
  const size_t cg = TeamCg<SerialTeam, R>::numbers(m.nv, stiff + terms);
  return terms > 0 && newton > cg ? newton : cg;  // (terms: metric_acceleration has a triangle of its own)
}

/// Whether a row has the columns of the one before it, and its numbers follow.
template <class Rows>
PLIANT_HD bool continues_group(const Rows& rows, int row) {
  return row > 0 && rows.row_segadr[row] == rows.row_segadr[row - 1] &&
         rows.row_segnum[row] == rows.row_segnum[row - 1] &&
         rows.row_Jadr[row] == rows.row_Jadr[row - 1] + row_width(rows, row);
}

/// Groups whose numbers fit go to memory that is nearer. Rows have an odd distance there: in shared memory of a device
/// members that read a row each then do not wait for each other.
template <class Team, class R>
PLIANT_HD void copy_groups(const Team& team, const SolverWork<R>& work, int ngroup) {
  int used = 0;
  for (int g = 0; g < ngroup; ++g) {
    const TeamGroup<R> group = work.group[g];
    const int stride = group.width | 1;
    if (group.rows * stride > work.J_room - used) continue;
    R* const to = work.J + used;
    for (int r = 0; r < group.rows; ++r) {
      each(team, group.width, [&](int c) { to[r * stride + c] = group.J[r * group.stride + c]; });
    }
    once(team, [&] {
      work.group[g].stride = stride;
      work.group[g].J = to;
    });
    used += group.rows * stride;
  }
}

/// Laws of the rows into the memory of a method, and blocks where they are wanted.
template <class Team, class M, class D, class Memory, class R>
PLIANT_HD void arrange_laws(const Team& team, const M& m, const D& d, const Memory& memory, LawBlock<R>* blocks,
                            TeamProblem<R>& problem) {
  const auto& rows = d.rows;
  const int n = problem.nrow;
  const auto row_of = [&](int i) { return problem.row_of ? problem.row_of[i] : i; };
  each(team, n, [&](int i) {
    const int row = row_of(i);
    const RowLaw law = law_of(static_cast<RowType>(rows.row_type[row]));
    const R bound = law == RowLaw::kFriction ? R(rows.row_frictionloss[row]) : R(0);
    set_law(memory, i, law, R(rows.row_D[row]), R(rows.row_R[row]), bound);
  });
  if (!wants_blocks(m)) return;
  problem.nblock = each_in_place(
      team, n, 0, [&](int i) { return row_block<LawBlock<R>>(d, row_of(i)).dim > 0 ? 1 : 0; },
      [&](int i, int place) {
        LawBlock<R> block = row_block<LawBlock<R>>(d, row_of(i));
        if (block.dim == 0) return;
        block.first = i;  // (rows of a contact stand together, in a part too)
        blocks[place] = block;
      });
  problem.has_cones = m.opt.cone == ConeType::kElliptic;
}

/// Groups and stiff rows; how many, into the problem.
template <class Team, class M, class D, class R>
PLIANT_HD void arrange_groups(const Team& team, const M& m, const D& d, const SolverWork<R>& work,
                              TeamProblem<R>& problem) {
  const auto& rows = d.rows;
  const int n = problem.nrow;
  problem.ngroup = each_in_place(
      team, n, 0, [&](int i) { return continues_group(rows, i) ? 0 : 1; },
      [&](int i, int place) {
        if (continues_group(rows, i)) return;
        int end = i + 1;
        while (end < n && continues_group(rows, end)) ++end;
        const int width = row_width(rows, i);
        const R* J = rows.row_J + rows.row_Jadr[i];
        work.group[place] = {i, end - i, width, rows.row_segadr[i], rows.row_segnum[i], width, J};
      });
  copy_groups(team, work, problem.ngroup);
  if (m.nmimicrow == 0 && n == rows.n) return;
  // mimics and the terms of the metric, which are the last
  const auto is_stiff = [&](int i) { return i >= rows.n || is_mimic_row(m, rows, i); };
  problem.nstiff = each_in_place(
      team, n, 0, [&](int i) { return is_stiff(i) ? 1 : 0; },
      [&](int i, int place) {
        if (!is_stiff(i)) return;
        int g = 0;
        while (i >= work.group[g].first + work.group[g].rows) ++g;
        work.stiff[place] = {i, g};
      });
}

/// Accelerations from the last step's, unless no force at all is better; then the minimum.
template <class Method, class Team, class M, class S, class R>
PLIANT_HD SolverReport solve_from_last(const Team& team, const M& m, const S& s, Method& method,
                                       const TeamMemory<R>& memory, const TeamProblem<R>& problem, R* force,
                                       int* state) {
  const auto start_from = [&](const auto& qacc) {
    each(team, m.nv, [&](int i) { memory.qacc[i] = qacc[i]; });
    return method.start();
  };
  bool good = false;
  if (m.opt.disableflags & kDisableWarmStart) {
    good = start_from(problem.qacc_smooth);
  } else {
    const R cold = method.cost_at_rest();
    good = start_from(s.qacc_warmstart);
    if (!(method.cost() <= cold)) good = start_from(problem.qacc_smooth);
  }
  return minimise(method, good, team, problem, memory, force, state);
}

/// qfrc_constraint = J' f of constraints.
template <class Team, class M, class D, class R>
PLIANT_HD void project_forces(const Team& team, const M& m, D& d, const SolverWork<R>& work,
                              const TeamProblem<R>& problem) {
  const auto& rows = d.rows;
  each(team, m.nv, [&](int i) { d.qfrc_constraint[i] = 0; });
  for (int g = 0; g < problem.ngroup && work.group[g].first < rows.n; ++g) {
    const TeamGroup<R>& group = work.group[g];
    int column = 0;
    for (int k = group.segment; k < group.segment + group.segments; ++k) {
      each(team, rows.segment_len[k], [&](int c) {
        R sum = 0;
        for (int r = 0; r < group.rows; ++r) {
          sum = mul_add(group.J[r * group.stride + column + c], rows.row_force[group.first + r], sum);
        }
        d.qfrc_constraint[rows.segment_dof[k] + c] += sum;
      });
      column += rows.segment_len[k];
    }
  }
}

/// Sweeps without slip after the main solver; returns how many. Of terms that couple dofs they see the diagonals alone,
/// as in the reference; what the forces do then is what the whole metric says.
template <class Team, class M, class D, class R>
PLIANT_HD int sweep_without_slip(const Team& team, const M& m, D& d, const SolverWork<R>& work,
                                 const TeamProblem<R>& problem) {
  auto& rows = d.rows;
  const auto metric = metric_of(m, d);
  each(team, m.nC, [&](int i) { work.LD[i] = metric.backbone_LD[i]; });
  each(team, m.nv, [&](int i) {
    work.inverse_D[i] = metric.backbone_inverse_D[i];
    work.qacc_smooth[i] = d.qacc_smooth[i];
    work.solver->qacc[i] = d.qfrc_constraint[i];
  });
  TeamNoSlip<Team, R> noslip(team, problem, rows.n, work.noslip, work.solver->qacc, rows.row_force);
  const int sweeps = noslip.run(m.opt.noslip_iterations, R(m.opt.noslip_tolerance));
  each(team, problem.nblock, [&](int b) {
    const LawBlock<R>& block = work.block[b];
    if (block.first >= rows.n) return;
    const int state = state_of_forces(block, static_cast<const R*>(rows.row_force + block.first));
    for (int i = block.first; i < block.first + block.dim; ++i) rows.row_state[i] = state;
  });
  project_forces(team, m, d, work, problem);
  each(team, m.nv, [&](int i) { work.solver->qacc[i] = d.qfrc_constraint[i]; });
  solve_metric(team, m, d, work.solver->qacc, work.solver->method);
  each(team, m.nv, [&](int i) { d.qacc[i] = d.qacc_smooth[i] + work.solver->qacc[i]; });
  return sweeps;
}

/// Rules with the scale of the mass matrix.
template <class Team, class M, class D, class R>
PLIANT_HD DescentRules<R> scaled_rules(const Team& team, const M& m, const D& d, DescentRules<R> rules) {
  const R trace = sum_of<R>(team, m.nv, [&](int i) { return R(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]); });
  rules.scale = 1 / at_least(R(kTiny), trace);
  return rules;
}

/// Newton with dense matrices, for all rows and dofs or for a part of them.
template <bool cones, class Team, class M, class S, class D, class R>
PLIANT_HD SolverReport solve_dense(const Team& team, const M& m, const S& s, D& d, const SolverWork<R>& work,
                                   const DescentRules<R>& rules, TeamProblem<R>& problem) {
  auto& rows = d.rows;
  const int n = problem.dofs;
  const DenseMemory<R> memory = dense_memory(work.numbers, work.cone, n, problem.nrow);
  problem.pattern = mass_pattern(m);
  problem.entry_row = m.order.entry_row;
  problem.block = work.block;
  // (of one world, one number after the other)
  problem.M = &d.M[0];
  problem.row_J = rows.row_J;
  problem.row_Jadr = rows.row_Jadr, problem.row_segadr = rows.row_segadr, problem.row_segnum = rows.row_segnum;
  problem.segment_dof = rows.segment_dof, problem.segment_len = rows.segment_len;
  problem.aref = rows.row_aref;
  problem.rules = rules;
  const bool warm = !(m.opt.disableflags & kDisableWarmStart);
  const auto dof_of = [&](int i) { return problem.dof_of ? problem.dof_of[i] : i; };
  each_rolled(team, n, [&](int i) {
    const int dof = dof_of(i);
    memory.qacc[i] = s.qacc_warmstart[dof];
    memory.qacc_smooth[i] = d.qacc_smooth[dof];
    memory.qfrc_smooth[i] = d.qfrc_smooth[dof];
  });
  arrange_laws(team, m, d, memory, work.block, problem);
  team.sync();
  DenseNewton<Team, R, cones> newton(team, problem, memory);
  newton.load();
  const SolverReport report = newton.run(warm, rows.row_force, rows.row_state);
  each_rolled(team, n, [&](int i) {
    const int dof = dof_of(i);
    d.qacc[dof] = memory.qacc[i];
    d.qfrc_constraint[dof] = memory.push[i];
  });
  return report;
}

/// Rows and dofs of a part into a problem; the part is named by its first tree.
template <class Team, class M, class D, class R>
PLIANT_HD void list_part(const Team& team, const M& m, const D& d, const SolverWork<R>& work, const int* part,
                         int first, TeamProblem<R>& problem) {
  problem.nrow = each_in_place(
      team, d.rows.n, 0, [&](int i) { return part_of_row(m, d.rows, i, part) == first ? 1 : 0; },
      [&](int i, int place) {
        if (part_of_row(m, d.rows, i, part) == first) work.row_of[place] = i;
      });
  if (problem.nrow == 0) return;
  for (int t = first; t < m.ntree; ++t) {
    if (part[t] != first) continue;
    const int place = problem.dofs, dof = m.tree_dofadr[t];
    each(team, m.tree_dofnum[t], [&](int k) {
      work.dof_of[place + k] = dof + k;
      work.place_of[dof + k] = place + k;
    });
    problem.dofs += m.tree_dofnum[t];
  }
  problem.row_of = work.row_of, problem.dof_of = work.dof_of, problem.place_of = work.place_of;
}

/// What is said of parts together: as of the CPU's islands, the most and the largest.
PLIANT_HD void add_report(SolverReport& all, const SolverReport& part) {
  const auto larger = [](auto& x, auto y) { x = y > x ? y : x; };
  larger(all.status, part.status);  // (the worse ones come later)
  larger(all.iterations, part.iterations);
  larger(all.gap, part.gap);
  larger(all.gradient, part.gradient);
  larger(all.improvement, part.improvement);
  all.evaluations += part.evaluations;
  all.factorizations += part.factorizations;
  all.updates += part.updates;
  all.converged = all.converged && part.converged;
}

/// Newton with dense matrices, one part after the other.
template <bool cones, bool parts, class Team, class M, class S, class D, class R>
PLIANT_HD SolverReport solve_parts(const Team& team, const M& m, const S& s, D& d, const SolverWork<R>& work,
                                   const DescentRules<R>& rules, const int* part) {
  const DescentRules<R> scaled = scaled_rules(team, m, d, rules);
  if constexpr (!parts) {
    TeamProblem<R> whole{};
    whole.dofs = m.nv, whole.nrow = d.rows.n;
    return solve_dense<cones>(team, m, s, d, work, scaled, whole);
  } else {
    each_rolled(team, m.nv, [&](int i) {
      d.qacc[i] = d.qacc_smooth[i];
      d.qfrc_constraint[i] = 0;
    });
    SolverReport report;
    report.converged = true;
    PLIANT_ROLLED
    for (int t = 0; t < m.ntree; ++t) {
      if (part[t] != t) continue;
      TeamProblem<R> problem{};
      list_part(team, m, d, work, part, t, problem);
      if (problem.nrow == 0) continue;
      add_report(report, solve_dense<cones>(team, m, s, d, work, scaled, problem));
      team.sync();
    }
    return report;
  }
}

/// Newton or CG with rows in groups, and sweeps.
template <class Team, class M, class S, class D, class R>
PLIANT_HD SolverReport solve_grouped(const Team& team, const M& m, const S& s, D& d, const SolverWork<R>& work,
                                     const DescentRules<R>& rules) {
  auto& rows = d.rows;
  const auto metric = metric_of(m, d);
  each(team, m.nv, [&](int i) {
    // (terms of the metric are rows here: without rows the part within the pattern of M remains)
    work.qacc_smooth[i] = metric.nterm > 0 ? d.qacc_advance[i] : d.qacc_smooth[i];
    work.qfrc_smooth[i] = metric.discrete ? d.qfrc_metric[i] : d.qfrc_smooth[i];
  });
  TeamProblem<R>& problem = *work.problem;  // (all members write the same)
  problem = {};
  *work.solver = work.memory();
  problem.pattern = mass_pattern(m);
  problem.nrow = rows.n + metric.nterm;
  problem.block = work.block;
  problem.segment_dof = rows.segment_dof, problem.segment_len = rows.segment_len;
  problem.aref = rows.row_aref, problem.regularizer = rows.row_R;
  problem.qacc_smooth = work.qacc_smooth, problem.qfrc_smooth = work.qfrc_smooth;
  problem.rules = scaled_rules(team, m, d, rules);
  team.sync();
  arrange_laws(team, m, d, *work.solver, work.block, problem);
  each(team, m.nC, [&](int i) { work.M[i] = metric.matrix[i], work.LD[i] = metric.LD[i]; });
  each(team, m.nv, [&](int i) { work.inverse_D[i] = metric.inverse_D[i]; });
  problem.M = work.M, problem.LD = work.LD, problem.inverse_D = work.inverse_D;
  problem.group = work.group, problem.stiff = work.stiff;
  arrange_groups(team, m, d, work, problem);
  team.sync();

  SolverReport report;
  const auto run = [&]<class Method>(Method&& method) {
    report = solve_from_last(team, m, s, method, *work.solver, problem, rows.row_force, rows.row_state);
  };
  if (m.opt.solver == SolverType::kCg) {
    run(TeamCg<Team, R>(team, problem, *work.solver));
  } else {
    run(TeamNewton<Team, R>(team, problem, *work.solver));
  }
  project_forces(team, m, d, work, problem);
  each(team, m.nv, [&](int i) { d.qacc[i] = work.solver->qacc[i]; });
  if (m.opt.noslip_iterations > 0) report.iterations += sweep_without_slip(team, m, d, work, problem);
  return report;
}

/// Accelerations and forces of all dofs but followers. Solvers other than CG and Newton are for the caller to refuse.
template <SolverShape shape, bool parts, class Team, class M, class S, class D, class R>
PLIANT_HD SolverReport solve_independent(const Team& team, const M& m, const S& s, D& d, const SolverWork<R>& work,
                                         const DescentRules<R>& rules, const int* part) {
  if (d.rows.n == 0) {
    each(team, m.nv, [&](int i) {
      d.qfrc_constraint[i] = 0;
      d.qacc[i] = d.qacc_smooth[i];
    });
    return {};
  }
  if constexpr (shape == SolverShape::kGrouped) {
    return solve_grouped(team, m, s, d, work, rules);
  } else {
    return solve_parts<shape == SolverShape::kDenseCones, parts>(team, m, s, d, work, rules, part);
  }
}

/// Accelerations and forces; all members get the report. `parts`: a world may fall into several, `part` is that of
/// every tree; `touched`: memory for all dofs. `gyroscopic_explicit` becomes the number of free bodies whose gyroscopic
/// terms stayed at the start of the step (integrator discrete).
template <SolverShape shape, bool parts, class Team, class M, class S, class D, class R>
PLIANT_HD SolverReport solver_stage(const Team& team, const M& m, const S& s, D& d, const SolverWork<R>& work,
                                    const DescentRules<R>& rules, const int* part, int* touched,
                                    int& gyroscopic_explicit) {
  const SolverReport report = solve_independent<shape, parts>(team, m, s, d, work, rules, part);
  if (metric_of(m, d).discrete) gyroscopic_explicit = turn_free_bodies(team, m, s, d, touched);
  if (m.nfollower) once(team, [&] { fill_followers(m, s, d.qacc); });
  return report;
}

}  // namespace pliant
