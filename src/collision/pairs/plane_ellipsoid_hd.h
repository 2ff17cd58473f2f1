#pragma once
// Plane and ellipsoid: one point, where a plane of the same normal touches the ellipsoid from below.
// With u = -n in its axes and S = diag(size) that point is S² u / |S u|, at height -|S u| over the centre.

#include "collision/contact_point_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_NOINLINE int plane_ellipsoid(const ShapeT<R>& plane, const ShapeT<R>& ellipsoid, R margin,
                                       ContactPointT<R>* out) {
  const Vec3T<R> n = plane.mat.column(2), s = ellipsoid.size;
  const Vec3T<R> up = transposed_times(ellipsoid.mat, n);
  R reach;
  const Vec3T<R> unit = normalized(Vec3T<R>{-up.x * s.x, -up.y * s.y, -up.z * s.z}, reach);
  const R dist = dot(ellipsoid.pos - plane.pos, n) - reach;
  if (dist > margin) return 0;
  const Vec3T<R> lowest = times_plus(ellipsoid.mat, {unit.x * s.x, unit.y * s.y, unit.z * s.z}, ellipsoid.pos);
  *out = {dist, fused(-dist / 2, n, lowest), n, {}};
  return 1;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
