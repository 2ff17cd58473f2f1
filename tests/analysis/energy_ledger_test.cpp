// The ledger of energy: it closes, and names who did the work.

#include "pliant/energy_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pliant/pliant.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

EnergyLedger account(const Model& m, int steps, double control = 0) {
  State s = make_state(m), before = s;
  Data d = make_data(m);
  EnergyLedger ledger(m);
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < m.nu; ++k) s.ctrl[k] = control;
    before = s;
    EXPECT_TRUE(step(m, s, d).ok());
    ledger.add(before, s);
  }
  return ledger;
}

double work_of(const EnergyLedger& ledger, const std::string& kind) {
  double sum = 0;
  for (const EnergyEntry& e : ledger.entries()) sum += e.kind == kind ? e.work : 0;
  return sum;
}

void expect_sums(const EnergyLedger& l, double tolerance = 1e-12) {
  EXPECT_NEAR(l.kinetic_change(), l.works() + l.integration(), tolerance * l.flow());
}

// Sliders have a constant mass matrix; so have balls that do not turn about another point than their centre.
constexpr const char* kConstant = R"(<mujoco><option timestep="0.002" cone="CONE"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 0.3"><joint type="slide" axis="0 0 1"/><joint name="across" type="slide" axis="1 0 0"/>
    <geom name="ball" size=".1"/></body>
  <body pos="1 0 1"><joint name="spring" type="slide" axis="0 0 1" stiffness="200" limited="true" range="-.2 .2"/>
    <geom size=".1"/></body>
  <body pos="2 0 1"><joint name="loss" type="slide" axis="0 0 1" frictionloss="5"/><geom size=".1"/></body>
  </worldbody><equality><joint joint1="spring" joint2="loss"/></equality>
  <actuator><motor name="push" joint="across" gear="3"/></actuator></mujoco>)";

TEST(EnergyLedger, ClosesWithAConstantMassMatrix) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    std::string xml = kConstant;
    xml.replace(xml.find("CONE"), 4, cone);
    for (const SolverType solver : {SolverType::kNewton, SolverType::kCg, SolverType::kPgs}) {
      Model m = load_model_string(xml);
      m.opt.solver = solver;
      const EnergyLedger ledger = account(m, 500, 1);
      expect_sums(ledger);
      EXPECT_LT(std::abs(ledger.integration()), 1e-10 * ledger.flow()) << energy_text(ledger);
      EXPECT_LT(std::abs(ledger.parts_of_integration().turning), 1e-13 * ledger.flow());
      EXPECT_GT(work_of(ledger, "actuator"), 0);
      EXPECT_LT(work_of(ledger, "contact normal"), 0);    // it lost energy when it hit the floor
      EXPECT_LT(work_of(ledger, "contact friction"), 0);  // and while it is pushed along
      EXPECT_LT(work_of(ledger, "friction loss"), 0);
      EXPECT_NE(work_of(ledger, "equality"), 0);
    }
  }
}

TEST(EnergyLedger, GravityAndSpringsDoTheWorkOfTheirPotentials) {
  Model m = load_model_string(R"(<mujoco><option timestep="1e-4"/>
      <worldbody><body>
      <joint name="j" type="slide" axis="0 0 1" stiffness="100"/><geom size=".1" mass="2"/></body>
      </worldbody></mujoco>)");
  State s = make_state(m), before = s;
  Data d = make_data(m);
  EnergyLedger ledger(m);
  for (int i = 0; i < 3000; ++i) {
    before = s;
    step(m, s, d);
    ledger.add(before, s);
  }
  const double z = s.qpos[0];
  EXPECT_NEAR(work_of(ledger, "gravity"), -2 * 9.81 * z, 1e-3 * ledger.flow());
  EXPECT_NEAR(work_of(ledger, "spring"), -50 * z * z, 1e-3 * ledger.flow());
  EXPECT_NEAR(ledger.kinetic_change(), s.qvel[0] * s.qvel[0], 1e-12);
}

TEST(EnergyLedger, WhatIntegrationLeavesShrinksWithTheTimestep) {
  constexpr const char* kArm =
      R"(<mujoco><option timestep="H" integrator="INT"/><worldbody>
      <body><joint axis="0 1 0" damping="DAMPING"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
      <body pos=".5 0 0"><joint axis="0 1 0"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></body></worldbody></mujoco>)";
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "RK4", "discrete"}) {
    double last = 0;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
      std::string xml = kArm;
      const auto set = [&](const char* word, const std::string& value) {
        xml.replace(xml.find(word), std::string(word).size(), value);
      };
      set("INT", integrator), set("H", std::to_string(h)), set("DAMPING", "0.1");
      const EnergyLedger ledger = account(load_model_string(xml), static_cast<int>(std::lround(1 / h)));
      expect_sums(ledger, 1e-11);
      EXPECT_LT(std::abs(ledger.parts_of_integration().rest), 1e-10 * ledger.flow()) << integrator << " " << h;
      const double part = std::abs(ledger.integration()) / ledger.flow();
      if (last > 0) {
        EXPECT_LT(part, 0.4 * last) << integrator << " " << h;
      }
      last = part;
    }
    EXPECT_LT(last, 2e-3);
  }
}

// Works, turning and implicit, each from its own numbers, are the change of kinetic energy: what is not explained is
// summed up by its size, step by step.
struct Closing {
  double rest = 0, solver = 0, sums = 0, flow = 0;
};
Closing closing(const Model& m, State s, int steps) {
  State before = s;
  Data d = make_data(m);
  EnergyLedger ledger(m);
  Closing out;
  EnergyOfIntegration last;
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < m.nu; ++k) s.ctrl[k] = 0.3 * std::sin(0.01 * i + k);
    before = s;
    EXPECT_TRUE(step(m, s, d).ok());
    ledger.add(before, s);
    const EnergyOfIntegration now = ledger.parts_of_integration();
    out.rest += std::abs(now.rest - last.rest), out.solver += std::abs(now.solver - last.solver);
    last = now;
  }
  out.flow = ledger.flow();
  out.sums = std::abs(ledger.kinetic_change() - ledger.works() - ledger.integration());
  return out;
}

struct Scene {
  const char* name;
  const char* other = nullptr;  // path below PLIANT_MODELS; nullptr: ours
};
class EnergyLedgers : public testing::TestWithParam<Scene> {};

TEST_P(EnergyLedgers, CloseForEveryIntegratorAndSolver) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                      Integrator::kImplicitFast, Integrator::kDiscrete}) {
    for (const SolverType solver : {SolverType::kNewton, SolverType::kPgs, SolverType::kTgs}) {
      Model m;
      if (!load_scene_or_other(GetParam().name, GetParam().other, m)) GTEST_SKIP() << "PLIANT_MODELS has none";
      m.opt.integrator = integrator, m.opt.solver = solver;
      m.opt.tolerance = 1e-14, m.opt.iterations = 100;
      // Terms of the discrete metric that join branches are rows to TGS. Two sweeps leave 4e-5 of the flow (Franka's
      // fingers), twenty 6e-7: that is the solver's part, and named so.
      if (integrator == Integrator::kDiscrete) m.opt.tgs_sweeps = 200;
      State s(m);
      randomise(m, s, 1);
      const Closing c = closing(m, s, GetParam().other ? 15 : 60);
      const std::string where = std::string(GetParam().name) + " integrator " +
                                std::to_string(static_cast<int>(integrator)) + " solver " +
                                std::to_string(static_cast<int>(solver));
      EXPECT_GT(c.flow, 0) << where;
      EXPECT_LT(c.rest, 1e-12 * c.flow) << where;
      EXPECT_LT(c.solver, 1e-10 * c.flow) << where;
      EXPECT_LT(c.sums, 1e-11 * c.flow) << where;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, EnergyLedgers,
                         testing::Values(Scene{"quadruped"}, Scene{"gripper"}, Scene{"tendon_finger"},
                                         Scene{"mimic_gripper"}, Scene{"mimic_hand"}, Scene{"gear_chain"},
                                         Scene{"drop"}, Scene{"stack_of_boxes"}, Scene{"rubber_balls"}, Scene{"beads"},
                                         Scene{"humanoid", "mujoco/humanoid/humanoid.xml"},
                                         Scene{"franka", "menagerie/franka_emika_panda/scene.xml"},
                                         Scene{"cassie", "menagerie/agility_cassie/scene.xml"},
                                         Scene{"shadow_hand", "menagerie/shadow_hand/scene_right.xml"}),
                         [](const auto& info) { return info.param.name; });

// A bead on a rod that turns, by hand: M = diag(I + m r², m), Coriolis forces 2 m r r' ω and -m r ω², and dampers that
// Euler takes at the end of the step.
TEST(EnergyLedger, TurningAndImplicitAreThoseOfABeadOnARod) {
  Model m = load_model_string(R"(<mujoco><option timestep="0.01" gravity="0 0 0" integrator="Euler"/><worldbody>
      <body><joint axis="0 0 1" armature="0.2" damping="0.3"/><geom size=".01" mass="1e-9"/>
      <body pos="0.5 0 0"><joint type="slide" axis="1 0 0" damping="0.7"/>
      <inertial pos="0 0 0" mass="2" diaginertia="1e-9 1e-9 1e-9"/></body></body></worldbody></mujoco>)");
  State s = make_state(m), before = s;
  Data d = make_data(m);
  s.qvel[0] = 3, s.qvel[1] = 0.8;
  EnergyLedger ledger(m);
  const double h = m.opt.timestep, mass = 2;
  double turning = 0, implicit = 0;
  for (int i = 0; i < 50; ++i) {
    before = s;
    ASSERT_TRUE(step(m, s, d).ok());
    ledger.add(before, s);
    const double r = 0.5 + before.qpos[1], r1 = 0.5 + s.qpos[1], w = before.qvel[0], v = before.qvel[1];
    const double mean_w = 0.5 * (w + s.qvel[0]), mean_v = 0.5 * (v + s.qvel[1]);
    turning += 0.5 * mass * (r1 * r1 - r * r) * s.qvel[0] * s.qvel[0] -
               h * (2 * mass * r * v * w * mean_w - mass * r * w * w * mean_v);
    implicit -= h * (0.3 * (s.qvel[0] - w) * mean_w + 0.7 * (s.qvel[1] - v) * mean_v);
  }
  const EnergyOfIntegration parts = ledger.parts_of_integration();
  EXPECT_GT(std::abs(turning), 1e-3);
  EXPECT_GT(std::abs(implicit), 1e-3);
  EXPECT_NEAR(parts.turning, turning, 1e-7);  // (what is not a bead weighs 1e-9)
  EXPECT_NEAR(parts.implicit, implicit, 1e-12);
  EXPECT_NEAR(parts.rest, 0, 1e-12);
}

// A step that is not the model's own is what is not explained, and by how much.
TEST(EnergyLedger, ForeignStepsAreNotExplained) {
  const Model m = load_model_string(R"(<mujoco><worldbody><body><joint type="slide" axis="0 0 1"/>
      <geom size=".1" mass="2"/></body></worldbody></mujoco>)");
  State s = make_state(m), before = s;
  Data d = make_data(m);
  EnergyLedger ledger(m);
  for (int i = 0; i < 10; ++i) {
    before = s;
    step(m, s, d);
    if (i == 5) s.qvel[0] += 0.25;
    const double was = ledger.parts_of_integration().rest;
    ledger.add(before, s);
    const double mean = 0.5 * (before.qvel[0] + s.qvel[0]);
    EXPECT_NEAR(ledger.parts_of_integration().rest - was, i == 5 ? 2 * 0.25 * mean : 0, 1e-12);
  }
  expect_sums(ledger);
}

// Ranges of forces of joints take from what actuators do; bodies that spin conserve their energy.
TEST(EnergyLedger, ClosesWithForceRangesAndConservedSpins) {
  Model m = load_model_string(R"(<mujoco><option spin="conserving" integrator="Euler"/><worldbody>
      <body><joint name="j" axis="0 1 0" actuatorfrcrange="-1 1" actuatorgravcomp="true"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body>
      <body gravcomp="1" pos="0 1 0"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
      </worldbody><actuator><motor joint="j" gear="50"/></actuator></mujoco>)");
  State s = make_state(m);
  s.qvel[4] = 1, s.qvel[5] = 6, s.qvel[6] = 3;
  const Closing c = closing(m, s, 400);
  EXPECT_LT(c.rest, 1e-10 * c.flow);
  EXPECT_LT(c.sums, 1e-12 * c.flow);
  const EnergyLedger ledger = account(m, 100, 1);
  EXPECT_GT(work_of(ledger, "actuator"), -work_of(ledger, "force range"));
  EXPECT_LT(work_of(ledger, "force range"), 0);
}

TEST(EnergyLedger, NamesTheOneThatFeeds) {
  // a spring whose force grows the wrong way: a bias that pushes away from rest
  const Model m = load_model_string(R"(<mujoco><worldbody><body name="arm"><joint name="elbow" axis="0 0 1" ref="0"/>
      <geom size=".1" pos=".3 0 0"/></body></worldbody><actuator>
      <general name="wrong" joint="elbow" biastype="affine" biasprm="0.01 20 0" gainprm="0"/></actuator></mujoco>)");
  const EnergyLedger ledger = account(m, 800);
  const EnergyEntry first = ledger.entries().at(0);
  EXPECT_EQ(first.kind, "actuator");
  EXPECT_EQ(first.element, "actuator 'wrong'");
  EXPECT_GT(first.most_fed, 0);
  EXPECT_NE(energy_text(ledger).find("J  actuator 'wrong'"), std::string::npos);
  EXPECT_THROW(EnergyLedger(m).add(make_state(load_model_string("<mujoco/>")), make_state(m)), std::invalid_argument);
}

}  // namespace
}  // namespace pliant
