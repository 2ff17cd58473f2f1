// Contacts and limits under TGS: they act in the parts of a step in which they touch, and bring no energy; stiff
// towers; noslip in every part. What is held against is closed forms and conservation, Newton only to show that a test
// can fail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/step/scenes.h"

namespace pliant {
namespace {

Model from(const std::string& options, const std::string& world, const std::string& rest = "") {
  return load_model_string("<mujoco><option " + options + "/><worldbody>" + world + "</worldbody>" + rest +
                           "</mujoco>");
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

constexpr int kPhases = 32;  // where in the step a blow begins

// Speed after an impact over the speed before, for all phases.
Range bounces(const Model& m) {
  Range range;
  const double h = m.opt.timestep;
  for (int phase = 0; phase < kPhases; ++phase) {
    State s(m);
    Data d(m);
    s.qpos[2] = 0.11 + h * phase / kPhases;
    s.qvel[2] = -1;
    for (int i = 0; i < 100 && !(s.qvel[2] > 0 && s.qpos[2] > 0.11); ++i) EXPECT_TRUE(step(m, s, d).ok());
    range.add(s.qvel[2]);
  }
  return range;
}

Model ball(const std::string& options, int condim) {
  return from(options + " timestep='.002' gravity='0 0 0'",
              "<geom type='plane' size='5 5 1'/><body pos='0 0 .2'><freejoint/><geom size='.1' priority='1' condim='" +
                  std::to_string(condim) + "' solref='-1e5 0'/></body>");
}

TEST(TgsBounce, WithoutDampingKeepsItsSpeedWhereverInTheStepItBegins) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    for (int condim : {1, 3, 4, 6}) {
      const Range tgs = bounces(ball("solver='TGS' cone='" + std::string(cone) + "'", condim));
      EXPECT_GT(tgs.low, 0.995) << cone << condim;
      EXPECT_LT(tgs.high, 1.005) << cone << condim;
    }
  }
  // the same with one part: phases are there to be seen
  const Range newton = bounces(ball("solver='Newton'", 1));
  EXPECT_GT(newton.high - newton.low, 0.03);
}

TEST(TgsBounce, OfALimitKeepsItsSpeed) {
  const Model m = from("solver='TGS' timestep='.002' gravity='0 0 0'",
                       "<body><joint type='slide' axis='0 0 1' limited='true' range='0 9' solreflimit='-1e5 0'/>"
                       "<geom size='.1'/></body>");
  Range range;
  for (int phase = 0; phase < kPhases; ++phase) {
    State s(m);
    Data d(m);
    s.qpos[0] = 0.01 + 0.002 * phase / kPhases;
    s.qvel[0] = -1;
    for (int i = 0; i < 100 && !(s.qvel[0] > 0 && s.qpos[0] > 0.01); ++i) ASSERT_TRUE(step(m, s, d).ok());
    range.add(s.qvel[0]);
  }
  EXPECT_GT(range.low, 0.995);
  EXPECT_LT(range.high, 1.005);
}

// In the step in which a pair will meet its contact is listed, and pushes only once it touches.
TEST(TgsLookAhead, ListsAContactThatTheStepWillMakeAndDoesNotLetItPull) {
  Model m = ball("solver='TGS'", 3);
  State s(m);
  Data d(m);
  s.qpos[2] = 0.1 + 0.0015;  // three quarters of the step's way
  s.qvel[2] = -1;
  ASSERT_TRUE(step(m, s, d).ok());
  ASSERT_EQ(d.ncon, 1);
  EXPECT_GT(d.contact[0].dist, 0);
  for (int i = 0; i < d.rows.n; ++i) EXPECT_GE(d.rows.row_force[i], 0);
  // too far, or on its way out: nothing
  for (const auto& [height, speed] : {std::pair{0.1021, -1.0}, std::pair{0.1015, 1.0}}) {
    State t(m);
    t.qpos[2] = height;
    t.qvel[2] = speed;
    ASSERT_TRUE(step(m, t, d).ok());
    EXPECT_EQ(d.ncon, 0) << height;
    EXPECT_EQ(t.qvel[2], speed);
  }
  m.opt.solver = SolverType::kNewton;
  State t(m);
  t.qpos[2] = 0.1015;
  t.qvel[2] = -1;
  ASSERT_TRUE(step(m, t, d).ok());
  EXPECT_EQ(d.ncon, 0);
}

// Five steel balls on strings (models/newtons_cradle.xml without its damping), 30 s.
TEST(TgsCradle, KeepsItsEnergy) {
  Model m = load_scene("newtons_cradle");
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_solref[kNumRef * g] < 0) m.geom_solref[kNumRef * g + 1] = 0;
  }
  m.opt.solver = SolverType::kTgs;
  m.opt.enableflags |= kEnableEnergy;
  State rest(m), s(m);
  Data d(m);
  ASSERT_TRUE(step(m, rest, d).ok());
  const double bottom = d.energy[0];
  s.qpos[0] = 0.5;
  State start = s;
  ASSERT_TRUE(step(m, start, d).ok());
  const double energy = d.energy[0] + d.energy[1] - bottom;
  ASSERT_GT(energy, 0);
  const int steps = static_cast<int>(30 / m.opt.timestep);
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(m, s, d).ok());
  // (a blow takes some ten steps; the balls are on their strings for the rest of the time)
  for (int i = 0; i < 4000 && d.ncon > 0; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR((d.energy[0] + d.energy[1] - bottom) / energy, 1, 0.02);
}

// A pendulum touches nothing: it moves as under Euler, to rounding, and gains no energy.
TEST(TgsFreeMotion, IsThatOfEuler) {
  Model m = from("timestep='.005'", "<body><joint axis='0 1 0'/><geom pos='.5 0 0' size='.1'/></body>");
  State s(m), t(m);
  Data d(m);
  for (int i = 0; i < 2000; ++i) {
    m.opt.solver = SolverType::kTgs;
    ASSERT_TRUE(step(m, s, d).ok());
    m.opt.solver = SolverType::kNewton;
    ASSERT_TRUE(step(m, t, d).ok());
    ASSERT_NEAR(s.qpos[0], t.qpos[0], 1e-9) << i;
  }
}

// A tower whose contacts are stiffer than one step could hold: timeconst below 2 h.
TEST(TgsTower, OfStiffContactsStands) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    for (const char* time : {".005", ".0025"}) {
      std::string boxes = "<geom type='plane' size='5 5 1' solref='" + std::string(time) + " 1'/>";
      for (int i = 0; i < 10; ++i) {
        boxes += "<body pos='" + std::to_string(0.0005 * std::sin(3 * i)) + " 0 " + std::to_string(0.1 + 0.2 * i) +
                 "'><freejoint/><geom type='box' size='.1 .1 .1' mass='1' solref='" + time + " 1'/></body>";
      }
      const Model m = from("solver='TGS' timestep='.005' cone='" + std::string(cone) + "'", boxes);
      State s(m);
      Data d(m);
      for (int i = 0; i < 1000; ++i) ASSERT_TRUE(step(m, s, d).ok());
      EXPECT_NEAR(s.qpos[7 * 9 + 2], 1.9, 2e-3) << cone << time;
      for (int k = 0; k < m.nv; ++k) EXPECT_LT(std::fabs(s.qvel[k]), 1e-2) << cone << time;
    }
  }
}

// Millimetres that a box on a slope of 20 degrees creeps in a second.
double creep(SolverType solver, ConeType cone, double impratio, int noslip, const char* time) {
  Model m = from("timestep='.002'", "<geom type='plane' size='5 5 1' solref='" + std::string(time) +
                                        " 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .2 .1' "
                                        "solref='" +
                                        time + " 1'/></body>");
  m.opt.solver = solver;
  m.opt.cone = cone;
  m.opt.impratio = impratio;
  m.opt.noslip_iterations = noslip;
  m.opt.gravity[0] = 9.81 * std::sin(M_PI / 9), m.opt.gravity[2] = -9.81 * std::cos(M_PI / 9);
  State s(m);
  Data d(m);
  double before = 0;
  for (int i = 0; i < 1000; ++i) {
    if (i == 500) before = s.qpos[0];
    EXPECT_TRUE(step(m, s, d).ok());
  }
  return 1e3 * std::fabs(s.qpos[0] - before);
}

TEST(TgsNoslip, TakesTheCreepOutInEveryPartAsItDoesUnderNewton) {
  for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (double impratio : {1.0, 10.0}) {
      for (const char* time : {".02", ".001"}) {
        const double with = creep(SolverType::kTgs, cone, impratio, 10, time),
                     without = creep(SolverType::kTgs, cone, impratio, 0, time),
                     newton = creep(SolverType::kNewton, cone, impratio, 10, time);
        EXPECT_LT(with, 0.01 * without) << impratio << time;
        EXPECT_LT(with, 1.5 * newton) << impratio << time;
      }
    }
  }
}

}  // namespace
}  // namespace pliant
