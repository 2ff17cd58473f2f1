#pragma once
// Capsule and capsule: one point where their axes are nearest, two if they are parallel.
//
// Points of the axes are p + s d and q + t e, s and t in [0, 1]. Axes that cross at more than 1e-4 rad have one nearest
// pair; s comes from cross products, which keep their digits where the axes are nearly parallel, and t from s. Others
// touch along a line: the points next to both ends of the first axis are taken, each brought back into the segments.
// Method and rounding: the reference's (MuJoCo 3.16 and later). Cost: 40 ns.

#include "collision/pairs/sphere_sphere_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Axes at a smaller angle are parallel (square of its sine).
template <class R>
inline constexpr R kParallelAxes = R(1e-8);

/// Where the axes of two capsules are nearest, as fractions of their lengths.
template <class R>
struct NearestOnAxes {
  R first[2], second[2];
  int count = 1;
};

/// Axes from p along d and from q along e; `apart` is p - q.
template <class R>
PLIANT_HD NearestOnAxes<R> nearest_on_axes(Vec3T<R> d, Vec3T<R> e, Vec3T<R> apart) {
  const auto fraction = [](R x) { return clamped(x, R(0), R(1)); };
  const R dd = unfused_dot(d, d), ee = unfused_dot(e, e), along_e = unfused_dot(e, apart);
  const bool d_is_point = dd <= R(kTiny), e_is_point = ee <= R(kTiny);
  NearestOnAxes<R> n;
  n.first[0] = n.second[0] = 0;
  if (d_is_point && e_is_point) return n;
  if (d_is_point) {
    n.second[0] = fraction(along_e / ee);
    return n;
  }
  const R along_d = unfused_dot(d, apart), at_begin = -along_d / dd;  // nearest to the begin of the second axis
  if (e_is_point) {
    n.first[0] = fraction(at_begin);
    return n;
  }
  const R de = unfused_dot(d, e), at_end = (de - along_d) / dd;
  // beyond an end of the second axis: its end, and what is nearest to that
  const auto keep = [&](int i, R s, R t) {
    const bool below = t < 0, above = t > 1;
    n.first[i] = below ? fraction(at_begin) : above ? fraction(at_end) : s;
    n.second[i] = below ? R(0) : above ? R(1) : t;
  };
  const Vec3T<R> across = unfused_cross(d, e);
  const R sine2 = unfused_dot(across, across);
  if (sine2 > kParallelAxes<R> * dd * ee) {
    const R s = fraction(unfused_dot(across, unfused_cross(e, apart)) / sine2);
    keep(0, s, (de * s + along_e) / ee);
    return n;
  }
  keep(0, R(0), along_e / ee);
  keep(1, R(1), (along_e + de) / ee);
  n.count = 2;
  return n;
}

template <class R>
PLIANT_HD_FREE int capsule_capsule(const ShapeT<R>& first, const ShapeT<R>& second, R margin, ContactPointT<R>* out) {
  const Vec3T<R> half1 = first.mat.column(2) * first.size.y, half2 = second.mat.column(2) * second.size.y;
  const Vec3T<R> p = first.pos - half1, q = second.pos - half2;
  const Vec3T<R> d = (first.pos + half1) - p, e = (second.pos + half2) - q;
  const NearestOnAxes<R> nearest = nearest_on_axes(d, e, p - q);
  // axes that meet: away across both
  const auto sideways = [&] { return across_axes(first.mat, second.mat, first.mat.column(0)); };
  int count = 0;
  for (int i = 0; i < nearest.count; ++i) {
    count += two_spheres(unfused_sum(nearest.first[i], d, p), first.size.x, unfused_sum(nearest.second[i], e, q),
                         second.size.x, margin, sideways, out[count]);
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
