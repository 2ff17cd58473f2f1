#pragma once
// Derivatives of an actuator's force with respect to the velocity and the length of its transmission, by the law of
// its gain and bias. Forces are gain · input + bias.
//
// reads actuator_length actuator_velocity actuator_force qfrc_actuator act_dot

#include "force/actuation_stage_hd.h"
#include "force/actuator_table.h"

namespace pliant {

/// Whether the force that actuators have on a tendon together is at a bound of its range. Forces that were scaled down
/// to it reach it but for rounding: what is nearer than this share of the bound is at it, as in the reference.
template <class M, class D>
PLIANT_HD bool is_tendon_saturated(const M& m, const D& d, int tendon) {
  using R = typename D::Real;
  if (!m.tendon_actfrclimited[tendon]) return false;
  constexpr R kNear = R(1e-10);
  R total = 0;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) total += d.actuator_force[m.actuator_outadr[i]];
  }
  const R low = m.tendon_actfrcrange[2 * tendon], high = m.tendon_actfrcrange[2 * tendon + 1];
  return total <= low + kNear * std::abs(low) || total >= high - kNear * std::abs(high);
}

/// Whether what the actuator pulls at has its force cut: the joint by the range of the sum of all actuators, or the
/// tendon. (Joints that other transmissions move are not looked at, as in the reference.)
template <class M, class D>
PLIANT_HD bool is_target_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const auto type = static_cast<TransmissionType>(m.actuator_trntype[i]);
  const int id = m.actuator_trnid[2 * i];
  if (type == TransmissionType::kTendon) return is_tendon_saturated(m, d, id);
  if (type != TransmissionType::kJoint && type != TransmissionType::kJointInParent) return false;
  if (!m.jnt_actfrclimited[id]) return false;
  const R force = d.qfrc_actuator[m.jnt_dofadr[id]];
  return force <= R(m.jnt_actfrcrange[2 * id]) || force >= R(m.jnt_actfrcrange[2 * id + 1]);
}

/// Whether the force sits at a bound, where neither velocity nor length change it. Forces in three dimensions
/// are bounded by their size, and count as bound in all directions.
template <class M, class D>
PLIANT_HD bool is_force_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  if (is_target_saturated(m, d, i)) return true;
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

/// Slope of half_square: part / whole².
template <class R>
PLIANT_HD R half_square_slope(R part, R whole) {
  const R w = at_least(R(kTiny), whole);
  return part / w / w;
}

/// Slope of the muscle's FL, piece by piece.
template <class R>
PLIANT_HD R muscle_force_length_slope(R length, R lmin, R lmax) {
  if (length < lmin || length > lmax) return 0;
  const R rise = (lmin + 1) / 2, fall = (1 + lmax) / 2;
  if (length <= rise) return half_square_slope(length - lmin, rise - lmin);
  if (length <= 1) return half_square_slope(1 - length, 1 - rise);
  if (length <= fall) return -half_square_slope(length - 1, fall - 1);
  return -half_square_slope(lmax - length, lmax - fall);
}

/// Slope of the muscle's FP.
template <class R>
PLIANT_HD R muscle_force_passive_slope(R length, R lmax, R fpmax) {
  const R knee = (1 + lmax) / 2;
  if (length <= 1) return 0;
  if (length <= knee) return fpmax * half_square_slope(length - 1, knee - 1);
  return fpmax / at_least(R(kTiny), knee - 1);
}

/// A muscle of the model in its own units: peak force, length L, velocity V, and what they are multiples of.
template <class R>
struct MuscleState {
  R peak, L, V, unit, speed;
  template <class M, class D>
  PLIANT_HD MuscleState(const Muscle<R>& p, const M& m, const D& d, int i) {
    const int out = m.actuator_outadr[i];
    const R shortest = m.actuator_lengthrange[2 * out];
    const R length = muscle_unit(p, shortest, R(m.actuator_lengthrange[2 * out + 1]));
    peak = muscle_peak(p, R(m.actuator_acc0[out]));
    L = muscle_length(p, R(d.actuator_length[out]), shortest, length);
    unit = at_least(R(kTiny), length);
    speed = at_least(R(kTiny), length * p.vmax);
    V = d.actuator_velocity[out] / speed;
  }
};

/// Slopes of a muscle's gain -F0 FL(L) FV(V) with velocity and with length, and of its bias -F0 FP(L) with length.
template <class M, class D>
PLIANT_HD typename D::Real muscle_velocity_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_gainprm, kNumGain * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_length(at.L, p.lmin, p.lmax) * muscle_force_velocity_slope(at.V, p.fvmax) / at.speed;
}
template <class M, class D>
PLIANT_HD typename D::Real muscle_length_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_gainprm, kNumGain * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_length_slope(at.L, p.lmin, p.lmax) * muscle_force_velocity(at.V, p.fvmax) / at.unit;
}
template <class M, class D>
PLIANT_HD typename D::Real muscle_passive_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_biasprm, kNumBias * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_passive_slope(at.L, p.lmax, p.fpmax) / at.unit;
}

/// A motor's resistance now, at least tiny.
template <class R, class M, class S>
PLIANT_HD R dcmotor_warm_resistance(const M& m, const S& s, int i) {
  return at_least(R(kTiny), dcmotor_resistance<R>(m, s, i, dcmotor_slots(m, i)));
}

/// How a motor's torque changes with velocity, beside the back-EMF of its bias. Its controller asks for a torque at the
/// cold resistance and compensates back-EMF, so that with a controller only the derivative gain remains, the less the
/// warmer the windings are. With a current of its own (te > 0) voltage acts within the step only partly. Friction
/// bristles add their damping. The limit of the voltage is not looked at, as in the reference.
template <class M, class S>
PLIANT_HD auto dcmotor_velocity_slope(const M& m, const S& s, int i) {
  using R = ScalarOf<decltype(m.actuator_gainprm)>;
  const auto gain = [&](int k) { return R(m.actuator_gainprm[kNumGain * i + k]); };
  const R te = m.actuator_dynprm[kNumDyn * i], bristle_damping = m.actuator_dynprm[kNumDyn * i + 6];
  const R K = gain(1), resistance = dcmotor_warm_resistance<R>(m, s, i);
  R voltage = 0;  // d(voltage)/d(velocity) by the controller
  if (m.actuator_ctrlspec[i] & (kInputPos | kInputVel | kInputFf)) {
    voltage = K - gain(6) * at_least(R(kTiny), gain(0)) / K;
  }
  R slope = K * voltage / resistance;
  if (te > 0) slope = K * (voltage - K) / resistance * (1 - std::exp(R(-m.opt.timestep) / te));
  return bristle_damping > 0 ? slope - bristle_damping : slope;
}

/// Back-EMF of a motor without a current of its own.
template <class M, class S>
PLIANT_HD auto back_emf_slope(const M& m, const S& s, int i) {
  using R = ScalarOf<decltype(m.actuator_gainprm)>;
  if (m.actuator_dynprm[kNumDyn * i] > 0) return R(0);
  const R K = m.actuator_gainprm[kNumGain * i + 1];
  return -K * K / dcmotor_warm_resistance<R>(m, s, i);
}

/// Likewise with length: the controller's position gain. (At the cold resistance, as in the reference.)
template <class M>
PLIANT_HD auto dcmotor_length_slope(const M& m, int i) {
  using R = ScalarOf<decltype(m.actuator_gainprm)>;
  if (!(m.actuator_ctrlspec[i] & (kInputPos | kInputVel | kInputFf))) return R(0);
  const R te = m.actuator_dynprm[kNumDyn * i], slope = -R(m.actuator_gainprm[kNumGain * i + 4]);
  return te > 0 ? slope * (1 - std::exp(R(-m.opt.timestep) / te)) : slope;
}

/// What multiplies an actuator's gain: its control in effect, or its last activation.
template <class M, class S, class D>
PLIANT_HD typename D::Real gain_input(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  if (const int states = m.actuator_actnum[i]) return driving_activation(m, s, d, i, states - 1);
  return control_in_effect<R>(m, s, i);
}

/// d(force)/d(velocity) of an actuator.
template <class M, class S, class D>
PLIANT_HD typename D::Real actuator_velocity_slope(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const auto gain_type = static_cast<GainType>(m.actuator_gaintype[i]);
  const auto bias_type = static_cast<BiasType>(m.actuator_biastype[i]);
  R slope = 0, gain = 0;
  if (bias_type == BiasType::kAffine || bias_type == BiasType::kSo3) slope = m.actuator_biasprm[kNumBias * i + 2];
  if (bias_type == BiasType::kDcMotor) slope = back_emf_slope(m, s, i);
  if (gain_type == GainType::kDcMotor) slope += dcmotor_velocity_slope(m, s, i);
  if (gain_type == GainType::kAffine) gain = m.actuator_gainprm[kNumGain * i + 2];
  if (gain_type == GainType::kMuscle) gain = muscle_velocity_slope(m, d, i);
  return gain == 0 ? slope : slope + gain * gain_input(m, s, d, i);
}

/// d(force)/d(length) of an actuator.
template <class M, class S, class D>
PLIANT_HD typename D::Real actuator_length_slope(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const auto gain_type = static_cast<GainType>(m.actuator_gaintype[i]);
  const auto bias_type = static_cast<BiasType>(m.actuator_biastype[i]);
  R slope = 0, gain = 0;
  if (bias_type == BiasType::kAffine || bias_type == BiasType::kSo3) slope = m.actuator_biasprm[kNumBias * i + 1];
  if (bias_type == BiasType::kMuscle) slope = muscle_passive_slope(m, d, i);
  if (gain_type == GainType::kDcMotor) slope += dcmotor_length_slope(m, i);
  if (gain_type == GainType::kAffine) gain = m.actuator_gainprm[kNumGain * i + 1];
  if (gain_type == GainType::kMuscle) gain = muscle_length_slope(m, d, i);
  return gain == 0 ? slope : slope + gain * gain_input(m, s, d, i);
}

}  // namespace pliant
