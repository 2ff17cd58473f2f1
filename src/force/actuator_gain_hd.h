#pragma once
// Gains of the simple laws: the factor on an actuator's input, as a function of length and velocity.

#include "force/actuator_muscle_hd.h"
#include "pliant/types.h"

namespace pliant {

/// prm: constant, per length, per velocity. Also the affine bias.
template <class R, class F>
PLIANT_HD R affine_law(const F& prm, int adr, R length, R velocity) {
  return prm[adr] + prm[adr + 1] * length + prm[adr + 2] * velocity;
}

template <class M, class R>
PLIANT_HD R muscle_gain_of(const M& m, int actuator, R length, R velocity) {
  const int out = m.actuator_outadr[actuator];
  return muscle_gain(muscle<R>(m.actuator_gainprm, kNumGain * actuator), length, velocity,
                     R(m.actuator_lengthrange[2 * out]), R(m.actuator_lengthrange[2 * out + 1]),
                     R(m.actuator_acc0[out]));
}

/// Without a program that provides it, a gain of type user is 1 (and the loader warns).
template <class R>
PLIANT_HD R user_gain() {
  return 1;
}

}  // namespace pliant
