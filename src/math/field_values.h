#pragma once
// Reading and writing fields by value. A field is anything with operator[]: a pointer on the CPU, a strided
// accessor on a device; kernels that use these functions do not see the difference.

#include <type_traits>

#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"

namespace pliant {

template <class F>
using ScalarOf = std::remove_cvref_t<decltype(std::declval<F>()[0])>;

/// An array for reading: addresses become const, so that versions of functions for vector instructions fit.
template <class F>
PLIANT_HD F constant(const F& f) {
  return f;
}
template <class T>
PLIANT_HD const T* constant(T* f) {
  return f;
}

template <class F>
PLIANT_HD Vec3T<ScalarOf<F>> vec3(const F& f, int i) {
  return {f[3 * i], f[3 * i + 1], f[3 * i + 2]};
}
template <class F>
PLIANT_HD QuatT<ScalarOf<F>> quat(const F& f, int i) {
  return {f[4 * i], f[4 * i + 1], f[4 * i + 2], f[4 * i + 3]};
}
template <class F>
PLIANT_HD Mat3T<ScalarOf<F>> mat3(const F& f, int i) {
  Mat3T<ScalarOf<F>> r;
  for (int k = 0; k < 9; ++k) r.m[k] = f[9 * i + k];
  return r;
}
/// Motion and force vectors: [angular, linear].
template <class F>
PLIANT_HD SpatialT<ScalarOf<F>> spatial(const F& f, int i) {
  return {{f[6 * i], f[6 * i + 1], f[6 * i + 2]}, {f[6 * i + 3], f[6 * i + 4], f[6 * i + 5]}};
}
template <class F>
PLIANT_HD InertiaT<ScalarOf<F>> spatial_inertia(const F& f, int i) {
  InertiaT<ScalarOf<F>> r;
  for (int k = 0; k < 10; ++k) r.v[k] = f[10 * i + k];
  return r;
}

template <class F, class R>
PLIANT_HD void set(F& f, int i, Vec3T<R> v) {
  f[3 * i] = v.x, f[3 * i + 1] = v.y, f[3 * i + 2] = v.z;
}
template <class F, class R>
PLIANT_HD void set(F& f, int i, QuatT<R> q) {
  f[4 * i] = q.w, f[4 * i + 1] = q.x, f[4 * i + 2] = q.y, f[4 * i + 3] = q.z;
}
template <class F, class R>
PLIANT_HD void set(F& f, int i, const Mat3T<R>& m) {
  for (int k = 0; k < 9; ++k) f[9 * i + k] = m.m[k];
}
template <class F, class R>
PLIANT_HD void set(F& f, int i, SpatialT<R> s) {
  f[6 * i] = s.ang.x, f[6 * i + 1] = s.ang.y, f[6 * i + 2] = s.ang.z;
  f[6 * i + 3] = s.lin.x, f[6 * i + 4] = s.lin.y, f[6 * i + 5] = s.lin.z;
}
template <class F, class R>
PLIANT_HD void set(F& f, int i, const InertiaT<R>& v) {
  for (int k = 0; k < 10; ++k) f[10 * i + k] = v.v[k];
}

}  // namespace pliant
