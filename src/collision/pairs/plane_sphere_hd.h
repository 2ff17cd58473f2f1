#pragma once
// Plane and sphere: one point on the line from the centre along the plane's normal. Planes are infinite, whatever
// size they are drawn with, and everything below the surface counts as inside.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A sphere of radius r about c over the plane through p with unit normal n.
template <class R>
PLIANT_HD int plane_and_sphere(Vec3T<R> p, Vec3T<R> n, Vec3T<R> c, R r, R margin, ContactPointT<R>& out) {
  const R height = unfused_dot(c - p, n);
  if (height > margin + r) return 0;
  const R dist = height - r;
  out = {dist, unfused_sum(-dist / 2 - r, n, c), n, {}};
  return 1;
}

template <class R>
PLIANT_HD_FREE int plane_sphere(const ShapeT<R>& plane, const ShapeT<R>& sphere, R margin, ContactPointT<R>* out) {
  return plane_and_sphere(plane.pos, plane.mat.column(2), sphere.pos, sphere.size.x, margin, *out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
