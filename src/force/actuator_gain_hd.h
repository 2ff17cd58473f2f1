#pragma once
// Gains: the factor on an actuator's input, as a function of length and velocity; structs by the lines GAIN of
// actuator_laws.def.
//
//   gain            the factor
//   velocity_slope  its derivatives with velocity and length; 0 where actuator_laws.def says so
//   length_slope
//   drive           gain times input, where the law has more than the one input (kOwnInput); gives the gain, too
// An orientation servo is a law of its own (actuator_table.h), and has no gain.

#include "force/actuator_dynamics_hd.h"

namespace pliant {

/// prm: constant, per length, per velocity. Also the affine bias.
template <class R, class F>
PLIANT_HD R affine_law(const F& prm, int adr, R length, R velocity) {
  return prm[adr] + prm[adr + 1] * length + prm[adr + 2] * velocity;
}

/// A law that depends on neither velocity nor length.
struct NoSlopes {
  template <class M, class D>
  PLIANT_HD static typename D::Real velocity_slope(const M&, const D&, int) {
    return 0;
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real length_slope(const M&, const D&, int) {
    return 0;
  }
};

/// Without a program that provides it, a gain of type user is 1 (and the loader warns).
struct UserGain : NoSlopes {
  static constexpr bool kOwnInput = false;
  template <class M, class R>
  PLIANT_HD static R gain(const M&, int, R, R) {
    return 1;
  }
};
struct So3Gain : UserGain {};

struct FixedGain : UserGain {
  template <class M, class R>
  PLIANT_HD static R gain(const M& m, int i, R, R) {
    return m.actuator_gainprm[kNumGain * i];
  }
};

struct AffineGain : UserGain {
  template <class M, class R>
  PLIANT_HD static R gain(const M& m, int i, R length, R velocity) {
    return affine_law(m.actuator_gainprm, kNumGain * i, length, velocity);
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real velocity_slope(const M& m, const D&, int i) {
    return m.actuator_gainprm[kNumGain * i + 2];
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real length_slope(const M& m, const D&, int i) {
    return m.actuator_gainprm[kNumGain * i + 1];
  }
};

struct MuscleGain : UserGain {
  template <class M, class R>
  PLIANT_HD static R gain(const M& m, int i, R length, R velocity) {
    const int out = m.actuator_outadr[i];
    return muscle_gain(muscle<R>(m.actuator_gainprm, kNumGain * i), length, velocity,
                       R(m.actuator_lengthrange[2 * out]), R(m.actuator_lengthrange[2 * out + 1]),
                       R(m.actuator_acc0[out]));
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real velocity_slope(const M& m, const D& d, int i) {
    return muscle_velocity_slope(m, d, i);
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real length_slope(const M& m, const D& d, int i) {
    return muscle_length_slope(m, d, i);
  }
};

/// Its inputs are setpoints: what they are multiplied with is in the bias.
struct PidGain : UserGain {
  static constexpr bool kOwnInput = true;
  template <class M, class S, class D, class R>
  PLIANT_HD static R drive(const M& m, const S& s, const D& d, int i, R& gain) {
    const int slot = pid_integral_slot(m, i);
    gain = 1;
    return pid_drive(m, s, d, i, slot < m.actuator_actnum[i] ? driving_activation(m, s, d, i, slot) : R(0));
  }
};

/// Input of a law with one input: the control, or the last activation.
template <class M, class S, class D>
PLIANT_HD auto actuator_input(const M& m, const S& s, const D& d, int i) {
  using R = typename D::Real;
  const R input = m.actuator_actnum[i] == 0 ? R(d.ctrl_used[m.actuator_ctrladr[i]])
                                            : driving_activation(m, s, d, i, m.actuator_actnum[i] - 1);
  return nearest_setpoint(input, R(d.actuator_length[m.actuator_outadr[i]]), setpoint_period<R>(m, i));
}

/// The slopes of a motor are not those of a factor: DcMotorSlopes has them.
struct DcMotorGain : UserGain {
  static constexpr bool kOwnInput = true;
  template <class M, class S, class D, class R>
  PLIANT_HD static R drive(const M& m, const S& s, const D& d, int i, R& gain) {
    const DcMotorSlots slots = dcmotor_slots(m, i);
    gain = dcmotor_gain<R>(m, s, i, slots);
    if (slots.current >= 0) return gain * actuator_input(m, s, d, i);
    return gain * dcmotor_voltage(m, s, d, i, slots, dcmotor_inputs<R>(m, s, d, i, slots));
  }
};

/// Calls f with the struct of a gain; numbers that are no type do not get into a Model.
template <class F>
PLIANT_HD decltype(auto) with_gain(int type, F&& f) {
  switch (static_cast<GainType>(type)) {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling) \
  case GainType::k##name:                            \
    return f(name##Gain{});
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
  }
  __builtin_unreachable();
}

/// Gain times input; `gain` is what a DC motor's bias needs to know.
template <class M, class S, class D, class R>
PLIANT_HD R driven_force(const M& m, const S& s, const D& d, int i, R length, R velocity, R& gain) {
  return with_gain(m.actuator_gaintype[i], [&](auto law) PLIANT_INLINED {
    if constexpr (law.kOwnInput) {
      return law.drive(m, s, d, i, gain);
    } else {
      gain = law.gain(m, i, length, velocity);
      return R(gain * actuator_input(m, s, d, i));
    }
  });
}

}  // namespace pliant
