#pragma once
// Products rounded one by one. Where two candidates are equally good, as in every stack of boxes, rounding decides which
// is taken. The functions here round as the reference does, so that the same candidate wins.

#include "math/mat3.h"
#include "math/rounding.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R> PLIANT_HD R unfused_dot(Vec3T<R> a, Vec3T<R> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// Aᵀ v.
template <class R> PLIANT_HD Vec3T<R> unfused_transposed_times(const Mat3T<R>& a, Vec3T<R> v) {
  return {unfused_dot(a.column(0), v), unfused_dot(a.column(1), v), unfused_dot(a.column(2), v)};
}
/// s a + b.
template <class R> PLIANT_HD Vec3T<R> unfused_sum(R s, Vec3T<R> a, Vec3T<R> b) {
  return {a.x * s + b.x, a.y * s + b.y, a.z * s + b.z};
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
