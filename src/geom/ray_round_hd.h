#pragma once
// What rays against round shapes share: sphere_hd.h, ellipsoid_hd.h, capsule_hd.h, cylinder_hd.h.
//
// A ray is p + x v, x >= 0, in the frame of the shape; v need not be a unit vector. Functions
// return the smallest x at which the ray crosses the surface, from outside or inside, or -1;
// `normal` is the outward normal there, of any length, and undefined without a hit.
//
// |p + x v|² = r² has the roots x = (-v·p ∓ s) / v·v with s² = v·v r² - |v × p|². This form of the
// discriminant does not cancel for rays from far away. A ray that only grazes (s² below 1e-15 of
// its largest value) misses, as in the reference, where the bound is absolute and so depends on
// units.

#include "math/vec3.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Where a line enters and leaves something round; `hit` is false if it passes by.
template <class R>
struct Roots {
  R enter = -1, leave = -1;
  bool hit = false;
  /// The first crossing that is not behind the start; -1 if there is none.
  PLIANT_HD R first() const { return !hit ? R(-1) : enter >= 0 ? enter : leave >= 0 ? leave : R(-1); }
};

/// From v·v, v·p, |v × p|² and r².
template <class R>
PLIANT_HD Roots<R> round_roots(R vv, R vp, R cross2, R r2) {
  Roots<R> roots;
  const R largest = vv * r2, s2 = largest - cross2;
  if (!(s2 > R(kTiny) * largest)) return roots;  // NaN misses too
  const R s = std::sqrt(s2);
  roots.enter = (-vp - s) / vv;
  roots.leave = (-vp + s) / vv;
  roots.hit = true;
  return roots;
}
template <class R>
PLIANT_HD Roots<R> sphere_roots(R r2, Vec3T<R> p, Vec3T<R> v) {
  const Vec3T<R> w = cross(v, p);
  return round_roots(dot(v, v), dot(v, p), dot(w, w), r2);
}
/// An endless cylinder along z.
template <class R>
PLIANT_HD Roots<R> tube_roots(R r2, Vec3T<R> p, Vec3T<R> v) {
  const R w = mul_add(v.x, p.y, -(v.y * p.x));
  return round_roots(mul_add(v.x, v.x, v.y * v.y), mul_add(v.x, p.x, v.y * p.y), w * w, r2);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
