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

template <class R> PLIANT_HD Vec3T<R> operator*(const Mat3T<R>& a, Vec3T<R> v) {
  return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
          a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
/// Aᵀ v.
template <class R> PLIANT_HD Vec3T<R> transposed_times(const Mat3T<R>& a, Vec3T<R> v) {
  return {a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
          a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}
template <class R> PLIANT_HD Mat3T<R> operator*(const Mat3T<R>& a, const Mat3T<R>& b) {
  Mat3T<R> c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
    }
  }
  return c;
}
template <class R> PLIANT_HD Mat3T<R> transpose(const Mat3T<R>& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
template <class R> PLIANT_HD Mat3T<R> columns(Vec3T<R> x, Vec3T<R> y, Vec3T<R> z) {
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

/// The rotation matrix of a unit quaternion.
template <class R> PLIANT_HD Mat3T<R> matrix(QuatT<R> q) {
  const R q00 = q.w * q.w, q11 = q.x * q.x, q22 = q.y * q.y, q33 = q.z * q.z;
  const R q01 = q.w * q.x, q02 = q.w * q.y, q03 = q.w * q.z;
  const R q12 = q.x * q.y, q13 = q.x * q.z, q23 = q.y * q.z;
  return {{q00 + q11 - q22 - q33, 2 * (q12 - q03), 2 * (q13 + q02), 2 * (q12 + q03), q00 - q11 + q22 - q33,
           2 * (q23 - q01), 2 * (q13 - q02), 2 * (q23 + q01), q00 - q11 - q22 + q33}};
}

}  // namespace pliant
