#pragma once
// A capsule along z. size: radius, half length of its axis.

#include "geom/ray_round_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct CapsulePrimitive {
  static constexpr int kSizes = 2;

  /// The side counts between the caps, each cap beyond its end of the axis.
  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    const R r2 = size.x * size.x, h = size.y;
    R best = tube_roots(r2, p, v).first();
    if (best >= 0 && std::abs(mul_add(best, v.z, p.z)) <= h) {
      normal = {mul_add(best, v.x, p.x), mul_add(best, v.y, p.y), R(0)};
    } else {
      best = -1;
    }
    for (int side = 1; side >= -1; side -= 2) {
      const Vec3T<R> from_cap{p.x, p.y, p.z - side * h};
      const Roots<R> roots = sphere_roots(r2, from_cap, v);
      if (!roots.hit) continue;
      for (int k = 0; k < 2; ++k) {
        const R x = k == 0 ? roots.enter : roots.leave;
        const Vec3T<R> point = fused(x, v, from_cap);
        if (x >= 0 && side * mul_add(x, v.z, p.z) >= h && (best < 0 || x < best)) best = x, normal = point;
      }
    }
    return best;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R> size, Vec3T<R> p) {
    const R beyond = std::abs(p.z) - size.y;  // above the cylindrical part
    const R z = beyond > 0 ? beyond : R(0);
    return p.x * p.x + p.y * p.y + z * z < size.x * size.x;
  }
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return {size.x, size.x, size.y + size.x};
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R> size) {
    return (size.x + size.y) * (size.x + size.y);
  }

  static double radius(Vec3 size) { return size.x + size.y; }
  static double volume(Vec3 s, bool shell) {
    const double h = 2 * s.y, r = s.x;
    return shell ? 4 * kPi * r * r + 2 * kPi * r * h : kPi * (r * r * h + 4 * r * r * r / 3);
  }
  static Vec3 inertia(Vec3 s, double mass, bool shell) {
    const double r = s.x, h = 2 * s.y;
    if (!shell) {
      const double sphere = mass * 4 * r / (4 * r + 3 * h);  // share of the two half spheres
      const double cylinder = mass - sphere, own = 2 * sphere * r * r / 5;
      double across = cylinder * (3 * r * r + h * h) / 12, along = cylinder * r * r / 2;
      across += own + sphere * h * (3 * r + 2 * h) / 8;
      along += own;
      return {across, across, along};
    }
    const double sphere_area = 4 * kPi * r * r, cylinder_area = 2 * kPi * r * h;
    const double sphere = mass * sphere_area / (sphere_area + cylinder_area);
    const double cylinder = mass - sphere, own = 2 * sphere * r * r / 3;
    const double com = r / 2, pos = s.y + com;  // of a half sphere
    double across = cylinder * (6 * r * r + h * h) / 12, along = cylinder * r * r;
    across += own + sphere * (pos * pos - com * com);
    along += own;
    return {across, across, along};
  }
  static Vec3 like_inertia(Vec3 box, Vec3 given) {
    const double r = (box.x + box.y) / 2, half = box.z - r / 2;
    return {r, half > 0 ? half : 0, given.z};
  }
  static Vec3 around(Vec3 box, Vec3 given) {
    const double r = box.x < box.y ? box.y : box.x;
    return {r, box.z - r, given.z};
  }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
