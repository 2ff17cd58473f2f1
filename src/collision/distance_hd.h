#pragma once
// Signed distance of two convex shapes (sphere, capsule, ellipsoid, cylinder, box, mesh) and the
// two nearest points. Method and cost: convex_hd.h.

#include "collision/convex_hd.h"

namespace pliant {

/// Distance, negative if they overlap; distmax if it is larger, and then fromto is zero. fromto:
/// points on a and on b. Overlaps are reported even if distmax is below zero.
template <class R>
PLIANT_HD_NOINLINE R geom_distance(const ShapeT<R>& a, const ShapeT<R>& b, R distmax, Vec3T<R> fromto[2]) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, distmax > 0 ? distmax : R(0));
  fromto[0] = fromto[1] = {};
  if (!t.found) return distmax;
  fromto[0] = times_plus(a.mat, t.point_a, a.pos);
  fromto[1] = times_plus(a.mat, fused(t.dist, t.normal, t.point_a), a.pos);
  return t.dist;
}

}  // namespace pliant
