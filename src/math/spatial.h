#pragma once
// Spatial vectors [angular, linear] and rigid-body inertia, all about one point and in one set of axes.
//
// Motion: angular velocity, and velocity of the body's material at the point. Force: torque about the
// point, and force. (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2.)

#include "math/mat3.h"

namespace pliant {

template <class Real>
struct SpatialT {
  Vec3T<Real> ang, lin;
};
using Spatial = SpatialT<double>;

/// Inertia about a point: xx yy zz xy xz yz, mass times offset of the centre of mass, mass.
template <class Real>
struct InertiaT {
  Real v[10] = {};
};
using Inertia = InertiaT<double>;

inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD SpatialT<R> operator+(SpatialT<R> a, SpatialT<R> b) {
  return {a.ang + b.ang, a.lin + b.lin};
}
template <class R>
PLIANT_HD SpatialT<R> operator-(SpatialT<R> a, SpatialT<R> b) {
  return {a.ang - b.ang, a.lin - b.lin};
}
template <class R>
PLIANT_HD SpatialT<R> operator*(SpatialT<R> a, R s) {
  return {a.ang * s, a.lin * s};
}
template <class R>
PLIANT_HD R dot(SpatialT<R> a, SpatialT<R> b) {
  return dot(a.ang, b.ang) + dot(a.lin, b.lin);
}
/// s a + b.
template <class R>
PLIANT_HD SpatialT<R> fused(R s, SpatialT<R> a, SpatialT<R> b) {
  return {fused(s, a.ang, b.ang), fused(s, a.lin, b.lin)};
}

/// Rate of change of motion m fixed in a frame that moves with v.
template <class R>
PLIANT_HD SpatialT<R> cross_motion(SpatialT<R> v, SpatialT<R> m) {
  return {cross(v.ang, m.ang), cross_plus(v.ang, m.lin, cross(v.lin, m.ang))};
}
/// Rate of change of force f fixed in a frame that moves with v.
template <class R>
PLIANT_HD SpatialT<R> cross_force(SpatialT<R> v, SpatialT<R> f) {
  return {cross_plus(v.ang, f.ang, cross(v.lin, f.lin)), cross(v.ang, f.lin)};
}

template <class R>
PLIANT_HD InertiaT<R> operator+(const InertiaT<R>& a, const InertiaT<R>& b) {
  InertiaT<R> c;
  for (int i = 0; i < 10; ++i) c.v[i] = a.v[i] + b.v[i];
  return c;
}

/// Momentum of motion m.
template <class R>
PLIANT_HD SpatialT<R> operator*(const InertiaT<R>& i, SpatialT<R> m) {
  const Vec3T<R> h{i.v[6], i.v[7], i.v[8]};
  const Vec3T<R> rotation{dot({i.v[0], i.v[3], i.v[4]}, m.ang), dot({i.v[3], i.v[1], i.v[5]}, m.ang),
                          dot({i.v[4], i.v[5], i.v[2]}, m.ang)};
  return {cross_plus(h, m.lin, rotation), cross_plus(m.ang, h, m.lin * i.v[9])};
}

/// Inertia of a body with principal moments `diagonal` along the columns of `axes`, its centre of mass at
/// `offset` from the reference point.
template <class R>
PLIANT_HD InertiaT<R> inertia_about(Vec3T<R> diagonal, const Mat3T<R>& axes, Vec3T<R> offset, R mass) {
  const auto& a = axes.m;
  R t[9];
  for (int r = 0; r < 3; ++r) {
    t[3 * r] = a[3 * r] * diagonal.x, t[3 * r + 1] = a[3 * r + 1] * diagonal.y,
          t[3 * r + 2] = a[3 * r + 2] * diagonal.z;
  }
  InertiaT<R> i;
  const auto entry = [&](int r, int c, R start) {
    return mul_add(t[3 * r + 2], a[3 * c + 2], mul_add(t[3 * r + 1], a[3 * c + 1], mul_add(t[3 * r], a[3 * c], start)));
  };
  // moved from the centre of mass: m (d² 1 - d d')
  const Vec3T<R> d = offset, h = d * mass;
  const R xx = h.x * d.x, yy = h.y * d.y, zz = h.z * d.z;
  i.v[0] = entry(0, 0, yy + zz);
  i.v[1] = entry(1, 1, xx + zz);
  i.v[2] = entry(2, 2, xx + yy);
  i.v[3] = entry(0, 1, -(h.x * d.y));
  i.v[4] = entry(0, 2, -(h.x * d.z));
  i.v[5] = entry(1, 2, -(h.y * d.z));
  i.v[6] = h.x, i.v[7] = h.y, i.v[8] = h.z;
  i.v[9] = mass;
  return i;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
