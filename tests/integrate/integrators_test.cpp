// Integrators against closed forms and conservation laws.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "integrate/integrate.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

using Vector = std::vector<double>;

constexpr const char* kPendulum = R"(
<mujoco><option><flag contact='disable'/></option><worldbody><body>
  <joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.4 0 0' size='.03'/>
  <body pos='.4 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='.03'/></body>
</body></worldbody></mujoco>)";

constexpr const char* kAllJoints = R"(
<mujoco><option><flag contact='disable'/></option><worldbody>
  <body><freejoint/><geom type='box' size='.1 .2 .3' pos='.05 .02 0' euler='10 20 30'/>
    <body pos='.1 0 0'><joint type='ball' pos='.02 0 .01'/><geom size='.05' pos='.1 0 .02'/>
      <body pos='0 .1 0'><joint axis='1 1 0'/><joint type='slide' axis='0 1 1'/><geom size='.04 .1' type='capsule'/>
      </body>
    </body>
    <body pos='-.1 0 0'><joint axis='0 1 .3' pos='0 0 .1'/><geom size='.05' pos='-.1 0 .02'/></body>
  </body>
  <body pos='2 0 0'><joint type='slide' axis='0 0 1'/><joint type='ball'/>
    <geom type='box' size='.1 .05 .02' pos='.1 0 0'/></body>
  <body pos='3 0 0'><freejoint/><geom type='box' size='.1 .05 .02' pos='.1 0 .02' euler='5 6 7'/></body>
</worldbody></mujoco>)";

constexpr const char* kTumbler = R"(
<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody>
  <body><freejoint/><geom type='box' size='.1 .2 .4'/></body>
</worldbody></mujoco>)";

Model model_of(const std::string& xml, Integrator integrator) {
  Model m = load_model_string(xml);
  m.opt.integrator = integrator;
  return m;
}

// qpos of the pendulum after one second with n steps.
double pendulum_after(Integrator integrator, int n) {
  Model m = model_of(kPendulum, integrator);
  m.opt.timestep = 1.0 / n;
  State s(m);
  Data d(m);
  s.qvel[1] = 1;
  for (int i = 0; i < n; ++i) EXPECT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(*s.time, 1, 1e-9);
  return s.qpos[0] + s.qpos[1];
}

TEST(Integrators, OrdersOfConvergence) {
  const double exact = pendulum_after(Integrator::kRk4, 8000);
  const auto error = [&](Integrator integrator, int n) { return pendulum_after(integrator, n) - exact; };
  // Halving the step divides the error by 2 to the order.
  for (int n : {200, 400}) {
    EXPECT_NEAR(error(Integrator::kRk4, n) / error(Integrator::kRk4, 2 * n), 16, 2) << n;
  }
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
    EXPECT_NEAR(error(integrator, 4000) / error(integrator, 8000), 2, 0.2) << static_cast<int>(integrator);
  }
}

// A sphere that spins with constant speed turns by angle w t about a fixed axis.
TEST(Integrators, ConstantSpinIsExact) {
  const std::string xml =
      "<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody><body><freejoint/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>";
  for (int k = 0; k < 4; ++k) {
    const Model m = model_of(xml, static_cast<Integrator>(k));
    State s(m);
    Data d(m);
    const double w[3] = {1.5, -2, 0.5}, speed = std::sqrt(6.5);
    for (int i = 0; i < 3; ++i) s.qvel[3 + i] = w[i];
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(step(m, s, d).ok());
    const double angle = speed * 5, sine = std::sin(angle / 2);
    EXPECT_NEAR(s.qpos[3], std::cos(angle / 2), 1e-12) << k;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(s.qpos[4 + i], w[i] / speed * sine, 1e-12) << k;
  }
}

// Angular momentum (world axes) and kinetic energy of a box that tumbles about its middle axis.
struct Tumble {
  double momentum_error = 0, energy_error = 0;
};
Tumble tumble(Integrator integrator, int steps) {
  const Model m = model_of(kTumbler, integrator);
  State s(m);
  Data d(m);
  s.qvel[3] = 0.1, s.qvel[4] = 5, s.qvel[5] = 0.05;
  double first[4] = {};
  Tumble result;
  for (int i = 0; i <= steps; ++i) {
    forward(m, s, d);
    double now[4] = {};
    for (int a = 0; a < 3; ++a) {
      const double along = d.ximat[9 + a] * d.cvel[6] + d.ximat[12 + a] * d.cvel[7] + d.ximat[15 + a] * d.cvel[8];
      const double inertia = m.body_inertia[3 + a];
      for (int r = 0; r < 3; ++r) now[r] += inertia * along * d.ximat[9 + 3 * r + a];
      now[3] += inertia * along * along / 2;
    }
    if (i == 0) std::copy(now, now + 4, first);
    const double size = std::sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (int r = 0; r < 3; ++r) {
      result.momentum_error = std::max(result.momentum_error, std::abs(now[r] - first[r]) / size);
    }
    result.energy_error = std::max(result.energy_error, std::abs(now[3] - first[3]) / first[3]);
    step(m, s, d);
  }
  return result;
}

TEST(Integrators, TumblingBoxKeepsMomentumAndEnergy) {
  const Tumble rk4 = tumble(Integrator::kRk4, 1000);
  EXPECT_LT(rk4.momentum_error, 2e-4);
  EXPECT_LT(rk4.energy_error, 1e-4);
  RecordProperty("rk4_momentum", std::to_string(rk4.momentum_error));
  RecordProperty("rk4_energy", std::to_string(rk4.energy_error));
  // implicitfast is implicit for such a body
  const Tumble fast = tumble(Integrator::kImplicitFast, 1000), full = tumble(Integrator::kImplicit, 1000);
  EXPECT_NEAR(fast.energy_error, full.energy_error, 1e-9);
}

// A body that floats alone is solved in full by implicitfast, too.
TEST(Integrators, ImplicitFastEqualsImplicitForFreeBodies) {
  const Model fast = model_of(kTumbler, Integrator::kImplicitFast), full = model_of(kTumbler, Integrator::kImplicit);
  State a(fast), b(full);
  Data d(fast), e(full);
  for (int i = 0; i < 6; ++i) a.qvel[i] = b.qvel[i] = std::sin(1.0 + i) * 5;
  for (int i = 0; i < 100; ++i) step(fast, a, d), step(full, b, e);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a.qvel[i], b.qvel[i], 1e-10);
}

// Damping far beyond what an explicit step survives: h b / m = 1000.
TEST(Integrators, StiffDamperIsStable) {
  const std::string xml =
      "<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody><body><joint type='slide' "
      "damping='1e5'/>"
      "<geom size='.1' mass='1'/></body></worldbody></mujoco>";
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
    const Model m = model_of(xml, integrator);
    State s(m);
    Data d(m);
    double v = s.qvel[0] = 1;
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(step(m, s, d).ok());
      v /= 1 + 0.01 * 1e5;
      EXPECT_NEAR(s.qvel[0], v, 1e-12 + 1e-6 * v) << static_cast<int>(integrator);
    }
  }
}

TEST(Integrators, DifferenceUndoesIntegrateForAllJoints) {
  const Model m = model_of(kAllJoints, Integrator::kEuler);
  State s(m);
  randomise(m, s, 3);
  Vector start(s.qpos, s.qpos + m.nq), v(m.nv), back(m.nv);
  for (int i = 0; i < m.nv; ++i) v[i] = std::sin(3.0 * i);
  integrate_pos(m, start.data(), Vector(m.nv, 0).data(), 1);
  Vector end = start;
  integrate_pos(m, end.data(), v.data(), 0.5);
  differentiate_pos(m, back.data(), 0.5, start.data(), end.data());
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(back[i], v[i], 1e-12);
}

// The velocity after a step, taken back to a continuous acceleration, is the one the step started
// from.
TEST(Integrators, ContinuousAccelerationUndoesTheImplicitTerms) {
  std::vector<Model> models;
  for (const char* name : kScenes) models.push_back(load_scene(name));
  models.push_back(load_model_string(kAllJoints));
  for (Model& m : models) {
    m.opt.disableflags |= kDisableConstraint;
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
      m.opt.integrator = integrator;
      State s(m);
      Data d(m);
      randomise(m, s, 5);
      ASSERT_TRUE(forward(m, s, d).ok());
      State after = s;
      ASSERT_TRUE(advance(m, after, d, integrator).ok());
      Vector discrete(m.nv), qacc(m.nv);
      double size = 1;
      for (int i = 0; i < m.nv; ++i) {
        discrete[i] = (after.qvel[i] - s.qvel[i]) / m.opt.timestep;
        size = std::max(size, std::abs(d.qacc[i]));
      }
      EXPECT_TRUE(continuous_acceleration(m, s, d, discrete.data(), qacc.data()));
      for (int i = 0; i < m.nv; ++i) {
        EXPECT_NEAR(qacc[i], d.qacc[i], 1e-8 * size) << m.nv << " " << static_cast<int>(integrator) << " " << i;
      }
    }
  }
}

TEST(Integrators, RungeKuttaHasNoContinuousAcceleration) {
  const Model m = model_of(kPendulum, Integrator::kRk4);
  State s(m);
  Data d(m);
  forward(m, s, d);
  double qacc[2];
  EXPECT_FALSE(continuous_acceleration(m, s, d, d.qacc, qacc));
}

}  // namespace
}  // namespace pliant
