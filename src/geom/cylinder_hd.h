#pragma once
// A cylinder along z. size: radius, half height.

#include "geom/ray_round_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct CylinderPrimitive {
  static constexpr int kSizes = 2;

  /// Flat ends first: they win where they meet the side.
  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    const R r2 = size.x * size.x, h = size.y;
    R best = -1;
    if (v.z != 0) {
      for (int side = -1; side <= 1; side += 2) {
        const R x = (side * h - p.z) / v.z;
        const R at_x = mul_add(x, v.x, p.x), at_y = mul_add(x, v.y, p.y);
        if (x >= 0 && mul_add(at_x, at_x, at_y * at_y) <= r2 && (best < 0 || x < best)) {
          best = x, normal = {R(0), R(0), R(side)};
        }
      }
    }
    const R x = tube_roots(r2, p, v).first();
    if (x >= 0 && std::abs(mul_add(x, v.z, p.z)) <= h && (best < 0 || x < best)) {
      best = x, normal = {mul_add(x, v.x, p.x), mul_add(x, v.y, p.y), R(0)};
    }
    return best;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R> size, Vec3T<R> p) {
    return std::abs(p.z) < size.y && p.x * p.x + p.y * p.y < size.x * size.x;
  }
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return {size.x, size.x, size.y};
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R> size) {
    return mul_add(size.x, size.x, size.y * size.y);
  }

  static double radius(Vec3 s) { return std::sqrt(s.x * s.x + s.y * s.y); }
  static double volume(Vec3 s, bool shell) {
    const double h = 2 * s.y, r = s.x;
    return shell ? 2 * kPi * r * r + 2 * kPi * r * h : kPi * r * r * h;
  }
  static Vec3 inertia(Vec3 s, double mass, bool shell) {
    const double r = s.x, h = 2 * s.y;
    if (!shell) {
      const double side = mass * (3 * r * r + h * h) / 12;
      return {side, side, mass * r * r / 2};
    }
    const double disk_area = kPi * r * r, wall_area = 2 * kPi * r * h;
    const double disk = mass * disk_area / (2 * disk_area + wall_area);
    const double wall = mass - 2 * disk;
    const double side = wall * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * s.y * s.y);
    return {side, side, wall * r * r + 2 * (disk * r * r / 2)};
  }
  static Vec3 like_inertia(Vec3 box, Vec3 given) { return {(box.x + box.y) / 2, box.z, given.z}; }
  static Vec3 around(Vec3 box, Vec3 given) { return {box.x < box.y ? box.y : box.x, box.z, given.z}; }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
