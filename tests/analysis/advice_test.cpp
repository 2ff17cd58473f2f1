// The advice that texts give about solref and solimp, as trends of the scalar map: what each number does to depth at
// rest, depth of an impact, its length and its bounce. Where the advice fails, docs/physics.md says so, and a test here
// shows it.

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "analysis/predict.h"

namespace pliant {
namespace {

struct Behaviour {
  double rest = 0, depth = 0, steps = 0, restitution = 0, force = 0;
};

Behaviour behave(const ScalarRow& row) {
  const ScalarMap map(row);
  Behaviour out;
  out.rest = map.rest_depth(-row.free_accel / row.response);
  const int phases = 16;
  for (int i = 0; i < phases; ++i) {
    const Bounce b = bounce(map, 1, (i + 0.5) / phases, false);
    out.depth = std::max(out.depth, b.max_depth);
    out.force = std::max(out.force, b.max_force);
    out.steps += b.steps / phases;
    out.restitution += b.restitution / phases;
  }
  return out;
}

/// Values of one number, ascending, and what they lead to.
std::vector<Behaviour> sweep(const std::vector<double>& values, const std::function<void(ScalarRow&, double)>& set,
                             const ScalarRow& from = {}) {
  std::vector<Behaviour> out;
  for (const double value : values) {
    ScalarRow row = from;
    row.timestep = 0.0005;
    set(row, value);
    out.push_back(behave(row));
  }
  return out;
}

void expect_falling(const std::vector<Behaviour>& list, double Behaviour::* what, const char* name) {
  for (size_t i = 1; i < list.size(); ++i) EXPECT_LT(list[i].*what, list[i - 1].*what) << name << " at place " << i;
}
void expect_rising(const std::vector<Behaviour>& list, double Behaviour::* what, const char* name) {
  for (size_t i = 1; i < list.size(); ++i) EXPECT_GT(list[i].*what, list[i - 1].*what) << name << " at place " << i;
}

TEST(Advice, LongerTimeconstIsSofter) {
  const auto list = sweep({0.005, 0.01, 0.02, 0.05, 0.1}, [](ScalarRow& row, double x) { row.solref[0] = x; });
  expect_rising(list, &Behaviour::rest, "rest depth");
  expect_rising(list, &Behaviour::depth, "depth of an impact");
  expect_falling(list, &Behaviour::force, "force of an impact");
}

TEST(Advice, LargerDampratioBouncesLessAndRestsDeeper) {
  const auto list = sweep({0.1, 0.2, 0.4, 0.7, 1}, [](ScalarRow& row, double x) { row.solref[1] = x; });
  expect_falling(list, &Behaviour::restitution, "restitution");
  // "more damping" is less stiffness in this format: the time constant is kept
  expect_rising(list, &Behaviour::rest, "rest depth");
}

TEST(Advice, LargerImpedanceRestsShallower) {
  const auto d0 = sweep({0.3, 0.5, 0.7, 0.9}, [](ScalarRow& row, double x) { row.solimp = {x, 0.95, 0.01, 0.5, 2}; });
  expect_falling(d0, &Behaviour::rest, "rest depth with d0");
  const auto flat =
      sweep({0.3, 0.5, 0.7, 0.9, 0.99}, [](ScalarRow& row, double x) { row.solimp = {x, x, 0.01, 0.5, 2}; });
  expect_falling(flat, &Behaviour::rest, "rest depth with both");
}

TEST(Advice, LargerDwidthAloneCanRestDeeper) {
  // dwidth divides K = 1 / (dwidth² timeconst²): where the depth is far below the width, d(r) stays d0 and only K falls
  const auto shallow =
      sweep({0.6, 0.7, 0.8, 0.9}, [](ScalarRow& row, double x) { row.solimp = {0.5, x, 0.1, 0.5, 2}; });
  expect_rising(shallow, &Behaviour::rest, "rest depth, far below the width");
  // where it is beyond the width, d(r) = dwidth and more of it holds better
  const auto beyond =
      sweep({0.6, 0.7, 0.8, 0.9}, [](ScalarRow& row, double x) { row.solimp = {0.5, x, 1e-5, 0.5, 2}; });
  expect_falling(beyond, &Behaviour::rest, "rest depth, beyond the width");
}

TEST(Advice, LargerWidthDeformsMore) {
  const auto list =
      sweep({0.0001, 0.001, 0.01, 0.1}, [](ScalarRow& row, double x) { row.solimp = {0.3, 0.95, x, 0.5, 2}; });
  expect_rising(list, &Behaviour::rest, "rest depth");
  expect_rising(list, &Behaviour::depth, "depth of an impact");
}

TEST(Advice, LaterMidpointDeformsMore) {
  const auto list =
      sweep({0.1, 0.3, 0.5, 0.7, 0.9}, [](ScalarRow& row, double x) { row.solimp = {0.3, 0.95, 0.01, x, 2}; });
  expect_rising(list, &Behaviour::depth, "depth of an impact");
  expect_rising(list, &Behaviour::rest, "rest depth");
}

TEST(Advice, LargerPowerRestsDeeperBelowTheMidpoint) {
  const auto list = sweep({1, 2, 3, 5}, [](ScalarRow& row, double x) { row.solimp = {0.3, 0.95, 0.05, 0.5, x}; });
  expect_rising(list, &Behaviour::rest, "rest depth");
}

TEST(Advice, HardRubberLeavesSoonerThanSoft) {
  const auto list = sweep({-20000, -5000, -1000}, [](ScalarRow& row, double x) {
    row.solref = {x, -2 * 0.1 * std::sqrt(-x)};
    row.solimp = {0.9, 0.9, 0.001, 0.5, 2};
  });
  expect_rising(list, &Behaviour::steps, "steps in contact");
  expect_rising(list, &Behaviour::depth, "depth");
}

TEST(Advice, CushionReboundsLittleAndRestsShallower) {
  // soft rubber against a cushion: much damping, impedance that grows with depth
  ScalarRow rubber, cushion;
  rubber.timestep = cushion.timestep = 0.001;
  rubber.solref = {-1000, -2 * 0.1 * std::sqrt(1000.0)}, rubber.solimp = {0.5, 0.5, 0.001, 0.5, 2};
  cushion.solimp = {0.8, 0.99, 0.02, 0.3, 2};
  cushion.solref = {0.03, 1};
  const Behaviour soft = behave(rubber), pad = behave(cushion);
  EXPECT_LT(pad.restitution, 0.05);
  EXPECT_GT(soft.restitution, 0.5);
  EXPECT_LT(pad.rest, soft.rest);
}

}  // namespace
}  // namespace pliant
