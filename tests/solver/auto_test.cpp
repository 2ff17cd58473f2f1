// solver="auto": what it takes for an island, and that the answer is the one of the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pliant/analysis.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

Model from(const std::string& options, const std::string& world) {
  return load_model_string("<mujoco><option " + options + "/><worldbody>" + world + "</worldbody></mujoco>");
}

const std::string kFloor = "<geom type='plane' size='9 9 .1'/>";

/// Links that hang together by ball joints, as they fall onto a rod and the floor.
std::string rope(int links) {
  std::string begin, end;
  for (int i = 0; i < links; ++i) {
    begin += i == 0 ? "<body pos='0 0 .06'><freejoint/>" : "<body pos='.05 0 0'><joint type='ball' damping='.001'/>";
    begin += "<geom type='capsule' fromto='0 0 0 .05 0 0' size='.012' mass='.02'/>";
    end += "</body>";
  }
  return kFloor + "<geom type='cylinder' fromto='" + std::to_string(.02 * links) + " -1 0 " +
         std::to_string(.02 * links) + " 1 0' size='.05'/>" + begin + end;
}

/// The choices of all islands with rows.
std::vector<SolverChoice> choices(const Data& d) {
  std::vector<SolverChoice> out;
  for (int k = 0; d.rows.n && k < d.solver.n; ++k) out.push_back(d.solver.report[k].choice);
  return out;
}

/// Newton's answer to rounding, and the one given: the largest difference over the largest number.
double difference(Model m, const State& s, const std::vector<double>& qacc) {
  m.opt.solver = SolverType::kNewton;
  m.opt.tolerance = 1e-15;
  Data d(m);
  forward(m, s, d);
  double most = 0, scale = 1;  // (what rests has accelerations of rounding)
  for (int i = 0; i < m.nv; ++i) {
    most = std::max(most, std::abs(d.qacc[i] - qacc[static_cast<size_t>(i)]));
    scale = std::max(scale, std::abs(d.qacc[i]));
  }
  return most / scale;
}

TEST(AutoSolver, FindsTheAnswerOfTheOthers) {
  for (const char* scene : {"drop", "gripper", "quadruped", "stack_of_boxes", "mimic_hand", "beads"}) {
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      Model m = load_scene(scene);
      m.opt.solver = SolverType::kAuto;
      m.opt.cone = cone;
      m.opt.tolerance = 1e-13;
      State s(m);
      Data d(m);
      for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(step(m, s, d).ok()) << scene;
        if (i % 50) continue;
        forward(m, s, d);
        if (!d.solver.converged()) continue;  // (at the limit of rounding, as Newton)
        EXPECT_LT(difference(m, s, {d.qacc, d.qacc + m.nv}), 1e-5) << scene << " step " << i;
      }
    }
  }
}

TEST(AutoSolver, DoesNothingWhereTheStartIsProven) {
  const Model m =
      from("solver='auto'", kFloor + "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>");
  State s(m);
  Data d(m);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_EQ(choices(d), std::vector{SolverChoice::kStart});
  EXPECT_EQ(d.solver.iterations(), 0);
  EXPECT_EQ(d.solver.report[0].factorizations, 0);
  EXPECT_TRUE(d.solver.converged());
  // what is not within the tolerance is solved
  s.qvel[2] = -1;
  forward(m, s, d);
  EXPECT_EQ(choices(d), std::vector{SolverChoice::kShortRows});
  EXPECT_GT(d.solver.iterations(), 0);
}

TEST(AutoSolver, OneRowIsTwoExactSteps) {
  Model m =
      from("solver='auto' tolerance='1e-13'",
           "<body><joint axis='0 1 0' range='-20 20'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/>"
           "<body pos='.5 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/></body>"
           "</body>");
  State s(m);
  s.qpos[0] = .5;
  Data d(m);
  forward(m, s, d);
  ASSERT_EQ(d.rows.n, 1);
  EXPECT_EQ(choices(d), std::vector{SolverChoice::kSingleRow});
  EXPECT_LE(d.solver.iterations(), 2);
  EXPECT_EQ(d.solver.report[0].factorizations, 0);
  EXPECT_LT(difference(m, s, {d.qacc, d.qacc + m.nv}), 1e-12);
}

TEST(AutoSolver, LongRowsAreNotMultipliedWithThemselves) {
  Model m = from("solver='auto'", rope(110));
  State s(m);
  Data d(m);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(step(m, s, d).ok());
  s.qvel[2] -= .1;
  forward(m, s, d);
  ASSERT_EQ(choices(d), std::vector{SolverChoice::kLongRows});
  EXPECT_TRUE(d.solver.converged());
  EXPECT_EQ(d.solver.report[0].factorizations, 0);
  const double first_gap = d.solver.gap();
  // proven means proven by the gap: a smaller tolerance is more work and a smaller gap
  const int iterations = d.solver.iterations();
  m.opt.tolerance *= .01;
  forward(m, s, d);
  EXPECT_GT(d.solver.iterations(), iterations);
  EXPECT_LT(d.solver.gap(), m.opt.tolerance);
  EXPECT_LT(d.solver.gap(), first_gap);
  // where CG is not given enough iterations Newton ends what it began
  m.opt.tolerance = 1e-12;
  m.opt.iterations = 20;
  forward(m, s, d);
  EXPECT_EQ(choices(d), std::vector{SolverChoice::kUnproven});
  EXPECT_GT(d.solver.report[0].factorizations, 0);
  EXPECT_LE(d.solver.iterations(), 20);
  EXPECT_TRUE(d.solver.converged());
  EXPECT_LT(difference(m, s, {d.qacc, d.qacc + m.nv}), 1e-4);
}

TEST(AutoSolver, ShortRowsInALargePileAreNewtons) {
  Model m = load_scene("bin_of_boxes");
  m.opt.solver = SolverType::kAuto;
  State s(m);
  Data d(m);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_GT(d.rows.n, 500);
  int newton = 0;
  for (const SolverChoice choice : choices(d)) {
    EXPECT_TRUE(choice == SolverChoice::kShortRows || choice == SolverChoice::kStart);
    newton += choice == SolverChoice::kShortRows;
  }
  EXPECT_GT(newton, 0);
}

/// The choice for an island depends on nothing outside of it: alone it moves as it does among others.
TEST(AutoSolver, AnIslandIsChosenForByItself) {
  const std::string box = "<body pos='0 0 .15'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
  const std::string limb =
      "<body pos='5 0 1'><joint axis='0 1 0' range='-20 20'/>"
      "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/></body>";
  const std::string options = "solver='auto' cone='elliptic'";
  const Model both = from(options, kFloor + box + limb), one = from(options, kFloor + box);
  State s(both), alone(one);
  Data d(both), da(one);
  bool mixed = false;
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(step(both, s, d).ok());
    ASSERT_TRUE(step(one, alone, da).ok());
    const std::vector<SolverChoice> made = choices(d);
    mixed |= made.size() == 2 && made[0] != made[1];
  }
  EXPECT_TRUE(mixed);
  for (int i = 0; i < one.nq; ++i) EXPECT_NEAR(s.qpos[i], alone.qpos[i], 1e-9) << i;
}

TEST(AutoSolver, AFreshDataAndASnapshotChangeNoBit) {
  Model m = load_scene("drop");
  m.opt.solver = SolverType::kAuto;
  State s(m), other(m);
  Data d(m);
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    Data fresh(m);
    ASSERT_TRUE(step(m, other, fresh).ok());
    if (i == 200) other = State(other);
  }
  EXPECT_EQ(s.hash(), other.hash());
}

TEST(AutoSolver, AStepAllocatesNothing) {
  Model m = load_scene("quadruped");
  m.opt.solver = SolverType::kAuto;
  State s(m);
  Data d(m);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(step(m, s, d).ok());
  const long before = allocation_count();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_EQ(allocation_count(), before);
}

TEST(AutoSolver, TheComparisonSaysWhatItTookAndWhy) {
  Model m = load_scene("drop");
  m.opt.solver = SolverType::kAuto;
  State s(m);
  Data d(m);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(step(m, s, d).ok());
  const SolverComparison c = compare_solvers(m, s, 1);
  EXPECT_EQ(c.chosen, "auto");
  ASSERT_FALSE(c.choices.empty());
  EXPECT_EQ(static_cast<int>(c.choices.size()), c.islands);
  int rows = 0;
  for (const IslandChoice& choice : c.choices) {
    EXPECT_FALSE(choice.why.empty());
    EXPECT_GT(choice.dofs, 0);
    rows += choice.rows;
  }
  EXPECT_EQ(rows, c.rows);
}

/// A chain's matrix is dense: with one panel its factor is that of any order, and Newton's answer CG's.
TEST(AutoSolver, LongChainsHaveOneAnswer) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    Model m = from("", rope(30));
    m.opt.cone = cone;
    State s(m);
    Data d(m);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(step(m, s, d).ok());
    ASSERT_GT(d.rows.n, 20);
    m.opt.solver = SolverType::kCg;
    m.opt.tolerance = 1e-15;
    m.opt.iterations = 5000;
    forward(m, s, d);
    EXPECT_LT(difference(m, s, {d.qacc, d.qacc + m.nv}), 1e-6);
  }
}

}  // namespace
}  // namespace pliant
