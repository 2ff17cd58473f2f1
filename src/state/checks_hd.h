#pragma once
// Which numbers a step checks: what it reads of State, and where State goes. The CPU names the first bad one
// (fault.cpp), a batch only the kind of fault.

#include <cmath>

#include "base/hd.h"
#include "math/constants.h"
#include "pliant/state.h"

namespace pliant {

/// Whether a number is neither finite nor within bounds.
template <class R>
PLIANT_HD bool is_bad(R x) {
  return !(std::abs(x) <= R(kHuge));
}

/// f(fault, name, array, numbers) for every array that a step reads of State.
template <class M, class S, class F>
PLIANT_HD void each_input(const M& m, const S& s, F&& f) {
  f(Fault::kBadTime, "time", s.time, 1);
  f(Fault::kBadPosition, "qpos", s.qpos, m.nq);
  f(Fault::kBadPosition, "plastic", s.plastic, m.nplastic);
  f(Fault::kBadVelocity, "qvel", s.qvel, m.nv);
  f(Fault::kBadActivation, "act", s.act, m.na);
  f(Fault::kBadControl, "ctrl", s.ctrl, m.nu);
  f(Fault::kBadAppliedForce, "qfrc_applied", s.qfrc_applied, m.nv);
  f(Fault::kBadAppliedForce, "xfrc_applied", s.xfrc_applied, 6 * m.nbody);
  f(Fault::kBadMocap, "mocap_pos", s.mocap_pos, 3 * m.nmocap);
  f(Fault::kBadMocap, "mocap_quat", s.mocap_quat, 4 * m.nmocap);
  f(Fault::kBadWarmstart, "qacc_warmstart", s.qacc_warmstart, m.nv);
}

/// Likewise for where State goes.
template <class M, class D, class F>
PLIANT_HD void each_result(const M& m, const D& d, F&& f) {
  f(Fault::kBadPosition, "qpos", d.next_qpos, m.nq);
  f(Fault::kBadPosition, "plastic", d.next_plastic, m.nplastic);
  f(Fault::kBadVelocity, "qvel", d.next_qvel, m.nv);
  f(Fault::kBadActivation, "act", d.next_act, m.na);
}

}  // namespace pliant
