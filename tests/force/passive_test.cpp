// Passive forces: springs against their energy, dampers and fluid against the sign of their power, and
// closed forms of drag.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "force/spring_rest_hd.h"
#include "force/passive_fluid_hd.h"
#include "force/polynomial_hd.h"
#include "integrate/integrate.h"
#include "pliant/pliant.h"
#include "step/stages.h"

namespace pliant {
namespace {

std::string chain(const std::string& head, const std::string& joint, const std::string& geom) {
  return "<mujoco>" + head + R"(<worldbody>
    <body><joint name="free" type="free" )" +
         joint + "/>" + geom + R"(
      <body pos=".4 0 0"><joint name="ball" type="ball" )" +
         joint + "/>" + geom + R"(
        <body pos=".3 .1 0"><joint name="hinge" axis="0 1 1" springref="20" )" +
         joint + "/>" + geom + R"(
          <body pos=".3 0 0"><joint name="slide" type="slide" springref=".1" )" +
         joint + "/>" + geom + R"(</body>
        </body>
      </body>
    </body></worldbody>)";
}

struct Scene {
  explicit Scene(const std::string& text) : model(load_model_string(text)), state(model), data(model) {}
  void randomize(int seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    state.reset(model);
    std::vector<double> move(model.nv);
    for (double& x : move) x = 0.4 * normal(random);
    integrate_pos(model, state.qpos, move.data(), 1);
    for (int i = 0; i < model.nv; ++i) state.qvel[i] = normal(random);
  }
  void passive() {
    run_poses(model, state, data);
    run_com(model, state, data);
    run_velocity(model, state, data);
    run_passive(model, state, data);
  }
  double power(const double* force) const {
    double sum = 0;
    for (int i = 0; i < model.nv; ++i) sum += force[i] * state.qvel[i];
    return sum;
  }
  Model model;
  State state;
  Data data;
};

// Energy of all joint springs: that of the length of each displacement.
double spring_energy(const Model& m, const State& s) {
  std::vector<double> x(m.nv);
  differentiate_pos(m, x.data(), 1, m.qpos_spring, s.qpos);
  double energy = 0;
  for (int j = 0; j < m.njnt; ++j) {
    const auto law = joint_spring_law(m, j);
    const int dof = m.jnt_dofadr[j];
    const auto block = [&](int i) { return law.energy(std::hypot(x[i], x[i + 1], x[i + 2])); };
    switch (static_cast<JointType>(m.jnt_type[j])) {
      case JointType::kFree:
        energy += block(dof) + block(dof + 3);
        break;
      case JointType::kBall:
        energy += block(dof);
        break;
      default:
        energy += law.energy(x[dof]);
    }
  }
  return energy;
}

TEST(Passive, SpringsAreTheNegativeGradientOfTheirEnergy) {
  Scene scene(chain("", R"(stiffness="7 2 3")", R"(<geom size=".1"/>)") + "</mujoco>");
  constexpr double kStep = 1e-6;
  for (int seed = 0; seed < 5; ++seed) {
    scene.randomize(seed);
    scene.passive();
    const State start = scene.state;
    for (int i = 0; i < scene.model.nv; ++i) {
      std::vector<double> move(scene.model.nv);
      double energy[2];
      for (const int side : {0, 1}) {
        scene.state = start;
        move[i] = side ? kStep : -kStep;
        integrate_pos(scene.model, scene.state.qpos, move.data(), 1);
        energy[side] = spring_energy(scene.model, scene.state);
      }
      EXPECT_NEAR(scene.data.qfrc_spring[i], -(energy[1] - energy[0]) / (2 * kStep), 1e-7) << i;
    }
  }
}

TEST(Passive, TendonSpringHasADeadBand) {
  Scene scene(chain("", "", R"(<geom size=".1"/>)") +
              R"(<tendon><fixed name="t" stiffness="10 0 5" springlength="-.1 .2"><joint joint="slide" coef="1"/>
                 </fixed></tendon></mujoco>)");
  for (const auto& [length, force] : {std::pair{0.0, 0.0}, {0.2, 0.0}, {0.3, -1.005}, {-0.3, 2.04}}) {
    const double x = rest_lengths(scene.model, scene.state, 0).stretch(length);
    EXPECT_NEAR(-x * tendon_spring_law(scene.model, 0).stiffness(x), force, 1e-12);
  }
}

TEST(Passive, DampersTakeEnergy) {
  Scene scene(chain("", R"(damping=".3 .2 .1")", R"(<geom size=".1"/>)") + "</mujoco>");
  for (int seed = 0; seed < 20; ++seed) {
    scene.randomize(seed);
    scene.passive();
    EXPECT_LT(scene.power(scene.data.qfrc_damper), 0);
  }
}

TEST(Passive, DampingSlopeIsTheDerivativeOfTheForce) {
  Scene scene(chain("", R"(damping=".3 .2 .1")", R"(<geom size=".1"/>)") + "</mujoco>");
  constexpr double kStep = 1e-6;
  for (const double v : {-2.0, -0.1, 0.3, 4.0}) {
    const auto law = joint_damping(scene.model, 0);
    const double slope = (law.force(v + kStep) - law.force(v - kStep)) / (2 * kStep);
    EXPECT_NEAR(slope, -joint_damping(scene.model, 0).slope(v), 1e-7);
  }
}

TEST(Passive, FluidVanishesAtRestAndOpposesMotion) {
  for (const char* shape : {"none", "ellipsoid"}) {
    Scene scene(chain(R"(<option density="1000" viscosity=".3"/>)", "",
                      R"(<geom type="box" size=".1 .05 .2" fluidshape=")" + std::string(shape) +
                          R"(" fluidcoef=".5 .25 1.5 0 0"/>)") +
                "</mujoco>");
    for (int seed = 0; seed < 20; ++seed) {
      scene.randomize(seed);
      scene.passive();
      // added mass exchanges energy between translation and rotation, but takes none
      EXPECT_LT(scene.power(scene.data.qfrc_fluid), 0) << shape;
      for (int i = 0; i < scene.model.nv; ++i) scene.state.qvel[i] = 0;
      scene.passive();
      for (int i = 0; i < scene.model.nv; ++i) EXPECT_EQ(scene.data.qfrc_fluid[i], 0) << shape;
    }
  }
}

TEST(Passive, BoxDragHasItsClosedForm) {
  // a cube of side 0.2: Stokes 3πDηv, and ½ρAv²
  const double mass = 8, side = 0.2, inertia = mass * side * side / 6;
  const Vec3 box = inertia_box(Vec3{inertia, inertia, inertia}, mass);
  EXPECT_NEAR(box.x, side, 1e-15);
  const Spatial force = box_drag(box, Spatial{{}, {0, -3, 0}}, 2.0, 0.5);
  EXPECT_NEAR(force.lin.y, 3 * kPi * side * 0.5 * 3 + 0.5 * 2 * side * side * 9, 1e-12);
  EXPECT_EQ(force.lin.x, 0);
}

TEST(Passive, LiftIsOrthogonalToVelocity) {
  FluidEllipsoid<double> e{{.1, .2, .3}, 0, 0, 0, 1, 1, {}, {}};
  const Spatial velocity{{1, 2, 3}, {-1, 0.5, 2}};
  const Vec3 force = lift_and_drag_force(e, velocity, 1000.0, 0.0);
  EXPECT_NEAR(dot(force, velocity.lin) / norm(force), 0, 1e-12);
}

TEST(Passive, GravityCompensationHoldsABodyUp) {
  Scene scene(R"(<mujoco><worldbody><body gravcomp="1"><joint type="hinge" axis="0 1 0"/>
                 <geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>)");
  scene.passive();
  run_bias(scene.model, scene.state, scene.data);
  EXPECT_NEAR(scene.data.qfrc_passive[0], scene.data.qfrc_bias[0], 1e-12);
  EXPECT_NE(scene.data.qfrc_bias[0], 0);
}

}  // namespace
}  // namespace pliant
