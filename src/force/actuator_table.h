#pragma once
// What an actuator exerts: gain times input and bias, by the table actuator_laws.def; an orientation servo by a law of
// its own.
//
// reads actuator_length actuator_velocity ctrl_used act · writes act_dot actuator_force

#include "force/actuator_bias_hd.h"
#include "force/actuator_so3_hd.h"

namespace pliant {

/// Whether the user switched off the actuator's group; only groups 0 … 30 can be.
template <class M>
PLIANT_HD bool actuator_disabled(const M& m, int i) {
  const int group = m.actuator_group[i];
  return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group));
}

/// The target of an orientation servo.
template <class M, class S, class D>
PLIANT_HD auto so3_target(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const int ctrl = m.actuator_ctrladr[i];
  const auto& u = d.ctrl_used;
  if (m.actuator_ctrlspec[i] == kChartQuat) {
    return normalized(QuatT<R>{u[ctrl], u[ctrl + 1], u[ctrl + 2], u[ctrl + 3]});
  }
  if (m.actuator_dyntype[i] == static_cast<int>(DynType::kNone)) {
    return rotation(Vec3T<R>{u[ctrl], u[ctrl + 1], u[ctrl + 2]});
  }
  Vec3T<R> act;
  for (int k = 0; k < 3; ++k) act[k] = driving_activation(m, s, d, i, k);
  return rotation(act);
}

template <class M, class S, class D>
PLIANT_HD void so3_force(const M& m, const S& s, D& d, int i) {
  using R = typename D::Real;
  const int out = m.actuator_outadr[i];
  const auto& l = d.actuator_length;
  const auto& v = d.actuator_velocity;
  const Vec3T<R> torque = so3_torque(so3_target(m, s, d, i), Vec3T<R>{l[out], l[out + 1], l[out + 2]},
                                     Vec3T<R>{v[out], v[out + 1], v[out + 2]}, R(m.actuator_gainprm[kNumGain * i]),
                                     R(m.actuator_biasprm[kNumBias * i]), R(m.actuator_biasprm[kNumBias * i + 2]));
  for (int k = 0; k < 3; ++k) d.actuator_force[out + k] = torque[k];
}

/// Writes actuator_force, before limits.
template <class M, class S, class D>
PLIANT_HD void actuator_law(const M& m, const S& s, D& d, int i) {
  using R = typename D::Real;
  if (m.actuator_gaintype[i] == static_cast<int>(GainType::kSo3)) return so3_force(m, s, d, i);
  const int out = m.actuator_outadr[i];
  const R length = d.actuator_length[out], velocity = d.actuator_velocity[out];
  R gain;
  const R driven = driven_force(m, s, d, i, length, velocity, gain);
  d.actuator_force[out] = driven + bias_force(m, i, length, velocity, gain);
}

}  // namespace pliant
