#pragma once
// Boxes of bounding-volume trees. The reference's order of operations is kept: a different rounding could choose
// another split.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compile/compile.h"
#include "math/quat.h"

namespace pliant {

struct Box {
  Vec3 low, high;
};

// v + 2 q × (w v + q × v): fewer roundings than through the rotation matrix.
inline Vec3 rotate_vector(const Quat& q, const Vec3& v) {
  if (v.x == 0 && v.y == 0 && v.z == 0) return {0, 0, 0};
  if (q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0) return v;
  const Vec3 t = {q.w * v.x + q.y * v.z - q.z * v.y, q.w * v.y + q.z * v.x - q.x * v.z,
                  q.w * v.z + q.x * v.y - q.y * v.x};
  return {v.x + 2 * (q.y * t.z - q.z * t.y), v.y + 2 * (q.z * t.x - q.x * t.z), v.z + 2 * (q.x * t.y - q.y * t.x)};
}

inline void grow(Vec3& low, Vec3& high, const Vec3& low2, const Vec3& high2) {
  for (int k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], low2[k]);
    high[k] = std::max(high[k], high2[k]);
  }
}

// Around the box of a geom (centre, half sizes) that stands in a body, in the body's inertial frame.
inline Box inertial_box(const double* aabb, const Pose& geom, const Pose& inertial) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const Quat to_inertial = conjugate(inertial.quat);
  Box box{{kHuge, kHuge, kHuge}, {-kHuge, -kHuge, -kHuge}};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
      const double center = aabb[k], half = aabb[3 + k];
      v[k] = corner >> k & 1 ? center + half : center - half;
    }
    v = rotate_vector(to_inertial, rotate_vector(geom.quat, v) + (geom.pos - inertial.pos));
    grow(box.low, box.high, v, v);
  }
  return box;
}

// A flat box would have no inside.
inline Box fatten(Box box) {
  for (int k = 0; k < 3; ++k) {
    double &low = box.low[k], &high = box.high[k];
    if (std::abs(low - high) < kCompileEps) low -= kCompileEps, high += kCompileEps;
  }
  return box;
}

// Centre and half sizes.
inline std::array<double, 6> centered(const Box& box) {
  std::array<double, 6> aabb;
  for (int k = 0; k < 3; ++k) {
    aabb[k] = (box.high[k] + box.low[k]) / 2;
    aabb[3 + k] = (box.high[k] - box.low[k]) / 2;
  }
  return aabb;
}

}  // namespace pliant
