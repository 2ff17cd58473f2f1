#pragma once
// Sphere and sphere: one point on the line between the centres. Other pairs reduce to it.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Spheres of radii ra, rb about a, b. Where the centres coincide, `fallback` (called then only) gives the normal.
template <class R, class F>
PLIANT_HD int two_spheres(Vec3T<R> a, R ra, Vec3T<R> b, R rb, R margin, F fallback, ContactPointT<R>& out) {
  const Vec3T<R> apart = b - a;
  const R square = unfused_dot(apart, apart), reach = margin + ra + rb;
  if (square > reach * reach) return 0;
  const R length = std::sqrt(square), dist = length - ra - rb;
  const Vec3T<R> normal = length < R(kTiny) ? fallback() : apart * (1 / length);
  out = {dist, unfused_sum(ra + dist / 2, normal, a), normal, {}};
  return 1;
}

/// A unit vector across the z axes of two frames; where they are parallel, `parallel`.
template <class R>
PLIANT_HD Vec3T<R> across_axes(const Mat3T<R>& a, const Mat3T<R>& b, Vec3T<R> parallel) {
  R length;
  const Vec3T<R> across = normalized(cross(a.column(2), b.column(2)), length);
  return length < R(kTiny) ? parallel : across;
}

template <class R>
PLIANT_HD_FREE int sphere_sphere(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  // concentric: every direction separates them
  auto any = [&] { return across_axes(a.mat, b.mat, Vec3T<R>{1, 0, 0}); };
  return two_spheres(a.pos, a.size.x, b.pos, b.size.x, margin, any, *out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
