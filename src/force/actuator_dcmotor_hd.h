#pragma once
// DC motor: torque K i, current i from the voltage V over resistance R against the back-EMF K ω,
//   i = (V - K ω)/R, or te di/dt = (V - K ω)/R - i with an inductance.
// V is the sum of an input and of what a controller asks for: the voltage of the torque
//   kp (u_pos - length) + kd (u_vel - velocity) + ki z + u_ff
// at the cold resistance, back-EMF added, clamped to ±v_max. Extras, each with a state when its parameter is
// positive: slew limit of the first setpoint, integral z, temperature rise (changes R), bristle (LuGre
// friction), current. Parameters as in mjcf_actuator_dcmotor.cpp.

#include "force/actuator_pid_hd.h"

namespace pliant {

/// Places of the states among the actuator's activations, in this order; -1: not there.
struct DcMotorSlots {
  int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;
};
template <class M>
PLIANT_HD DcMotorSlots dcmotor_slots(const M& m, int i) {
  const auto& dyn = m.actuator_dynprm;
  const int at = kNumDyn * i;
  DcMotorSlots slots;
  // parameters may be written at any time, the number of activations is fixed: no slot lies beyond it
  const int most = m.actuator_actnum[i];
  int n = 0;
  if (dyn[at + 7] > 0 && n < most) slots.slew = n++;
  if (m.actuator_gainprm[kNumGain * i + 5] > 0 && n < most) slots.integral = n++;
  if (dyn[at + 2] > 0 && n < most) slots.temperature = n++;
  if (dyn[at + 5] > 0 && n < most) slots.bristle = n++;
  // (with other dynamics the current has no state, but drives the torque)
  const bool without_state = m.actuator_dyntype[i] != static_cast<int>(DynType::kDcMotor);
  if (dyn[at] > 0 && (n < most || without_state)) slots.current = n++;
  return slots;
}

/// Inputs after the slew limit, which acts on the first setpoint there is.
template <class R, class M, class S>
PLIANT_HD ServoInputs<R> dcmotor_slewed(const M& m, const S& s, int i, const DcMotorSlots& slots, ServoInputs<R> u) {
  const int spec = m.actuator_ctrlspec[i];
  if (slots.slew < 0 || m.actuator_dyntype[i] != static_cast<int>(DynType::kDcMotor)) return u;
  R& first = spec & kInputPos ? u.pos : spec & kInputVel ? u.vel : u.ff;
  first = slewed(first, R(s.act[m.actuator_actadr[i] + slots.slew]), R(m.actuator_dynprm[kNumDyn * i + 7]),
                 R(m.opt.timestep));
  return u;
}

template <class R, class M, class S, class D>
PLIANT_HD ServoInputs<R> dcmotor_inputs(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots) {
  return dcmotor_slewed(m, s, i, slots, servo_inputs<R>(m.actuator_ctrlspec[i], d.ctrl_used, m.actuator_ctrladr[i]));
}

template <class M>
PLIANT_HD bool has_dcmotor_controller(const M& m, int i) {
  return m.actuator_ctrlspec[i] & (kInputPos | kInputVel | kInputFf);
}

/// What the controller asks for, before the supply limits it.
template <class M, class S, class D, class R>
PLIANT_HD R dcmotor_wanted_voltage(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots,
                                   const ServoInputs<R>& u) {
  const auto& gain = m.actuator_gainprm;
  const int at = kNumGain * i, out = m.actuator_outadr[i];
  const R resistance = gain[at], K = gain[at + 1];
  const R integral = slots.integral >= 0 ? R(s.act[m.actuator_actadr[i] + slots.integral]) : R(0);
  const R torque = gain[at + 4] * (u.pos - d.actuator_length[out]) + gain[at + 5] * integral +
                   gain[at + 6] * (u.vel - d.actuator_velocity[out]) + u.ff;
  return resistance / K * torque + K * d.actuator_velocity[out];
}

template <class M, class S, class D, class R>
PLIANT_HD R dcmotor_voltage(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots,
                            const ServoInputs<R>& u) {
  if (!has_dcmotor_controller(m, i)) return u.voltage;
  const R limit = m.actuator_gainprm[kNumGain * i + 7], voltage = dcmotor_wanted_voltage(m, s, d, i, slots, u);
  return (limit > 0 ? clamped(voltage, -limit, limit) : voltage) + u.voltage;
}

/// Resistance at the winding's temperature: R (1 + α (rise + ambient - reference)).
template <class R, class M, class S>
PLIANT_HD R dcmotor_resistance(const M& m, const S& s, int i, const DcMotorSlots& slots) {
  const auto& gain = m.actuator_gainprm;
  const R cold = gain[kNumGain * i];
  if (slots.temperature < 0) return cold;
  const R rise = s.act[m.actuator_actadr[i] + slots.temperature], ambient = m.actuator_dynprm[kNumDyn * i + 4];
  return cold * (1 + gain[kNumGain * i + 2] * (rise + ambient - gain[kNumGain * i + 3]));
}

/// Rate at which a bristle gives way: ż = velocity - decay z, decay = σ0 |velocity| / g(velocity), g the
/// Stribeck curve from static to Coulomb friction.
template <class R, class M>
PLIANT_HD R bristle_decay(const M& m, int i, R velocity) {
  const auto& bias = m.actuator_biasprm;
  const R coulomb = bias[kNumBias * i + 3], rest = bias[kNumBias * i + 4];
  const R ratio = velocity / at_least(R(kTiny), R(bias[kNumBias * i + 5]));
  const R friction = coulomb + (rest - coulomb) * exp(-ratio * ratio);
  return R(m.actuator_dynprm[kNumDyn * i + 5]) * abs(velocity) / at_least(R(kTiny), friction);
}

/// Rates of all states.
template <class M, class S, class D>
PLIANT_HD void dcmotor_rates(const M& m, const S& s, D& d, int i) {
  using R = typename D::Real;
  const auto& dyn = m.actuator_dynprm;
  const int at = kNumDyn * i, act = m.actuator_actadr[i], out = m.actuator_outadr[i];
  const DcMotorSlots slots = dcmotor_slots(m, i);
  const auto u = dcmotor_inputs<R>(m, s, d, i, slots);
  const R velocity = d.actuator_velocity[out], K = m.actuator_gainprm[kNumGain * i + 1];
  const R resistance = dcmotor_resistance<R>(m, s, i, slots);
  const R voltage = dcmotor_voltage(m, s, d, i, slots, u);
  if (slots.slew >= 0) {
    const int spec = m.actuator_ctrlspec[i];
    const R first = spec & kInputPos ? u.pos : spec & kInputVel ? u.vel : u.ff;
    d.act_dot[act + slots.slew] = (first - s.act[act + slots.slew]) / R(m.opt.timestep);
  }
  if (slots.integral >= 0) {
    const R error = u.pos - d.actuator_length[out];
    d.act_dot[act + slots.integral] = integral_rate(error, R(s.act[act + slots.integral]), R(dyn[at + 8]));
  }
  if (slots.temperature >= 0) {
    // heated by the current's loss, cooled through the thermal resistance
    const R current = slots.current >= 0 ? R(s.act[act + slots.current]) : (voltage - K * velocity) / resistance;
    const R rise = s.act[act + slots.temperature];
    d.act_dot[act + slots.temperature] = (resistance * current * current - rise / dyn[at + 2]) / dyn[at + 3];
  }
  if (slots.bristle >= 0) {
    d.act_dot[act + slots.bristle] = velocity - bristle_decay(m, i, velocity) * s.act[act + slots.bristle];
  }
  if (slots.current >= 0) {
    const R limit = dyn[at + 1];
    const R rate = ((voltage - K * velocity) / resistance - s.act[act + slots.current]) / dyn[at];
    d.act_dot[act + slots.current] = limit > 0 ? clamped(rate, -limit, limit) : rate;
  }
}

/// A state after one timestep: current and bristle exactly for constant input, the others by Euler's rule.
template <class M, class S, class D, class R>
PLIANT_HD R dcmotor_next(const M& m, const S& s, const D& d, int i, int state, R rate) {
  const auto& dyn = m.actuator_dynprm;
  const DcMotorSlots slots = dcmotor_slots(m, i);
  const R step = m.opt.timestep, act = s.act[m.actuator_actadr[i] + state];
  if (state == slots.current) {
    const R tau = at_least(R(kTiny), R(dyn[kNumDyn * i]));
    return act + rate * tau * (1 - exp(-step / tau));
  }
  if (state == slots.bristle) {
    // z(h) = e^(-decay h) z + velocity (1 - e^(-decay h)) / decay
    const R velocity = d.actuator_velocity[m.actuator_outadr[i]], decay = bristle_decay(m, i, velocity);
    const R kept = exp(-decay * step);
    return kept * act + velocity * (decay > R(kTiny) ? (1 - kept) / decay : step);
  }
  const R next = act + rate * step, limit = dyn[kNumDyn * i + 8];
  return state == slots.integral && limit > 0 ? clamped(next, -limit, limit) : next;
}

/// Torque per unit of what drives it: per current, or per voltage where the current has no state.
template <class R, class M, class S>
PLIANT_HD R dcmotor_gain(const M& m, const S& s, int i, const DcMotorSlots& slots) {
  const R K = m.actuator_gainprm[kNumGain * i + 1];
  return slots.current >= 0 ? K : K / at_least(R(kTiny), dcmotor_resistance<R>(m, s, i, slots));
}

/// Torques of the mechanics, beyond the current and its limits: cogging A sin(n length + φ), and friction
/// -(σ0 z + σ1 ż).
template <class R, class M, class S, class D>
PLIANT_HD R dcmotor_mechanical(const M& m, const S& s, const D& d, int i) {
  const auto& bias = m.actuator_biasprm;
  const int at = kNumBias * i;
  R torque = 0;
  if (bias[at] != 0) {
    torque += bias[at] * sin(bias[at + 1] * d.actuator_length[m.actuator_outadr[i]] + bias[at + 2]);
  }
  const int bristle = dcmotor_slots(m, i).bristle;
  if (bristle >= 0 && bristle < m.actuator_actnum[i]) {
    const int state = m.actuator_actadr[i] + bristle;
    torque -= m.actuator_dynprm[kNumDyn * i + 5] * s.act[state] + m.actuator_dynprm[kNumDyn * i + 6] * d.act_dot[state];
  }
  return torque;
}

}  // namespace pliant
