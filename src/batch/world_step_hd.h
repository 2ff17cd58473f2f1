#pragma once
// A whole step of one world by a team that waits for no other world's: the smooth stages, contacts, rows and solver, by
// all integrators but Runge-Kutta's.
//
// What outgrows the memory of a world is a fault of that world: it stays where it was.

#include "batch/smooth_step_hd.h"
#include "collision/collision_stage_hd.h"
#include "constraint/constraint_stage_hd.h"
#include "integrate/metric_hd.h"
#include "step/solver_stage_hd.h"

namespace pliant {

/// Memory of a world besides its arrays, contacts and rows.
template <class R>
struct WorldWork {
  int* reduce_integers = nullptr;  // ReduceWork
  R* reduce_numbers = nullptr;
  MetricWork<R> metric;
  SolverWork<R> solver;
  int* touched = nullptr;  // nv
  int* part = nullptr;     // ntree, where has_parts
};

/// What a step did besides moving the State.
struct WorldReport {
  int status = 0;  // bits of Fault
  CollisionReport collision;
  WorldParts parts;  // where has_parts, with dense matrices
  SolverReport solver;
  int gyroscopic_explicit = 0, terms_explicit = 0;  // integrator discrete: as in Data, of this step
};

/// World stages of stages.def, which smooth_step does not have.
template <class Team, class M, class S, class D>
struct WorldStages {
  using R = typename D::Real;
  const Team& team;
  const M& m;
  const S& s;
  D& d;
  const WorldWork<R>& work;
  WorldReport& report;

  PLIANT_HD void collision() {
    report.collision = collision_stage(team, m, s, d);
    judge_collision();
  }
  /// The same in parts, as kernels: list_survivors, what compares pairs, and this.
  PLIANT_HD void survivors() {
    report.collision = list_survivors(team, m, s, d);
    judge_collision();
  }
  template <class Motions>
  PLIANT_HD void contacts(const Motions& motions) {
    place_contacts(team, m, d, motions, report.collision);
    judge_collision();
  }
  PLIANT_HD void judge_collision() {
    if (report.collision.unlisted || report.collision.overflow) report.status |= bit(Fault::kContactOverflow);
    if (report.collision.miscount) report.status |= bit(Fault::kRowMiscount);
    if (report.collision.bad_dims > 0) report.status |= bit(Fault::kBadParameter);
  }
  PLIANT_HD void constraint() {
    const ReduceWork<R> reduce(m, work.reduce_integers, work.reduce_numbers);
    if (!constraint_stage(team, m, s, d, reduce)) report.status |= bit(Fault::kRowOverflow);
    if (has_parts(m) && solver_shape(m) != SolverShape::kGrouped) report.parts = find_parts(team, m, d.rows, work.part);
  }
  PLIANT_HD void reference() { reference_stage(team, m, s, d); }
  PLIANT_HD void solver() {
    const bool parts = has_parts(m);
    switch (solver_shape(m)) {
      case SolverShape::kDense:
        return parts ? solve<SolverShape::kDense, true>() : solve<SolverShape::kDense, false>();
      case SolverShape::kDenseCones:
        return parts ? solve<SolverShape::kDenseCones, true>() : solve<SolverShape::kDenseCones, false>();
      case SolverShape::kGrouped:
        return solve<SolverShape::kGrouped, false>();
    }
  }
  /// For callers who know the shape and, of dense ones, whether there may be parts.
  template <SolverShape shape, bool parts>
  PLIANT_HD void solve() {
    const DescentRules<R> rules{m.opt.iterations, m.opt.ls_iterations, m.opt.tolerance, m.opt.ls_tolerance, R(1)};
    report.solver = solver_stage<shape, parts>(team, m, s, d, work.solver, rules, work.part, work.touched,
                                               report.gyroscopic_explicit);
    if (report.solver.status == SolverStatus::kNotFinite) report.status |= bit(Fault::kBadRow);
    if (report.solver.status == SolverStatus::kNotPositive) report.status |= bit(Fault::kSolverFailed);
  }
  PLIANT_HD void metric() {
    d.metric = {};
    if (!is_discrete(m.opt)) return;
    const MetricReport built = build_metric(team, m, s, d, work.metric, [](auto&) { return false; });
    if (built.overflow || built.miscounted) report.status |= bit(Fault::kRowOverflow);
    report.terms_explicit = built.terms_explicit;
    add_result_fault(team.any(built.singular >= 0 || built.singular_backbone >= 0), Fault::kSingularInertia,
                     report.status);
    finish_rows_in_metric(team, m, d);
  }

  /// What a stage of smooth_step has besides in a whole step.
  template <SmoothStage stage>
  PLIANT_HD void after() {
    if constexpr (stage == SmoothStage::acceleration) {
      if (!d.metric.discrete) return;
      const TeamMemory<R> memory = work.solver.memory();
      const bool solved = metric_acceleration(team, m, d, memory.qacc, memory.method);
      add_result_fault(!solved, Fault::kSingularInertia, report.status);
    }
  }
};

template <class Team, class M, class S, class D>
PLIANT_HD WorldReport world_step(const Team& team, const M& m, S& s, D& d, const WorldWork<typename D::Real>& work) {
  WorldReport report;
  WorldStages<Team, M, S, D> stages{team, m, s, d, work, report};
  smooth_stage<SmoothStage::check>(team, m, s, d, report.status);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  smooth_stage<SmoothStage::name>(team, m, s, d, report.status); \
  stages.template after<SmoothStage::name>();
#define WORLD_STAGE(name, title, phase, condition, writes, reads) stages.name();
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  smooth_stage<SmoothStage::implicit>(team, m, s, d, report.status);
  smooth_stage<SmoothStage::measure>(team, m, s, d, report.status);
  smooth_stage<SmoothStage::integrate>(team, m, s, d, report.status);
  return report;
}

}  // namespace pliant
