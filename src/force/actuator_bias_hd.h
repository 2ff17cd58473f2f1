#pragma once
// Bias forces of the simple laws: what an actuator exerts without input. The affine law is that of gains.

#include "force/actuator_gain_hd.h"

namespace pliant {

template <class M, class R>
PLIANT_HD R muscle_bias_of(const M& m, int actuator, R length) {
  const int out = m.actuator_outadr[actuator];
  return muscle_bias(muscle<R>(m.actuator_biasprm, kNumBias * actuator), length, R(m.actuator_lengthrange[2 * out]),
                     R(m.actuator_lengthrange[2 * out + 1]), R(m.actuator_acc0[out]));
}

}  // namespace pliant
