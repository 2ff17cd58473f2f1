#pragma once
// Signed distance of two convex shapes (sphere, capsule, ellipsoid, cylinder, box, mesh) and the two nearest points.
// (Signatures first; the bodies are under way.)

#include "collision/convex_hd.h"

namespace pliant {

/// Distance, negative if they overlap; at most distmax, and then fromto is zero. fromto: points on a and on b.
template <class R>
PLIANT_HD_NOINLINE R geom_distance(const ShapeT<R>&, const ShapeT<R>&, R distmax, Vec3T<R> fromto[2]) {
  fromto[0] = fromto[1] = {};
  return distmax;
}

}  // namespace pliant
