#pragma once
// Vectors of three reals. Plain values; everything here compiles for host and device.

#include <cmath>

#include "base/hd.h"
#include "math/constants.h"

namespace pliant {

template <class Real>
struct Vec3T {
  Real x = 0, y = 0, z = 0;
  PLIANT_HD Real& operator[](int i) { return (&x)[i]; }
  PLIANT_HD const Real& operator[](int i) const { return (&x)[i]; }
};
using Vec3 = Vec3T<double>;

template <class R> PLIANT_HD Vec3T<R> operator+(Vec3T<R> a, Vec3T<R> b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class R> PLIANT_HD Vec3T<R> operator-(Vec3T<R> a, Vec3T<R> b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class R> PLIANT_HD Vec3T<R> operator-(Vec3T<R> a) { return {-a.x, -a.y, -a.z}; }
template <class R> PLIANT_HD Vec3T<R> operator*(Vec3T<R> a, R s) { return {a.x * s, a.y * s, a.z * s}; }
template <class R> PLIANT_HD Vec3T<R> operator*(R s, Vec3T<R> a) { return a * s; }
// Products and sums are fused where it is written so and nowhere else: the same formula gives the same bits in
// every place and on every device.
template <class R> PLIANT_HD R dot(Vec3T<R> a, Vec3T<R> b) {
  return std::fma(a.z, b.z, std::fma(a.y, b.y, a.x * b.x));
}
template <class R> PLIANT_HD Vec3T<R> cross(Vec3T<R> a, Vec3T<R> b) {
  return {std::fma(a.y, b.z, -(a.z * b.y)), std::fma(a.z, b.x, -(a.x * b.z)), std::fma(a.x, b.y, -(a.y * b.x))};
}
/// s a + b.
template <class R> PLIANT_HD Vec3T<R> fused(R s, Vec3T<R> a, Vec3T<R> b) {
  return {std::fma(s, a.x, b.x), std::fma(s, a.y, b.y), std::fma(s, a.z, b.z)};
}
/// a x b + c.
template <class R> PLIANT_HD Vec3T<R> cross_plus(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c) {
  return {std::fma(a.y, b.z, std::fma(-a.z, b.y, c.x)), std::fma(a.z, b.x, std::fma(-a.x, b.z, c.y)),
          std::fma(a.x, b.y, std::fma(-a.y, b.x, c.z))};
}
template <class R> PLIANT_HD R norm(Vec3T<R> a) { return std::sqrt(dot(a, a)); }

/// Unit vector and, in `length`, the length; what has no direction becomes the x axis.
template <class R> PLIANT_HD Vec3T<R> normalized(Vec3T<R> a, R& length) {
  length = norm(a);
  if (length < R(kTiny)) return {1, 0, 0};
  const R s = 1 / length;
  return a * s;
}
template <class R> PLIANT_HD Vec3T<R> normalized(Vec3T<R> a) {
  R length;
  return normalized(a, length);
}

}  // namespace pliant
