// Depth of overlapping shapes against closed forms and against the exact Minkowski difference of
// small hulls.

#include <gtest/gtest.h>

#include "collision/convex_hd.h"
#include "shapes.h"

namespace pliant {
namespace {

ContactPoint deepest(const Shape& a, const Shape& b) {
  ContactPoint out[1];
  EXPECT_EQ(convex_single(a, b, 0.0, out), 1);
  return out[0];
}

TEST(Epa, CoaxialCylinders) {
  Shape a = primitive(GeomType::kCylinder, {0.2, 0.5, 0}), b = primitive(GeomType::kCylinder, {0.1, 0.3, 0});
  b.pos = {0, 0, 0.79};
  const ContactPoint c = deepest(a, b);
  EXPECT_NEAR(c.dist, -0.01, 1e-8);
  EXPECT_NEAR(c.normal.z, 1, 1e-8);
  EXPECT_NEAR(c.pos.z, 0.495, 1e-8);
}

TEST(Epa, BoxInTheFaceOfABox) {
  Shape a = primitive(GeomType::kBox, {1, 1, 1}), b = primitive(GeomType::kBox, {0.5, 0.5, 0.5});
  b.pos = {0.3, 1.4, -0.2};
  const ContactPoint c = deepest(a, b);
  EXPECT_NEAR(c.dist, -0.1, 1e-14);
  EXPECT_NEAR(c.normal.y, 1, 1e-14);
  EXPECT_NEAR(c.pos.y, 0.95, 1e-14);
}

TEST(Epa, EllipsoidsAlongAnAxis) {
  Shape a = primitive(GeomType::kEllipsoid, {0.1, 0.2, 0.3}), b = primitive(GeomType::kEllipsoid, {0.3, 0.1, 0.2});
  b.pos = {0, 0, 0.49};
  const ContactPoint c = deepest(a, b);
  EXPECT_NEAR(c.dist, -0.01, 1e-14);
  EXPECT_NEAR(c.normal.z, 1, 1e-14);
}

TEST(Epa, PointInsideAHull) {
  const Model m = hulls({8}, 1, true);  // half sizes 1, 0.7, 0.5
  const Shape mesh = hull_shape(m, 0);
  Shape ball = primitive(GeomType::kSphere, {0.05, 0, 0});
  ball.pos = {0.1, 0.2, 0.45};
  const ContactPoint c = deepest(ball, mesh);
  EXPECT_NEAR(c.dist, -0.1, 1e-6);  // vertices are single precision
  EXPECT_NEAR(std::abs(c.normal.z), 1, 1e-6);
}

// every plane through three points of A - B that has all others below it, by trying all triples
double exact_depth(const Shape& a, const Shape& b) {
  std::vector<Vec3> points;
  for (int i = 0; i < a.mesh.vertnum; ++i) {
    for (int j = 0; j < b.mesh.vertnum; ++j) {
      const float *u = a.mesh.vert + 3 * i, *v = b.mesh.vert + 3 * j;
      points.push_back((a.mat * Vec3{u[0], u[1], u[2]} + a.pos) - (b.mat * Vec3{v[0], v[1], v[2]} + b.pos));
    }
  }
  // candidate normals: faces of A, of B, and edges across edges: a face of the difference has two
  // edges of such directions
  std::vector<Vec3> edges;
  for (const Shape* s : {&a, &b}) {
    for (int i = 0; i < s->mesh.vertnum; ++i) {
      for (int j = 0; j < i; ++j) {
        const float *u = s->mesh.vert + 3 * i, *v = s->mesh.vert + 3 * j;
        edges.push_back(s->mat * Vec3{double(u[0]) - v[0], double(u[1]) - v[1], double(u[2]) - v[2]});
      }
    }
  }
  double least = 1e300;
  for (size_t i = 0; i < edges.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Vec3 n = cross(edges[i], edges[j]);
      const double length = norm(n);
      if (length < 1e-9 * norm(edges[i]) * norm(edges[j])) continue;
      double up = -1e300, down = 1e300;
      for (const Vec3& p : points) up = std::max(up, dot(n, p)), down = std::min(down, dot(n, p));
      least = std::min({least, up / length, -down / length});
    }
  }
  return least;
}

TEST(Epa, SmallHullsAreExact) {
  const Model m = hulls({8, 6}, 0.1);
  std::mt19937 random(3);
  for (int i = 0; i < poses(100, 2000); ++i) {
    Shape a = hull_shape(m, 0), b = hull_shape(m, 1);
    place_touching(a, b, 0.03 * std::generate_canonical<double, 53>(random), random);
    ContactPoint out[1];
    const double exact = exact_depth(a, b);
    if (exact < 1e-12) continue;
    ASSERT_EQ(convex_single(a, b, 0.0, out), 1) << i;
    ASSERT_NEAR(-out[0].dist, exact, 1e-12) << i;
  }
}

}  // namespace
}  // namespace pliant
