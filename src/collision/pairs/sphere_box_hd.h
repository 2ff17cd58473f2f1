#pragma once
// Sphere and box: one point. From outside on the line to the box's nearest point, from inside through the nearest face.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A sphere of radius r about q against the box of half sizes s about the origin, everything in the box's axes.
template <class R>
PLIANT_HD int sphere_and_box(Vec3T<R> q, R r, Vec3T<R> s, R margin, ContactPointT<R>& out) {
  const Vec3T<R> nearest = {clamped(q.x, -s.x, s.x), clamped(q.y, -s.y, s.y), clamped(q.z, -s.z, s.z)};
  const Vec3T<R> to = nearest - q;
  const R length = unfused_norm(to);
  if (length - r > margin) return 0;
  if (length > R(kTiny)) {
    const Vec3T<R> normal = to * (1 / length);
    out = {length - r, (nearest + unfused_sum(r, normal, q)) * R(0.5), normal, {}};
    return 1;
  }

  // inside: the nearest face, of equal ones the first of -x +x -y +y -z +z
  int axis = 0;
  R depth = 2 * (s.x + s.y + s.z), side = 1;
  for (int i = 0; i < 3; ++i) {
    const R low = std::abs(s[i] + q[i]), high = std::abs(s[i] - q[i]);
    if (low < depth) depth = low, axis = i, side = 1;
    if (high < depth) depth = high, axis = i, side = -1;
  }
  Vec3T<R> normal{};
  normal[axis] = side;
  out = {-depth - r, unfused_sum((r - depth) / 2, normal, q), normal, {}};
  return 1;
}

/// A point found in the axes of a frame, brought to the world.
template <class R>
PLIANT_HD void to_world(const Mat3T<R>& mat, Vec3T<R> pos, ContactPointT<R>& point) {
  point.pos = unfused_times_plus(mat, point.pos, pos);
  point.normal = mat * point.normal;
}

/// A sphere of radius r about `centre` (world) against a box.
template <class R>
PLIANT_HD int sphere_and_turned_box(Vec3T<R> centre, R r, const ShapeT<R>& box, R margin, ContactPointT<R>& out) {
  const Vec3T<R> local = unfused_transposed_times(box.mat, centre - box.pos);
  const int count = sphere_and_box(local, r, box.size, margin, out);
  if (count > 0) to_world(box.mat, box.pos, out);
  return count;
}

template <class R>
PLIANT_HD_NOINLINE int sphere_box(const ShapeT<R>& sphere, const ShapeT<R>& box, R margin, ContactPointT<R>* out) {
  return sphere_and_turned_box(sphere.pos, sphere.size.x, box, margin, *out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
