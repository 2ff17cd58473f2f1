// Contact sets of shapes at rest: they stay the same along small motions. And scenes of many boxes: no NaN, no
// overflow.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "math/vec3.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "step/stages.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

// Vertices of a hull: a square plate with bevelled corners.
constexpr const char* kHull =
    "<asset><mesh name='hull' vertex='.1 .07 .1 .07 .1 .1 -.07 .1 .1 -.1 .07 .1 -.1 -.07 .1 -.07 -.1 .1 .07 -.1 .1 .1 "
    "-.07 .1 .1 .07 -.1 .07 .1 -.1 -.07 .1 -.1 -.1 .07 -.1 -.1 -.07 -.1 -.07 -.1 -.1 .07 -.1 -.1 .1 -.07 "
    "-.1'/></asset>";

std::string geom(const std::string& kind) {
  if (kind == "box") return "<geom type='box' size='.1 .1 .1'/>";
  if (kind == "cylinder") return "<geom type='cylinder' size='.1 .1'/>";
  if (kind == "hull") return "<geom type='mesh' mesh='hull'/>";
  return "<geom type='plane' size='1 1 1' pos='0 0 .1'/>";
}

struct Rest {
  const char *below, *above;
  bool corners;  // contacts stay where they are, as at corners; those of a cylinder on a plane follow the tilt
};
class Manifold : public testing::TestWithParam<Rest> {};

// One lies on the other, half a millimetre deep; the upper one moves by micrometres and turns by tenths of a
// milliradian.
TEST_P(Manifold, StaysTheSameAlongSmallMotions) {
  const auto [below, above, corners] = GetParam();
  const Model m = load_model_string("<mujoco>" + std::string(kHull) + "<worldbody><body>" + geom(below) +
                                    "</body><body><freejoint/>" + geom(above) + "</body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  std::set<int> counts;
  std::vector<Vec3> last;
  double jump = 0;
  for (int i = 0; i < 2000; ++i) {
    const double t = 0.01 * i;
    const double tilt[3] = {1e-4 * std::sin(1.3 * t), 1e-4 * std::sin(1.7 * t + 1), 1e-4 * std::sin(0.7 * t)};
    s.qpos[0] = 0.013 + 1e-5 * std::sin(t);
    s.qpos[1] = 0.007 + 1e-5 * std::sin(1.1 * t);
    s.qpos[2] = 0.2 - 5e-4 + 1e-5 * std::sin(0.9 * t);
    s.qpos[3] = 1;
    for (int k = 0; k < 3; ++k) s.qpos[4 + k] = tilt[k] / 2 + (k == 2 ? 0.2 : 0);
    run_poses(m, s, d);
    run_collision(m, s, d);
    counts.insert(d.ncon);
    std::vector<Vec3> points;
    for (int c = 0; c < d.ncon; ++c) {
      points.push_back({d.contact[c].pos[0], d.contact[c].pos[1], d.contact[c].pos[2]});
      EXPECT_GT(std::abs(d.contact[c].frame[2]), 0.99);
    }
    // each point was somewhere near before
    for (const Vec3& point : points) {
      double nearest = last.empty() ? 0 : HUGE_VAL;
      for (const Vec3& before : last) nearest = std::min(nearest, norm(point - before));
      jump = std::max(jump, nearest);
    }
    last = points;
    // what they carry cannot tip: there is a point on every side of its middle
    for (int k = 0; k < 16; ++k) {
      const Vec3 side{std::cos(k * kPi / 8), std::sin(k * kPi / 8), 0}, middle{s.qpos[0], s.qpos[1], 0};
      double farthest = -HUGE_VAL;
      for (const Vec3& point : points) farthest = std::max(farthest, dot(side, point - middle));
      EXPECT_GT(farthest, 0.01) << "step " << i;
    }
  }
  EXPECT_GE(*counts.begin(), 3);
  if (!corners) return;
  EXPECT_EQ(counts.size(), 1u) << "between " << *counts.begin() << " and " << *counts.rbegin() << " contacts";
  // and the points do not hop: in one of these steps everything moves by less than a micrometre
  EXPECT_LT(jump, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Manifold,
                         testing::Values(Rest{"plane", "box", true}, Rest{"plane", "hull", true},
                                         Rest{"box", "box", true}, Rest{"box", "hull", true}, Rest{"hull", "box", true},
                                         Rest{"hull", "hull", true}, Rest{"plane", "cylinder", false},
                                         Rest{"box", "cylinder", true}, Rest{"hull", "cylinder", true},
                                         Rest{"cylinder", "cylinder", true}, Rest{"cylinder", "box", true},
                                         Rest{"cylinder", "hull", true}),
                         [](const auto& info) { return std::string(info.param.above) + "_on_" + info.param.below; });

// Face on face four points, a line on a face two, a line on a line one; with a margin as without. Everything lies flat,
// a millimetre deep: that is how deep every point is, and each lies between the surfaces, over both shapes.
TEST(ManifoldCounts, FaceFourLineTwoPointOne) {
  constexpr const char* kCube =
      "<asset><mesh name='cube' vertex='.1 .1 .1 .1 .1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 -.1 -.1 .1 -.1 "
      "-.1 -.1'/></asset>";
  struct Thing {
    const char *name, *geom;
    double height;  // half
  };
  const Thing things[] = {{"capsule lying", "type='capsule' size='.05 .08' euler='0 90 0'", 0.05},
                          {"cylinder lying", "type='cylinder' size='.05 .08' euler='0 90 0'", 0.05},
                          {"cylinder", "type='cylinder' size='.07 .1'", 0.1},
                          {"box", "type='box' size='.08 .07 .1'", 0.1},
                          {"cube mesh", "type='mesh' mesh='cube'", 0.1}};
  const Thing floors[] = {{"plane", "type='plane' size='1 1 1'", 0},
                          {"box", "type='box' size='.3 .2 .1'", 0.1},
                          {"cube mesh", "type='mesh' mesh='cube'", 0.1},
                          {"cylinder", "type='cylinder' size='.12 .1'", 0.1},
                          {"cylinder lying", "type='cylinder' size='.05 .1' euler='0 90 0'", 0.05}};
  const int expected[5][5] = {{2, 2, 3, 4, 4}, {2, 2, 4, 4, 4}, {2, 2, 4, 4, 4}, {2, 2, 4, 4, 4}, {1, 1, 2, 2, 2}};
  for (int f = 0; f < 5; ++f) {
    for (int t = 0; t < 5; ++t) {
      for (const char* margin : {"0", ".01"}) {
        const std::string what = std::string(things[t].name) + " on " + floors[f].name + ", margin " + margin;
        const Model m = load_model_string("<mujoco>" + std::string(kCube) + "<default><geom margin='" + margin +
                                          "'/></default><worldbody><geom " + floors[f].geom + "/><body pos='0 0 " +
                                          std::to_string(floors[f].height + things[t].height - 1e-3) +
                                          "'><freejoint/><geom " + things[t].geom + "/></body></worldbody></mujoco>");
        State s(m);
        Data d(m);
        run_poses(m, s, d);
        run_collision(m, s, d);
        ASSERT_EQ(d.ncon, expected[f][t]) << what;
        for (int i = 0; i < d.ncon; ++i) {
          const Contact& c = d.contact[i];
          EXPECT_NEAR(c.dist, -1e-3, 1e-8) << what;
          EXPECT_NEAR(std::abs(c.frame[2]), 1, d.ncon > 1 ? 1e-9 : 1e-6) << what;
          EXPECT_NEAR(c.pos[2], floors[f].height - 5e-4, 1e-8) << what;
          EXPECT_LE(std::hypot(c.pos[0], c.pos[1]), 0.142) << what;
        }
        // two points of a line are its ends, or where the floor ends
        if (d.ncon == 2) {
          EXPECT_GE(std::hypot(d.contact[0].pos[0] - d.contact[1].pos[0], d.contact[0].pos[1] - d.contact[1].pos[1]),
                    0.1)
              << what;
        }
      }
    }
  }
}

// A cylinder that lies on a slab of any height of margin and tilt: its line, end by end.
TEST(ManifoldCounts, EndsOfATiltedLine) {
  for (const double tilt : {0.0, 1e-4, 1e-3, 1e-2, 0.05}) {
    const Model m = load_model_string(
        "<mujoco><worldbody><geom type='box' size='1 1 .1' margin='.05'/><body><freejoint/><geom type='cylinder' "
        "size='.05 .1'/></body></worldbody></mujoco>");
    State s(m);
    Data d(m);
    const double angle = kPi / 2 + tilt;  // about y
    s.qpos[2] = 0.15;
    s.qpos[3] = std::cos(angle / 2), s.qpos[5] = std::sin(angle / 2);
    run_poses(m, s, d);
    run_collision(m, s, d);
    ASSERT_EQ(d.ncon, 2) << tilt;
    // the line below the axis, half a length to both sides of the middle: heights above the slab
    const double middle = 0.05 - 0.05 * std::cos(tilt), rise = 0.1 * std::sin(tilt);
    EXPECT_NEAR(std::min(d.contact[0].dist, d.contact[1].dist), middle - rise, 1e-12);
    EXPECT_NEAR(std::max(d.contact[0].dist, d.contact[1].dist), middle + rise, 1e-12);
  }
}

class Boxes : public testing::TestWithParam<const char*> {};

TEST_P(Boxes, ManyContactsAllFinite) {
  const Model m = load_scene(GetParam());
  State s(m);
  Data d(m);
  for (int i = 0; i < 200; ++i) {
    // everything sways, by as much as boxes are apart
    for (int j = 0; j < m.njnt; ++j) {
      for (int k = 0; k < 7; ++k) s.qpos[7 * j + k] = m.qpos0[7 * j + k] + 0.01 * std::sin(0.1 * i + j + k);
    }
    run_poses(m, s, d);
    run_collision(m, s, d);
    ASSERT_GT(d.ncon, 20);
    for (int c = 0; c < d.ncon; ++c) {
      const Contact& contact = d.contact[c];
      double sum = contact.dist;
      for (const double x : contact.pos) sum += x;
      for (const double x : contact.frame) sum += x;
      ASSERT_TRUE(std::isfinite(sum));
      ASSERT_LT(std::abs(contact.dist), 0.5);
    }
  }
  for (const Fault fault : {Fault::kContactOverflow, Fault::kBadContact})
    EXPECT_EQ(d.faults[static_cast<int>(fault)].count, 0);
}
INSTANTIATE_TEST_SUITE_P(Scenes, Boxes, testing::Values("stack_of_boxes", "bin_of_boxes"));

}  // namespace
}  // namespace pliant
