// Transmissions: moments against finite differences of lengths, or against the power they transmit.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "integrate/integrate.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "kinematics/jacobian_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

const std::string kBodies = R"(<mujoco><worldbody>
    <site name="world" pos="0 .2 1" euler="10 20 30"/>
    <body name="root" pos="0 0 1"><freejoint name="free"/><geom type="box" size=".1 .15 .2"/>
      <site name="root" pos=".1 0 .1" euler="30 0 10"/>
      <body name="upper" pos="0 0 -.3"><joint name="ball" type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
        <site name="upper" pos=".04 0 -.1"/>
        <body name="lower" pos="0 0 -.3"><joint name="hinge" axis="0 1 .1" ref="15"/>
          <joint name="slide" type="slide" axis="0 .2 1"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/>
          <site name="tip" pos="0 0 -.3" euler="20 30 40"/></body></body>
      <body name="side" pos=".2 0 0"><joint name="side" axis="1 0 0"/><geom size=".05" pos=".1 0 0"/>
        <site name="side" pos=".2 0 0" euler="0 60 0"/></body></body>
    <body name="wheel" pos="1 0 1"><joint name="wheel" axis="0 1 0"/><geom type="cylinder" size=".2 .02"/>
      <site name="crank" pos=".15 0 0"/></body>
    <body name="guide" pos="1.6 0 1" euler="0 -90 0"><joint name="guide" axis="1 .3 0"/>
      <geom size=".05"/><site name="guide"/></body>
  </worldbody>
  <tendon><spatial name="rope"><site site="world"/>
    <site site="tip"/><site site="side"/><site site="crank"/></spatial></tendon>
  <actuator>)";

Model model_of(const std::string& actuators) { return load_model_string(kBodies + actuators + "</actuator></mujoco>"); }

// The state after time h with the velocities of v.
State moved(const Model& m, const State& s, const std::vector<double>& v, double h) {
  State out = s;
  integrate_pos(m, out.qpos, v.data(), h);
  return out;
}

State random_state(const Model& m, std::mt19937& random, double size = 0.5) {
  std::normal_distribution<double> normal(0, 1);
  std::vector<double> v(m.nv);
  for (double& x : v) x = size * normal(random);
  State s = moved(m, State(m), v, 1);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = normal(random);
  return s;
}

Data velocities_at(const Model& m, const State& s) {
  Data d(m);
  run_phases(m, s, d, Phase::kPosition, Phase::kVelocity);
  return d;
}

// Rate of an output's length along qvel, by central difference.
double length_rate(const Model& m, const State& s, int output) {
  constexpr double kStep = 1e-5;
  const std::vector<double> v(s.qvel, s.qvel + m.nv);
  return (velocities_at(m, moved(m, s, v, kStep)).actuator_length[output] -
          velocities_at(m, moved(m, s, v, -kStep)).actuator_length[output]) /
         (2 * kStep);
}

TEST(Transmission, MomentIsTheDerivativeOfLength) {
  const Model m = model_of(R"(
    <general joint="hinge" gear="-3"/> <general jointinparent="slide" gear="20"/>
    <general tendon="rope" gear="-2"/>
    <general cranksite="crank" slidersite="guide" cranklength=".6" gear="2"/>
    <general cranksite="crank" slidersite="guide" cranklength=".01"/>
    <general cranksite="tip" slidersite="side" cranklength="2"/>
    <general site="tip" refsite="world" gear="1 2 3 0 0 0"/>)");
  std::mt19937 random(1);
  for (int n = 0; n < 30; ++n) {
    const State s = random_state(m, random);
    const Data d = velocities_at(m, s);
    for (int i = 0; i < m.nout; ++i) {
      EXPECT_NEAR(d.actuator_velocity[i], length_rate(m, s, i), 1e-6) << "output " << i;
    }
  }
}

TEST(Transmission, RotationVectorsNearZero) {
  // Where the rotation is small its vector is the integral of the angular velocity.
  const Model m = model_of(R"(
    <general joint="ball" gear="1 -2 .5 0 0 0"/> <general jointinparent="ball" gear="1 -2 .5 0 0 0"/>
    <general site="upper" refsite="upper" gear="0 0 0 1 2 3"/>
    <orientation joint="ball"/>)");
  std::mt19937 random(2);
  for (int n = 0; n < 10; ++n) {
    const State s = random_state(m, random, 1e-8);
    const Data d = velocities_at(m, s);
    for (int i = 0; i < m.nout; ++i) EXPECT_NEAR(d.actuator_velocity[i], length_rate(m, s, i), 1e-6);
    EXPECT_EQ(d.moment_rownnz[2], 0);  // a site against itself
  }
}

// Whether a dof moves the body.
bool moves(const Model& m, int dof, int body) {
  int chain = last_dof(m, body);
  while (chain >= 0 && chain != dof) chain = m.dof_parentid[chain];
  return chain == dof;
}

TEST(Transmission, SiteTransmitsPower) {
  // moment · qvel = force · velocity + torque · angular velocity, minus the same at the reference
  // site if there is one; dofs that move both sites do no work.
  const Model m = model_of(R"(
    <general site="tip" gear="1 2 3 4 5 6"/> <general site="tip" refsite="root" gear="1 2 3 4 5 6"/>
    <general site="crank" refsite="side" gear="-1 2 0 1 0 2"/> <general site="world" gear="1 1 1 1 1 1"/>)");
  std::mt19937 random(3);
  for (int n = 0; n < 20; ++n) {
    const State s = random_state(m, random);
    const Data d = velocities_at(m, s);
    for (int i = 0; i < m.nout; ++i) {
      const int site = m.actuator_trnid[2 * i], reference = m.actuator_trnid[2 * i + 1];
      const int other = reference < 0 ? 0 : m.site_bodyid[reference];
      State apart = s;
      for (int dof = 0; dof < m.nv; ++dof) {
        if (moves(m, dof, m.site_bodyid[site]) && moves(m, dof, other)) apart.qvel[dof] = 0;
      }
      const Data moving = velocities_at(m, apart);
      const Mat3 axes = mat3(d.site_xmat, reference < 0 ? site : reference);
      const auto power = [&](int at) {
        const int body = m.site_bodyid[at];
        const Vec3 velocity = point_velocity(m, moving, body, vec3(d.site_xpos, at));
        return dot(axes * vec3(m.actuator_gear, 2 * i), velocity) +
               dot(axes * vec3(m.actuator_gear, 2 * i + 1), spatial(moving.cvel, body).ang);
      };
      const double expected = power(site) - (reference < 0 ? 0 : power(reference));
      EXPECT_NEAR(d.actuator_velocity[i], expected, 1e-12) << "output " << i;
    }
  }
}

TEST(Transmission, TorqueOfABallJointInItsParent) {
  // A torque given in the parent's axes does the work torque · angular velocity seen there.
  const Model m = model_of(R"(<general jointinparent="ball" gear="1 -2 .5 0 0 0"/>
    <general jointinparent="free" gear="1 2 3 -1 .5 2"/>)");
  std::mt19937 random(4);
  for (int n = 0; n < 10; ++n) {
    const State s = random_state(m, random);
    const Data d = velocities_at(m, s);
    const int root = m.id(ObjType::kBody, "root"), upper = m.id(ObjType::kBody, "upper");
    const Vec3 relative = spatial(d.cvel, upper).ang - spatial(d.cvel, root).ang;
    EXPECT_NEAR(d.actuator_velocity[0], dot(Vec3{1, -2, .5}, transposed_times(mat3(d.xmat, root), relative)), 1e-12);
    EXPECT_NEAR(d.actuator_velocity[1],
                dot(Vec3{1, 2, 3}, point_velocity(m, d, root, vec3(d.xpos, root))) +
                    dot(Vec3{-1, .5, 2}, spatial(d.cvel, root).ang),
                1e-12);
  }
}

TEST(Transmission, RowsFollowEachOtherWithAscendingColumns) {
  const Model m = model_of(R"(
    <general site="tip" refsite="crank" gear="1 2 3 4 5 6"/> <adhesion body="lower" ctrlrange="0 1"/>
    <orientation site="tip" refsite="side"/> <general cranksite="crank" slidersite="tip" cranklength="1"/>)");
  std::mt19937 random(5);
  const Data d = velocities_at(m, random_state(m, random));
  int next = 0;
  for (int i = 0; i < m.nout; ++i) {
    EXPECT_EQ(d.moment_rowadr[i], next);
    for (int k = next + 1; k < next + d.moment_rownnz[i]; ++k) {
      EXPECT_LT(d.moment_colind[k - 1], d.moment_colind[k]);
    }
    next += d.moment_rownnz[i];
  }
  EXPECT_LE(next, m.nJmom);
  EXPECT_EQ(d.moment_rownnz[1], 0);  // touches nothing
}

}  // namespace
}  // namespace pliant
