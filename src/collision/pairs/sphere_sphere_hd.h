#pragma once
// Sphere and sphere: one point on the line between the centres. Other pairs reduce to it.

#include "collision/contact_point_hd.h"

namespace pliant {

/// Spheres of radii ra, rb about a, b. Where the centres coincide every direction separates them equally well:
/// `fallback` says which to take.
template <class R>
PLIANT_HD int two_spheres(Vec3T<R> a, R ra, Vec3T<R> b, R rb, R margin, Vec3T<R> fallback, ContactPointT<R>& out) {
  const Vec3T<R> apart = b - a;
  const R square = dot(apart, apart), reach = margin + ra + rb;
  if (square > reach * reach) return 0;
  const R length = std::sqrt(square);
  out.dist = length - ra - rb;
  out.normal = length < R(kTiny) ? fallback : apart * (1 / length);
  out.pos = fused(ra + out.dist / 2, out.normal, a);
  out.tangent = {};
  return 1;
}

/// A direction across two axes; the x axis if they are parallel.
template <class R> PLIANT_HD Vec3T<R> across_axes(const Mat3T<R>& a, const Mat3T<R>& b) {
  return normalized(cross(a.column(2), b.column(2)));
}

template <class R>
PLIANT_HD_NOINLINE int sphere_sphere(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  return two_spheres(a.pos, a.size.x, b.pos, b.size.x, margin, across_axes(a.mat, b.mat), *out);
}

}  // namespace pliant
