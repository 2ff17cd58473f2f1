#pragma once
// An ellipsoid. size: half axes.

#include "geom/ray_round_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

struct EllipsoidPrimitive {
  static constexpr int kSizes = 3;

  /// In units of its half sizes an ellipsoid is a sphere.
  template <class R>
  PLIANT_HD static R ray(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
    const Vec3T<R> s{1 / size.x, 1 / size.y, 1 / size.z};
    const Vec3T<R> ps{s.x * p.x, s.y * p.y, s.z * p.z}, vs{s.x * v.x, s.y * v.y, s.z * v.z};
    const R x = sphere_roots(R(1), ps, vs).first();
    const Vec3T<R> point = fused(x, vs, ps);
    normal = {s.x * point.x, s.y * point.y, s.z * point.z};  // gradient of |p / size|²
    return x;
  }
  template <class R>
  PLIANT_HD static bool inside(Vec3T<R> size, Vec3T<R> p) {
    const Vec3T<R> unit{p.x / size.x, p.y / size.y, p.z / size.z};
    return dot(unit, unit) < 1;
  }
  template <class R>
  PLIANT_HD static Vec3T<R> half(Vec3T<R> size) {
    return size;
  }
  template <class R>
  PLIANT_HD static R radius2(Vec3T<R> size) {
    return dot(size, size);
  }

  static double radius(Vec3 s) {
    const double most = s.x < s.y ? s.y : s.x;
    return most < s.z ? s.z : most;
  }
  /// The area of a shell by Thomsen's formula.
  static double volume(Vec3 s, bool shell) {
    if (!shell) return 4 * kPi * s.x * s.y * s.z / 3;
    constexpr double kThomsen = 1.6075;
    const double mean = std::pow(s.x * s.y, kThomsen) + std::pow(s.y * s.z, kThomsen) + std::pow(s.z * s.x, kThomsen);
    return 4 * kPi * std::pow(mean / 3, 1 / kThomsen);
  }
  /// A shell is the difference of two solids 1e-6 apart, as in the reference.
  static Vec3 inertia(Vec3 s, double mass, bool shell) {
    if (!shell) return solid(s.x, s.y, s.z, mass);
    constexpr double kThickness = 1e-6;
    const double a = s.x + kThickness, b = s.y + kThickness, c = s.z + kThickness;
    const double inner = 4 * kPi * s.x * s.y * s.z / 3, outer = 4 * kPi * a * b * c / 3;
    const double density = mass / (outer - inner);
    const Vec3 in = solid(s.x, s.y, s.z, inner * density), out = solid(a, b, c, outer * density);
    return {out.x - in.x, out.y - in.y, out.z - in.z};
  }
  static Vec3 like_inertia(Vec3 box, Vec3) { return box; }
  static Vec3 around(Vec3 box, Vec3) { return box; }

 private:
  static Vec3 solid(double a, double b, double c, double mass) {
    return {mass * (b * b + c * c) / 5, mass * (a * a + c * c) / 5, mass * (a * a + b * b) / 5};
  }
};

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
