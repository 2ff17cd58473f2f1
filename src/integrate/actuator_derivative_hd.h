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
  // (a motor's mechanical forces are beyond the bound of its torque)
  if (!m.actuator_forcelimited[i] || static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kDcMotor) return false;
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

/// How a motor's torque changes with velocity and length. Its controller asks for a torque at the cold resistance and
/// compensates back-EMF, so that with a controller only its gains remain, the less the warmer the windings are; nothing
/// of it where the supply's voltage is exhausted. With a current of its own (te > 0) voltage acts within the step only
/// partly. Nothing electric changes a torque at its bound, or a current that changes as fast as it can. Friction
/// bristles add their damping, cogging its slope.
template <class R>
struct DcMotorSlopes {
  R velocity = 0, length = 0;

  template <class M, class S, class D>
  PLIANT_HD DcMotorSlopes(const M& m, const S& s, const D& d, int i) {
    const auto gain = [&](int k) { return R(m.actuator_gainprm[kNumGain * i + k]); };
    const auto dyn = [&](int k) { return R(m.actuator_dynprm[kNumDyn * i + k]); };
    const auto bias = [&](int k) { return R(m.actuator_biasprm[kNumBias * i + k]); };
    const DcMotorSlots slots = dcmotor_slots(m, i);
    const bool motor = static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kDcMotor;
    const bool drive = static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kDcMotor;
    const R te = dyn(0), K = gain(1), cold = at_least(R(kTiny), gain(0));
    const R resistance = at_least(R(kTiny), dcmotor_resistance<R>(m, s, i, slots));
    if (!is_electrically_bound(m, s, d, i, slots)) {
      // d(voltage)/d(velocity), d(voltage)/d(length)
      R by_velocity = motor && !(te > 0) ? -K : R(0), by_length = 0;
      if (drive) {
        if (te > 0) by_velocity -= K;
        if (has_dcmotor_controller(m, i) && !is_voltage_bound(m, s, d, i, slots)) {
          by_velocity += K - gain(6) * cold / K;
          by_length = -gain(4) * cold / K;
        }
      }
      const R share = K / resistance * (te > 0 ? 1 - std::exp(R(-m.opt.timestep) / te) : R(1));
      velocity = share * by_velocity;
      length = share * by_length;
    }
    if (drive && dyn(6) > 0) velocity -= dyn(6);
    if (motor && bias(0) != 0) {
      length += bias(0) * bias(1) * std::cos(bias(1) * d.actuator_length[m.actuator_outadr[i]] + bias(2));
    }
  }

 private:
  template <class M, class S, class D>
  PLIANT_HD static bool is_electrically_bound(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots) {
    const R te = m.actuator_dynprm[kNumDyn * i], fastest = m.actuator_dynprm[kNumDyn * i + 1];
    if (te > 0 && !m.actuator_actearly[i]) return true;  // the torque is that of the current before the step
    if (slots.current >= 0 && fastest > 0 && slots.current < m.actuator_actnum[i] &&
        std::abs(d.act_dot[m.actuator_actadr[i] + slots.current]) >= fastest) {
      return true;
    }
    if (!m.actuator_forcelimited[i]) return false;
    const R mechanical = dcmotor_mechanical<R>(m, s, d, i), force = d.actuator_force[m.actuator_outadr[i]] - mechanical;
    const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
    const R near = R(1e-10) * (std::abs(mechanical) + at_least(std::abs(low), std::abs(high)));
    return force <= low + near || force >= high - near;
  }
  template <class M, class S, class D>
  PLIANT_HD static bool is_voltage_bound(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots) {
    const R limit = m.actuator_gainprm[kNumGain * i + 7];
    if (!(limit > 0)) return false;
    R control[4] = {};
    for (int k = 0; k < m.actuator_ctrlnum[i] && k < 4; ++k) control[k] = control_in_effect<R>(m, s, i, k);
    const auto u =
        dcmotor_slewed(m, s, i, slots, servo_inputs<R>(m.actuator_ctrlspec[i], static_cast<const R*>(control), 0));
    return std::abs(dcmotor_wanted_voltage(m, s, d, i, slots, u)) >= limit;
  }
};

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
  if (bias_type == BiasType::kDcMotor || gain_type == GainType::kDcMotor)
    slope += DcMotorSlopes<R>(m, s, d, i).velocity;
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
  if (bias_type == BiasType::kDcMotor || gain_type == GainType::kDcMotor) slope += DcMotorSlopes<R>(m, s, d, i).length;
  if (gain_type == GainType::kAffine) gain = m.actuator_gainprm[kNumGain * i + 1];
  if (gain_type == GainType::kMuscle) gain = muscle_length_slope(m, d, i);
  return gain == 0 ? slope : slope + gain * gain_input(m, s, d, i);
}

}  // namespace pliant
