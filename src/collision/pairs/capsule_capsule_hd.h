#pragma once
// Capsule and capsule: one point where their axes are nearest, two if they are parallel.
//
// Points of the axes are c1 + x1 a1 and c2 + x2 a2, x in [-1, 1], a the half axes. The nearest ones solve
//   [A B; B C] (x1, x2) = (u, v)   A = a1·a1, B = -a1·a2, C = a2·a2, u = -a1·(c1 - c2), v = a2·(c1 - c2)
// and are brought back into the segments. Axes count as parallel, as in the reference, if the determinant is below
// 1e-15 m⁴, but only if their angle is small too (crossed capsules of 0.1 mm are not parallel), and whatever their size
// if rounding would decide where the single point is.

#include "collision/pairs/sphere_sphere_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// a / b within [-1, 1]; 0 if the segment has no length.
template <class R>
PLIANT_HD R place_on_segment(R a, R b) {
  return b > 0 ? clamped(a / b, R(-1), R(1)) : R(0);
}

/// Whether the determinant is that of parallel axes; `product` is A C, so that det = product · sin² of the angle.
template <class R>
PLIANT_HD bool axes_parallel(R det, R product) {
  constexpr R kRounding = sizeof(R) == 8 ? R(1e-13) : R(1e-5), kSmallAngle = R(1e-6);  // sin²
  return det <= kRounding * product || (det < R(kTiny) && det < kSmallAngle * product);
}

template <class R>
PLIANT_HD_NOINLINE int capsule_capsule(const ShapeT<R>& first, const ShapeT<R>& second, R margin,
                                       ContactPointT<R>* out) {
  const Vec3T<R> a1 = first.mat.column(2) * first.size.y, a2 = second.mat.column(2) * second.size.y;
  const Vec3T<R> apart = first.pos - second.pos;
  const R a = unfused_dot(a1, a1), b = -unfused_dot(a1, a2), c = unfused_dot(a2, a2);
  const R u = -unfused_dot(a1, apart), v = unfused_dot(a2, apart), det = a * c - b * b;

  auto touch = [&](R x1, R x2, ContactPointT<R>& to) {
    // axes that meet: away across both
    auto sideways = [&] { return across_axes(first.mat, second.mat, first.mat.column(0)); };
    return two_spheres(unfused_sum(x1, a1, first.pos), first.size.x, unfused_sum(x2, a2, second.pos), second.size.x,
                       margin, sideways, to);
  };

  if (!axes_parallel(det, a * c)) {
    R x1 = (c * u - b * v) / det, x2 = (a * v - b * u) / det;
    if (x1 > 1) {
      x1 = 1, x2 = (v - b) / c;
    } else if (x1 < -1) {
      x1 = -1, x2 = (v + b) / c;
    }
    if (x2 > 1) {
      x2 = 1, x1 = place_on_segment(u - b, a);
    } else if (x2 < -1) {
      x2 = -1, x1 = place_on_segment(u + b, a);
    }
    return touch(x1, x2, *out);
  }

  // parallel: ends of the first, then of the second, until there are two points
  int count = touch(R(1), place_on_segment(v - b, c), out[0]);
  count += touch(R(-1), place_on_segment(v + b, c), out[count]);
  if (count < 2) count += touch(place_on_segment(u - b, a), R(1), out[count]);
  if (count < 2) count += touch(place_on_segment(u + b, a), R(-1), out[count]);
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
