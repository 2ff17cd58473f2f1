#pragma once
// Derivative of an actuator's force with respect to the velocity of its transmission, by the law of
// its gain and bias. Forces are gain · input + bias.
//
// reads actuator_length actuator_velocity actuator_force act_dot

#include "force/actuator_table.h"

namespace pliant {

/// Whether the force sits at a bound, where velocity does not change it. Forces in three dimensions
/// are bounded by their size, and count as bound in all directions.
template <class M, class D>
PLIANT_HD bool is_force_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  if (!m.actuator_forcelimited[i]) return false;
  const int out = m.actuator_outadr[i];
  const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
  if (static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kSo3) {
    // A clamped force has exactly this size up to rounding, so rounding decides: as in the reference, which
    // rounds every product.
    const R x = d.actuator_force[out], y = d.actuator_force[out + 1], z = d.actuator_force[out + 2];
    return std::sqrt(x * x + y * y + z * z) >= high;
  }
  return d.actuator_force[out] <= low || d.actuator_force[out] >= high;
}

/// Slope of the muscle's FV: 2 (V + 1) while shortening, 2 (y - V)/y while lengthening up to y =
/// fvmax - 1, else 0.
template <class R>
PLIANT_HD R muscle_force_velocity_slope(R velocity, R fvmax) {
  const R knee = fvmax - 1;
  if (velocity > -1 && velocity <= 0) return 2 * (velocity + 1);
  if (velocity > 0 && velocity <= knee) return 2 * (knee - velocity) / at_least(R(kTiny), knee);
  return 0;
}

/// Muscle: gain = -F0 FL(L) FV(V), V = velocity / (L0 vmax).
template <class M, class D>
PLIANT_HD typename D::Real muscle_gain_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const int out = m.actuator_outadr[i];
  const Muscle<R> p = muscle<R>(m.actuator_gainprm, kNumGain * i);
  const R shortest = m.actuator_lengthrange[2 * out],
          unit = muscle_unit(p, shortest, R(m.actuator_lengthrange[2 * out + 1]));
  const R length = muscle_length(p, R(d.actuator_length[out]), shortest, unit);
  const R speed = at_least(R(kTiny), unit * p.vmax);
  return -muscle_peak(p, R(m.actuator_acc0[out])) * muscle_force_length(length, p.lmin, p.lmax) *
         muscle_force_velocity_slope(d.actuator_velocity[out] / speed, p.fvmax) / speed;
}

/// Motor, beside the back-EMF of its bias. Its controller asks for a torque and compensates
/// back-EMF, so that with a controller only the derivative gain remains. With a current of its own
/// (te > 0) voltage acts within the step only partly. Friction bristles add their damping. The
/// limit of the voltage and the temperature of the windings are not looked at, as in the reference.
template <class M>
PLIANT_HD auto dc_motor_gain_slope(const M& m, int i) {
  using R = ScalarOf<decltype(m.actuator_gainprm)>;
  const auto gain = [&](int k) { return R(m.actuator_gainprm[kNumGain * i + k]); };
  const R te = m.actuator_dynprm[kNumDyn * i], bristle_damping = m.actuator_dynprm[kNumDyn * i + 6];
  const R resistance = at_least(R(kTiny), gain(0)), constant = gain(1);
  // d(torque)/d(velocity) through the voltage, at constant temperature
  const R back_emf = constant * constant / resistance;
  const bool controlled = m.actuator_ctrlspec[i] & (kInputPos | kInputVel | kInputFf);
  R slope = controlled ? back_emf - gain(6) : 0;
  if (te > 0) slope = (slope - back_emf) * (1 - std::exp(R(-m.opt.timestep) / te));
  return bristle_damping > 0 ? slope - bristle_damping : slope;
}

/// d(bias)/d(velocity).
template <class M>
PLIANT_HD auto bias_slope(const M& m, int i) {
  using R = ScalarOf<decltype(m.actuator_biasprm)>;
  switch (static_cast<BiasType>(m.actuator_biastype[i])) {
    case BiasType::kAffine:
    case BiasType::kSo3:
      return R(m.actuator_biasprm[kNumBias * i + 2]);
    case BiasType::kDcMotor: {
      if (m.actuator_dynprm[kNumDyn * i] > 0) return R(0);
      const R constant = m.actuator_gainprm[kNumGain * i + 1];
      return -constant * constant / at_least(R(kTiny), R(m.actuator_gainprm[kNumGain * i]));
    }
    default:
      return R(0);
  }
}

/// d(force)/d(velocity) of an actuator. The input is ctrl as the user gave it, not as clamped (as
/// in the reference).
template <class M, class S, class D>
PLIANT_HD typename D::Real actuator_slope(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const R bias = bias_slope(m, i);
  R gain = 0;
  switch (static_cast<GainType>(m.actuator_gaintype[i])) {
    case GainType::kAffine:
      gain = m.actuator_gainprm[kNumGain * i + 2];
      break;
    case GainType::kMuscle:
      gain = muscle_gain_slope(m, d, i);
      break;
    case GainType::kDcMotor:
      return bias + dc_motor_gain_slope(m, i);
    default:
      break;
  }
  if (gain == 0) return bias;
  const int states = m.actuator_actnum[i];
  return bias + gain * (states ? driving_activation(m, s, d, i, states - 1) : R(s.ctrl[m.actuator_ctrladr[i]]));
}

}  // namespace pliant
