#pragma once
// A box. size: half edges.

#include "geom/ray_flat_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct BoxPrimitive {
  static constexpr int kSizes = 3;

  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    const BoxSpan<R> span = box_span(size, p, v);
    if (!span.hit || !(span.leave >= 0)) return -1;
    normal = {0, 0, 0};
    if (span.enter >= 0) {
      normal[span.enter_axis] = v[span.enter_axis] > 0 ? R(-1) : R(1);
      return span.enter;
    }
    normal[span.leave_axis] = v[span.leave_axis] > 0 ? R(1) : R(-1);
    return span.leave;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R> size, Vec3T<R> p) {
    return std::abs(p.x) < size.x && std::abs(p.y) < size.y && std::abs(p.z) < size.z;
  }
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return size;
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R> size) {
    return dot(size, size);
  }

  static double radius(Vec3 s) { return std::sqrt(s.x * s.x + s.y * s.y + s.z * s.z); }
  static double volume(Vec3 s, bool shell) {
    return shell ? 8 * (s.x * s.y + s.y * s.z + s.z * s.x) : s.x * s.y * s.z * 8;
  }
  static Vec3 inertia(Vec3 s, double mass, bool shell) {
    const double aa = s.x * s.x, bb = s.y * s.y, cc = s.z * s.z;
    if (!shell) return {mass * (bb + cc) / 3, mass * (aa + cc) / 3, mass * (aa + bb) / 3};
    const double x = 2 * s.x, y = 2 * s.y, z = 2 * s.z;
    const double area0 = x * y, area1 = y * z, area2 = z * x, total = 2 * (area0 + area1 + area2);
    // three pairs of plates: xy, yz, zx
    const double m0 = mass * area0 / total, m1 = mass * area1 / total, m2 = mass * area2 / total;
    return {2 * (m0 * cc + m2 * bb + m0 * y * y / 12 + m1 * (y * y + z * z) / 12 + m2 * z * z / 12),
            2 * (m0 * cc + m1 * aa + m0 * x * x / 12 + m1 * z * z / 12 + m2 * (x * x + z * z) / 12),
            2 * (m1 * aa + m2 * bb + m0 * (x * x + y * y) / 12 + m1 * y * y / 12 + m2 * x * x / 12)};
  }
  static Vec3 like_inertia(Vec3 box, Vec3) { return box; }
  static Vec3 around(Vec3 box, Vec3) { return box; }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
