#pragma once
// A whole step of one world by a team that waits for no other world's: the smooth stages, contacts, rows and solver;
// semi-implicit Euler. The integrator discrete is the CPU's alone, so far.
//
// What outgrows the memory of a world is a fault of that world: it stays where it was.

#include "batch/smooth_step_hd.h"
#include "collision/collision_stage_hd.h"
#include "constraint/constraint_stage_hd.h"
#include "step/solver_stage_hd.h"

namespace pliant {

/// Memory of a world besides its arrays, contacts and rows.
template <class R>
struct WorldWork {
  int* reduce_integers = nullptr;  // ReduceWork
  R* reduce_numbers = nullptr;
  SolverWork<R> solver;
};

/// What a step did besides moving the State.
struct WorldReport {
  int status = 0;  // bits of Fault
  CollisionReport collision;
  SolverReport solver;
};

/// Stages of stages.def that smooth_step does not have.
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
    if (report.collision.unlisted || report.collision.overflow) report.status |= bit(Fault::kContactOverflow);
    if (report.collision.miscount) report.status |= bit(Fault::kRowMiscount);
    if (report.collision.bad_dims > 0) report.status |= bit(Fault::kBadParameter);
  }
  PLIANT_HD void constraint() {
    const ReduceWork<R> reduce(m, work.reduce_integers, work.reduce_numbers);
    if (!constraint_stage(team, m, s, d, reduce)) report.status |= bit(Fault::kRowOverflow);
  }
  PLIANT_HD void reference() { reference_stage(team, m, s, d); }
  PLIANT_HD void solver() {
    const DescentRules<R> rules{m.opt.iterations, m.opt.ls_iterations, m.opt.tolerance, m.opt.ls_tolerance, R(1)};
    report.solver = solver_stage(team, m, s, d, work.solver, rules);
    if (report.solver.status == SolverStatus::kNotFinite) report.status |= bit(Fault::kBadRow);
    if (report.solver.status == SolverStatus::kNotPositive) report.status |= bit(Fault::kSolverFailed);
  }
  PLIANT_HD void metric() {}
};

template <class Team, class M, class S, class D>
PLIANT_HD WorldReport world_step(const Team& team, const M& m, S& s, D& d, const WorldWork<typename D::Real>& work) {
  WorldReport report;
  WorldStages<Team, M, S, D> stages{team, m, s, d, work, report};
  smooth_stage<SmoothStage::check>(team, m, s, d, report.status);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  smooth_stage<SmoothStage::name>(team, m, s, d, report.status);
#define HOST_STAGE(name, title, phase, condition, writes, reads) stages.name();
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef HOST_STAGE
  smooth_stage<SmoothStage::measure>(team, m, s, d, report.status);
  smooth_stage<SmoothStage::integrate>(team, m, s, d, report.status);
  return report;
}

}  // namespace pliant
