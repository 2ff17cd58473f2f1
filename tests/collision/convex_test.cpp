// The convex route against an oracle that tries directions: depth, normal, symmetry, sizes from
// 1e-6 to 1e3, single precision, shapes in the same place, shallow contacts; and how points of
// boxes, hulls and cylinders that lie on something behave.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "collision/convex_hd.h"
#include "shapes.h"

namespace pliant {
namespace {

struct Kinds {
  Model model = hulls({8, 20, 200, 2000}, 0.1);
  std::vector<std::pair<const char*, Shape>> list = {
      {"cylinder", primitive(GeomType::kCylinder, {0.05, 0.08, 0})},
      {"ellipsoid", primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04})},
      {"box", primitive(GeomType::kBox, {0.08, 0.05, 0.06})},
      {"mesh8", hull_shape(model, 0)},
      {"mesh20", hull_shape(model, 1)},
      {"mesh200", hull_shape(model, 2)},
      {"mesh2000", hull_shape(model, 3)},
  };
};

constexpr size_t kKinds = 7;

double random_depth(std::mt19937& random) {
  return 0.1 * std::pow(10.0, std::uniform_real_distribution<double>(-6, -0.3)(random));
}

// Must show: depth within 1e-6 m of the oracle and a normal along which the shapes are that deep,
// for every pair. (A test for each pair: the long version takes as long as all others together.)
std::vector<std::pair<size_t, size_t>> all_pairs() {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < kKinds; ++i) {
    for (size_t j = i; j < kKinds; ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}
class ConvexPairs : public testing::TestWithParam<std::pair<size_t, size_t>> {};

TEST_P(ConvexPairs, DepthIsTheLeast) {
  const Kinds kinds;
  ASSERT_EQ(kinds.list.size(), kKinds);
  const auto& [i, j] = GetParam();
  const std::string names = std::string(kinds.list[i].first) + " " + kinds.list[j].first;
  std::mt19937 random(static_cast<unsigned>(11 + 100 * i + j));
  double worst = 0, worst_float = 0;
  for (int k = 0; k < poses(12, 2000); ++k) {
    Shape a = kinds.list[i].second, b = kinds.list[j].second;
    place_touching(a, b, random_depth(random), random);
    ContactPoint out[kMaxConvexPoints], back[1];
    const int count = convex_single(a, b, 0.0, out);
    const double truth = oracle::least_depth(a, b, 200, hints(a, b), random);
    if (count == 0) {
      ASSERT_LT(truth, 1e-8);
      continue;
    }
    ASSERT_NEAR(norm(out[0].normal), 1, 1e-12);
    worst =
        std::max({worst, std::abs(-out[0].dist - truth), std::abs(oracle::depth_along(a, b, out[0].normal) - truth)});
    ASSERT_LT(worst, 1e-6) << names << " " << k;

    // mirrored: the same depth, along the reversed normal
    ASSERT_EQ(convex_single(b, a, 0.0, back), 1);
    ASSERT_NEAR(back[0].dist, out[0].dist, 5e-7);
    ASSERT_NEAR(oracle::depth_along(a, b, -back[0].normal), truth, 1e-6);

    // in single precision
    ContactPointT<float> coarse[1];
    if (convex_single(shape_as<float>(a), shape_as<float>(b), 0.0f, coarse) == 1) {
      const Vec3 n{coarse[0].normal.x, coarse[0].normal.y, coarse[0].normal.z};
      worst_float = std::max({worst_float, std::abs(-coarse[0].dist - truth), oracle::depth_along(a, b, n) - truth});
    } else {
      worst_float = std::max(worst_float, truth);
    }
    ASSERT_LT(worst_float, 1e-5 * (a.rbound + b.rbound)) << names << " " << k;
  }
  if (poses(0, 1)) {
    std::printf("%20s  largest error %.1e m, single precision %.1e m\n", names.c_str(), worst, worst_float);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ConvexPairs, testing::ValuesIn(all_pairs()));

// The least of depth_along over normals that turn about an edge, near n.
double least_across(const Shape& a, const Shape& b, Vec3 n, Vec3 edge) {
  const Vec3 start = normalized(n - edge * dot(edge, n)), side = cross(edge, start);
  const auto depth = [&](double angle) { return oracle::depth_along(a, b, start + side * angle); };
  double low = -0.02, high = 0.02;
  while (high - low > 1e-9) {
    const double p = low + (high - low) / 3, q = high - (high - low) / 3;
    (depth(p) < depth(q) ? high : low) = depth(p) < depth(q) ? q : p;
  }
  return depth((low + high) / 2);
}

// Least depths are often along the normal of a face or across an edge, where the depth has a kink: they are found to
// all digits there. Searches that approach a kink by triangles were wrong by 4e-8 m, and their normals by a
// milliradian.
TEST(Convex, EllipsoidsAtFacesAndEdges) {
  std::mt19937 random(12);
  for (const Shape& other :
       {primitive(GeomType::kBox, {0.08, 0.05, 0.06}), primitive(GeomType::kCylinder, {0.05, 0.08, 0}),
        primitive(GeomType::kCapsule, {0.03, 0.08, 0})}) {
    for (int k = 0; k < poses(300, 10000); ++k) {
      Shape a = primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04}), b = other;
      place_touching(a, b, random_depth(random), random);
      ContactPoint out[1];
      if (convex_single(a, b, 0.0, out) == 0) continue;
      const Vec3 n = out[0].normal;
      ASSERT_NEAR(oracle::depth_along(a, b, n), -out[0].dist, 1e-12);
      for (int i = 0; i < 3; ++i) {
        const Vec3 axis = b.mat.column(i);
        for (const Vec3& face : {axis, -axis}) ASSERT_LE(-out[0].dist, oracle::depth_along(a, b, face) + 1e-12);
        if (std::abs(dot(axis, n)) < 0.01) {
          ASSERT_LE(-out[0].dist, least_across(a, b, n, axis) + 1e-12);
        }
      }
    }
  }
}

TEST(Convex, AnySize) {
  const Kinds kinds;
  std::mt19937 random(5);
  const Shape box = primitive(GeomType::kBox, {0.08, 0.05, 0.06});
  for (double scale : {1e-6, 1e-3, 1.0, 1e3, 1e4}) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 50; ++k) {
        Shape a = kinds.list[i].second, b = box;
        place_touching(a, b, random_depth(random), random);
        for (Shape* s : {&a, &b}) s->size = s->size * scale, s->pos = s->pos * scale, s->rbound *= scale;
        ContactPoint out[kMaxConvexPoints];
        const int count = convex_convex(a, b, 0.0, out);
        for (int c = 0; c < count; ++c) {
          ASSERT_TRUE(std::isfinite(out[c].dist + norm(out[c].pos) + norm(out[c].normal)));
          ASSERT_NEAR(norm(out[c].normal), 1, 1e-9);
        }
        if (convex_single(a, b, 0.0, out) == 0) continue;
        const double truth = oracle::least_depth(a, b, 200, hints(a, b), random);
        ASSERT_NEAR(-out[0].dist, truth, 5e-7 * scale) << scale;
      }
    }
  }
}

// MuJoCo finds no contact at all here
TEST(Convex, ShapesInTheSamePlace) {
  const Kinds kinds;
  std::mt19937 random(6);
  for (const auto& [name, shape] : kinds.list) {
    for (double shift : {0.0, 1e-18, 1e-12, 1e-6}) {
      Shape a = shape, b = shape;
      a.mat = b.mat = random_turn(random);
      b.pos = random_unit(random) * shift;
      ContactPoint out[kMaxConvexPoints];
      ASSERT_GE(convex_convex(a, b, 0.0, out), 1) << name << " " << shift;
      const double truth = oracle::least_depth(a, b, 400, {out[0].normal}, random);
      ContactPoint one[1];
      ASSERT_EQ(convex_single(a, b, 0.0, one), 1);
      ASSERT_NEAR(-one[0].dist, truth, 1e-6) << name << " " << shift;
    }
  }
}

// MuJoCo reverses up to 0.9 % of these normals, and finds nothing below 1e-6 m
TEST(Convex, ShallowSmoothContactsPushOutwards) {
  std::mt19937 random(8);
  const Shape ellipsoid = primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04}),
              cylinder = primitive(GeomType::kCylinder, {0.05, 0.08, 0});
  int found = 0, expected = 0;
  for (double depth : {1e-5, 1e-6, 3e-7, 1e-7}) {
    for (int k = 0; k < poses(100, 3000); ++k) {
      Shape a = k % 2 ? ellipsoid : cylinder, b = k % 3 ? ellipsoid : cylinder;
      place_touching(a, b, 1e-3, random);
      const double first = oracle::least_depth(a, b, 300, {}, random);
      ContactPoint out[1];
      if (convex_single(a, b, 0.0, out) == 0) continue;
      b.pos = b.pos + out[0].normal * (first - depth);
      std::vector<Vec3> tries = hints(a, b);
      tries.push_back(out[0].normal);
      const double truth = oracle::least_depth(a, b, 300, tries, random);
      if (truth < 0.5 * depth) continue;
      ++expected;
      if (convex_single(a, b, 0.0, out) == 0) continue;
      ++found;
      ASSERT_NEAR(oracle::depth_along(a, b, out[0].normal), truth, 5e-7);
    }
  }
  EXPECT_GT(expected, poses(200, 6000));
  EXPECT_EQ(found, expected);
}

// a margin adds points and shifts none
TEST(Convex, MarginIsOnlyACutoff) {
  const Kinds kinds;
  std::mt19937 random(9);
  for (int k = 0; k < poses(200, 4000); ++k) {
    Shape a = kinds.list[random() % 5].second, b = kinds.list[random() % 5].second;
    place_touching(a, b, (k % 3 - 1) * 1e-3, random);
    ContactPoint without[kMaxConvexPoints], with[kMaxConvexPoints];
    const int n0 = convex_single(a, b, 0.0, without), n1 = convex_single(a, b, 0.01, with);
    ASSERT_GE(n1, n0);
    if (n0 == 1) {
      ASSERT_NEAR(without[0].dist, with[0].dist, 5e-7);
    }
    if (n1 == 1) {
      ASSERT_NEAR(-with[0].dist, oracle::least_depth(a, b, 300, {with[0].normal}, random), 5e-7);
    }
  }
}

// points and depths follow small motions; the number of points stays
int points_on(const Shape& floor, Shape top, double depth, double tilt, ContactPoint* out) {
  const Mat3 turn = matrix(Quat{std::cos(tilt / 2), std::sin(tilt / 2), 0, 0});
  top.mat = turn * top.mat;
  top.pos.z -= depth;
  return floor.type <= top.type ? convex_convex(floor, top, 0.0, out) : convex_convex(top, floor, 0.0, out);
}

TEST(Convex, RestingShapesKeepTheirPoints) {
  const Model m = hulls({8}, 0.1, true);
  const Shape cube = hull_shape(m, 0), box = primitive(GeomType::kBox, {1, 1, 0.5});
  Shape top = cube;
  top.pos = {0.01, 0.02, 0.55};
  for (int i = 0; i <= 200; ++i) {
    const double phase = i * 0.1;
    ContactPoint out[kMaxConvexPoints];
    ASSERT_EQ(points_on(box, top, 1e-4 + 1e-5 * std::sin(phase), 1e-5 * std::cos(phase), out), 4) << i;
    for (int k = 0; k < 4; ++k) {
      ASSERT_NEAR(out[k].dist, -1e-4, 2e-5);
      ASSERT_NEAR(std::abs(out[k].normal.z), 1, 1e-6);
      ASSERT_NEAR(std::abs(out[k].pos.x - 0.01), 0.1, 1e-4);
    }
  }
  // a hull on a hull
  Shape upper = cube;
  upper.pos = {0.02, 0.03, 0.1};
  for (int i = 0; i <= 100; ++i) {
    ContactPoint out[kMaxConvexPoints];
    ASSERT_EQ(points_on(cube, upper, 1e-4, 1e-5 * std::sin(0.3 * i), out), 4) << i;
  }
  // a cylinder standing on a box: always enough to stand on
  Shape can = primitive(GeomType::kCylinder, {0.1, 0.2, 0});
  can.pos = {0, 0, 0.7};
  for (int i = 0; i <= 100; ++i) {
    ContactPoint out[kMaxConvexPoints];
    ASSERT_GE(points_on(box, can, 1e-4, 1e-5 * std::sin(0.3 * i), out), 3) << i;
  }
}

// what another pair left in the array is overwritten, and a tangent that only capsules know is none
TEST(Convex, PointsAreWrittenCompletely) {
  const Model m = hulls({8}, 0.1, true);
  const Shape box = primitive(GeomType::kBox, {1, 1, 0.5});
  Shape top = hull_shape(m, 0);
  top.pos = {0.01, 0.02, 0.55};
  ContactPoint out[kMaxConvexPoints];
  for (ContactPoint& point : out) point.tangent = {0, 0, 1};
  ASSERT_EQ(points_on(box, top, 1e-4, 1e-5, out), 4);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(norm(out[k].tangent), 0) << k;
}

// prepared vertices of a small hull give the same points to the bit; large hulls have none
TEST(Convex, PackedHullsChangeNothing) {
  const Model m = hulls({8, 11, 20, 30, 200}, 0.1);
  std::mt19937 random(5);
  double packed[5][3 * kMaxPacked];
  for (int i = 0; i < 5; ++i) EXPECT_EQ(pack_hull(hull_shape(m, i).mesh, packed[i]), i < 4);
  for (int k = 0; k < 400; ++k) {
    Shape a = hull_shape(m, k % 4), b = hull_shape(m, k / 4 % 4);
    place_touching(a, b, random_depth(random), random);
    ContactPoint slow[kMaxConvexPoints], fast[kMaxConvexPoints];
    const int count = convex_convex(a, b, 0.0, slow);
    a.mesh.packed = packed[k % 4], b.mesh.packed = packed[k / 4 % 4];
    ASSERT_EQ(convex_convex(a, b, 0.0, fast), count);
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(slow[i].dist, fast[i].dist);
      for (int c = 0; c < 3; ++c) ASSERT_EQ(slow[i].pos[c], fast[i].pos[c]);
    }
  }
}

// from 0.1 mm to 1 m in one pair; a grain on the axis of a barrel is about equally deep in all
// directions
TEST(Convex, FlatAndThinShapes) {
  std::mt19937 random(12);
  for (int k = 0; k < 500; ++k) {
    const auto thin = [&] { return 0.1 * std::pow(10.0, std::uniform_real_distribution<double>(-3, 1)(random)); };
    Shape a = primitive(k % 2 ? GeomType::kEllipsoid : GeomType::kCylinder, {thin(), thin(), thin()});
    Shape b = primitive(k % 3 ? GeomType::kCylinder : GeomType::kEllipsoid, {thin(), thin(), thin()});
    a.mat = random_turn(random), b.mat = random_turn(random);
    b.pos = random_unit(random) * 0.3 * std::min(a.rbound, b.rbound);
    ContactPoint out[kMaxConvexPoints];
    const bool touches = convex_convex(a, b, 0.0, out) > 0;
    const int count = convex_single(a, b, 0.0, out);
    ASSERT_EQ(touches, count > 0) << k;
    const double truth = oracle::least_depth(a, b, 1000, hints(a, b), random);
    if (truth > 1e-6) {
      ASSERT_GE(count, 1) << k;
    }
    if (count) {
      ASSERT_NEAR(-out[0].dist, truth, 1e-4 * (a.rbound + b.rbound)) << k;
    }
  }
}

}  // namespace
}  // namespace pliant
