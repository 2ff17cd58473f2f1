#pragma once
// One step of the smooth dynamics (no contacts, no constraints; semi-implicit Euler) of one world of a batch.
//
// The stages are those of the CPU pipeline, in its order; only sensors, energies, cameras and lights are left out. A
// world whose input or result is not finite stays as it was, and its status says why.

#include "force/actuation_stage_hd.h"
#include "force/passive_stage_hd.h"
#include "force/transmission_table_hd.h"
#include "inertia/inertia_hd.h"
#include "integrate/euler_hd.h"
#include "integrate/plastic_hd.h"
#include "kinematics/kinematics_hd.h"
#include "pliant/state.h"
#include "step/acceleration_hd.h"

namespace pliant {

/// The parts of a step that can be launched by themselves.
enum class SmoothStage : int {
  kCheck,
  kPoses,
  kCom,
  kTendons,
  kInertia,
  kTransmission,
  kVelocity,
  kPassive,
  kBias,
  kActuation,
  kAcceleration,
  kIntegrate
};
inline constexpr int kNumSmoothStages = 12;
inline constexpr const char* kSmoothStageNames[kNumSmoothStages] = {
    "check",    "poses",   "com",  "tendons",   "inertia",      "transmission",
    "velocity", "passive", "bias", "actuation", "acceleration", "integrate"};

PLIANT_HD constexpr int bit(Fault fault) { return 1 << static_cast<int>(fault); }

/// Adds a fault of a result, unless it follows from a fault of the input.
PLIANT_HD void add_result_fault(bool faulty, Fault fault, int& status) {
  const int results = bit(Fault::kSingularInertia) | bit(Fault::kBadAcceleration);
  if (faulty && !(status & ~results)) status |= bit(fault);
}

/// Whether a number is neither finite nor within bounds.
template <class R>
PLIANT_HD bool is_bad(R x) {
  return !(std::abs(x) <= R(kHuge));
}

template <class Team, class F>
PLIANT_HD bool any_bad(const Team& team, const F& x, int n) {
  bool bad = false;
  for (int i = team.lane(); i < n; i += team.size()) bad = bad || is_bad(x[i]);
  return team.any(bad);
}

/// Bits of the faults in what a step reads of State.
template <class Team, class M, class S>
PLIANT_HD int input_faults(const Team& team, const M& m, const S& s) {
  int faults = 0;
  if (any_bad(team, s.time, 1)) faults |= bit(Fault::kBadTime);
  if (any_bad(team, s.qpos, m.nq)) faults |= bit(Fault::kBadPosition);
  if (any_bad(team, s.plastic, m.nplastic)) faults |= bit(Fault::kBadPosition);
  if (any_bad(team, s.qvel, m.nv)) faults |= bit(Fault::kBadVelocity);
  if (any_bad(team, s.act, m.na)) faults |= bit(Fault::kBadActivation);
  if (any_bad(team, s.ctrl, m.nu)) faults |= bit(Fault::kBadControl);
  if (any_bad(team, s.qfrc_applied, m.nv)) faults |= bit(Fault::kBadAppliedForce);
  if (any_bad(team, s.xfrc_applied, 6 * m.nbody)) faults |= bit(Fault::kBadAppliedForce);
  if (any_bad(team, s.mocap_pos, 3 * m.nmocap)) faults |= bit(Fault::kBadMocap);
  if (any_bad(team, s.mocap_quat, 4 * m.nmocap)) faults |= bit(Fault::kBadMocap);
  if (any_bad(team, s.qacc_warmstart, m.nv)) faults |= bit(Fault::kBadWarmstart);
  return faults;
}

/// Moves the State, once everything that comes is known to be good: a world with a fault keeps its State as it was. Its
/// members do the same work as all others, since teams of different worlds may have to wait for each other.
template <class Team, class M, class S, class D>
PLIANT_HD void integrate_stage(const Team& team, const M& m, S& s, D& d, int& status) {
  using R = typename D::Real;
  const R h = m.opt.timestep;
  bool damped = false;
  if (m.may_be_damped) {
    damped = has_implicit_damping(team, m);
    const int bad = implicit_damping(team, m, s, d);
    add_result_fault(team.any(damped && bad >= 0), Fault::kSingularInertia, status);
  }
  add_result_fault(any_bad(team, d.qacc, m.nv), Fault::kBadAcceleration, status);

  // where the State goes
  advance_activations(team, m, s, d, d.act_dot);
  each(team, m.nv, [&](int i) { d.next_qvel[i] = s.qvel[i] + h * (damped ? d.qacc_advance[i] : d.qacc[i]); });
  each(team, m.nq, [&](int i) { d.next_qpos[i] = s.qpos[i]; });
  integrate_positions(team, m, d.next_qpos, d.next_qvel, h);
  yield_springs(team, m, s, d,
                TendonMotion<decltype(d.ten_J), decltype(d.next_qvel), R>{d.ten_length, d.ten_J, d.next_qvel, h});
  int faults = 0;
  if (any_bad(team, d.next_qpos, m.nq)) faults |= bit(Fault::kBadPosition);
  if (any_bad(team, d.next_plastic, m.nplastic)) faults |= bit(Fault::kBadPosition);
  if (any_bad(team, d.next_qvel, m.nv)) faults |= bit(Fault::kBadVelocity);
  if (any_bad(team, d.next_act, m.na)) faults |= bit(Fault::kBadActivation);

  // a singular matrix is reported, as on the CPU; it is no reason to stop
  if (!(status & ~bit(Fault::kSingularInertia))) status |= faults;
  const bool good = !(status & ~bit(Fault::kSingularInertia));
  push_controls(team, m, s, good);
  each(team, good ? m.nq : 0, [&](int i) { s.qpos[i] = d.next_qpos[i]; });
  each(team, good ? m.nv : 0, [&](int i) { s.qvel[i] = d.next_qvel[i]; });
  each(team, good ? m.na : 0, [&](int i) { s.act[i] = d.next_act[i]; });
  each(team, good ? m.nplastic : 0, [&](int i) { s.plastic[i] = d.next_plastic[i]; });
  each(team, good ? m.nv : 0, [&](int i) { s.qacc_warmstart[i] = d.qacc[i]; });
  once(team, [&] {
    if (good) s.time[0] += h;
  });
}

/// One part of a step. `status` holds the faults of this step so far.
template <SmoothStage stage, class Team, class M, class S, class D>
PLIANT_HD void smooth_stage(const Team& team, const M& m, S& s, D& d, int& status) {
  if constexpr (stage == SmoothStage::kCheck) status = input_faults(team, m, s);
  if constexpr (stage == SmoothStage::kPoses) poses_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kCom) com_stage(team, m, d);
  if constexpr (stage == SmoothStage::kTendons) tendons_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kInertia) {
    add_result_fault(team.any(inertia_stage(team, m, d) >= 0), Fault::kSingularInertia, status);
  }
  if constexpr (stage == SmoothStage::kTransmission) transmission_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kVelocity) velocity_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kPassive) passive_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kBias) bias_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kActuation) actuation_stage(team, m, s, d);
  if constexpr (stage == SmoothStage::kAcceleration) {
    acceleration_stage(team, m, s, d);
    // no constraints yet
    each(team, m.nv, [&](int i) {
      d.qfrc_constraint[i] = 0;
      d.qacc[i] = d.qacc_smooth[i];
    });
  }
  if constexpr (stage == SmoothStage::kIntegrate) integrate_stage(team, m, s, d, status);
}

/// A whole step; returns its faults.
template <class Team, class M, class S, class D>
PLIANT_HD int smooth_step(const Team& team, const M& m, S& s, D& d) {
  int status = 0;
  smooth_stage<SmoothStage::kCheck>(team, m, s, d, status);
  smooth_stage<SmoothStage::kPoses>(team, m, s, d, status);
  smooth_stage<SmoothStage::kCom>(team, m, s, d, status);
  smooth_stage<SmoothStage::kTendons>(team, m, s, d, status);
  smooth_stage<SmoothStage::kInertia>(team, m, s, d, status);
  smooth_stage<SmoothStage::kTransmission>(team, m, s, d, status);
  smooth_stage<SmoothStage::kVelocity>(team, m, s, d, status);
  smooth_stage<SmoothStage::kPassive>(team, m, s, d, status);
  smooth_stage<SmoothStage::kBias>(team, m, s, d, status);
  smooth_stage<SmoothStage::kActuation>(team, m, s, d, status);
  smooth_stage<SmoothStage::kAcceleration>(team, m, s, d, status);
  smooth_stage<SmoothStage::kIntegrate>(team, m, s, d, status);
  return status;
}

}  // namespace pliant
