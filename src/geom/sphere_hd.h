#pragma once
// A sphere. size: radius.

#include "geom/ray_round_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct SpherePrimitive {
  static constexpr int kSizes = 1;

  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    const R x = sphere_roots(size.x * size.x, p, v).first();
    normal = fused(x, v, p);
    return x;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R> size, Vec3T<R> p) {
    return dot(p, p) < size.x * size.x;
  }
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return {size.x, size.x, size.x};
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R> size) {
    return size.x * size.x;
  }

  static double radius(Vec3 size) { return size.x; }
  static double volume(Vec3 s, bool shell) { return shell ? 4 * kPi * s.x * s.x : 4 * kPi * s.x * s.x * s.x / 3; }
  static Vec3 inertia(Vec3 s, double mass, bool shell) {
    const double i = 2 * mass * s.x * s.x / (shell ? 3 : 5);
    return {i, i, i};
  }
  static Vec3 like_inertia(Vec3 box, Vec3 given) { return {(box.x + box.y + box.z) / 3, given.y, given.z}; }
  static Vec3 around(Vec3 box, Vec3 given) {
    const double most = box.x < box.y ? box.y : box.x;
    return {most < box.z ? box.z : most, given.y, given.z};
  }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
