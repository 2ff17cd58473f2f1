#pragma once
// One step of the smooth dynamics (no contacts, no constraints) of one world of a batch: semi-implicit Euler, implicit
// and implicitfast.
//
// The stages are those of the CPU pipeline, in its order, with sensors, energies, cameras and lights. A world whose
// input or result is not finite stays as it was, and its status says why.

#include <type_traits>

#include "force/actuation_stage_hd.h"
#include "force/passive_stage_hd.h"
#include "force/transmission_table_hd.h"
#include "inertia/inertia_hd.h"
#include "integrate/euler_hd.h"
#include "integrate/hard_mimics_hd.h"
#include "integrate/implicit_hd.h"
#include "kinematics/kinematics_hd.h"
#include "pliant/step.h"
#include "sensor/sensor_stage_hd.h"
#include "state/checks_hd.h"
#include "step/acceleration_hd.h"
#include "step/stage_condition_hd.h"

namespace pliant {

/// The parts of a step that can be launched by themselves: what stages.def has for teams, between checks and the end of
/// the step, where accelerations of implicit integrators are found, delayed sensors are measured and State moves.
enum class SmoothStage : int {
  check,
#define TEAM_STAGE(name, title, phase, condition, writes, reads) name,
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  implicit,
  measure,
  integrate,
};
inline constexpr int kNumSmoothStages = static_cast<int>(SmoothStage::integrate) + 1;

struct SmoothStageInfo {
  const char* name;
  StageCondition condition;
};
inline constexpr SmoothStageInfo kSmoothStages[kNumSmoothStages] = {
    {"check", StageCondition::kAlways},
#define TEAM_STAGE(name, title, phase, condition, writes, reads) {title, StageCondition::condition},
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
    {"implicit", StageCondition::kImplicit},
    {"delayed sensors", StageCondition::kDelays},
    {"integrate", StageCondition::kAlways},
};

PLIANT_HD constexpr int bit(Fault fault) { return 1 << static_cast<int>(fault); }

/// Adds a fault of a result, unless it follows from a fault of the input.
PLIANT_HD void add_result_fault(bool faulty, Fault fault, int& status) {
  const int results = bit(Fault::kSingularInertia) | bit(Fault::kBadAcceleration) | bit(Fault::kBadReading);
  if (faulty && !(status & ~results)) status |= bit(fault);
}

template <class Team, class F>
PLIANT_HD bool any_bad(const Team& team, const F& x, int n) {
  bool bad = false;
  for (int i = team.lane(); i < n; i += team.size()) bad = bad || is_bad(x[i]);
  return team.any(bad);
}

/// Bits of the faults in what a step reads of State, and in parameters of the Model that are numbers of objects.
template <class Team, class M, class S>
PLIANT_HD int input_faults(const Team& team, const M& m, const S& s) {
  int faults = 0;
  each_input(m, s, [&](Fault fault, const char*, const auto& x, int n) {
    if (any_bad(team, x, n)) faults |= bit(fault);
  });
  if (m.nhistory) {
    bool unsound = false;
    each_history(m, team.lane(), team.size(),
                 [&](HistoryPlace place) { unsound = unsound || !is_history_sound(s.history, place); });
    if (team.any(unsound)) faults |= bit(Fault::kBadHistory);
  }
  if (first_bad_side(m) >= 0) faults |= bit(Fault::kBadParameter);
  return faults;
}

/// The acceleration of implicit integrators, qacc_advance; nothing for others.
template <class Team, class M, class S, class D>
PLIANT_HD void implicit_stage(const Team& team, const M& m, const S& s, D& d, int& status) {
  if (m.opt.integrator == Integrator::kImplicit) implicit_acceleration(team, m, s, d);
  if (m.opt.integrator == Integrator::kImplicitFast) {
    const int bad = implicitfast_acceleration(team, m, s, d);
    add_result_fault(team.any(bad >= 0), Fault::kSingularInertia, status);
  }
}

/// What delayed sensors measure in this step. The CPU comes here only with accelerations that are good.
template <class Team, class M, class S, class D>
PLIANT_HD void measure_stage(const Team& team, const M& m, const S& s, D& d, int& status) {
  const bool bad = team.any(measure_delayed(team, m, s, d) >= 0);
  const bool accelerated = !any_bad(team, d.qacc, m.nv);
  add_result_fault(bad && accelerated, Fault::kBadReading, status);
}

/// Hard mimics move as the solver said, whatever the integrator does to other accelerations.
template <class Team, class M, class S, class D>
PLIANT_HD void hold_hard_mimics(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  const auto solve = [&](R* x) {
    if (m.opt.integrator == Integrator::kImplicit) {
      solve_tree_lu(team, derivative_pattern(m), d.qLU, x);
    } else if (m.opt.integrator == Integrator::kImplicitFast) {
      solve_implicitfast(team, m, s, d, x);
    } else {
      solve_tree(team, mass_pattern(m), d.qH, d.qHDiagInv, x);
    }
  };
  hold_hard_mimics(team, m, d.rows, d.hard_mimics, solve, d.qacc, d.qacc_advance);
}

/// Moves the State, once everything that comes is known to be good: a world with a fault keeps its State as it was. Its
/// members do the same work as all others, since teams of different worlds may have to wait for each other.
template <class Team, class M, class S, class D>
PLIANT_HD void integrate_stage(const Team& team, const M& m, S& s, D& d, int& status) {
  bool damped = is_implicit(m.opt.integrator), may_be_damped = damped;
  if (!damped && !d.metric.discrete && m.may_be_damped) {
    may_be_damped = true;
    damped = has_implicit_damping(team, m);
    const int bad = implicit_damping(team, m, s, d);
    add_result_fault(team.any(damped && bad >= 0), Fault::kSingularInertia, status);
  }
  if (may_be_damped && m.nmimicrow > 0 && d.hard_mimics.number) hold_hard_mimics(team, m, s, d);
  add_result_fault(any_bad(team, d.qacc, m.nv), Fault::kBadAcceleration, status);
  if (m.nsensor && !(m.opt.disableflags & kDisableSensor)) {
    add_result_fault(team.any(first_bad_reading(team, m, d) >= 0), Fault::kBadReading, status);
  }
  auto qacc = d.qacc;  // (a reference to one of two members would keep all addresses of Data out of registers)
  if (damped) qacc = d.qacc_advance;
  advance_state(team, m, s, d, d.act_dot, qacc, d.next_qvel, d.ten_length, d.ten_J);
  int faults = 0;
  each_result(m, d, [&](Fault fault, const char*, const auto& x, int n) {
    if (any_bad(team, x, n)) faults |= bit(fault);
  });
  // a singular matrix is reported, as on the CPU; it is no reason to stop
  if (!(status & ~bit(Fault::kSingularInertia))) status |= faults;
  commit(team, m, s, d, !(status & ~bit(Fault::kSingularInertia)));
}

/// Runs a stage; one that returns a number has the first dof with a singular pivot.
template <class Team, class Run>
PLIANT_HD void run_stage(const Team& team, Run&& run, int& status) {
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
  } else {
    add_result_fault(team.any(run() >= 0), Fault::kSingularInertia, status);
  }
}

/// One part of a step, if it has something to do. `status` holds the faults of this step so far.
template <SmoothStage stage, class Team, class M, class S, class D>
PLIANT_HD void smooth_stage(const Team& team, const M& m, S& s, D& d, int& status) {
  constexpr StageCondition condition = kSmoothStages[static_cast<int>(stage)].condition;
  if (!has_work(m, condition)) return;
  if constexpr (stage == SmoothStage::check) status = input_faults(team, m, s);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  if constexpr (stage == SmoothStage::name)                      \
    run_stage(team, [&]() PLIANT_INLINED { return name##_stage(team, m, s, d); }, status);
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  if constexpr (stage == SmoothStage::acceleration) {
    // no constraints yet
    each(team, m.nv, [&](int i) {
      d.qfrc_constraint[i] = 0;
      d.qacc[i] = d.qacc_smooth[i];
    });
  }
  if constexpr (stage == SmoothStage::implicit) implicit_stage(team, m, s, d, status);
  if constexpr (stage == SmoothStage::measure) measure_stage(team, m, s, d, status);
  if constexpr (stage == SmoothStage::integrate) integrate_stage(team, m, s, d, status);
}

/// A whole step; returns its faults.
template <class Team, class M, class S, class D>
PLIANT_HD int smooth_step(const Team& team, const M& m, S& s, D& d) {
  int status = 0;
  smooth_stage<SmoothStage::check>(team, m, s, d, status);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) smooth_stage<SmoothStage::name>(team, m, s, d, status);
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  smooth_stage<SmoothStage::implicit>(team, m, s, d, status);
  smooth_stage<SmoothStage::measure>(team, m, s, d, status);
  smooth_stage<SmoothStage::integrate>(team, m, s, d, status);
  return status;
}

}  // namespace pliant
