#pragma once
// Unit quaternions w,x,y,z. q rotates a vector from the local frame into the parent frame.

#include "math/constants.h"
#include "math/vec3.h"

namespace pliant {

template <class Real>
struct QuatT {
  Real w = 1, x = 0, y = 0, z = 0;
  PLIANT_HD Real& operator[](int i) { return (&w)[i]; }
  PLIANT_HD const Real& operator[](int i) const { return (&w)[i]; }
};
using Quat = QuatT<double>;

/// A pose: child frame in parent frame.
struct Pose {
  Vec3 pos;
  Quat quat;
};

inline namespace PLIANT_ROUNDING {

/// Composition: first b, then a.
template <class R>
PLIANT_HD QuatT<R> operator*(QuatT<R> a, QuatT<R> b) {
  return {mul_add(-a.z, b.z, mul_add(-a.y, b.y, mul_add(-a.x, b.x, a.w * b.w))),
          mul_add(-a.z, b.y, mul_add(a.y, b.z, mul_add(a.x, b.w, a.w * b.x))),
          mul_add(a.z, b.x, mul_add(a.y, b.w, mul_add(-a.x, b.z, a.w * b.y))),
          mul_add(a.z, b.w, mul_add(-a.y, b.x, mul_add(a.x, b.y, a.w * b.z)))};
}
template <class R>
PLIANT_HD QuatT<R> conjugate(QuatT<R> q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class R>
PLIANT_HD R norm(QuatT<R> q) {
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

/// R(q) v, through the rotation matrix (the reference's order of operations, so that the last bits agree
/// as far as possible).
template <class R>
PLIANT_HD Vec3T<R> rotate(QuatT<R> q, Vec3T<R> v) {
  const R q00 = q.w * q.w, q11 = q.x * q.x, q22 = q.y * q.y, q33 = q.z * q.z;
  const R q01 = q.w * q.x, q02 = q.w * q.y, q03 = q.w * q.z;
  const R q12 = q.x * q.y, q13 = q.x * q.z, q23 = q.y * q.z;
  return {(q00 + q11 - q22 - q33) * v.x + 2 * (q12 - q03) * v.y + 2 * (q13 + q02) * v.z,
          2 * (q12 + q03) * v.x + (q00 - q11 + q22 - q33) * v.y + 2 * (q23 - q01) * v.z,
          2 * (q13 - q02) * v.x + 2 * (q23 + q01) * v.y + (q00 - q11 - q22 + q33) * v.z};
}

/// Unit length; what has no direction becomes no rotation.
template <class R>
PLIANT_HD QuatT<R> normalized(QuatT<R> q) {
  const R n = norm(q);
  if (n < R(kTiny)) return {};
  if (abs(n - 1) <= R(kTiny)) return q;
  const R s = 1 / n;
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

/// Rotation by `angle` [rad] about a unit axis.
template <class R>
PLIANT_HD QuatT<R> axis_angle(Vec3T<R> axis, R angle) {
  if (angle == 0) return {};
  const R s = sin(angle * R(0.5));
  return {cos(angle * R(0.5)), axis.x * s, axis.y * s, axis.z * s};
}

/// Axis times angle in (-pi, pi] [rad].
template <class R>
PLIANT_HD Vec3T<R> rotation_vector(QuatT<R> q) {
  R s;
  const Vec3T<R> axis = normalized(Vec3T<R>{q.x, q.y, q.z}, s);
  R angle = 2 * atan2(s, q.w);
  if (angle > R(kPi)) angle -= 2 * R(kPi);
  return axis * angle;
}

/// q moved for time h with angular velocity w, given in q's own axes. Normalises q, not the product.
template <class R>
PLIANT_HD QuatT<R> integrated(QuatT<R> q, Vec3T<R> w, R h) {
  R speed;
  const Vec3T<R> axis = normalized(w, speed);
  return normalized(q) * axis_angle(axis, h * speed);
}

/// The rotation vector that takes b to a, in b's axes: integrated(b, difference(a, b), 1) = a.
template <class R>
PLIANT_HD Vec3T<R> difference(QuatT<R> a, QuatT<R> b) {
  return rotation_vector(conjugate(b) * a);
}

inline Pose operator*(const Pose& a, const Pose& b) { return {a.pos + rotate(a.quat, b.pos), a.quat * b.quat}; }

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
