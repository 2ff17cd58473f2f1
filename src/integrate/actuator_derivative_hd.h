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
PLIANT_HD auto is_tendon_saturated(const M& m, const D& d, int tendon) {
  using R = typename D::Real;
  using Answer = decltype(R(0) <= R(0));
  if (!m.tendon_actfrclimited[tendon]) return Answer{};
  constexpr R kNear = R(1e-10);
  R total = 0;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) total += d.actuator_force[m.actuator_outadr[i]];
  }
  const R low = m.tendon_actfrcrange[2 * tendon], high = m.tendon_actfrcrange[2 * tendon + 1];
  return either(total <= low + kNear * abs(low), total >= high - kNear * abs(high));
}

/// Whether what the actuator pulls at has its force cut: the joint by the range of the sum of all actuators, or the
/// tendon. (Joints that other transmissions move are not looked at, as in the reference.)
template <class M, class D>
PLIANT_HD auto is_target_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  using Answer = decltype(R(0) <= R(0));
  const auto type = static_cast<TransmissionType>(m.actuator_trntype[i]);
  const int id = m.actuator_trnid[2 * i];
  if (type == TransmissionType::kTendon) return is_tendon_saturated(m, d, id);
  if (type != TransmissionType::kJoint && type != TransmissionType::kJointInParent) return Answer{};
  if (!m.jnt_actfrclimited[id]) return Answer{};
  const R force = d.qfrc_actuator[m.jnt_dofadr[id]];
  return either(force <= R(m.jnt_actfrcrange[2 * id]), force >= R(m.jnt_actfrcrange[2 * id + 1]));
}

/// Whether the force sits at a bound, where neither velocity nor length change it. Forces in three dimensions
/// are bounded by their size, and count as bound in all directions.
template <class M, class D>
PLIANT_HD auto is_force_saturated(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const auto at_target = is_target_saturated(m, d, i);
  // (a motor's mechanical forces are beyond the bound of its torque)
  if (!m.actuator_forcelimited[i] || static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kDcMotor) {
    return at_target;
  }
  const int out = m.actuator_outadr[i];
  const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
  if (static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kSo3) {
    // A clamped force has exactly this size up to rounding, so rounding decides: as in the reference, which
    // rounds every product.
    const R x = d.actuator_force[out], y = d.actuator_force[out + 1], z = d.actuator_force[out + 2];
    return either(at_target, sqrt(x * x + y * y + z * z) >= high);
  }
  return either(at_target, either(d.actuator_force[out] <= low, d.actuator_force[out] >= high));
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
      const R share = K / resistance * (te > 0 ? 1 - exp(R(-m.opt.timestep) / te) : R(1));
      velocity = share * by_velocity;
      length = share * by_length;
    }
    if (drive && dyn(6) > 0) velocity -= dyn(6);
    if (motor && bias(0) != 0) {
      length += bias(0) * bias(1) * cos(bias(1) * d.actuator_length[m.actuator_outadr[i]] + bias(2));
    }
  }

 private:
  template <class M, class S, class D>
  PLIANT_HD static bool is_electrically_bound(const M& m, const S& s, const D& d, int i, const DcMotorSlots& slots) {
    const R te = m.actuator_dynprm[kNumDyn * i], fastest = m.actuator_dynprm[kNumDyn * i + 1];
    if (te > 0 && !m.actuator_actearly[i]) return true;  // the torque is that of the current before the step
    if (slots.current >= 0 && fastest > 0 && slots.current < m.actuator_actnum[i] &&
        abs(d.act_dot[m.actuator_actadr[i] + slots.current]) >= fastest) {
      return true;
    }
    if (!m.actuator_forcelimited[i]) return false;
    const R mechanical = dcmotor_mechanical<R>(m, s, d, i), force = d.actuator_force[m.actuator_outadr[i]] - mechanical;
    const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
    const R near = R(1e-10) * (abs(mechanical) + at_least(abs(low), abs(high)));
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
    return abs(dcmotor_wanted_voltage(m, s, d, i, slots, u)) >= limit;
  }
};

/// Whether gain or bias are those of a motor.
template <class M>
PLIANT_HD bool is_dcmotor(const M& m, int i) {
  return static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kDcMotor ||
         static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kDcMotor;
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
  R slope = with_bias(m.actuator_biastype[i], [&](auto law) { return R(law.velocity_slope(m, d, i)); });
  if (is_dcmotor(m, i)) slope += DcMotorSlopes<R>(m, s, d, i).velocity;
  const R gain = with_gain(m.actuator_gaintype[i], [&](auto law) { return R(law.velocity_slope(m, d, i)); });
  return gain == 0 ? slope : slope + gain * gain_input(m, s, d, i);
}

/// d(force)/d(length) of an actuator.
template <class M, class S, class D>
PLIANT_HD typename D::Real actuator_length_slope(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  R slope = with_bias(m.actuator_biastype[i], [&](auto law) { return R(law.length_slope(m, d, i)); });
  if (is_dcmotor(m, i)) slope += DcMotorSlopes<R>(m, s, d, i).length;
  const R gain = with_gain(m.actuator_gaintype[i], [&](auto law) { return R(law.length_slope(m, d, i)); });
  return gain == 0 ? slope : slope + gain * gain_input(m, s, d, i);
}

}  // namespace pliant
