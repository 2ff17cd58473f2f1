#pragma once
// Bias forces: what an actuator exerts without input; structs by the lines BIAS of actuator_laws.def.
//
//   force           with the gain that the actuator has
//   velocity_slope  its derivatives with velocity and length
//   length_slope

#include "force/actuator_gain_hd.h"

namespace pliant {

struct NoneBias : NoSlopes {
  template <class M, class R>
  PLIANT_HD static R force(const M&, int, R, R, R) {
    return 0;
  }
};
struct UserBias : NoneBias {};

struct AffineBias : NoneBias {
  template <class M, class R>
  PLIANT_HD static R force(const M& m, int i, R length, R velocity, R) {
    return affine_law(m.actuator_biasprm, kNumBias * i, length, velocity);
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real velocity_slope(const M& m, const D&, int i) {
    return m.actuator_biasprm[kNumBias * i + 2];
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real length_slope(const M& m, const D&, int i) {
    return m.actuator_biasprm[kNumBias * i + 1];
  }
};

/// The force is part of the servo's torque (actuator_table.h); its slopes are those of an affine bias.
struct So3Bias : AffineBias {
  template <class M, class R>
  PLIANT_HD static R force(const M&, int, R, R, R) {
    return 0;
  }
};

struct MuscleBias : NoneBias {
  template <class M, class R>
  PLIANT_HD static R force(const M& m, int i, R length, R, R) {
    const int out = m.actuator_outadr[i];
    return muscle_bias(muscle<R>(m.actuator_biasprm, kNumBias * i), length, R(m.actuator_lengthrange[2 * out]),
                       R(m.actuator_lengthrange[2 * out + 1]), R(m.actuator_acc0[out]));
  }
  template <class M, class D>
  PLIANT_HD static typename D::Real length_slope(const M& m, const D& d, int i) {
    return muscle_passive_slope(m, d, i);
  }
};

/// Back-EMF; where the current has a state, its dynamics contain it. Slopes: DcMotorSlopes.
struct DcMotorBias : NoneBias {
  template <class M, class R>
  PLIANT_HD static R force(const M& m, int i, R, R velocity, R gain) {
    return m.actuator_dynprm[kNumDyn * i] > 0 ? R(0) : -gain * m.actuator_gainprm[kNumGain * i + 1] * velocity;
  }
};

/// Calls f with the struct of a bias; numbers that are no type do not get into a Model.
template <class F>
PLIANT_HD decltype(auto) with_bias(int type, F&& f) {
  switch (static_cast<BiasType>(type)) {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling) \
  case BiasType::k##name:                    \
    return f(name##Bias{});
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
  }
  __builtin_unreachable();
}

template <class M, class R>
PLIANT_HD R bias_force(const M& m, int i, R length, R velocity, R gain) {
  return with_bias(m.actuator_biastype[i],
                   [&](auto law) PLIANT_INLINED { return R(law.force(m, i, length, velocity, gain)); });
}

}  // namespace pliant
