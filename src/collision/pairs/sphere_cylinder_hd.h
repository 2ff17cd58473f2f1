#pragma once
// Sphere and cylinder: one point, on the cylinder's side, on a cap, or on a rim; from inside whichever of side and cap
// is nearer, the side if they are equally near.

#include "collision/pairs/plane_sphere_hd.h"
#include "collision/pairs/sphere_sphere_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_NOINLINE int sphere_cylinder(const ShapeT<R>& sphere, const ShapeT<R>& cylinder, R margin,
                                       ContactPointT<R>* out) {
  const Vec3T<R> c = sphere.pos, axis = cylinder.mat.column(2);
  const R rs = sphere.size.x, r = cylinder.size.x, h = cylinder.size.y;

  // the centre, along the axis and across it
  const Vec3T<R> from = c - cylinder.pos;
  const R along = unfused_dot(axis, from);
  const Vec3T<R> across = unfused_sum(-along, axis, from);
  const R square = unfused_dot(across, across);

  bool beside = std::abs(along) < h, above = square < r * r;
  if (beside && above) {
    above = h - std::abs(along) < r - std::sqrt(square);
    beside = !above;
  }

  // side: a sphere of the cylinder's radius on the axis
  if (beside) {
    auto sideways = [&] { return across_axes(sphere.mat, cylinder.mat, cylinder.mat.column(0)); };
    return two_spheres(c, rs, unfused_sum(along, axis, cylinder.pos), r, margin, sideways, *out);
  }

  // cap: a plane through its centre
  const Vec3T<R> out_of_cap = along > 0 ? axis : -axis;
  if (above) {
    const int count = plane_and_sphere(unfused_sum(h, out_of_cap, cylinder.pos), out_of_cap, c, rs, margin, *out);
    if (count > 0) out->normal = -out->normal;
    return count;
  }

  // rim: its nearest point. A centre on the rim goes out half sideways, half along the axis
  const R length = std::sqrt(square);
  const Vec3T<R> outward = length > 0 ? across * (r / length) : Vec3T<R>{};
  auto into = [&] { return unfused_normalized(-out_of_cap - (length > 0 ? across * (1 / length) : Vec3T<R>{})); };
  const Vec3T<R> rim = outward + out_of_cap * h + cylinder.pos;
  return two_spheres(c, rs, rim, R(0), margin, into, *out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
