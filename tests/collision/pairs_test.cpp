// Pairs whose answer is known by hand, and the poses in which the reference fails: pierced boxes, crossed tiny
// capsules, thick capsules, spheres on rims, boxes on an edge, cubes made of a mesh.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/filter_hd.h"
#include "tests/collision/pair_shapes.h"

namespace pliant {
namespace {

Shape shape(GeomType type, Vec3 size, Vec3 pos, const Mat3& mat = {}) {
  Shape result;
  result.type = type, result.size = size, result.pos = pos, result.mat = mat;
  return result;
}
Mat3 turned(Vec3 axis, double angle) { return matrix(axis_angle(axis, angle)); }

void expect_near(Vec3 a, Vec3 b, double tolerance = 1e-12) { EXPECT_LT(norm(a - b), tolerance); }

const Shape kFloor = shape(GeomType::kPlane, {1, 1, 1}, {0, 0, 0});

// ---- closed forms --------------------------------------------------------------------------------

TEST(PairsByHand, PlaneSphere) {
  const auto points = points_of(kFloor, shape(GeomType::kSphere, {0.2, 0, 0}, {5, 6, 0.15}));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].dist, -0.05, 1e-15);
  expect_near(points[0].pos, {5, 6, -0.025});
  expect_near(points[0].normal, {0, 0, 1});
}

TEST(PairsByHand, PlaneCapsuleLying) {
  const Shape capsule = shape(GeomType::kCapsule, {0.1, 0.3, 0}, {0, 0, 0.09}, turned({0, 1, 0}, kPi / 2));
  const auto points = points_of(kFloor, capsule);
  ASSERT_EQ(points.size(), 2u);
  expect_near(points[0].pos, {0.3, 0, -0.005});
  expect_near(points[1].pos, {-0.3, 0, -0.005});
  expect_near(points[0].tangent, {1, 0, 0});
}

// Spheres and capsules that are not even compared have no contact, at any size and margin; most that are far are not.
TEST(PairsByHand, RoundShapesThatAreNotComparedAreApart) {
  struct Parameters {
    int geom_type[2];
    double geom_size[6];
  };
  struct Poses {
    double geom_xpos[6], geom_xmat[18];
  };
  Random random(2);
  int near = 0, left_out = 0, far = 0;
  for (int k = 0; k < 20000; ++k) {
    Parameters m;
    Poses d;
    Shape both[2];
    for (int i = 0; i < 2; ++i) {
      const GeomType type = random() % 4 ? GeomType::kCapsule : GeomType::kSphere;
      const Vec3 size{std::pow(10, uniform(random, -3, 0)), std::pow(10, uniform(random, -3, 0)), 0};
      both[i] = shape(type, size, random_vector(random) * 0.5, k % 7 ? random_turn(random) : Mat3{});
      m.geom_type[i] = static_cast<int>(type);
      for (int c = 0; c < 3; ++c) m.geom_size[3 * i + c] = size[c], d.geom_xpos[3 * i + c] = both[i].pos[c];
      for (int c = 0; c < 9; ++c) d.geom_xmat[9 * i + c] = both[i].mat.m[c];
    }
    const bool in_order = m.geom_type[0] <= m.geom_type[1];
    const double margin = k % 3 ? 0.0 : uniform(random, -0.1, 0.3);
    const bool touch = !points_of(both[!in_order], both[in_order], margin).empty();
    const bool compared = round_shapes_may_meet(m, d, 0, 1, margin);
    EXPECT_TRUE(compared || !touch) << k;
    near += touch, left_out += !compared, far += !touch;
  }
  EXPECT_GT(near, 1000);
  EXPECT_GT(left_out, far / 2);
}

TEST(PairsByHand, PlaneEllipsoidIsAtItsSupportHeight) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const OwnShape e = random_shape(random, GeomType::kEllipsoid);
    const Vec3 up = transposed_times(e.shape.mat, Vec3{0, 0, 1}), s = e.shape.size;
    const double reach = norm(Vec3{up.x * s.x, up.y * s.y, up.z * s.z});
    const auto points = points_of(kFloor, e.shape, 100.0);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].dist, e.shape.pos.z - reach, 1e-14);
    // the lowest point is on the surface
    const Vec3 local = transposed_times(e.shape.mat, points[0].pos + Vec3{0, 0, points[0].dist / 2} - e.shape.pos);
    EXPECT_NEAR(norm(Vec3{local.x / s.x, local.y / s.y, local.z / s.z}), 1, 1e-12);
  }
}

TEST(PairsByHand, PlaneCylinderStandsOnThreeAndLiesOnTwo) {
  const auto standing = points_of(kFloor, shape(GeomType::kCylinder, {0.1, 0.3, 0}, {0, 0, 0.29}));
  ASSERT_EQ(standing.size(), 3u);
  Vec3 sum{};
  for (const ContactPoint& point : standing) {
    EXPECT_NEAR(point.dist, -0.01, 1e-15);
    EXPECT_NEAR(std::hypot(point.pos.x, point.pos.y), 0.1, 1e-15);
    sum = sum + point.pos;
  }
  EXPECT_NEAR(std::hypot(sum.x, sum.y), 0, 1e-15);
  const Shape lying = shape(GeomType::kCylinder, {0.1, 0.3, 0}, {0, 0, 0.09}, turned({1, 0, 0}, kPi / 2));
  const auto points = points_of(kFloor, lying);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(std::abs(points[0].pos.y), 0.3, 1e-12);
  EXPECT_NEAR(points[0].pos.y + points[1].pos.y, 0, 1e-12);
}

TEST(PairsByHand, NearlyUprightCylinderAboveAPlaneDoesNotTouchIt) {
  // an axis that is a unit vector up to rounding only
  Shape cylinder = shape(GeomType::kCylinder, {0.03, 0.002, 0}, {0, 0, 0.00204}, turned({0.6, 0.8, 0}, 7e-14));
  for (const double length : {1.0, 1 - 9e-16, 1 + 9e-16}) {
    cylinder.mat(2, 2) = length;
    EXPECT_TRUE(points_of(kFloor, cylinder).empty()) << length;
  }
}

TEST(PairsByHand, SphereInsideABoxLeavesThroughTheNearestFace) {
  const auto points =
      points_of(shape(GeomType::kSphere, {0.1, 0, 0}, {0, 0.8, 0}), shape(GeomType::kBox, {1, 1, 1}, {0, 0, 0}));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].dist, -0.3, 1e-15);
  expect_near(points[0].normal, {0, -1, 0});
  EXPECT_NEAR(points[0].pos.y, 0.85, 1e-15);
}

TEST(PairsByHand, SphereOnSideCapAndRim) {
  const Shape cylinder = shape(GeomType::kCylinder, {0.5, 0.4, 0}, {0, 0, 0});
  auto touch = [&](Vec3 centre) { return points_of(shape(GeomType::kSphere, {0.1, 0, 0}, centre), cylinder, 10.0)[0]; };
  EXPECT_NEAR(touch({0.7, 0, 0.1}).dist, 0.1, 1e-15);
  EXPECT_NEAR(touch({0.2, 0, -0.7}).dist, 0.2, 1e-15);
  EXPECT_NEAR(touch({0.8, 0, 0.8}).dist, 0.4, 1e-15);
  EXPECT_NEAR(touch({0.8, 0, 0.8}).dist, std::hypot(0.3, 0.4) - 0.1, 1e-15);
}

TEST(PairsByHand, CapsulesCrossed) {
  const auto points = points_of(shape(GeomType::kCapsule, {0.1, 1, 0}, {0, 0, 0}),
                                shape(GeomType::kCapsule, {0.2, 1, 0}, {0, 0.25, 0}, turned({0, 1, 0}, kPi / 2)));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].dist, -0.05, 1e-15);
  expect_near(points[0].normal, {0, 1, 0});
  expect_near(points[0].pos, {0, 0.075, 0});
}

TEST(PairsByHand, BoxesFaceToFace) {
  // 45 degrees about the common normal: an octagon
  const Shape first = shape(GeomType::kBox, {1, 1, 1}, {0, 0, 0});
  const Shape second = shape(GeomType::kBox, {1, 1, 1}, {0, 0, 1.99}, turned({0, 0, 1}, kPi / 4));
  const auto points = points_of(first, second);
  ASSERT_EQ(points.size(), 8u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.dist, -0.01, 1e-14);
    EXPECT_NEAR(std::hypot(point.pos.x, point.pos.y), 1 / std::cos(kPi / 8), 1e-12);
    expect_near(point.normal, {0, 0, 1});
  }
}

TEST(PairsByHand, BoxesEdgeToEdge) {
  const Shape first = shape(GeomType::kBox, {1, 1, 1}, {0, 0, 0}, turned({1, 0, 0}, kPi / 4));
  const Shape second = shape(GeomType::kBox, {1, 1, 1}, {0, 0, 2 * std::sqrt(2.0) - 0.1}, turned({0, 1, 0}, kPi / 4));
  const auto points = points_of(first, second);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].dist, -0.1, 1e-14);
  expect_near(points[0].normal, {0, 0, 1});
  expect_near(points[0].pos, {0, 0, std::sqrt(2.0) - 0.05});
}

/// Separation of two boxes by all fifteen axes, in extended precision and without any preference.
long double box_separation(const Shape& a, const Shape& b) {
  auto axis = [](const Shape& s, int i) { return s.mat.column(i); };
  long double best = -HUGE_VALL;
  auto consider = [&](Vec3 d) {
    const long double length = norm(d);
    if (length < 1e-6L) return;
    long double separation = std::abs((long double)dot(d, b.pos - a.pos));
    for (int i = 0; i < 3; ++i) {
      separation -= a.size[i] * std::abs((long double)dot(d, axis(a, i)));
      separation -= b.size[i] * std::abs((long double)dot(d, axis(b, i)));
    }
    best = std::max(best, separation / length);
  };
  for (int i = 0; i < 3; ++i) consider(axis(a, i)), consider(axis(b, i));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) consider(cross(axis(a, i), axis(b, j)));
  }
  return best;
}

TEST(PairsByHand, BoxesAreAsDeepAsTheBestOfFifteenAxes) {
  Random random(3);
  int hits = 0;
  for (int k = 0; k < 3000; ++k) {
    OwnShape a = random_shape(random, GeomType::kBox), b = random_shape(random, GeomType::kBox);
    bring_near(random, a.shape, b.shape);
    const double separation = double(box_separation(a.shape, b.shape));
    const auto points = points_of(a.shape, b.shape);
    ASSERT_EQ(points.empty(), separation > 0) << separation;
    if (points.empty()) continue;
    ++hits;
    // a face may stand for an edge that is better by 5 %
    ASSERT_LE(deepest(points), separation + 1e-12);
    ASSERT_GE(deepest(points), separation * 1.05 - 1e-12);
  }
  EXPECT_GT(hits, 1000);
}

// ---- better than the reference -------------------------------------------------------------------

TEST(PairsImproved, PiercedBoxesAreLeft) {
  // the capsule's axis goes through the box: there are points, and pushes along the deepest one's normal by its depth
  // end outside. Depths that follow MuJoCo can be too small, so that it takes several, and a few go to and fro between
  // two sides that are about as near
  Random random(4);
  int pierced = 0, once = 0, left = 0;
  for (int k = 0; k < 20000; ++k) {
    OwnShape a = random_shape(random, GeomType::kCapsule), b = random_shape(random, GeomType::kBox);
    a.shape.size = {uniform(random, 0.001, 0.05), uniform(random, 0.05, 0.6), 0};
    bring_near(random, a.shape, b.shape);
    // does the axis meet the box? by sampling
    bool meets = false;
    for (int i = -50; i <= 50 && !meets; ++i) {
      const Vec3 p = a.shape.pos + a.shape.mat.column(2) * (a.shape.size.y * i / 50);
      meets = surface_distance(b.shape, p) < -1e-6;
    }
    if (!meets) continue;
    ++pierced;
    const auto points = points_of(a.shape, b.shape);
    ASSERT_FALSE(points.empty());
    Shape out = a.shape;
    for (int push = 1; push <= 20; ++push) {
      const auto now = points_of(out, b.shape);
      const ContactPoint& first = *std::min_element(
          now.begin(), now.end(), [](const ContactPoint& x, const ContactPoint& y) { return x.dist < y.dist; });
      out.pos = out.pos + first.normal * (first.dist * (1 + 1e-5) - 1e-9);
      if (!points_of(out, b.shape).empty()) continue;
      once += push == 1;
      ++left;
      break;
    }
  }
  EXPECT_GT(pierced, 2000);
  EXPECT_GT(once, 0.7 * pierced);
  EXPECT_GT(left, 0.96 * pierced);
}

TEST(PairsImproved, CrossedTinyCapsules) {
  for (const double scale : {1.0, 1e-3, 1e-4, 1e-5}) {
    const auto points =
        points_of(shape(GeomType::kCapsule, Vec3{0.1, 1, 0} * scale, {0, 0, 0}),
                  shape(GeomType::kCapsule, Vec3{0.1, 1, 0} * scale, Vec3{0, 0.15, 0} * scale, turned({0, 1, 0}, 1)));
    ASSERT_EQ(points.size(), 1u) << scale;
    EXPECT_NEAR(points[0].dist / scale, -0.05, 1e-12);
  }
}

TEST(PairsImproved, ThickCapsules) {
  const Shape box = shape(GeomType::kBox, {0.1, 0.1, 0.1}, {0, 0, 0});
  for (const double radius : {0.1, 1.0, 10.0, 100.0}) {
    // outwards of a corner of the box, 10 % deep
    const Vec3 corner = {0.1, 0.1, 0.1}, way = normalized(Vec3{1, 2, 3});
    const Shape capsule = shape(GeomType::kCapsule, {radius, 0.01 * radius, 0}, corner + way * (0.9 * radius));
    const auto points = points_of(capsule, box);
    ASSERT_FALSE(points.empty()) << radius;
    EXPECT_NEAR(points[0].dist / radius, -0.1, 0.02);
  }
}

TEST(PairsImproved, SphereCentredOnARimLeavesOutwards) {
  for (const double side : {1.0, -1.0}) {
    for (const double angle : {0.0, 1.0, 3.0}) {
      const Shape cylinder = shape(GeomType::kCylinder, {0.5, 0.25, 0}, {0, 0, 0});
      Shape sphere = shape(GeomType::kSphere, {0.1, 0, 0}, {});
      // a centre exactly on the rim: only axes have one in floating point
      sphere.pos = angle == 0   ? Vec3{0.5, 0, side * 0.25}
                   : angle == 1 ? Vec3{0, -0.5, side * 0.25}
                                : Vec3{-0.5, 0, side * 0.25};
      const auto points = points_of(sphere, cylinder);
      ASSERT_EQ(points.size(), 1u);
      sphere.pos = sphere.pos + points[0].normal * (points[0].dist - 1e-9);
      EXPECT_TRUE(points_of(sphere, cylinder).empty());
    }
  }
}

TEST(PairsImproved, ConcentricCapsulesAndCylindersLeaveSideways) {
  // parallel axes along the world's x axis, which must not be the normal
  const Mat3 along_x = turned({0, 1, 0}, kPi / 2);
  const Shape capsule = shape(GeomType::kCapsule, {0.1, 0.5, 0}, {0, 0, 0}, along_x);
  for (const Shape& first : {shape(GeomType::kSphere, {0.1, 0, 0}, {0, 0, 0}, along_x), capsule}) {
    for (const ContactPoint& point : points_of(first, capsule)) EXPECT_NEAR(point.normal.x, 0, 1e-12);
  }
  const Shape cylinder = shape(GeomType::kCylinder, {0.1, 0.5, 0}, {0, 0, 0}, along_x);
  const auto points = points_of(shape(GeomType::kSphere, {0.1, 0, 0}, {0, 0, 0}, along_x), cylinder);
  EXPECT_NEAR(points[0].normal.x, 0, 1e-12);
}

TEST(PairsImproved, BoxBalancedOnAnEdgeKeepsItsDeepestCorners) {
  // the lowest edge has high numbers: three quarters of a turn, exact in floating point
  Shape box = shape(GeomType::kBox, {0.5, 0.5, 0.5}, {0, 0, -0.5});
  const double c = std::sqrt(0.5);
  box.mat = {{1, 0, 0, 0, -c, c, 0, -c, -c}};
  const auto points = points_of(kFloor, box);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_NEAR(deepest(points), -0.5 - c, 1e-12);
}

TEST(PairsImproved, CubeMadeOfAMeshStandsOnFourCorners) {
  const Model m = load_model_string(R"(
    <mujoco><asset><mesh name="m" vertex="-1 -1 -1 -1 -1 1 -1 1 -1 -1 1 1 1 -1 -1 1 -1 1 1 1 -1 1 1 1"
      scale=".1 .1 .1"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>)");
  Shape cube = shape(GeomType::kMesh, {}, {0, 0, 0.0999});
  cube.mesh = mesh_shape(m, 0), cube.rbound = m.geom_rbound[0];
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    // small motions at rest: the same four corners, each once
    cube.mat = turned(normalized(random_vector(random)), uniform(random, 0, 2e-4));
    const auto points = points_of(kFloor, cube);
    ASSERT_EQ(points.size(), 4u);
    Vec3 sum{};
    for (const ContactPoint& point : points) sum = sum + point.pos;
    ASSERT_LT(std::hypot(sum.x, sum.y), 1e-3);
    EXPECT_EQ(points[0].dist, deepest(points));
  }
  // tilted it stands on one corner, on an edge on two
  cube.mat = turned({1, 0, 0}, 0.3), cube.pos.z = 0.12;
  EXPECT_EQ(points_of(kFloor, cube).size(), 2u);
  cube.mat = turned(normalized(Vec3{1, 0.5, 0}), 0.5), cube.pos.z = 0.145;
  EXPECT_EQ(points_of(kFloor, cube).size(), 1u);
}

}  // namespace
}  // namespace pliant
