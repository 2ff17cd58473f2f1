#pragma once
// Shapes for tests of the convex route: primitives, and hulls of random points that the loader
// built.

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "collision/distance_hd.h"
#include "geom/shape_hd.h"
#include "oracle.h"
#include "pliant/load.h"
#include "tests/collision/single_shape.h"

namespace pliant {

/// Long versions of tests run if PLIANT_FULL is set.
inline int poses(int quick, int full) { return std::getenv("PLIANT_FULL") ? full : quick; }

/// A model with one mesh geom per hull: random points on an ellipsoid with half sizes around
/// `size`, 8 of them the corners of a box if `boxed`.
inline Model hulls(const std::vector<int>& vertices, double size, bool boxed = false) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::string assets, geoms;
  for (size_t i = 0; i < vertices.size(); ++i) {
    std::string points;
    for (int k = 0; k < vertices[i]; ++k) {
      double p[3] = {normal(random), normal(random), normal(random)};
      const double length = std::hypot(p[0], p[1], p[2]);
      for (int c = 0; c < 3; ++c) {
        p[c] = boxed ? (k >> c & 1 ? 1.0 : -1.0) : p[c] / length;
        points += std::to_string(p[c] * (c == 0 ? 1.0 : c == 1 ? 0.7 : 0.5)) + " ";
      }
    }
    const std::string id = std::to_string(i), scale = std::to_string(size);
    assets += "<mesh name='m" + id + "' inertia='convex' vertex='" + points + "' scale='" + scale + " " + scale + " " +
              scale + "'/>";
    geoms += "<body><freejoint/><geom type='mesh' mesh='m" + id + "' mass='1'/></body>";
  }
  return load_model_string("<mujoco><asset>" + assets + "</asset><worldbody>" + geoms + "</worldbody></mujoco>");
}

/// Mesh `id` of a model as a shape, where its points are as they were given: the loader turns
/// meshes to their axes.
inline Shape hull_shape(const Model& m, int id) {
  Shape s;
  s.type = GeomType::kMesh;
  s.mesh = mesh_shape(m, id);
  s.pos = {m.geom_pos[3 * id], m.geom_pos[3 * id + 1], m.geom_pos[3 * id + 2]};
  s.mat = matrix(Quat{m.geom_quat[4 * id], m.geom_quat[4 * id + 1], m.geom_quat[4 * id + 2], m.geom_quat[4 * id + 3]});
  s.rbound = 0;
  for (int i = 0; i < s.mesh.vertnum; ++i) {
    const float* v = s.mesh.vert + 3 * i;
    s.rbound = std::max(s.rbound, std::hypot(double(v[0]), double(v[1]), double(v[2])));
  }
  return s;
}

inline Shape primitive(GeomType type, Vec3 size) {
  Shape s;
  s.type = type;
  s.size = size;
  s.rbound = type == GeomType::kSphere      ? size.x
             : type == GeomType::kCapsule   ? size.x + size.y
             : type == GeomType::kCylinder  ? std::hypot(size.x, size.y)
             : type == GeomType::kEllipsoid ? std::max({size.x, size.y, size.z})
                                            : std::hypot(size.x, size.y, size.z);
  return s;
}

/// Directions worth trying first: those between the nearest points, as the code under test sees
/// them. (They can only make the oracle's answer better.)
inline std::vector<Vec3> hints(const Shape& a, const Shape& b) {
  Vec3 ft[2];
  geom_distance(a, b, 1e10, ft);
  return {ft[1] - ft[0], ft[0] - ft[1]};
}

inline Mat3 random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q{normal(random), normal(random), normal(random), normal(random)};
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return matrix(Quat{q.w / length, q.x / length, q.y / length, q.z / length});
}

inline Vec3 random_unit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalized(Vec3{normal(random), normal(random), normal(random)});
}

/// Puts b beside a, in a random place where the shapes would overlap by `depth` along the line of
/// their centres.
inline void place_touching(Shape& a, Shape& b, double depth, std::mt19937& random) {
  a.mat = random_turn(random), b.mat = random_turn(random);
  a.pos = {};
  const Vec3 u = random_unit(random);
  double low = 0, high = a.rbound + b.rbound;
  for (int i = 0; i < 60; ++i) {
    // apart if some direction separates them; the oracle looks for one
    b.pos = u * (0.5 * (low + high));
    double least = 1e300;
    Vec3 v = u;
    for (int k = 0; k < 200; ++k) {
      const Vec3 w = normalized(v + random_unit(random) * (k % 2 ? 0.3 : 0.03));
      const double d = oracle::depth_along(a, b, w);
      if (d < least) least = d, v = w;
    }
    (least > 0 ? low : high) = 0.5 * (low + high);
    if (high - low < 1e-4 * high) break;
  }
  b.pos = u * (low - depth);
}

template <class R>
ShapeT<R> shape_as(const Shape& s) {
  ShapeT<R> r;
  r.type = s.type;
  r.size = {R(s.size.x), R(s.size.y), R(s.size.z)};
  r.pos = {R(s.pos.x), R(s.pos.y), R(s.pos.z)};
  for (int i = 0; i < 9; ++i) r.mat.m[i] = R(s.mat.m[i]);
  r.rbound = R(s.rbound);
  r.mesh = mesh_as<R>(s.mesh);
  r.hfield = hfield_as<R>(s.hfield);
  return r;
}

}  // namespace pliant
