// Height fields: distances to a flat one in closed form, with any margin; one point per prism, in
// the order of the grid.

#include <gtest/gtest.h>

#include "collision/hfield_hd.h"
#include "shapes.h"

namespace pliant {
namespace {

struct Field {
  std::vector<float> data;
  Shape shape;
  Field(int rows, int columns, float height) : data(size_t(rows) * columns, height) {
    shape.type = GeomType::kHfield;
    shape.hfield = {data.data(), rows, columns, {1, 1, 0.5, 0.1}};
    shape.rbound = 2;
  }
};

TEST(Hfield, BallOnFlatGround) {
  Field field(21, 21, 0.5f);
  Shape ball = primitive(GeomType::kSphere, {0.02, 0, 0});
  // over the middle of a triangle: one point, straight up
  for (double margin : {0.0, 0.001, 0.01}) {
    ball.pos = {0.53, 0.26, 0.25 + 0.02 - 0.0005};
    ContactPoint out[kMaxHfieldPoints];
    const int count = hfield_convex(field.shape, ball, margin, out);
    ASSERT_GE(count, 1);
    double least = 1;
    for (int i = 0; i < count; ++i) least = std::min(least, out[i].dist);
    // MuJoCo's is 1.5 margin too small
    EXPECT_NEAR(least, -0.0005, 1e-9) << margin;
    EXPECT_NEAR(out[0].normal.z, 1, 1e-6);
  }
  // above it: only within the margin, at the true distance
  ball.pos.z = 0.25 + 0.02 + 0.003;
  ContactPoint out[kMaxHfieldPoints];
  EXPECT_EQ(hfield_convex(field.shape, ball, 0.0, out), 0);
  ASSERT_GE(hfield_convex(field.shape, ball, 0.005, out), 1);
  EXPECT_NEAR(out[0].dist, 0.003, 1e-9);
}

TEST(Hfield, OnePointPerPrismAndNoMoreThanFifty) {
  Field field(21, 21, 0.5f);
  Shape box = primitive(GeomType::kBox, {0.04, 0.04, 0.04});
  box.pos = {0.05, 0.05, 0.28};  // in the middle of a cell of 0.1: two prisms
  ContactPoint out[kMaxHfieldPoints];
  EXPECT_EQ(hfield_convex(field.shape, box, 0.0, out), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(out[i].dist, -0.01, 1e-12);
    EXPECT_NEAR(out[i].normal.z, 1, 1e-12);
  }
  box.size = {0.9, 0.9, 0.04}, box.rbound = 2;
  EXPECT_EQ(hfield_convex(field.shape, box, 0.0, out), kMaxHfieldPoints);
}

TEST(Hfield, BesideAboveAndBelow) {
  Field field(5, 5, 1);
  Shape ball = primitive(GeomType::kSphere, {0.1, 0, 0});
  ContactPoint out[kMaxHfieldPoints];
  for (const Vec3& away : {Vec3{1.2, 0, 0}, Vec3{0, -1.2, 0}, Vec3{0, 0, 0.7}, Vec3{0, 0, -0.3}}) {
    ball.pos = away;
    EXPECT_EQ(hfield_convex(field.shape, ball, 0.0, out), 0);
  }
  ball.pos = {0, 0, std::nan("")};
  EXPECT_EQ(hfield_convex(field.shape, ball, 0.0, out), 0);
  // turned field: the normal turns with it
  field.shape.mat = matrix(Quat{std::sqrt(0.5), std::sqrt(0.5), 0, 0});
  ball.pos = field.shape.mat * Vec3{0.1, 0.13, 0.59};
  ASSERT_GE(hfield_convex(field.shape, ball, 0.0, out), 1);
  EXPECT_NEAR(out[0].dist, -0.01, 1e-9);
  EXPECT_NEAR(norm(out[0].normal - field.shape.mat * Vec3{0, 0, 1}), 0, 1e-6);
}

// One cell is two prisms, here as meshes for the oracle. MuJoCo's search stops early with boxes and
// meshes (corners of prisms have no numbers there, so that a new corner looks like a known one):
// depths up to centimetres too small.
TEST(Hfield, DepthInEachPrism) {
  Field field(2, 2, 0);
  field.data = {0.5f, 0.75f, 1.0f, 0.25f};
  field.shape.hfield.data = field.data.data();
  const auto corner = [&](int row, int column, bool top) {
    return Vec3{column ? 1.0 : -1.0, row ? 1.0 : -1.0, top ? 0.5 * double(field.data[2 * row + column]) : -0.1};
  };
  const int cells[2][3][2] = {{{1, 0}, {0, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
  float vertices[2][18];
  Shape prisms[2];
  for (int p = 0; p < 2; ++p) {
    for (int k = 0; k < 6; ++k) {
      const Vec3 v = corner(cells[p][k % 3][0], cells[p][k % 3][1], k >= 3);
      for (int c = 0; c < 3; ++c) vertices[p][3 * k + c] = float(v[c]);
    }
    prisms[p].type = GeomType::kMesh;
    prisms[p].mesh.vert = vertices[p], prisms[p].mesh.vertnum = 6, prisms[p].rbound = 2;  // contains all corners
  }
  std::mt19937 random(13);
  int both = 0;
  for (int k = 0; k < poses(200, 5000); ++k) {
    Shape s = k % 2 ? primitive(GeomType::kBox, {0.4, 0.3, 0.2}) : primitive(GeomType::kCylinder, {0.3, 0.2, 0});
    s.mat = random_turn(random);
    std::uniform_real_distribution<double> place(-0.3, 0.3);
    s.pos = {place(random), place(random), 0.6 + place(random)};
    ContactPoint out[kMaxHfieldPoints];
    if (hfield_convex(field.shape, s, 0.0, out) != 2) continue;
    ++both;
    for (int p = 0; p < 2; ++p) {
      const double truth = oracle::least_depth(prisms[p], s, 300, {out[p].normal}, random);
      ASSERT_NEAR(-out[p].dist, truth, 1e-6) << k;
      ASSERT_NEAR(oracle::depth_along(prisms[p], s, out[p].normal), truth, 1e-6) << k;
    }
  }
  EXPECT_GT(both, poses(50, 1000));
}

TEST(Hfield, RoughGroundInBothPrecisions) {
  std::mt19937 random(4);
  Field field(30, 40, 0);
  for (float& x : field.data) x = std::generate_canonical<float, 24>(random);
  field.shape.hfield.size[2] = 0.1;
  const Shape kinds[] = {primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04}),
                         primitive(GeomType::kCylinder, {0.05, 0.08, 0}), primitive(GeomType::kBox, {0.08, 0.05, 0.06}),
                         primitive(GeomType::kCapsule, {0.05, 0.05, 0})};
  for (int k = 0; k < poses(200, 5000); ++k) {
    Shape s = kinds[k % 4];
    s.mat = random_turn(random);
    std::uniform_real_distribution<double> place(-1, 1);
    s.pos = {place(random), place(random), 0.1 + 0.1 * place(random)};
    ContactPoint out[kMaxHfieldPoints];
    const int count = hfield_convex(field.shape, s, 0.0, out);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(std::isfinite(out[i].dist));
      ASSERT_LT(out[i].dist, 0);
      ASSERT_NEAR(norm(out[i].normal), 1, 1e-9);
    }
    ContactPointT<float> coarse[kMaxHfieldPoints];
    const int coarse_count = hfield_convex(shape_as<float>(field.shape), shape_as<float>(s), 0.0f, coarse);
    ASSERT_NEAR(coarse_count, count, 2);
    if (count == coarse_count) {
      for (int i = 0; i < count; ++i) ASSERT_NEAR(coarse[i].dist, out[i].dist, 1e-5);
    }
  }
}

}  // namespace
}  // namespace pliant
