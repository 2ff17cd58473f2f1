#pragma once
// Vectors of three reals. Plain values; everything here compiles for host and device.

#include "base/hd.h"
#include "math/constants.h"
#include "math/rounding.h"
#include "math/scalar.h"

namespace pliant {

template <class Real>
struct Vec3T {
  Real x = 0, y = 0, z = 0;
  PLIANT_HD Real& operator[](int i) { return (&x)[i]; }
  PLIANT_HD const Real& operator[](int i) const { return (&x)[i]; }
};
using Vec3 = Vec3T<double>;

inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD Vec3T<R> operator+(Vec3T<R> a, Vec3T<R> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
PLIANT_HD Vec3T<R> operator-(Vec3T<R> a, Vec3T<R> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
PLIANT_HD Vec3T<R> operator-(Vec3T<R> a) {
  return {-a.x, -a.y, -a.z};
}
template <class R>
PLIANT_HD Vec3T<R> operator*(Vec3T<R> a, R s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class R>
PLIANT_HD Vec3T<R> operator*(R s, Vec3T<R> a) {
  return a * s;
}
template <class R>
PLIANT_HD R dot(Vec3T<R> a, Vec3T<R> b) {
  return mul_add(a.z, b.z, mul_add(a.y, b.y, a.x * b.x));
}
template <class R>
PLIANT_HD Vec3T<R> cross(Vec3T<R> a, Vec3T<R> b) {
  return {mul_add(a.y, b.z, -(a.z * b.y)), mul_add(a.z, b.x, -(a.x * b.z)), mul_add(a.x, b.y, -(a.y * b.x))};
}
/// s a + b.
template <class R>
PLIANT_HD Vec3T<R> fused(R s, Vec3T<R> a, Vec3T<R> b) {
  return {mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
}
/// a x b + c.
template <class R>
PLIANT_HD Vec3T<R> cross_plus(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c) {
  return {mul_add(a.y, b.z, mul_add(-a.z, b.y, c.x)), mul_add(a.z, b.x, mul_add(-a.x, b.z, c.y)),
          mul_add(a.x, b.y, mul_add(-a.y, b.x, c.z))};
}
template <class R>
PLIANT_HD R norm(Vec3T<R> a) {
  return sqrt(dot(a, a));
}

/// Unit vector and, in `length`, the length; what has no direction becomes the x axis.
template <class R>
PLIANT_HD Vec3T<R> normalized(Vec3T<R> a, R& length) {
  length = norm(a);
  if (length < R(kTiny)) return {1, 0, 0};
  const R s = 1 / length;
  return a * s;
}
template <class R>
PLIANT_HD Vec3T<R> normalized(Vec3T<R> a) {
  R length;
  return normalized(a, length);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
