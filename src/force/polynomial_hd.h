#pragma once
// Spring and damper laws with terms beyond the linear one, and what actuators add to the damping of their
// joint or tendon.

#include "pliant/types.h"
#include "state/view.h"

namespace pliant {

/// Force of a damper: -v (linear + quadratic |v| + cubic v²).
template <class R>
struct DampingLaw {
  R linear = 0, quadratic = 0, cubic = 0;
  PLIANT_HD bool none() const { return linear == 0 && quadratic == 0 && cubic == 0; }
};

/// Adds damping · gear² of the actuators of a joint or tendon. `id` is its jnt_actuatorid or
/// tendon_actuatorid: -1 none, below -1 several.
template <class M, class R>
PLIANT_HD void add_actuator_damping(const M& m, int id, int object, bool tendon, DampingLaw<R>& law) {
  if (id == -1) return;
  const int first = id >= 0 ? id : 0, end = id >= 0 ? id + 1 : m.nactuator;
  for (int i = first; i < end; ++i) {
    const auto type = static_cast<TransmissionType>(m.actuator_trntype[i]);
    const bool fits = tendon ? type == TransmissionType::kTendon
                             : type == TransmissionType::kJoint || type == TransmissionType::kJointInParent;
    if (!fits || m.actuator_trnid[2 * i] != object) continue;
    const R gear = m.actuator_gear[6 * m.actuator_outadr[i]];
    law.linear += m.actuator_damping[i] * gear * gear;
    law.quadratic += m.actuator_dampingpoly[2 * i] * gear * gear;
    law.cubic += m.actuator_dampingpoly[2 * i + 1] * gear * gear;
  }
}

template <class M> PLIANT_HD auto joint_damping(const M& m, int dof) {
  using R = ScalarOf<decltype(m.dof_damping)>;
  DampingLaw<R> law{m.dof_damping[dof], m.dof_dampingpoly[2 * dof], m.dof_dampingpoly[2 * dof + 1]};
  const int joint = m.dof_jntid[dof];
  add_actuator_damping(m, m.jnt_actuatorid[joint], joint, false, law);
  return law;
}

}  // namespace pliant
