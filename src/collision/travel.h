#pragma once
// How far geoms have moved, as a bound: a pair that was apart by more than both have moved since is apart still.
//
// A point u of a geom is at p + R u. Between two poses it moves by at most |dp| + |dR| |u|, |dR| the largest stretch of
// the difference of two rotations, which is its Frobenius norm / sqrt 2. Lengths are added up and rounded up, so that
// they bound every displacement since. Shapes that somebody has changed between steps begin anew.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/field_values.h"
#include "pliant/state.h"

namespace pliant {

namespace detail {

/// Farthest that a point of the geom, or of the box and the ball around it, is from its origin.
inline double reach_of_points(const Model& m, int geom) {
  const double* size = m.geom_size + 3 * geom;
  const double shape = m.geom_type[geom] == static_cast<int>(GeomType::kMesh)
                           ? 0
                           : std::abs(size[0]) + std::abs(size[1]) + std::abs(size[2]);
  const double box = norm(vec3(m.geom_aabb, 2 * geom)) + norm(vec3(m.geom_aabb, 2 * geom + 1));
  return std::max({shape, box, m.geom_rbound[geom]});
}

inline bool has_shape(const Travel& t, const Model& m, int geom) {
  return t.rbound == m.geom_rbound[geom] && t.type == m.geom_type[geom] && t.data == m.geom_dataid[geom] &&
         std::memcmp(t.size, m.geom_size + 3 * geom, sizeof(t.size)) == 0 &&
         std::memcmp(t.aabb, m.geom_aabb + 6 * geom, sizeof(t.aabb)) == 0;
}

inline void set_shape(Travel& t, const Model& m, int geom) {
  ++t.shape;
  t.length = 0;
  t.rbound = m.geom_rbound[geom];
  t.type = m.geom_type[geom], t.data = m.geom_dataid[geom];
  std::memcpy(t.size, m.geom_size + 3 * geom, sizeof(t.size));
  std::memcpy(t.aabb, m.geom_aabb + 6 * geom, sizeof(t.aabb));
  t.reach = reach_of_points(m, geom);
}

}  // namespace detail

/// The travel of a geom until now.
inline const Travel& travel_of(const Model& m, const Data& d, Separations& separations, int geom) {
  Travel& t = separations.travel(geom);
  if (t.time == separations.time()) return t;
  t.time = separations.time();
  const double *pos = d.geom_xpos + 3 * geom, *mat = d.geom_xmat + 9 * geom;
  double moved = 0, turned = 0;
  for (int i = 0; i < 3; ++i) moved += (pos[i] - t.pos[i]) * (pos[i] - t.pos[i]);
  for (int i = 0; i < 9; ++i) turned += (mat[i] - t.mat[i]) * (mat[i] - t.mat[i]);
  if (moved > 0 || turned > 0) {
    constexpr double kHalfRoot = 0.70711, kRoundedUp = 1 + 1e-12, kLastBit = 4e-16;
    t.length += (std::sqrt(moved) + kHalfRoot * std::sqrt(turned) * t.reach) * kRoundedUp + kLastBit * t.length;
    std::memcpy(t.pos, pos, sizeof(t.pos));
    std::memcpy(t.mat, mat, sizeof(t.mat));
  }
  // a length that is long, or no number, tells nothing
  constexpr double kLong = 1e3;
  if (!(t.length < kLong) || !detail::has_shape(t, m, geom)) {
    std::memcpy(t.pos, pos, sizeof(t.pos));
    std::memcpy(t.mat, mat, sizeof(t.mat));
    detail::set_shape(t, m, geom);
  }
  return t;
}

/// Whether two geoms were apart by so much that they are by more than `margin` still.
inline bool is_still_apart(const Separation& s, const Travel& a, const Travel& b, double margin) {
  return s.shape1 == a.shape && s.shape2 == b.shape && s.distance - (a.length + b.length) > std::max(margin, 0.0);
}

/// Notes that two geoms are apart by `distance` at least.
inline void note_distance(Separation& s, const Travel& a, const Travel& b, double distance) {
  s.distance = distance + (a.length + b.length);
  s.shape1 = a.shape, s.shape2 = b.shape;
}

/// How far the boxes around two geoms are apart along their face normals, at least; what comes near to rounding counts
/// as touching.
inline double distance_of_boxes(const Model& m, const Data& d, int geom1, int geom2) {
  const Mat3 mat1 = mat3(d.geom_xmat, geom1), mat2 = mat3(d.geom_xmat, geom2);
  const Vec3 half1 = vec3(m.geom_aabb, 2 * geom1 + 1), half2 = vec3(m.geom_aabb, 2 * geom2 + 1);
  const Vec3 pos1 = vec3(d.geom_xpos, geom1), pos2 = vec3(d.geom_xpos, geom2);
  const Vec3 away = times_plus(mat2, vec3(m.geom_aabb, 2 * geom2), pos2) -
                    times_plus(mat1, vec3(m.geom_aabb, 2 * geom1), pos1);
  const auto along = [&](const Mat3& mine, Vec3 half, const Mat3& other, Vec3 other_half) {
    double most = Separation::kUnknown;
    for (int i = 0; i < 3; ++i) {
      const Vec3 axis = mine.column(i);
      double reach = half[i];
      for (int k = 0; k < 3; ++k) reach += other_half[k] * std::abs(dot(axis, other.column(k)));
      most = std::max(most, std::abs(dot(axis, away)) - reach);
    }
    return most;
  };
  constexpr double kDoubt = 1e-7, kRounding = 1e-12;
  return std::max(along(mat1, half1, mat2, half2), along(mat2, half2, mat1, half1)) -
         kDoubt * (norm(half1) + norm(half2)) - kRounding * (norm(pos1) + norm(pos2));
}

}  // namespace pliant
