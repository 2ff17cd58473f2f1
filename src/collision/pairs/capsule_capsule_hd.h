#pragma once
// Capsule and capsule: one point where their axes are nearest, two if they are parallel.
//
// Points of the axes are c1 + x1 a1 and c2 + x2 a2, x in [-1, 1], a the half axes. The nearest ones solve
//   [A B; B C] (x1, x2) = (u, v)   A = a1·a1, B = -a1·a2, C = a2·a2, u = -a1·(c1 - c2), v = a2·(c1 - c2)
// and are brought back into the segments. The axes count as parallel if sin² of their angle is below 1e-8: nearer to
// parallel, rounding would decide where the single point is, and rods that rest on each other would tip over it. (The
// reference compares the determinant in m⁴ with 1e-15: crossed capsules of 0.1 mm count as parallel there.)

#include "collision/pairs/sphere_sphere_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// a / b within [-1, 1]; 0 if the segment has no length.
template <class R> PLIANT_HD R place_on_segment(R a, R b) { return b > 0 ? clamped(a / b, R(-1), R(1)) : R(0); }

template <class R>
PLIANT_HD_NOINLINE int capsule_capsule(const ShapeT<R>& first, const ShapeT<R>& second, R margin,
                                       ContactPointT<R>* out) {
  // in single precision angles are known less well
  constexpr R kParallel = sizeof(R) == 8 ? R(1e-8) : R(1e-4);
  const Vec3T<R> a1 = first.mat.column(2) * first.size.y, a2 = second.mat.column(2) * second.size.y;
  const Vec3T<R> apart = first.pos - second.pos, across = cross(a1, a2);
  const R a = dot(a1, a1), b = -dot(a1, a2), c = dot(a2, a2);
  const R u = -dot(a1, apart), v = dot(a2, apart), det = dot(across, across);

  auto touch = [&](R x1, R x2, ContactPointT<R>& to) {
    // axes that meet: away across both
    auto sideways = [&] { return across_axes(first.mat, second.mat, first.mat.column(0)); };
    return two_spheres(fused(x1, a1, first.pos), first.size.x, fused(x2, a2, second.pos), second.size.x, margin,
                       sideways, to);
  };

  if (det > kParallel * a * c) {
    R x1 = mul_add(c, u, -(b * v)) / det, x2 = mul_add(a, v, -(b * u)) / det;
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
