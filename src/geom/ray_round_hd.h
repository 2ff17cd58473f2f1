#pragma once
// Rays against round shapes: sphere, ellipsoid, capsule, cylinder.
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

template <class R>
PLIANT_HD R ray_sphere(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  const R x = sphere_roots(size.x * size.x, p, v).first();
  normal = fused(x, v, p);
  return x;
}

/// In units of its half sizes an ellipsoid is a sphere.
template <class R>
PLIANT_HD R ray_ellipsoid(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  const Vec3T<R> s{1 / size.x, 1 / size.y, 1 / size.z};
  const Vec3T<R> ps{s.x * p.x, s.y * p.y, s.z * p.z}, vs{s.x * v.x, s.y * v.y, s.z * v.z};
  const R x = sphere_roots(R(1), ps, vs).first();
  const Vec3T<R> point = fused(x, vs, ps);
  normal = {s.x * point.x, s.y * point.y, s.z * point.z};  // gradient of |p / size|²
  return x;
}

/// size: radius, half length of the axis. The side counts between the caps, each cap beyond its end
/// of the axis.
template <class R>
PLIANT_HD R ray_capsule(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  const R r2 = size.x * size.x, h = size.y;
  R best = tube_roots(r2, p, v).first();
  if (best >= 0 && std::abs(mul_add(best, v.z, p.z)) <= h) {
    normal = {mul_add(best, v.x, p.x), mul_add(best, v.y, p.y), R(0)};
  } else {
    best = -1;
  }
  for (int side = 1; side >= -1; side -= 2) {
    const Vec3T<R> from_cap{p.x, p.y, p.z - side * h};
    const Roots<R> roots = sphere_roots(r2, from_cap, v);
    if (!roots.hit) continue;
    for (int k = 0; k < 2; ++k) {
      const R x = k == 0 ? roots.enter : roots.leave;
      const Vec3T<R> point = fused(x, v, from_cap);
      if (x >= 0 && side * mul_add(x, v.z, p.z) >= h && (best < 0 || x < best)) best = x, normal = point;
    }
  }
  return best;
}

/// size: radius, half height. Flat ends first: they win where they meet the side.
template <class R>
PLIANT_HD R ray_cylinder(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  const R r2 = size.x * size.x, h = size.y;
  R best = -1;
  if (v.z != 0) {
    for (int side = -1; side <= 1; side += 2) {
      const R x = (side * h - p.z) / v.z;
      const R at_x = mul_add(x, v.x, p.x), at_y = mul_add(x, v.y, p.y);
      if (x >= 0 && mul_add(at_x, at_x, at_y * at_y) <= r2 && (best < 0 || x < best)) {
        best = x, normal = {R(0), R(0), R(side)};
      }
    }
  }
  const R x = tube_roots(r2, p, v).first();
  if (x >= 0 && std::abs(mul_add(x, v.z, p.z)) <= h && (best < 0 || x < best)) {
    best = x, normal = {mul_add(x, v.x, p.x), mul_add(x, v.y, p.y), R(0)};
  }
  return best;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
