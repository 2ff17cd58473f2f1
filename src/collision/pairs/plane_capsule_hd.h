#pragma once
// Plane and capsule: the spheres at its two ends, the +z end first. The axis is a good first tangent: the capsule rolls
// across it.

#include "collision/pairs/plane_sphere_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_FREE int plane_capsule(const ShapeT<R>& plane, const ShapeT<R>& capsule, R margin, ContactPointT<R>* out) {
  const Vec3T<R> n = plane.mat.column(2), axis = capsule.mat.column(2);
  const R r = capsule.size.x, h = capsule.size.y;
  int count = plane_and_sphere(plane.pos, n, unfused_sum(h, axis, capsule.pos), r, margin, out[0]);
  count += plane_and_sphere(plane.pos, n, unfused_sum(-h, axis, capsule.pos), r, margin, out[count]);
  for (int i = 0; i < count; ++i) out[i].tangent = axis;
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
