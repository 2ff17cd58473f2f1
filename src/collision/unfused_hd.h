#pragma once
// Products rounded one by one. Where two candidates are equally good, as in every stack of boxes, or two shapes just
// touch, rounding decides. The functions here round as the reference does, so that the decision is the same.

#include "math/mat3.h"
#include "math/rounding.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD R unfused_dot(Vec3T<R> a, Vec3T<R> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
PLIANT_HD Vec3T<R> unfused_cross(Vec3T<R> a, Vec3T<R> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class R>
PLIANT_HD R unfused_norm(Vec3T<R> a) {
  return std::sqrt(unfused_dot(a, a));
}
/// Unit vector; what has no direction becomes the x axis.
template <class R>
PLIANT_HD Vec3T<R> unfused_normalized(Vec3T<R> a) {
  const R length = unfused_norm(a);
  return length < R(kTiny) ? Vec3T<R>{1, 0, 0} : a * (1 / length);
}
/// s a + b.
template <class R>
PLIANT_HD Vec3T<R> unfused_sum(R s, Vec3T<R> a, Vec3T<R> b) {
  return {a.x * s + b.x, a.y * s + b.y, a.z * s + b.z};
}
/// A v + b.
template <class R>
PLIANT_HD Vec3T<R> unfused_times_plus(const Mat3T<R>& a, Vec3T<R> v, Vec3T<R> b) {
  return {unfused_dot(a.row(0), v) + b.x, unfused_dot(a.row(1), v) + b.y, unfused_dot(a.row(2), v) + b.z};
}
/// Aᵀ v.
template <class R>
PLIANT_HD Vec3T<R> unfused_transposed_times(const Mat3T<R>& a, Vec3T<R> v) {
  return {unfused_dot(a.column(0), v), unfused_dot(a.column(1), v), unfused_dot(a.column(2), v)};
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
