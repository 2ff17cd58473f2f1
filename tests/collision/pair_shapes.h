#pragma once
// Shapes for tests of pairs: of every type, of random sizes, in random poses, near each other; scaled, moved, in single
// precision.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "collision/pair_table.h"
#include "pliant/pliant.h"
#include "tests/collision/single_shape.h"

namespace pliant {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline Vec3 random_vector(Random& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}
inline Mat3 random_turn(Random& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random);
  const Vec3 v = random_vector(random);
  return matrix(normalized(Quat{w, v.x, v.y, v.z}));
}

/// Meshes and height fields that shapes refer to.
inline const Model& shape_model() {
  static const Model model = load_model_string(R"(
    <mujoco><asset>
      <mesh name="wedge" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 0 1  1 0 1" scale=".1 .1 .1"/>
      <mesh name="ball" builtin="sphere" params="2" scale=".1 .12 .15"/>
      <hfield name="hills" nrow="4" ncol="4" size=".3 .3 .1 .05"
              elevation="0 .5 1 .2 .3 .4 .1 0 .9 .2 .6 .7 0 .1 .2 .3"/>
    </asset><worldbody>
      <geom type="mesh" mesh="wedge"/><geom type="mesh" mesh="ball"/><geom type="hfield" hfield="hills"/>
    </worldbody></mujoco>)");
  return model;
}

/// A shape with memory of its own for vertices, so that it can be scaled.
struct OwnShape {
  Shape shape;
  std::vector<float> vertices;

  OwnShape() = default;
  OwnShape(const OwnShape& other) { *this = other; }
  OwnShape& operator=(const OwnShape& other) {
    shape = other.shape, vertices = other.vertices;
    if (!vertices.empty()) shape.mesh.vert = vertices.data();
    return *this;
  }
};

inline OwnShape random_shape(Random& random, GeomType type) {
  OwnShape own;
  Shape& shape = own.shape;
  shape.type = type;
  shape.size = {uniform(random, 0.05, 0.2), uniform(random, 0.05, 0.2), uniform(random, 0.05, 0.2)};
  shape.mat = random_turn(random);
  shape.pos = random_vector(random);
  const Model& m = shape_model();
  if (type == GeomType::kMesh) {
    const int mesh = int(random() % 2);
    shape.mesh = mesh_shape(m, mesh);
    own.vertices.assign(shape.mesh.vert, shape.mesh.vert + 3 * shape.mesh.vertnum);
    shape.mesh.vert = own.vertices.data();
  }
  if (type == GeomType::kHfield) shape.hfield = hfield_shape(m, 0), shape.size = {0.3, 0.3, 0.1};
  const Vec3 s = shape.size;
  switch (type) {
    case GeomType::kPlane:
      shape.rbound = 0;
      break;
    case GeomType::kSphere:
      shape.rbound = s.x;
      break;
    case GeomType::kCapsule:
      shape.rbound = s.x + s.y;
      break;
    case GeomType::kMesh:
      shape.rbound = 0.25;
      break;
    case GeomType::kHfield:
      shape.rbound = 0.45;
      break;
    default:
      shape.rbound = norm(s);
  }
  return own;
}

/// The second shape so near that about half of the pairs touch.
inline void bring_near(Random& random, const Shape& first, Shape& second) {
  const double reach = first.rbound + second.rbound;
  const Vec3 way = normalized(random_vector(random));
  second.pos = first.pos + way * (reach * uniform(random, 0.1, 0.9));
  if (first.type == GeomType::kPlane) second.pos = first.pos + first.mat.column(2) * (reach * uniform(random, -0.3, 1));
}

/// Everything of a shape multiplied by a length.
inline OwnShape scaled(const OwnShape& own, double scale) {
  OwnShape result = own;
  Shape& shape = result.shape;
  shape.size = shape.size * scale, shape.pos = shape.pos * scale, shape.rbound *= scale;
  for (float& x : result.vertices) x = float(x * scale);
  for (double& x : shape.hfield.size) x *= scale;
  return result;
}
inline OwnShape moved(const OwnShape& own, const Mat3& turn, Vec3 by) {
  OwnShape result = own;
  result.shape.pos = turn * own.shape.pos + by;
  result.shape.mat = turn * own.shape.mat;
  return result;
}
inline ShapeT<float> in_single(const Shape& shape) {
  ShapeT<float> single;
  single.type = shape.type, single.rbound = float(shape.rbound);
  single.mesh = mesh_as<float>(shape.mesh), single.hfield = hfield_as<float>(shape.hfield);
  for (int i = 0; i < 3; ++i) single.size[i] = float(shape.size[i]), single.pos[i] = float(shape.pos[i]);
  for (int i = 0; i < 9; ++i) single.mat.m[i] = float(shape.mat.m[i]);
  return single;
}

/// Points of a pair, in a list; `single`: without the search for several.
template <class R>
std::vector<ContactPointT<R>> points_of(const ShapeT<R>& a, const ShapeT<R>& b, R margin = 0, bool single = false) {
  std::vector<ContactPointT<R>> points(kMaxPairPoints);
  points.resize(pair_function<R>(a.type, b.type, single)(a, b, margin, points.data()));
  return points;
}
template <class R>
double deepest(const std::vector<ContactPointT<R>>& points) {
  double least = HUGE_VAL;
  for (const auto& point : points) least = std::min(least, double(point.dist));
  return least;
}

/// Signed distance of a point from a surface; exact for plane, sphere, capsule, cylinder and box.
inline double surface_distance(const Shape& shape, Vec3 point) {
  const Vec3 p = transposed_times(shape.mat, point - shape.pos), s = shape.size;
  auto box = [](std::initializer_list<double> beyond) {
    double outside = 0, inside = -HUGE_VAL;
    for (double x : beyond) outside += x > 0 ? x * x : 0, inside = std::max(inside, x);
    return outside > 0 ? std::sqrt(outside) : inside;
  };
  switch (shape.type) {
    case GeomType::kPlane:
      return p.z;
    case GeomType::kSphere:
      return norm(p) - s.x;
    case GeomType::kCapsule:
      return norm(Vec3{p.x, p.y, p.z - std::clamp(p.z, -s.y, s.y)}) - s.x;
    case GeomType::kCylinder:
      return box({std::hypot(p.x, p.y) - s.x, std::abs(p.z) - s.y});
    default:
      return box({std::abs(p.x) - s.x, std::abs(p.y) - s.y, std::abs(p.z) - s.z});
  }
}
inline bool has_surface_distance(GeomType type) {
  return type == GeomType::kPlane || type == GeomType::kSphere || type == GeomType::kCapsule ||
         type == GeomType::kCylinder || type == GeomType::kBox;
}

}  // namespace pliant
