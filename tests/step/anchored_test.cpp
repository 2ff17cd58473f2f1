// Anchored friction through whole steps: what it holds does not creep, what it cannot hold slides as before, what rolls
// rolls; its memory is part of State.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr double kG = 9.81;

struct Case {
  ConeType cone;
  SolverType solver;
};
std::vector<Case> cones_and_solvers() {
  std::vector<Case> out;
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (const SolverTraits& solver : kSolvers) out.push_back({cone, solver.type});
  }
  return out;
}
std::string text(const Case& c) {
  return std::string(traits(c.solver).keyword) + (c.cone == ConeType::kElliptic ? " elliptic" : " pyramidal");
}

/// A box on a slope of angle θ, which gravity makes; μ = 1.
Model slope(double angle, FrictionLaw law, const Case& c,
            const std::string& body = "<geom type='box' size='.1 .1 .05'/>", int condim = 3) {
  Model m = load_model_string("<mujoco><default><geom condim='" + std::to_string(condim) +
                              "' friction='1 .01 .01'/></default><worldbody><geom type='plane' size='9 9 1'/>"
                              "<body pos='0 0 .0499'><freejoint/>" +
                              body + "</body></worldbody></mujoco>");
  m.opt.gravity = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
  m.opt.friction = law;
  m.opt.cone = c.cone;
  m.opt.solver = c.solver;
  m.opt.tolerance = 1e-13;
  m.opt.iterations = 1000;
  return m;
}

void run(const Model& m, State& s, Data& d, double seconds) {
  const int steps = static_cast<int>(std::lround(seconds / m.opt.timestep));
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(m, s, d).ok()) << i;
}

TEST(Anchored, HoldsWithoutCreep) {
  for (const Case& c : cones_and_solvers()) {
    for (const double angle : {0.35, std::atan(0.99)}) {
      const Model m = slope(angle, FrictionLaw::kAnchored, c);
      State s(m);
      Data d(m);
      run(m, s, d, 4);
      const double before = s.qpos[0];
      run(m, s, d, 1);
      EXPECT_LE(std::abs(s.qpos[0] - before), 1e-9) << text(c) << ' ' << angle;
      EXPECT_LE(std::abs(s.qpos[0]), 2e-2) << text(c) << ' ' << angle;
      // regularised friction creeps on the same slope: this test can fail
      if (c.solver == SolverType::kNewton) {
        const Model soft = slope(angle, FrictionLaw::kRegularized, c);
        State t(soft);
        Data e(soft);
        run(soft, t, e, 2);
        EXPECT_GT(t.qvel[0], 1e-4) << text(c);
      }
    }
  }
}

// At rest the springs alone hold: Σ K d σ / R = the load along the slope.
TEST(Anchored, AtRestTheSlipIsThatOfTheSpring) {
  const Model m = slope(0.35, FrictionLaw::kAnchored, {ConeType::kElliptic, SolverType::kNewton});
  State s(m);
  Data d(m);
  run(m, s, d, 5);
  double force = 0;
  ASSERT_GT(d.ncon, 0);
  for (int i = 0; i < d.ncon; ++i) {
    const int row = d.contact[i].row + 1;
    const double* KBIP = d.rows.row_KBIP + 4 * row;
    const double* axis = d.contact[i].frame + 3;
    force += axis[0] * KBIP[0] * KBIP[2] * d.contact[i].slip[0] / d.rows.row_R[row];
    force += axis[3] * KBIP[0] * KBIP[2] * d.contact[i].slip[1] / d.rows.row_R[row + 1];
  }
  EXPECT_NEAR(force, m.body_mass[1] * kG * std::sin(0.35), 1e-6 * m.body_mass[1] * kG);
}

TEST(Anchored, SlidesAsBeforeBeyondTheAngleOfFriction) {
  for (const Case& c : cones_and_solvers()) {
    // (flat: what hops sticks for a moment where it lands)
    const char* const flat = "<geom type='box' size='.1 .1 .01' pos='0 0 -.04'/>";
    const Model anchored = slope(1.0, FrictionLaw::kAnchored, c, flat),
                soft = slope(1.0, FrictionLaw::kRegularized, c, flat);
    State s(soft);
    Data d(soft), e(anchored);
    run(soft, s, d, 0.2);
    State t = s;
    run(soft, s, d, 0.2);
    run(anchored, t, e, 0.2);
    EXPECT_GT(s.qvel[0], 1);
    EXPECT_NEAR(s.qvel[0], t.qvel[0], 0.1 * s.qvel[0]) << text(c);
    if (c.solver == SolverType::kTgs) continue;  // makes it hop, with or without
    for (int i = 0; i < soft.nq; ++i) EXPECT_NEAR(s.qpos[i], t.qpos[i], 1e-9) << text(c);
    for (int i = 0; i < soft.nv; ++i) EXPECT_NEAR(s.qvel[i], t.qvel[i], 1e-9) << text(c);
  }
}

// A ball rolls down at 5/7 g sin θ: a slip between points of the surfaces would hold it.
TEST(Anchored, ABallRolls) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    const Model m = slope(0.2, FrictionLaw::kAnchored, {cone, SolverType::kNewton}, "<geom size='.05'/>");
    State s(m);
    Data d(m);
    run(m, s, d, 1);
    const double speed = s.qvel[0];
    run(m, s, d, 1);
    EXPECT_NEAR(s.qvel[0] - speed, 5.0 / 7 * kG * std::sin(0.2), 0.01);
    EXPECT_NEAR(s.qvel[0], 0.05 * s.qvel[4], 0.01 * s.qvel[0]);
  }
}

// Torsional friction holds a torque about the normal, rolling friction one along the surface, without creep.
TEST(Anchored, HoldsTorques) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    const Model m = slope(0, FrictionLaw::kAnchored, {cone, SolverType::kNewton}, "<geom size='.05' mass='1'/>", 6);
    for (const int axis : {3, 4, 5}) {
      State s(m);
      Data d(m);
      s.qfrc_applied[axis] = 0.05;  // of 0.098 that friction can give
      run(m, s, d, 8);
      const std::vector<double> before(s.qpos, s.qpos + m.nq);
      run(m, s, d, 1);
      for (int i = 0; i < m.nq; ++i) EXPECT_NEAR(s.qpos[i], before[static_cast<size_t>(i)], 1e-9) << axis << ' ' << i;
    }
  }
}

// A clamped block that is turned over and over with its jaws stays where it is between them.
TEST(Anchored, TurnsWithItsBodies) {
  Model m = load_model_string(R"(
    <mujoco>
      <option friction="anchored" cone="elliptic" integrator="implicitfast"/>
      <worldbody>
        <body><joint name="turn" axis="1 0 0" damping="1"/><geom size=".02" mass="1" contype="0" conaffinity="0"/>
          <body pos="-.06 0 0"><joint name="left" type="slide" axis="1 0 0" damping="20"/>
            <geom type="box" size=".02 .05 .05" mass=".2"/></body>
          <body pos=".06 0 0"><joint name="right" type="slide" axis="-1 0 0" damping="20"/>
            <geom type="box" size=".02 .05 .05" mass=".2"/></body>
        </body>
        <body><freejoint/><geom type="box" size=".04 .02 .02" mass=".1"/></body>
      </worldbody>
      <actuator>
        <motor joint="left"/><motor joint="right"/><velocity joint="turn" kv="50"/>
      </actuator>
    </mujoco>)");
  State s(m);
  Data d(m);
  s.ctrl[0] = s.ctrl[1] = 20;
  run(m, s, d, 1);
  const auto inside = [&] {  // the block's centre in the axes of the hand
    const double c = std::cos(s.qpos[0]), b = std::sin(s.qpos[0]);
    const double* x = s.qpos + 3;
    return std::vector<double>{x[0], c * x[1] + b * x[2], -b * x[1] + c * x[2]};
  };
  s.ctrl[2] = 2;
  run(m, s, d, 3 * M_PI);  // three turns
  const std::vector<double> first = inside();
  run(m, s, d, M_PI);
  run(m, s, d, M_PI);
  const std::vector<double> last = inside();
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(first[k], last[k], 2e-5) << k;
}

TEST(Anchored, IsPartOfState) {
  const Model m = slope(0.35, FrictionLaw::kAnchored, {ConeType::kPyramidal, SolverType::kNewton});
  State s(m);
  Data d(m);
  run(m, s, d, 0.5);
  ASSERT_FALSE(s.row_memory.entries.empty());
  State copy = s, without = s;
  Data fresh(m), other(m);
  run(m, s, d, 0.1);
  run(m, copy, fresh, 0.1);
  EXPECT_EQ(s.hash(), copy.hash());
  without.row_memory.clear();
  run(m, without, other, 0.1);
  EXPECT_NE(s.hash(), without.hash());
}

// What is refused leaves the memory as it was.
TEST(Anchored, ARefusedStepKeepsTheMemory) {
  const Model m = slope(0.35, FrictionLaw::kAnchored, {ConeType::kPyramidal, SolverType::kNewton});
  State s(m);
  Data d(m);
  run(m, s, d, 0.1);
  s.qfrc_applied[0] = std::nan("");
  const uint64_t before = s.hash();
  EXPECT_FALSE(step(m, s, d).ok());
  EXPECT_EQ(s.hash(), before);
}

}  // namespace
}  // namespace pliant
