#pragma once
// Orientation servo: three torques that turn the transmission's orientation q towards a target q*,
//   torque = kp log(q⁻¹ q*) + b0 + b2 ω         in the local frame of the transmission.
// actuator_length holds the rotation vector of q; the target is a rotation vector or a quaternion.

#include "math/quat.h"
#include "math/field_values.h"

namespace pliant {

template <class R>
PLIANT_HD QuatT<R> rotation(Vec3T<R> vector) {
  const R angle = norm(vector);
  if (angle < R(kTiny)) return {};
  return axis_angle(Vec3T<R>{vector.x / angle, vector.y / angle, vector.z / angle}, angle);
}

/// The same rotation as a vector no longer than π.
template <class R>
PLIANT_HD Vec3T<R> shortest_rotation(Vec3T<R> vector) {
  const R angle = norm(vector), turn = 2 * R(kPi);
  if (angle <= R(kPi)) return vector;
  return vector * ((angle - turn * floor(angle / turn + R(0.5))) / angle);
}

/// `constant` and `per_velocity` are biasprm[0] and [2].
template <class R>
PLIANT_HD Vec3T<R> so3_torque(QuatT<R> target, Vec3T<R> length, Vec3T<R> velocity, R kp, R constant, R per_velocity) {
  const Vec3T<R> error = difference(target, rotation(length));
  return error * kp + Vec3T<R>{constant, constant, constant} + velocity * per_velocity;
}

}  // namespace pliant
