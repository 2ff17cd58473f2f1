#pragma once
// Derivative of an actuator's force with respect to the velocity of its transmission, by the law of its gain and
// bias. Forces are gain · input + bias.
//
// reads actuator_length actuator_velocity actuator_force act_dot

#include "pliant/types.h"
#include "state/view.h"

namespace pliant {

/// Actuators of a switched-off group do nothing. Groups beyond 30 cannot be switched off.
template <class M> PLIANT_HD bool is_actuator_disabled(const M& m, int i) {
  const int group = m.actuator_group[i];
  return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group));
}

/// Whether the force sits at a bound, where velocity does not change it. Forces in three dimensions are bounded by
/// their size, and count as bound in all directions.
template <class M, class D> PLIANT_HD bool is_force_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  if (!m.actuator_forcelimited[i]) return false;
  const int out = m.actuator_outadr[i];
  const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
  if (static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kSo3) {
    return norm(Vec3T<R>{d.actuator_force[out], d.actuator_force[out + 1], d.actuator_force[out + 2]}) >= high;
  }
  return d.actuator_force[out] <= low || d.actuator_force[out] >= high;
}

/// The activation that the force uses: the current one, or that of the end of the step.
template <class M, class S, class D> PLIANT_HD typename D::Real used_activation(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const int adr = m.actuator_actadr[i] + m.actuator_actnum[i] - 1;
  R act = s.act[adr];
  if (!m.actuator_actearly[i]) return act;
  const R h = m.opt.timestep;
  if (static_cast<DynType>(m.actuator_dyntype[i]) == DynType::kFilterExact) {
    const R tau = std::fmax(R(kTiny), R(m.actuator_dynprm[kNumDyn * i]));
    act += d.act_dot[adr] * tau * (1 - std::exp(-h / tau));
  } else {
    act += d.act_dot[adr] * h;
  }
  if (m.actuator_actlimited[i]) {
    act = std::fmin(std::fmax(act, R(m.actuator_actrange[2 * i])), R(m.actuator_actrange[2 * i + 1]));
  }
  return act;
}

/// Muscle: gain = -F0 FL(L) FV(V), V = velocity / (L0 vmax). Slope of FV: 2 (V + 1) while shortening, 2 (y - V)/y while
/// lengthening up to y = fvmax - 1, else 0.
template <class M, class D> PLIANT_HD typename D::Real muscle_gain_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const auto prm = [&](int k) { return R(m.actuator_gainprm[kNumGain * i + k]); };
  const auto positive = [](R x) { return std::fmax(R(kTiny), x); };
  const int out = m.actuator_outadr[i];
  const R low = m.actuator_lengthrange[2 * out], high = m.actuator_lengthrange[2 * out + 1];
  const R unit = (high - low) / positive(prm(1) - prm(0));
  const R force = prm(2) < 0 ? prm(3) / positive(m.actuator_acc0[out]) : prm(2);
  const R length = prm(0) + (d.actuator_length[out] - low) / positive(unit);
  const R speed = positive(unit * prm(6));
  const R v = d.actuator_velocity[out] / speed;
  // force-length curve
  const R lmin = prm(4), lmax = prm(5), a = (lmin + 1) / 2, b = (lmax + 1) / 2;
  R curve = 0;
  if (length >= lmin && length <= lmax) {
    R x;
    if (length <= a) x = (length - lmin) / positive(a - lmin), curve = x * x / 2;
    else if (length <= 1) x = (1 - length) / positive(1 - a), curve = 1 - x * x / 2;
    else if (length <= b) x = (length - 1) / positive(b - 1), curve = 1 - x * x / 2;
    else x = (lmax - length) / positive(lmax - b), curve = x * x / 2;
  }
  const R y = prm(8) - 1;
  R slope = 0;
  if (v > -1 && v <= 0) slope = 2 * (v + 1);
  else if (v > 0 && v <= y) slope = 2 * (y - v) / positive(y);
  return -force * curve * slope / speed;
}

/// Motor, beside the back-EMF of its bias. Its controller asks for a torque and compensates back-EMF, so that with a
/// controller only the derivative gain remains. With a current of its own (te > 0) voltage acts within the step only
/// partly. Friction bristles add their damping. The limit of the voltage and the temperature of the windings are not
/// looked at, as in the reference.
template <class M> PLIANT_HD auto dc_motor_gain_slope(const M& m, int i) {
  using R = ScalarOf<decltype(m.actuator_gainprm)>;
  const auto gain = [&](int k) { return R(m.actuator_gainprm[kNumGain * i + k]); };
  const R te = m.actuator_dynprm[kNumDyn * i], bristle_damping = m.actuator_dynprm[kNumDyn * i + 6];
  const R resistance = std::fmax(R(kTiny), gain(0)), constant = gain(1);
  // d(torque)/d(velocity) through the voltage, at constant temperature
  const R back_emf = constant * constant / resistance;
  const bool controlled = m.actuator_ctrlspec[i] & (kInputPos | kInputVel | kInputFf);
  R slope = controlled ? back_emf - gain(6) : 0;
  if (te > 0) slope = (slope - back_emf) * (1 - std::exp(R(-m.opt.timestep) / te));
  return bristle_damping > 0 ? slope - bristle_damping : slope;
}

/// d(bias)/d(velocity).
template <class M> PLIANT_HD auto bias_slope(const M& m, int i) {
  using R = ScalarOf<decltype(m.actuator_biasprm)>;
  switch (static_cast<BiasType>(m.actuator_biastype[i])) {
    case BiasType::kAffine:
    case BiasType::kSo3:
      return R(m.actuator_biasprm[kNumBias * i + 2]);
    case BiasType::kDcMotor: {
      if (m.actuator_dynprm[kNumDyn * i] > 0) return R(0);
      const R constant = m.actuator_gainprm[kNumGain * i + 1];
      return -constant * constant / std::fmax(R(kTiny), R(m.actuator_gainprm[kNumGain * i]));
    }
    default:
      return R(0);
  }
}

/// d(force)/d(velocity) of an actuator. The input is ctrl as the user gave it, not as clamped (as in the reference).
template <class M, class S, class D> PLIANT_HD typename D::Real actuator_slope(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const R bias = bias_slope(m, i);
  R gain = 0;
  switch (static_cast<GainType>(m.actuator_gaintype[i])) {
    case GainType::kAffine: gain = m.actuator_gainprm[kNumGain * i + 2]; break;
    case GainType::kMuscle: gain = muscle_gain_slope(m, d, i); break;
    case GainType::kDcMotor: return bias + dc_motor_gain_slope(m, i);
    default: break;
  }
  if (gain == 0) return bias;
  const bool stateless = static_cast<DynType>(m.actuator_dyntype[i]) == DynType::kNone;
  return bias + gain * (stateless ? R(s.ctrl[m.actuator_ctrladr[i]]) : used_activation(m, s, d, i));
}

}  // namespace pliant
