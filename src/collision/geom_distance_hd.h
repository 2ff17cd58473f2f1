#pragma once
// Signed distance of two shapes of any types, with the two nearest points.
//
// Convex pairs without a formula, and box-box, by collision/distance_hd.h; all others from the
// deepest point of the pair's own function, for height fields from all of its prisms. Cost: that of
// one pair.

#include "collision/collide_pair_hd.h"
#include "collision/distance_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Most points of a pair with a formula.
inline constexpr int kMaxFormulaPoints = 8;

/// Whether such a pair has points only through iterations, not by a formula.
PLIANT_HD constexpr bool is_iterative_pair(GeomType a, GeomType b) {
  if (a == GeomType::kPlane || a == GeomType::kHfield) return false;
  if (a == GeomType::kBox && b == GeomType::kBox) return true;
  if (b == GeomType::kEllipsoid || b == GeomType::kMesh) return true;
  return b == GeomType::kCylinder ? a != GeomType::kSphere : a == GeomType::kEllipsoid || a == GeomType::kCylinder;
}

/// Of shapes in the order of their types. At most `limit`, and then `points` are zero; negative
/// where the shapes overlap. points: on a, on b.
template <class R>
PLIANT_HD_NOINLINE R ordered_distance(const ShapeT<R>& a, const ShapeT<R>& b, R limit, Vec3T<R> points[2]) {
  points[0] = points[1] = {};
  if (max_pair_points(a.type, b.type) == 0) return limit;
  if (is_iterative_pair(a.type, b.type)) {
    const R distance = geom_distance(a, b, limit, points);
    if (distance < limit) return distance;
    points[0] = points[1] = {};  // an overlap that is not deeper than a limit below zero
    return limit;
  }
  R distance = limit;
  const auto keep_nearest = [&](const ContactPointT<R>& point, R& margin) {
    if (!(point.dist < distance)) return true;
    distance = point.dist;
    points[0] = fused(R(-0.5) * distance, point.normal, point.pos);
    points[1] = fused(R(0.5) * distance, point.normal, point.pos);
    margin = distance > 0 ? distance : R(0);  // what is farther away need not be found any more
    return true;
  };
  if (a.type == GeomType::kHfield) {
    // all of its prisms, not only the first that touch
    hfield_points(a, b, limit > 0 ? limit : R(0), keep_nearest);
    return distance;
  }
  ContactPointT<R> found[kMaxFormulaPoints];
  const int n = collide_pair(a, b, limit, found);
  for (int k = 0; k < n; ++k) keep_nearest(found[k], limit);
  return distance;
}

/// In any order.
template <class R>
PLIANT_HD R shape_distance(const ShapeT<R>& a, const ShapeT<R>& b, R limit, Vec3T<R> points[2]) {
  if (static_cast<int>(a.type) <= static_cast<int>(b.type)) return ordered_distance(a, b, limit, points);
  Vec3T<R> swapped[2];
  const R distance = ordered_distance(b, a, limit, swapped);
  points[0] = swapped[1], points[1] = swapped[0];
  return distance;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
