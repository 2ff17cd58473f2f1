// The ledger of energy: it closes, and names who did the work.

#include "pliant/energy_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pliant/pliant.h"

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
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "RK4"}) {
    double last = 0;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
      std::string xml = kArm;
      const auto set = [&](const char* word, const std::string& value) {
        xml.replace(xml.find(word), std::string(word).size(), value);
      };
      set("INT", integrator), set("H", std::to_string(h)), set("DAMPING", "0.1");
      const EnergyLedger ledger = account(load_model_string(xml), static_cast<int>(std::lround(1 / h)));
      expect_sums(ledger, 1e-11);
      const double part = std::abs(ledger.integration()) / ledger.flow();
      if (last > 0) {
        EXPECT_LT(part, 0.4 * last) << integrator << " " << h;
      }
      last = part;
    }
    EXPECT_LT(last, 2e-3);
  }
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
