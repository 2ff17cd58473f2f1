#pragma once
// Servo with setpoints for position and velocity, feedforward, and two optional states:
//   force = kp u_pos + kv u_vel + u_ff + ki z + bias,     bias = b0 - kp length - kv velocity
// The first is the slew-limited position setpoint, the other z, the integral of the position error (clamped through
// imax). kp = -biasprm[1], kv = -biasprm[2], ki = gainprm[0], imax = dynprm[0], slewmax = dynprm[1].
// Which inputs exist says actuator_ctrlspec; missing ones are 0.

#include "force/actuator_setpoint_hd.h"
#include "math/scalar.h"

namespace pliant {

template <class R>
struct ServoInputs {
  R pos = 0, vel = 0, ff = 0, voltage = 0;
};

/// Reads the inputs that `spec` names from ctrl[adr …], in the order pos, vel, ff, voltage.
template <class R, class F>
PLIANT_HD ServoInputs<R> servo_inputs(int spec, const F& ctrl, int adr) {
  ServoInputs<R> u;
  if (spec & kInputPos) u.pos = ctrl[adr++];
  if (spec & kInputVel) u.vel = ctrl[adr++];
  if (spec & kInputFf) u.ff = ctrl[adr++];
  if (spec & kInputVoltage) u.voltage = ctrl[adr++];
  return u;
}

/// Rate of the integral of an error: stops growing beyond ±limit (no limit: 0).
template <class R>
PLIANT_HD R integral_rate(R error, R integral, R limit) {
  if (limit > 0) {
    if (integral >= limit) return error < 0 ? error : R(0);
    if (integral <= -limit) return error > 0 ? error : R(0);
  }
  return error;
}

/// A setpoint that moves from `last` at most by rate · step.
template <class R>
PLIANT_HD R slewed(R setpoint, R last, R rate, R step) {
  return clamped(setpoint, last - rate * step, last + rate * step);
}

/// The position setpoint in effect: after the slew limit, nearest to the length.
template <class R, class M, class S, class D>
PLIANT_HD R pid_setpoint(const M& m, const S& s, const D& d, int i, R pos, R period, R& slew_rate) {
  const R slewmax = m.actuator_dynprm[kNumDyn * i + 1];
  slew_rate = 0;
  if (m.actuator_dyntype[i] == static_cast<int>(DynType::kPid) && slewmax > 0) {
    const R last = s.act[m.actuator_actadr[i]], step = m.opt.timestep;
    pos = slewed(nearest_setpoint(pos, last, period), last, slewmax, step);
    slew_rate = (pos - last) / step;
  }
  return nearest_setpoint(pos, R(d.actuator_length[m.actuator_outadr[i]]), period);
}

/// Place of the integral among the states.
template <class M>
PLIANT_HD int pid_integral_slot(const M& m, int i) {
  return m.actuator_dynprm[kNumDyn * i + 1] > 0 ? 1 : 0;
}

/// Rates of the states.
template <class M, class S, class D>
PLIANT_HD void pid_rate(const M& m, const S& s, D& d, int i) {
  using R = typename D::Real;
  const auto u = servo_inputs<R>(m.actuator_ctrlspec[i], d.ctrl_used, m.actuator_ctrladr[i]);
  const int act = m.actuator_actadr[i];
  R slew_rate;
  const R pos = pid_setpoint<R>(m, s, d, i, u.pos, setpoint_period<R>(m, i), slew_rate);
  const R error = pos - d.actuator_length[m.actuator_outadr[i]];
  const int slot = pid_integral_slot(m, i), states = m.actuator_actnum[i];
  for (int k = 0; k < states; ++k) d.act_dot[act + k] = 0;
  if (slot > 0) d.act_dot[act] = slew_rate;
  if (slot < states) {
    d.act_dot[act + slot] = integral_rate(error, R(s.act[act + slot]), R(m.actuator_dynprm[kNumDyn * i]));
  }
}

/// The force but for the bias; `integral` is z, now or (actearly) at the end of the step.
template <class M, class S, class D, class R>
PLIANT_HD R pid_drive(const M& m, const S& s, const D& d, int i, R integral) {
  const auto u = servo_inputs<R>(m.actuator_ctrlspec[i], d.ctrl_used, m.actuator_ctrladr[i]);
  const R kp = -m.actuator_biasprm[kNumBias * i + 1], kv = -m.actuator_biasprm[kNumBias * i + 2];
  R drive = kv * u.vel + u.ff + m.actuator_gainprm[kNumGain * i] * integral;
  if (m.actuator_ctrlspec[i] & kInputPos) {
    R slew_rate;
    drive += kp * pid_setpoint<R>(m, s, d, i, u.pos, setpoint_period<R>(m, i), slew_rate);
  }
  return drive;
}

}  // namespace pliant
