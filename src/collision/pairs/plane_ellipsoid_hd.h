#pragma once
// Plane and ellipsoid: one point, where a plane of the same normal touches the ellipsoid from below.
// With u = -n in its axes and S = diag(size) that point is S² u / |S u|.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_NOINLINE int plane_ellipsoid(const ShapeT<R>& plane, const ShapeT<R>& ellipsoid, R margin,
                                       ContactPointT<R>* out) {
  const Vec3T<R> n = plane.mat.column(2), s = ellipsoid.size;
  const Vec3T<R> down = unfused_transposed_times(ellipsoid.mat, -n);
  const Vec3T<R> stretched = {down.x * s.x, down.y * s.y, down.z * s.z};
  const R length = unfused_norm(stretched);
  const Vec3T<R> unit = length > 0 ? stretched * (1 / length) : Vec3T<R>{};
  const Vec3T<R> lowest = unfused_times_plus(ellipsoid.mat, {unit.x * s.x, unit.y * s.y, unit.z * s.z}, ellipsoid.pos);
  const R dist = unfused_dot(n, lowest - plane.pos);
  if (dist > margin) return 0;
  *out = {dist, unfused_sum(-dist / 2, n, lowest), n, {}};
  return 1;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
