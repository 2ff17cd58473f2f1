// Bounding-volume trees: every colliding geom is a leaf exactly once, and boxes contain what is
// below.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

std::string scene(int seed, int geoms) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  const char* types[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
  std::string xml = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body><freejoint/>";
  for (int i = 0; i < geoms; ++i) {
    xml += "<geom size='.1 .2 .15' type='" + std::string(types[i % 5]) + "' pos='" + std::to_string(u(rng)) + " " +
           std::to_string(u(rng)) + " " + std::to_string(u(rng)) + "' euler='" + std::to_string(90 * u(rng)) + " " +
           std::to_string(90 * u(rng)) + " 0'" + (i % 4 == 3 ? " contype='0' conaffinity='0'" : "") + "/>";
  }
  return xml + "</body></worldbody></mujoco>";
}

void expect_inside(const double* inner, const double* outer) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE(std::abs(inner[k] - outer[k]) + inner[3 + k], outer[3 + k] + 1e-12);
  }
}

class BvhTest : public testing::TestWithParam<int> {};

TEST_P(BvhTest, IsATreeOverCollidingGeoms) {
  const Model m = load_model_string(scene(GetParam(), GetParam()));
  std::vector<int> seen(m.ngeom, 0);
  int nodes = 0;
  for (int b = 0; b < m.nbody; ++b) {
    const int at = m.body_bvhadr[b], n = m.body_bvhnum[b];
    if (n == 0) {
      EXPECT_EQ(at, -1);
      continue;
    }
    EXPECT_EQ(at, nodes);
    nodes += n;
    EXPECT_EQ(m.bvh_depth[at], 0);
    std::vector<int> parents(n, 0);
    for (int i = 0; i < n; ++i) {
      const int left = m.bvh_child[2 * (at + i)], right = m.bvh_child[2 * (at + i) + 1];
      if (m.bvh_nodeid[at + i] >= 0) {
        EXPECT_EQ(m.geom_bodyid[m.bvh_nodeid[at + i]], b);
        ++seen[m.bvh_nodeid[at + i]];
        EXPECT_TRUE(left == -1 && right == -1);
        continue;
      }
      for (int child : {left, right}) {
        ASSERT_GT(child, i);
        ASSERT_LT(child, n);
        ++parents[child];
        EXPECT_EQ(m.bvh_depth[at + child], m.bvh_depth[at + i] + 1);
        expect_inside(m.bvh_aabb + 6 * (at + child), m.bvh_aabb + 6 * (at + i));
      }
    }
    for (int i = 1; i < n; ++i) EXPECT_EQ(parents[i], 1);
  }
  EXPECT_EQ(nodes, m.nbvh);
  EXPECT_EQ(m.nbvh, m.nbvhstatic);
  for (int g = 0; g < m.ngeom; ++g) {
    EXPECT_EQ(seen[g], m.geom_contype[g] || m.geom_conaffinity[g] ? 1 : 0) << "geom " << g;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BvhTest, testing::Values(1, 2, 3, 4, 5, 17, 64));

TEST(Bvh, LeafOfASphereIsItsBox) {
  const Model m = load_model_string(
      "<mujoco><worldbody><body><freejoint/><geom size='.2' pos='1 2 "
      "3'/></body></worldbody></mujoco>");
  ASSERT_EQ(m.nbvh, 1);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(m.bvh_aabb[k], 0, 1e-15);  // the geom is the body's centre of mass
    EXPECT_NEAR(m.bvh_aabb[3 + k], 0.2, 1e-15);
  }
}

}  // namespace
}  // namespace pliant
