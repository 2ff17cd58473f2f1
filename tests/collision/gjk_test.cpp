// Distances of convex shapes against closed forms, far away, tiny, huge and in single precision.

#include <gtest/gtest.h>

#include "collision/distance_hd.h"
#include "shapes.h"

namespace pliant {
namespace {

double distance(const Shape& a, const Shape& b, double most, Vec3 fromto[2]) {
  return geom_distance(a, b, most, fromto);
}

TEST(Gjk, BoxesFaceToFace) {
  Shape a = primitive(GeomType::kBox, {1, 2, 3}), b = primitive(GeomType::kBox, {0.5, 0.25, 1});
  b.pos = {2, 0.3, 0.1};
  Vec3 ft[2];
  EXPECT_NEAR(distance(a, b, 10, ft), 0.5, 1e-14);
  EXPECT_NEAR(ft[0].x, 1, 1e-14);
  EXPECT_NEAR(ft[1].x, 1.5, 1e-14);
  EXPECT_EQ(distance(a, b, 0.4, ft), 0.4);
  EXPECT_EQ(norm(ft[0]) + norm(ft[1]), 0);
}

TEST(Gjk, EdgeToEdgeAndCornerToCorner) {
  Shape a = primitive(GeomType::kBox, {1, 1, 1}), b = a;
  Vec3 ft[2];
  b.pos = {3, 3, 0};
  EXPECT_NEAR(distance(a, b, 10, ft), std::sqrt(2), 1e-14);
  b.pos = {3, 3, 3};
  EXPECT_NEAR(distance(a, b, 10, ft), std::sqrt(3), 1e-14);
  EXPECT_NEAR(norm(ft[0] - Vec3{1, 1, 1}), 0, 1e-14);
  EXPECT_NEAR(norm(ft[1] - Vec3{2, 2, 2}), 0, 1e-14);
}

TEST(Gjk, CoatsShiftTheSurfaces) {
  Shape a = primitive(GeomType::kCapsule, {0.1, 0.5, 0}), b = primitive(GeomType::kCylinder, {0.2, 0.3, 0});
  b.pos = {1, 0, 0};
  Vec3 ft[2];
  EXPECT_NEAR(distance(a, b, 10, ft), 0.7, 1e-9);
  EXPECT_NEAR(ft[0].x, 0.1, 1e-9);
  EXPECT_NEAR(ft[1].x, 0.8, 1e-9);
  b.pos = {0.25, 0, 0};
  EXPECT_NEAR(distance(a, b, 10, ft), -0.05, 1e-9);
  EXPECT_NEAR(distance(a, b, -1, ft), -0.05, 1e-9);  // overlaps are told whatever the limit
}

// the distance is the largest lower bound over directions, -f
TEST(Gjk, RandomPairsAgreeWithDirections) {
  const Model m = hulls({8, 100}, 0.1);
  std::vector<Shape> kinds = {primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04}),
                              primitive(GeomType::kCylinder, {0.05, 0.08, 0}),
                              primitive(GeomType::kBox, {0.08, 0.05, 0.06}), hull_shape(m, 0), hull_shape(m, 1)};
  std::mt19937 random(1);
  for (int i = 0; i < poses(100, 3000); ++i) {
    Shape a = kinds[random() % 5], b = kinds[random() % 5];
    place_touching(a, b, -0.05 * std::generate_canonical<double, 53>(random), random);
    Vec3 ft[2];
    const double d = distance(a, b, 1, ft);
    const double truth = -oracle::least_depth(a, b, 400, {ft[1] - ft[0], ft[0] - ft[1]}, random);
    ASSERT_NEAR(d, truth, 1e-8) << i;
    ASSERT_NEAR(norm(ft[0] - ft[1]), std::abs(d), 1e-9);
  }
}

// the same pair at any size and place; scaled by a power of two it is the same to the bit
TEST(Gjk, ScaleAndPlace) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    Shape a = primitive(GeomType::kBox, {0.3, 0.2, 0.1}), b = primitive(GeomType::kCylinder, {0.1, 0.4, 0});
    a.mat = random_turn(random), b.mat = random_turn(random);
    b.pos = random_unit(random) * 0.35;
    Vec3 ft[2];
    const double d = distance(a, b, 10, ft);
    for (double scale : {1e-6, 0.125, 1e3}) {
      Shape sa = a, sb = b;
      for (Shape* s : {&sa, &sb}) s->size = s->size * scale, s->pos = s->pos * scale, s->rbound *= scale;
      const double ds = distance(sa, sb, 10 * scale, ft);
      ASSERT_NEAR(ds / scale, d, 1e-7) << scale;
      if (scale == 0.125) {
        ASSERT_EQ(ds / scale, d);
      }
    }
    Shape fa = a, fb = b;
    fa.pos = fa.pos + Vec3{1000, -2000, 500}, fb.pos = fb.pos + Vec3{1000, -2000, 500};
    ASSERT_NEAR(distance(fa, fb, 10, ft), d, 1e-7);
    Vec3T<float> ftf[2];
    ASSERT_NEAR(geom_distance(shape_as<float>(a), shape_as<float>(b), 10.0f, ftf), d, 1e-5 * 0.9);
  }
}

TEST(Gjk, NeverHangsOnNan) {
  Shape a = primitive(GeomType::kBox, {1, 1, 1}), b = primitive(GeomType::kEllipsoid, {1, 1, 1});
  b.pos = {std::nan(""), 0, 0};
  Vec3 ft[2];
  EXPECT_EQ(distance(a, b, 5, ft), 5);
  ContactPoint out[8];
  EXPECT_EQ(convex_convex(a, b, 0.0, out), 0);
  b.pos = {0.5, 0, 0}, b.size.x = std::nan("");
  EXPECT_EQ(convex_convex(a, b, 0.0, out), 0);
}

}  // namespace
}  // namespace pliant
