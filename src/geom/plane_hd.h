#pragma once
// A plane: everything below z = 0. size: half edges of the rectangle that is drawn (0: endless), spacing of its grid.

#include "geom/ray_flat_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct PlanePrimitive {
  static constexpr int kSizes = 3;

  /// Only from the front, and where size says so only within the rectangle that is drawn: collision's
  /// planes are endless, these are not (as in the reference). A ray along the plane (up to 1e-15 of
  /// its length) misses.
  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    if (!(v.z < 0) || v.z * v.z <= R(kTiny) * R(kTiny) * dot(v, v)) return -1;
    const R x = -p.z / v.z;
    const bool within_x = size.x <= 0 || std::abs(mul_add(x, v.x, p.x)) <= size.x;
    const bool within_y = size.y <= 0 || std::abs(mul_add(x, v.y, p.y)) <= size.y;
    if (!(x >= 0) || !within_x || !within_y) return -1;
    normal = {0, 0, 1};
    return x;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R>, Vec3T<R>) {
    return false;  // nothing that has a frame inside it is of this type
  }
  /// Of the rectangle; the plane itself has no bounds.
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return size;
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R>) {
    return -1;
  }

  static double radius(Vec3) { return 0; }
  static double volume(Vec3, bool) { return 0; }
  static Vec3 inertia(Vec3, double, bool) { return {}; }
  static Vec3 like_inertia(Vec3 box, Vec3) { return box; }
  static Vec3 around(Vec3 box, Vec3) { return box; }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
