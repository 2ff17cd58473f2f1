#pragma once
// The normal of a contact found by portals (portal_hd.h), made smooth where one of the shapes is round.
//
// A portal is a flat piece of a round surface. The normal of the surface itself at the point of contact replaces that
// of the portal; if both shapes are round, the mean of both does. Rules as in MuJoCo. Cost: about 0.1 us.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// From a point p inside an ellipsoid: the ray along the normal meets the surface; the normal there is the next one.
template <class R>
PLIANT_HD bool ellipsoid_normal_from_inside(Vec3T<R> size, Vec3T<R> p, Vec3T<R>& n) {
  const Vec3T<R> k{1 / (size.x * size.x), 1 / (size.y * size.y), 1 / (size.z * size.z)};
  const auto product = [&](Vec3T<R> a, Vec3T<R> b) { return a.x * b.x * k.x + a.y * b.y * k.y + a.z * b.z * k.z; };
  const R c = product(p, p) - 1;
  if (c > 0) return false;
  n = unfused_normalized(n);
  for (int round = 0; round < 30; ++round) {
    // |p + x n| = 1 in the norm of the ellipsoid
    const R a = product(n, n), b = product(p, n), root2 = b * b - a * c;
    if (root2 < R(kTiny) || a < R(kTiny)) return round > 0;
    const R x = (-b + std::sqrt(root2)) / a;
    if (x < 0) return round > 0;
    const Vec3T<R> at = unfused_sum(x, n, p);
    const Vec3T<R> next = unfused_normalized(Vec3T<R>{at.x * k.x, at.y * k.y, at.z * k.z});
    const R change = unfused_norm(n - next);
    n = next;
    if (change < R(1e-6)) break;
  }
  return true;
}

/// From a point p outside: Newton's method for the multiplier l of the nearest point s² p / (s² + l).
template <class R>
PLIANT_HD Vec3T<R> ellipsoid_normal_from_outside(Vec3T<R> size, Vec3T<R> p) {
  constexpr R kClose = R(1e-6);
  R l = 0;
  for (int round = 0; round < 30; ++round) {
    R value = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const R s2 = size[i] * size[i], k = 1 / (s2 + l), part = p[i] * p[i] * s2 * k * k;
      value += part, slope -= 2 * part * k;
    }
    if (value < kClose || slope > -R(kTiny)) break;
    const R step = -value / slope;
    if (step < kClose) break;
    l += step;
  }
  for (int i = 0; i < 3; ++i) p[i] = p[i] / (size[i] * size[i] + l);
  return unfused_normalized(p);
}

/// The outward normal of a round surface at a point near it; false where the shape is not round.
template <class R>
PLIANT_HD_NOINLINE bool round_normal(const ShapeT<R>& shape, Vec3T<R> at, Vec3T<R>& normal) {
  const Vec3T<R> size = shape.size, p = unfused_transposed_times(shape.mat, at - shape.pos);
  Vec3T<R> n = unfused_transposed_times(shape.mat, normal);
  switch (shape.type) {
    case GeomType::kSphere:
      n = p;
      break;
    case GeomType::kCapsule:
      n = {p.x, p.y, p.z < -size.y ? p.z + size.y : p.z > size.y ? p.z - size.y : R(0)};
      break;
    case GeomType::kEllipsoid: {
      if (size.x < R(kTiny) || size.y < R(kTiny) || size.z < R(kTiny)) return false;
      const R r2 = p.x * p.x / (size.x * size.x) + p.y * p.y / (size.y * size.y) + p.z * p.z / (size.z * size.z);
      if (r2 > 1) {
        n = ellipsoid_normal_from_outside(size, p);
      } else if (!ellipsoid_normal_from_inside(size, p, n)) {
        return false;
      }
      break;
    }
    case GeomType::kCylinder: {
      // near the caps, or not much nearer to the side than to them: not round
      const R to_cap = std::fabs(size.y - std::fabs(p.z));
      const R to_side = std::fabs(size.x - std::sqrt(p.x * p.x + p.y * p.y));
      if (std::fabs(p.z) > R(0.95) * size.y || to_cap < R(0.25) * to_side) return false;
      n = {p.x, p.y, 0};
      break;
    }
    default:
      return false;
  }
  normal = unfused_times_plus(shape.mat, unfused_normalized(n), Vec3T<R>{});
  return true;
}

/// Replaces the normal of a contact.
template <class R>
PLIANT_HD void set_round_normal(const ShapeT<R>& a, const ShapeT<R>& b, ContactPointT<R>& point) {
  Vec3T<R> from_a = point.normal, from_b = -point.normal;
  const bool round_a = round_normal(a, point.pos, from_a), round_b = round_normal(b, point.pos, from_b);
  if (round_a && round_b) {
    point.normal = unfused_normalized(from_a - from_b);
  } else if (round_a || round_b) {
    point.normal = round_a ? from_a : -from_b;
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
