#pragma once
// Sphere and capsule: the sphere against that of the capsule whose centre is nearest.

#include "collision/pairs/sphere_sphere_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_FREE int sphere_capsule(const ShapeT<R>& sphere, const ShapeT<R>& capsule, R margin, ContactPointT<R>* out) {
  const Vec3T<R> axis = capsule.mat.column(2);
  const R h = capsule.size.y, along = clamped(unfused_dot(axis, sphere.pos - capsule.pos), -h, h);
  // centre on the axis: out through the side
  auto sideways = [&] { return across_axes(sphere.mat, capsule.mat, capsule.mat.column(0)); };
  return two_spheres(sphere.pos, sphere.size.x, unfused_sum(along, axis, capsule.pos), capsule.size.x, margin, sideways,
                     *out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
