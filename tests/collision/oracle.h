#pragma once
// How deep two convex shapes overlap, found by trying: f(u) = h_A(u) + h_B(-u) is the depth in
// direction u (h: how far a shape reaches), and the least of it over all directions is the depth.
// Shares nothing with the code that it checks.

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "geom/shape_hd.h"

namespace pliant::oracle {

/// Vertices of a mesh to look at; empty: all of them.
using Vertices = std::vector<int>;

/// How far a shape reaches in direction u (world).
inline double height(const Shape& s, Vec3 u, const Vertices& vertices = {}) {
  const double l[3] = {s.mat.m[0] * u.x + s.mat.m[3] * u.y + s.mat.m[6] * u.z,
                       s.mat.m[1] * u.x + s.mat.m[4] * u.y + s.mat.m[7] * u.z,
                       s.mat.m[2] * u.x + s.mat.m[5] * u.y + s.mat.m[8] * u.z};
  const double centre = s.pos.x * u.x + s.pos.y * u.y + s.pos.z * u.z;
  const double length = std::sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
  switch (s.type) {
    case GeomType::kSphere:
      return centre + s.size.x * length;
    case GeomType::kCapsule:
      return centre + s.size.x * length + s.size.y * std::abs(l[2]);
    case GeomType::kEllipsoid:
      return centre + std::hypot(s.size.x * l[0], s.size.y * l[1], s.size.z * l[2]);
    case GeomType::kCylinder:
      return centre + s.size.x * std::hypot(l[0], l[1]) + s.size.y * std::abs(l[2]);
    case GeomType::kBox:
      return centre + s.size.x * std::abs(l[0]) + s.size.y * std::abs(l[1]) + s.size.z * std::abs(l[2]);
    default: {
      double far = -1e300;
      const int count = vertices.empty() ? s.mesh.vertnum : static_cast<int>(vertices.size());
      for (int i = 0; i < count; ++i) {
        const float* v = s.mesh.vert + 3 * (vertices.empty() ? i : vertices[i]);
        far = std::max(far, l[0] * v[0] + l[1] * v[1] + l[2] * v[2]);
      }
      return centre + far;
    }
  }
}

inline double depth_along(const Shape& a, const Shape& b, Vec3 u, const Vertices& of_a = {},
                          const Vertices& of_b = {}) {
  const double length = std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
  if (!(length > 0)) return 1e300;
  u = {u.x / length, u.y / length, u.z / length};
  return height(a, u, of_a) + height(b, {-u.x, -u.y, -u.z}, of_b);
}

/// Vertices that can be the farthest in unit directions within `reach` of u: if |u - w| <= reach, the farthest one in
/// direction w is at most 2 reach R behind the farthest in direction u, R being the radius of the mesh.
/// `from`: vertices to choose from; empty: all.
inline Vertices vertices_near(const Shape& s, Vec3 u, double reach, const Vertices& from = {}) {
  Vertices near;
  if (s.type != GeomType::kMesh) return near;
  const double l[3] = {s.mat.m[0] * u.x + s.mat.m[3] * u.y + s.mat.m[6] * u.z,
                       s.mat.m[1] * u.x + s.mat.m[4] * u.y + s.mat.m[7] * u.z,
                       s.mat.m[2] * u.x + s.mat.m[5] * u.y + s.mat.m[8] * u.z};
  const auto along = [&](int i) {
    const float* v = s.mesh.vert + 3 * i;
    return l[0] * v[0] + l[1] * v[1] + l[2] * v[2];
  };
  const int count = from.empty() ? s.mesh.vertnum : static_cast<int>(from.size());
  const auto number = [&](int i) { return from.empty() ? i : from[i]; };
  double far = -1e300;
  for (int i = 0; i < count; ++i) far = std::max(far, along(number(i)));
  for (int i = 0; i < count; ++i) {
    if (along(number(i)) >= far - 2 * reach * s.rbound - 1e-12) near.push_back(number(i));
  }
  return near;
}

/// Walks from u to a lower depth, by steps in a tangent plane that become shorter. Minima at kinks
/// are narrow valleys: the directions are drawn at random.
inline std::pair<double, Vec3> descend(const Shape& a, const Shape& b, Vec3 u, double step, std::mt19937& random) {
  std::normal_distribution<double> normal;
  double depth = depth_along(a, b, u);
  // meshes are narrowed down to what the next steps can reach
  Vertices of_a, of_b;
  Vec3 middle = u;
  double reach = 0;
  for (int failed = 0; step > 1e-10;) {
    const Vec3 v = {u.x + step * normal(random), u.y + step * normal(random), u.z + step * normal(random)};
    const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    const Vec3 w{v.x / length, v.y / length, v.z / length};
    const double away = std::hypot(w.x - middle.x, w.y - middle.y, w.z - middle.z);
    if (away > reach || reach > 32 * step) {
      const bool inside = away + 16 * step <= reach;  // of what is there already
      middle = w, reach = 16 * step;
      of_a = vertices_near(a, w, reach, inside ? of_a : Vertices());
      of_b = vertices_near(b, {-w.x, -w.y, -w.z}, reach, inside ? of_b : Vertices());
    }
    const double other = depth_along(a, b, w, of_a, of_b);
    if (other < depth) {
      depth = other, u = w, failed = 0;
    } else if (++failed == 12) {
      step *= 0.5, failed = 0;
    }
  }
  return {depth, u};
}

/// The least depth over `count` directions spread over the sphere and those of `hints`, the best
/// ones refined.
inline double least_depth(const Shape& a, const Shape& b, int count, std::vector<Vec3> hints, std::mt19937& random) {
  for (const Shape* s : {&a, &b}) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis{s->mat.m[k], s->mat.m[3 + k], s->mat.m[6 + k]};
      hints.push_back(axis), hints.push_back({-axis.x, -axis.y, -axis.z});
    }
  }
  std::vector<std::pair<double, Vec3>> tries;
  for (const Vec3& u : hints) tries.push_back({depth_along(a, b, u), u});
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z), angle = i * 2.399963229728653;
    const Vec3 u{r * std::cos(angle), r * std::sin(angle), z};
    tries.push_back({depth_along(a, b, u), u});
  }
  const size_t best = std::min<size_t>(4, tries.size());
  std::partial_sort(tries.begin(), tries.begin() + best, tries.end(),
                    [](const auto& x, const auto& y) { return x.first < y.first; });
  double least = 1e300;
  for (size_t i = 0; i < best; ++i) least = std::min(least, descend(a, b, tries[i].second, 0.05, random).first);
  return least;
}

}  // namespace pliant::oracle
