// The search by portals (flag nativeccd off), without the reference: depths that part the shapes along the normal,
// never less than the least one; normals of round shapes; the flag chooses the search.

#include <gtest/gtest.h>

#include <string>

#include "collision/portal_hd.h"
#include "pliant/step.h"
#include "tests/collision/pair_shapes.h"

namespace pliant {
namespace {

constexpr PairRules<double> kRules{1e-6, 35, true};

TEST(Portal, MovedByTheDepthShapesJustTouch) {
  Random random(3);
  const GeomType types[] = {GeomType::kCapsule, GeomType::kEllipsoid, GeomType::kCylinder, GeomType::kBox,
                            GeomType::kMesh};
  int found = 0;
  for (int k = 0; k < 1000; ++k) {
    const OwnShape first = random_shape(random, types[k % 5]);
    OwnShape second = random_shape(random, types[k / 5 % 5]);
    const Shape& a = first.shape;
    Shape& b = second.shape;
    bring_near(random, a, b);
    DifferenceT<double> d = difference(a, b);
    const TouchT<double> exact = touch(d, 0.0);
    PortalPair<double> pair{{&a}, {&b}, kRules};
    ContactPoint point;
    const Portal state = portal_touch(pair, point);
    ASSERT_NE(state, Portal::kLost);
    if (state == Portal::kApart) {
      ASSERT_TRUE(!exact.found || exact.dist > -1e-5);
      continue;
    }
    ++found;
    ASSERT_TRUE(exact.found);
    ASSERT_LE(point.dist, exact.dist + 1e-5);
    b.pos = b.pos - point.normal * point.dist;
    DifferenceT<double> apart = difference(a, b);
    const TouchT<double> now = touch(apart, 1e-3);
    ASSERT_TRUE(now.found);
    ASSERT_NEAR(now.dist, 0, 2e-5);
  }
  EXPECT_GT(found, 300);
}

TEST(Portal, NormalsOfRoundShapes) {
  Random random(4);
  for (int k = 0; k < 300; ++k) {
    const Shape shape = random_shape(random, GeomType::kEllipsoid).shape;
    // a point of the surface, moved along its normal, inwards or outwards
    const Vec3 on_ball = normalized(random_vector(random)), s = shape.size;
    const Vec3 at{s.x * on_ball.x, s.y * on_ball.y, s.z * on_ball.z};
    const Vec3 expected = normalized(Vec3{on_ball.x / s.x, on_ball.y / s.y, on_ball.z / s.z});
    const Vec3 point = at + expected * (k % 2 ? 0.01 : -0.002);
    Vec3 normal = shape.mat * normalized(expected + random_vector(random) * 0.05);
    ASSERT_TRUE(round_normal(shape, shape.mat * point + shape.pos, normal));
    ASSERT_NEAR(norm(normal - shape.mat * expected), 0, 2e-3);
  }
}

TEST(Portal, TheFlagChoosesTheSearch) {
  const auto depth = [](const char* flag) {
    const Model m =
        load_model_string(std::string("<mujoco><option><flag nativeccd='") + flag + R"('/></option><worldbody>
      <geom type="cylinder" size=".2 .3"/>
      <body pos=".1 .25 .2"><freejoint/><geom type="cylinder" size=".2 .1" euler="30 40 0"/></body></worldbody>
      </mujoco>)");
    const State s(m);
    Data d(m);
    forward(m, s, d);
    return d.ncon > 0 ? d.contact[0].dist : 0;
  };
  EXPECT_LT(depth("enable"), -0.01);
  EXPECT_LT(depth("disable"), depth("enable") - 1e-4);  // along the ray, not the least
}

}  // namespace
}  // namespace pliant
