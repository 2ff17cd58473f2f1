#pragma once
// Plane and cylinder: the deepest point of the near rim, the point of the far rim on the same side, and two more points
// of the near rim that make a triangle with the first. An upright cylinder stands on that triangle, a lying one on the
// first two points. Method: the reference's (points, order and conditions are the same).

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_NOINLINE int plane_cylinder(const ShapeT<R>& plane, const ShapeT<R>& cylinder, R margin,
                                      ContactPointT<R>* out) {
  const Vec3T<R> n = plane.mat.column(2), c = cylinder.pos;
  const R r = cylinder.size.x, h = cylinder.size.y;
  const R height = unfused_dot(c - plane.pos, n);

  // the axis, pointing into the plane
  Vec3T<R> axis = cylinder.mat.column(2);
  R along = unfused_dot(n, axis);
  if (along > 0) axis = -axis, along = -along;

  // down: from the axis to the lowest point of a rim. It is the part of -n across the axis, of length r; if there is
  // none, the cylinder stands upright and its x axis does
  Vec3T<R> down = unfused_sum(along, axis, -n);
  R length = unfused_norm(down);
  // axes are units up to rounding only; what that leaves along the axis would decide where a nearly upright one ends
  if (length < R(1e-6)) {
    down = unfused_sum(-unfused_dot(down, axis), axis, down);
    length = unfused_norm(down);
  }
  down = length < R(kTiny) ? cylinder.mat.column(0) * r : down * (r / length);

  // heights of the near cap's centre and of `down` over the centre
  const Vec3T<R> cap = axis * h;
  const R cap_height = along * h, down_height = unfused_dot(down, n);
  const R lowest = height + cap_height + down_height;
  if (lowest > margin) return 0;

  int count = 0;
  auto add = [&](Vec3T<R> point, R dist) { out[count++] = {dist, unfused_sum(-dist / 2, n, point), n, {}}; };
  add(c + down + cap, lowest);
  const R far = height - cap_height + down_height;
  if (far <= margin) add(c + down - cap, far);

  // the other corners of an equilateral triangle in the near rim: half of `down` up, r √3/2 to the sides
  const R side_height = height + cap_height - down_height / 2;
  if (side_height <= margin) {
    const Vec3T<R> middle = unfused_sum(R(-0.5), down, c + cap);
    const Vec3T<R> side = normalized(cross(down, cap)) * (r * R(0.8660254037844386));
    add(middle + side, side_height);
    add(middle - side, side_height);
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
