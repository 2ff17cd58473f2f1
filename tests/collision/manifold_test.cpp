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
    "-.07 .1 "
    ".1 .07 -.1 .07 .1 -.1 -.07 .1 -.1 -.1 .07 -.1 -.1 -.07 -.1 -.07 -.1 -.1 .07 -.1 -.1 .1 -.07 -.1'/></asset>";

std::string geom(const std::string& kind) {
  if (kind == "box") return "<geom type='box' size='.1 .1 .1'/>";
  if (kind == "cylinder") return "<geom type='cylinder' size='.1 .1'/>";
  if (kind == "hull") return "<geom type='mesh' mesh='hull'/>";
  return "<geom type='plane' size='1 1 1' pos='0 0 .1'/>";
}

struct Rest {
  const char *below, *above;
  bool corners;  // contacts stay where they are, as at corners; on the rim of one cylinder they follow the tilt
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
                                         Rest{"box", "cylinder", false}, Rest{"hull", "cylinder", false},
                                         Rest{"cylinder", "cylinder", true}, Rest{"cylinder", "box", false},
                                         Rest{"cylinder", "hull", false}),
                         [](const auto& info) { return std::string(info.param.above) + "_on_" + info.param.below; });

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
