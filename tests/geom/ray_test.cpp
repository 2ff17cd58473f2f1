// Rays without a reference: points on surfaces, trees against all triangles, edges and corners,
// float against double.

#include "geom/ray_hd.h"

#include <gtest/gtest.h>

#include <random>

#include "pliant/pliant.h"
#include "pliant/query.h"

namespace pliant {
namespace {

using Random = std::mt19937_64;

Vec3 random_vector(Random& random, double size) {
  std::normal_distribution<double> normal;
  return Vec3{normal(random), normal(random), normal(random)} * size;
}
double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

constexpr GeomType kClosed[] = {GeomType::kSphere, GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder,
                                GeomType::kBox};

// How far a point is from the surface, in a measure that is zero on it and negative inside.
double level(GeomType type, Vec3 size, Vec3 p) {
  const double radial = std::hypot(p.x, p.y);
  switch (type) {
    case GeomType::kSphere:
      return norm(p) - size.x;
    case GeomType::kCapsule:
      return std::hypot(radial, std::max(std::abs(p.z) - size.y, 0.0)) - size.x;
    case GeomType::kEllipsoid:
      return norm(Vec3{p.x / size.x, p.y / size.y, p.z / size.z}) - 1;
    case GeomType::kCylinder:
      return std::max(radial - size.x, std::abs(p.z) - size.y);
    default:
      return std::max({std::abs(p.x) - size.x, std::abs(p.y) - size.y, std::abs(p.z) - size.z});
  }
}

// The hit is on the surface, nothing of the ray before it is on the other side, and the normal
// points out.
TEST(Rays, StopAtTheFirstCrossing) {
  Random random(1);
  int hits = 0;
  for (const GeomType type : kClosed) {
    for (int k = 0; k < 4000; ++k) {
      const Vec3 size{uniform(random, 0.2, 1), uniform(random, 0.2, 1), uniform(random, 0.2, 1)};
      const Vec3 p = random_vector(random, k % 3 ? 2.0 : 0.2), v = random_vector(random, 1);
      Vec3 normal;
      const double x = ray_primitive(type, size, p, v, normal);
      const double side = level(type, size, p);
      const double end = x < 0 ? 20 : x;
      for (int i = 1; i < 50; ++i) {
        const double there = level(type, size, fused(end * i / 50, v, p));
        ASSERT_GE(there * side, -1e-9) << "type " << int(type) << " ray " << k;
      }
      if (x < 0) continue;
      ++hits;
      const Vec3 point = fused(x, v, p);
      ASSERT_NEAR(level(type, size, point), 0, 1e-12 * (1 + norm(p)));
      ASSERT_GT(level(type, size, fused(1e-6, normalized(normal), point)), 0);
    }
  }
  EXPECT_GT(hits, 5000);
}

TEST(Rays, FromInsideAlongAxesAndFromTheSurface) {
  for (const GeomType type : kClosed) {
    const Vec3 size{0.5, 0.5, 0.5};
    const double up = type == GeomType::kCapsule ? 1.0 : 0.5;
    Vec3 normal;
    for (const double sign : {1.0, -1.0}) {
      EXPECT_NEAR(ray_primitive(type, size, Vec3{}, Vec3{0, 0, sign}, normal), up, 1e-15) << int(type);
      EXPECT_NEAR(ray_primitive(type, size, Vec3{}, Vec3{sign, -0.0, 0}, normal), 0.5, 1e-15) << int(type);
      EXPECT_NEAR(ray_primitive(type, size, Vec3{0, 0, up}, Vec3{0, 0, sign}, normal), 0, 1e-15) << int(type);
      EXPECT_NEAR(ray_primitive(type, size, Vec3{0, 0, 3}, Vec3{0, 0, -2 * std::abs(sign)}, normal), (3 - up) / 2,
                  1e-15);
    }
    EXPECT_EQ(ray_primitive(type, size, Vec3{0, 0, 3}, Vec3{0, 0, 1}, normal), -1);
    EXPECT_EQ(ray_primitive(type, size, Vec3{0, 0, NAN}, Vec3{0, 0, 1}, normal), -1);
    EXPECT_EQ(ray_primitive(type, Vec3{0, 0, 0}, Vec3{0.1, 0.2, 3}, Vec3{0, 0, -1}, normal), -1);
  }
}

TEST(Rays, EdgesAndCornersOfABoxHaveNoLeaks) {
  Random random(2);
  for (int k = 0; k < 20000; ++k) {
    const Vec3 size{uniform(random, 0.1, 1), uniform(random, 0.1, 1), uniform(random, 0.1, 1)};
    // through a point of an edge, into the box
    const int axis = k % 3;
    Vec3 edge{k & 4 ? size.x : -size.x, k & 8 ? size.y : -size.y, k & 16 ? size.z : -size.z};
    if (k & 32) edge[axis] *= uniform(random, -1, 1);
    const Vec3 inside{uniform(random, -0.9, 0.9) * size.x, uniform(random, -0.9, 0.9) * size.y,
                      uniform(random, -0.9, 0.9) * size.z};
    const Vec3 v = inside - edge, p = edge - v * uniform(random, 0.1, 5);
    Vec3 normal;
    ASSERT_GE(BoxPrimitive::ray(size, p, v, normal), 0) << k;
  }
}

constexpr const char* kMeshes[] = {R"(<mesh name="m" builtin="sphere" params="3" scale="0.3 0.2 0.5"/>)",
                                   R"(<mesh name="m" builtin="supertorus" params="30 0.4 1 1"/>)",
                                   R"(<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"/>)"};

Model mesh_model(const char* mesh) {
  return load_model_string(std::string("<mujoco><asset>") + mesh +
                           R"(</asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>)");
}
Vec3 vertex(const Model& m, int face, int corner) {
  const float* v = m.mesh_vert + 3 * m.mesh_face[3 * face + corner];
  return {v[0], v[1], v[2]};
}

// A point of the surface: anywhere on a triangle, on an edge, or at a corner.
Vec3 surface_point(const Model& m, Random& random) {
  const int face = static_cast<int>(random() % m.mesh_facenum[0]);
  double w[3] = {uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1)};
  const int zeros = static_cast<int>(random() % 3);
  for (int k = 0; k < zeros; ++k) w[(face + k) % 3] = 0;
  const double sum = w[0] + w[1] + w[2];
  return (vertex(m, face, 0) * w[0] + vertex(m, face, 1) * w[1] + vertex(m, face, 2) * w[2]) * (1 / sum);
}

TEST(Rays, TreeOfAMeshFindsWhatAllTrianglesFind) {
  for (const char* text : kMeshes) {
    const Model m = mesh_model(text);
    const auto mesh = mesh_faces(m, 0);
    ASSERT_EQ(mesh.bvhnum, 2 * mesh.facenum - 1);
    Random random(3);
    int hits = 0;
    for (int k = 0; k < 3000; ++k) {
      const Vec3 target = surface_point(m, random);
      Vec3 v = random_vector(random, 1);
      if (k % 4 == 0) v[k / 4 % 3] = 0;
      if (k % 8 == 0) v[(k / 8 + 1) % 3] = 0;
      const Vec3 p = target - v * uniform(random, -2, 100);
      const FaceHit<double> tree = ray_mesh(mesh, p, v, 1e30), all = ray_all_faces(mesh, p, v);
      ASSERT_EQ(tree.x, all.x) << text << " ray " << k;
      ASSERT_EQ(tree.face, all.face) << text << " ray " << k;
      hits += tree.face >= 0;
      if (all.x >= 0) {
        EXPECT_EQ(ray_mesh(mesh, p, v, all.x).face, all.face);
      }
    }
    EXPECT_GT(hits, 1500);
  }
}

// From inside a closed mesh every ray gets out, through edges and corners too; and so does one from
// far through it.
TEST(Rays, ClosedMeshesHaveNoLeaks) {
  for (const char* text : {kMeshes[0], kMeshes[2]}) {
    const Model m = mesh_model(text);
    const auto mesh = mesh_faces(m, 0);
    Random random(4);
    for (int k = 0; k < 20000; ++k) {
      const Vec3 target = surface_point(m, random);
      const Vec3 p = random_vector(random, 0.01), v = target - p;
      ASSERT_NEAR(ray_mesh(mesh, p, v, 1e30).x, 1, 1e-6) << text << " ray " << k;
      ASSERT_GE(ray_mesh(mesh, p + v * 50.0, -v, 1e30).x, 48) << text << " ray " << k;
    }
  }
}

// A surface that is a slope everywhere is a plane.
TEST(Rays, SlopedHeightFieldIsAPlane) {
  constexpr int kRows = 9, kColumns = 17;  // heights that are exact in single precision
  float data[kRows * kColumns];
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) data[r * kColumns + c] = float(c) / (kColumns - 1);
  }
  const HfieldShape field{data, kRows, kColumns, {1.5, 1, 0.6, 0.2}};
  Random random(5);
  int hits = 0;
  for (int k = 0; k < 5000; ++k) {
    const Vec3 target{uniform(random, -1.5, 1.5), uniform(random, -1, 1), 0};
    const Vec3 on{target.x, target.y, 0.2 * (target.x + 1.5)};
    Vec3 v = random_vector(random, 1);
    v.z = -std::abs(v.z) - 0.5;
    if (k % 5 == 0) v.x = v.y = 0;
    const Vec3 p = on - v * uniform(random, 0.01, 3);
    if (p.z < 0.2 * (p.x + 1.5)) continue;  // starts below
    Vec3 normal;
    const double x = ray_hfield(field, p, v, normal);
    ++hits;
    // unless a wall is in the way
    const Vec3 point = fused(x, v, p);
    const bool wall = std::abs(std::abs(point.x) - 1.5) < 1e-9 || std::abs(std::abs(point.y) - 1) < 1e-9;
    if (wall) continue;
    ASSERT_NEAR(point.x, on.x, 1e-9) << k;
    ASSERT_NEAR(point.z, on.z, 1e-9) << k;
    ASSERT_NEAR(dot(normalized(normal), normalized(Vec3{-0.2, 0, 1})), 1, 1e-12);
  }
  EXPECT_GT(hits, 2000);
}

TEST(Rays, SinglePrecisionAgrees) {
  Random random(6);
  const Model m = mesh_model(kMeshes[0]);
  const auto mesh = mesh_faces(m, 0);
  int differ = 0;
  for (int k = 0; k < 5000; ++k) {
    const GeomType type = kClosed[k % 5];
    const Vec3 size{uniform(random, 0.2, 1), uniform(random, 0.2, 1), uniform(random, 0.2, 1)};
    const Vec3 p = random_vector(random, 2), v = random_vector(random, 0.3) - p;
    using Vec3f = Vec3T<float>;
    const auto single = [](Vec3 a) { return Vec3f{float(a.x), float(a.y), float(a.z)}; };
    Vec3 normal;
    Vec3f normal_f;
    const double x = ray_primitive(type, size, p, v, normal);
    const float x_f = ray_primitive(type, single(size), single(p), single(v), normal_f);
    const double y = ray_mesh(mesh, p, v, 1e30).x;
    const float y_f = ray_mesh(mesh, single(p), single(v), 1e30f).x;
    differ += std::abs(x - x_f) > 1e-4 || std::abs(y - y_f) > 1e-4;
  }
  EXPECT_LT(differ, 20);  // what grazes may hit or miss
}

}  // namespace
}  // namespace pliant
