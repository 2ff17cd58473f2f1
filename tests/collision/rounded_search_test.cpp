// The search with the reference's roundings, without the reference: nearest points of simplices, depths beside
// those of the exact search, and points that lie between the surfaces.

#include <gtest/gtest.h>

#include "collision/convex_hd.h"
#include "tests/collision/pair_shapes.h"

namespace pliant {
namespace {

TEST(SignedVolumes, NearestPointOfASimplex) {
  Random random(1);
  int hits = 0;
  for (int k = 0; k < 400; ++k) {
    const int count = 1 + k % 4;
    Vec3 w[4];
    const Vec3 offset = random_vector(random) * 0.7;
    for (int i = 0; i < count; ++i) w[i] = random_vector(random) + offset;
    double weight[4];
    nearest_weights(w, count, weight);
    Vec3 nearest{};
    double sum = 0;
    bool inside = true;
    for (int i = 0; i < count; ++i) {
      ASSERT_GE(weight[i], 0);
      inside = inside && weight[i] > 0;
      nearest = nearest + w[i] * weight[i];
      sum += weight[i];
    }
    ASSERT_NEAR(sum, 1, 1e-9);
    // in the middle of the simplex: across all of its edges. Beyond an end the answer is the newest corner.
    hits += inside && count > 1;
    for (int i = 0; i < count && inside; ++i) ASSERT_NEAR(dot(nearest, w[i] - nearest), 0, 1e-9);
  }
  EXPECT_GT(hits, 40);
}

TEST(RoundedSearch, DepthAndPlace) {
  Random random(2);
  const GeomType types[] = {GeomType::kCapsule, GeomType::kCylinder, GeomType::kBox};
  int found = 0;
  for (int k = 0; k < 600; ++k) {
    const Shape a = random_shape(random, types[k % 2]).shape;
    Shape b = random_shape(random, types[1 + k % 2]).shape;
    bring_near(random, a, b);
    DifferenceT<double> d = difference(a, b);
    const TouchT<double> exact = touch(d, 0.0);
    const RoundedTouch<double> t = rounded_touch(a, b, 0.0, 1e-6);
    if (t.found) {
      ASSERT_TRUE(exact.found);
    }
    if (!t.found) continue;
    ++found;
    // a lower bound of the depth; 35 rounds do not always reach the tolerance
    ASSERT_GE(t.dist, exact.dist - 1e-9);
    ASSERT_LE(t.dist, exact.dist + 1e-3);
    ASSERT_LE(surface_distance(a, t.pos), -t.dist / 2 + 1e-6);
    ASSERT_LE(surface_distance(b, t.pos), -t.dist / 2 + 1e-6);
  }
  EXPECT_GT(found, 200);
}

TEST(RoundedSearch, CylinderAlongABoxTouchesAtItsEnds) {
  Shape cylinder, box;
  cylinder.type = GeomType::kCylinder, cylinder.size = {0.1, 0.3, 0}, cylinder.rbound = std::hypot(0.1, 0.3);
  cylinder.mat = matrix(Quat{std::sqrt(0.5), std::sqrt(0.5), 0, 0});
  cylinder.pos = {0, 0, 0.195};
  box.type = GeomType::kBox, box.size = {1, 1, 0.1}, box.rbound = norm(box.size);
  box.mat = matrix(Quat{1, 0, 0, 0});
  const auto points = points_of(cylinder, box);
  ASSERT_GE(points.size(), 3u);
  double low = 0, high = 0;
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.dist, -0.005, 1e-7);
    EXPECT_NEAR(point.normal.z, -1, 1e-5);
    low = std::min(low, point.pos.y), high = std::max(high, point.pos.y);
  }
  EXPECT_NEAR(low, -0.3, 1e-4);
  EXPECT_NEAR(high, 0.3, 1e-4);
}

}  // namespace
}  // namespace pliant
