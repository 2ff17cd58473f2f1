#pragma once
// The table of actuator laws: dynamics (rate of activations, and activations after a step), gain times
// input, and bias. One line per law; the laws themselves are in actuator_*_hd.h.
//
// reads actuator_length actuator_velocity ctrl_used act · writes act_dot actuator_force

#include "force/actuator_bias_hd.h"
#include "force/actuator_dcmotor_hd.h"
#include "force/actuator_dynamics_hd.h"
#include "force/actuator_gain_hd.h"
#include "force/actuator_pid_hd.h"
#include "force/actuator_so3_hd.h"

namespace pliant {

/// Whether the user switched off the actuator's group; only groups 0 … 30 can be.
template <class M>
PLIANT_HD bool actuator_disabled(const M& m, int i) {
  const int group = m.actuator_group[i];
  return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group));
}

/// The activation that is the input of the force: the last one.
template <class M>
PLIANT_HD int last_activation(const M& m, int i) {
  return m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
}

// ---- dynamics -----------------------------------------------------------------------------------

/// act_dot of an actuator.
template <class M, class S, class D>
PLIANT_HD void activation_rates(const M& m, const S& s, D& d, int i) {
  using R = typename D::Real;
  const int first = m.actuator_actadr[i];
  if (first < 0) return;
  for (int k = 0; k < m.actuator_actnum[i]; ++k) d.act_dot[first + k] = 0;
  const auto& prm = m.actuator_dynprm;
  const int at = kNumDyn * i, last = last_activation(m, i), ctrl = m.actuator_ctrladr[i];
  switch (static_cast<DynType>(m.actuator_dyntype[i])) {
    case DynType::kIntegrator: {
      // one activation per control, the last ones
      const int n = m.actuator_ctrlnum[i];
      for (int k = 0; k < n; ++k) d.act_dot[last - n + 1 + k] = R(d.ctrl_used[ctrl + k]);
      break;
    }
    case DynType::kFilter:
    case DynType::kFilterExact:
      // (the filter of an angle goes the short way round)
      d.act_dot[last] = filter_rate(nearest_setpoint(R(d.ctrl_used[ctrl]), R(s.act[last]), setpoint_period<R>(m, i)),
                                    R(s.act[last]), R(prm[at]));
      break;
    case DynType::kMuscle:
      d.act_dot[last] = muscle_rate(R(d.ctrl_used[ctrl]), R(s.act[last]), R(prm[at]), R(prm[at + 1]), R(prm[at + 2]));
      break;
    case DynType::kDcMotor:
      dcmotor_rates(m, s, d, i);
      break;
    case DynType::kPid:
      pid_rate(m, s, d, i);
      break;
    case DynType::kNone:
    case DynType::kUser:
      break;  // nobody computes a rate of type user: it stays 0
  }
}

/// Activation number `state` (0 is the actuator's first) after one timestep with this rate.
template <class M, class S, class D, class R>
PLIANT_HD R next_activation(const M& m, const S& s, const D& d, int i, int state, R rate) {
  const R act = s.act[m.actuator_actadr[i] + state], step = m.opt.timestep;
  R next;
  switch (static_cast<DynType>(m.actuator_dyntype[i])) {
    case DynType::kDcMotor:
      return dcmotor_next(m, s, d, i, state, rate);  // has limits of its own
    case DynType::kFilterExact:
      next = filter_exact_next(act, rate, R(m.actuator_dynprm[kNumDyn * i]), step);
      break;
    default:
      next = act + rate * step;
  }
  if (!m.actuator_actlimited[i]) return next;
  return clamped(next, R(m.actuator_actrange[2 * i]), R(m.actuator_actrange[2 * i + 1]));
}

/// The activation that drives the force: as it is, or with actearly as it will be.
template <class M, class S, class D>
PLIANT_HD auto driving_activation(const M& m, const S& s, const D& d, int i, int state) {
  using R = typename D::Real;
  const int adr = m.actuator_actadr[i] + state;
  return m.actuator_actearly[i] ? next_activation(m, s, d, i, state, R(d.act_dot[adr])) : R(s.act[adr]);
}

// ---- force --------------------------------------------------------------------------------------

/// Input of a law with one input: the control, or the last activation.
template <class M, class S, class D>
PLIANT_HD auto actuator_input(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const R input = m.actuator_actnum[i] == 0 ? R(d.ctrl_used[m.actuator_ctrladr[i]])
                                            : driving_activation(m, s, d, i, m.actuator_actnum[i] - 1);
  return nearest_setpoint(input, R(d.actuator_length[m.actuator_outadr[i]]), setpoint_period<R>(m, i));
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

/// Gain times input; `gain` is what a DC motor's bias needs to know.
template <class M, class S, class D, class R>
PLIANT_HD R driven_force(const M& m, const S& s, const D& d, int i, R length, R velocity, R& gain) {
  const auto& prm = m.actuator_gainprm;
  const int at = kNumGain * i;
  switch (static_cast<GainType>(m.actuator_gaintype[i])) {
    case GainType::kFixed:
      gain = prm[at];
      break;
    case GainType::kAffine:
      gain = affine_law(prm, at, length, velocity);
      break;
    case GainType::kMuscle:
      gain = muscle_gain_of(m, i, length, velocity);
      break;
    case GainType::kPid: {
      const int slot = pid_integral_slot(m, i);
      gain = 1;
      return pid_drive(m, s, d, i, slot < m.actuator_actnum[i] ? driving_activation(m, s, d, i, slot) : R(0));
    }
    case GainType::kDcMotor: {
      const DcMotorSlots slots = dcmotor_slots(m, i);
      gain = dcmotor_gain<R>(m, s, i, slots);
      if (slots.current >= 0) break;
      return gain * dcmotor_voltage(m, s, d, i, slots, dcmotor_inputs<R>(m, s, d, i, slots));
    }
    default:
      gain = user_gain<R>();
  }
  return gain * actuator_input(m, s, d, i);
}

template <class M, class R>
PLIANT_HD R bias_force(const M& m, int i, R length, R velocity, R gain) {
  switch (static_cast<BiasType>(m.actuator_biastype[i])) {
    case BiasType::kAffine:
      return affine_law(m.actuator_biasprm, kNumBias * i, length, velocity);
    case BiasType::kMuscle:
      return muscle_bias_of(m, i, length);
    case BiasType::kDcMotor:
      // back-EMF; where the current has a state, its dynamics contain it
      return m.actuator_dynprm[kNumDyn * i] > 0 ? R(0) : -gain * m.actuator_gainprm[kNumGain * i + 1] * velocity;
    default:
      return 0;
  }
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
