#pragma once
// Spring and damper laws with terms beyond the linear one, and what actuators add to the damping of their
// joint or tendon.

#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

/// Force of a spring: -x k(x) with k(x) = linear + quadratic x + cubic x². The sign of x matters.
template <class R>
struct SpringLaw {
  R linear = 0, quadratic = 0, cubic = 0;
  PLIANT_HD bool none() const { return linear == 0 && quadratic == 0 && cubic == 0; }
  PLIANT_HD R stiffness(R x) const { return linear + quadratic * x + cubic * (x * x); }
  /// -d(force)/dx
  PLIANT_HD R slope(R x) const { return linear + 2 * quadratic * x + 3 * cubic * (x * x); }
  /// Energy stored at displacement x [J].
  PLIANT_HD R energy(R x) const { return x * x * (linear / 2 + quadratic / 3 * x + cubic / 4 * (x * x)); }
};

/// Force of a damper: -v b(v) with b(v) = linear + quadratic |v| + cubic v².
template <class R>
struct DampingLaw {
  R linear = 0, quadratic = 0, cubic = 0;
  PLIANT_HD bool none() const { return linear == 0 && quadratic == 0 && cubic == 0; }
  PLIANT_HD R force(R v) const { return -v * (linear + quadratic * abs(v) + cubic * (v * v)); }
  /// -d(force)/dv
  PLIANT_HD R slope(R v) const { return linear + 2 * quadratic * abs(v) + 3 * cubic * (v * v); }
};

template <class M>
PLIANT_HD auto joint_spring_law(const M& m, int joint) {
  using R = ScalarOf<decltype(m.jnt_stiffness)>;
  return SpringLaw<R>{m.jnt_stiffness[joint], m.jnt_stiffnesspoly[2 * joint], m.jnt_stiffnesspoly[2 * joint + 1]};
}
template <class M>
PLIANT_HD auto tendon_spring_law(const M& m, int tendon) {
  using R = ScalarOf<decltype(m.tendon_stiffness)>;
  return SpringLaw<R>{m.tendon_stiffness[tendon], m.tendon_stiffnesspoly[2 * tendon],
                      m.tendon_stiffnesspoly[2 * tendon + 1]};
}

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

template <class M>
PLIANT_HD auto joint_damping(const M& m, int dof) {
  using R = ScalarOf<decltype(m.dof_damping)>;
  DampingLaw<R> law{m.dof_damping[dof], m.dof_dampingpoly[2 * dof], m.dof_dampingpoly[2 * dof + 1]};
  const int joint = m.dof_jntid[dof];
  add_actuator_damping(m, m.jnt_actuatorid[joint], joint, false, law);
  return law;
}
template <class M>
PLIANT_HD auto tendon_damping(const M& m, int tendon) {
  using R = ScalarOf<decltype(m.tendon_damping)>;
  DampingLaw<R> law{m.tendon_damping[tendon], m.tendon_dampingpoly[2 * tendon], m.tendon_dampingpoly[2 * tendon + 1]};
  add_actuator_damping(m, m.tendon_actuatorid[tendon], tendon, true, law);
  return law;
}

}  // namespace pliant
