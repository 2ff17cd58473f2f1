#pragma once
// 3x3 matrices, row by row; as rotations they take local vectors into the parent frame.

#include "math/quat.h"

namespace pliant {

template <class Real>
struct Mat3T {
  Real m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  PLIANT_HD Real& operator()(int r, int c) { return m[3 * r + c]; }
  PLIANT_HD const Real& operator()(int r, int c) const { return m[3 * r + c]; }
  PLIANT_HD Vec3T<Real> row(int r) const { return {m[3 * r], m[3 * r + 1], m[3 * r + 2]}; }
  PLIANT_HD Vec3T<Real> column(int c) const { return {m[c], m[3 + c], m[6 + c]}; }
};
using Mat3 = Mat3T<double>;

inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD Vec3T<R> operator*(const Mat3T<R>& a, Vec3T<R> v) {
  return {dot(a.row(0), v), dot(a.row(1), v), dot(a.row(2), v)};
}
/// A v + b.
template <class R>
PLIANT_HD Vec3T<R> times_plus(const Mat3T<R>& a, Vec3T<R> v, Vec3T<R> b) {
  const auto& m = a.m;
  return {mul_add(m[2], v.z, mul_add(m[1], v.y, mul_add(m[0], v.x, b.x))),
          mul_add(m[5], v.z, mul_add(m[4], v.y, mul_add(m[3], v.x, b.y))),
          mul_add(m[8], v.z, mul_add(m[7], v.y, mul_add(m[6], v.x, b.z)))};
}
/// Aᵀ v.
template <class R>
PLIANT_HD Vec3T<R> transposed_times(const Mat3T<R>& a, Vec3T<R> v) {
  return {dot(a.column(0), v), dot(a.column(1), v), dot(a.column(2), v)};
}
template <class R>
PLIANT_HD Mat3T<R> operator*(const Mat3T<R>& a, const Mat3T<R>& b) {
  Mat3T<R> c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.m[3 * i + j] = dot(a.row(i), b.column(j));
    }
  }
  return c;
}
template <class R>
PLIANT_HD Mat3T<R> transpose(const Mat3T<R>& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
template <class R>
PLIANT_HD Mat3T<R> columns(Vec3T<R> x, Vec3T<R> y, Vec3T<R> z) {
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

/// The rotation matrix of a unit quaternion.
template <class R>
PLIANT_HD Mat3T<R> matrix(QuatT<R> q) {
  const R x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const R wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  // 1 - 2 (…) on the diagonal, from the three squares
  const R xx = mul_add(-q.x, x2, R(1)), yy = q.y * y2, zz = q.z * z2;
  return {{R(1) - (yy + zz), mul_add(q.x, y2, -wz), mul_add(q.x, z2, wy), mul_add(q.x, y2, wz), xx - zz,
           mul_add(q.y, z2, -wx), mul_add(q.x, z2, -wy), mul_add(q.y, z2, wx), xx - yy}};
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
