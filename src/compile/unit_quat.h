#pragma once
// Quaternions made unit the way the reference's engine does it: a zero one becomes the identity,
// one that is close enough to unit length is left alone, and the rest is multiplied by 1 / length.

#include <cmath>

#include "compile/compile.h"

namespace pliant {

inline void make_unit(double* quat) {
  const double length = std::sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
  if (length < kMinVal) {
    quat[0] = 1;
    quat[1] = quat[2] = quat[3] = 0;
  } else if (std::abs(length - 1) > kMinVal) {
    const double inverse = 1 / length;
    for (int k = 0; k < 4; ++k) quat[k] *= inverse;
  }
}

}  // namespace pliant
