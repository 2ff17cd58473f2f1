// Spinning bodies under the option spin="conserving": momentum and energy to rounding, and the motions of tops.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "math/mat3.h"
#include "math/quat.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr Integrator kWithConservingSpin[] = {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast};

/// A brick whose frame is neither at its centre of mass nor along its axes.
const char* const kBrick =
    "<body><freejoint/><inertial pos='.1 -.2 .05' mass='2' diaginertia='.02 .03 .045' euler='20 30 40'/></body>";

Model from(const std::string& options, const std::string& world) {
  return load_model_string("<mujoco><option " + options + "/><worldbody>" + world + "</worldbody></mujoco>");
}

struct Motion {
  Vec3 spin, momentum;  // angular about the centre of mass, linear; world
  double energy;
};

Motion motion(const Model& m, const State& s) {
  const Quat q = normalized(Quat{s.qpos[3], s.qpos[4], s.qpos[5], s.qpos[6]});
  const Mat3 body = matrix(q);
  const Quat to_axes{m.body_iquat[4], m.body_iquat[5], m.body_iquat[6], m.body_iquat[7]};
  const Mat3 axes = matrix(q * to_axes);
  const Vec3 omega = body * Vec3{s.qvel[3], s.qvel[4], s.qvel[5]}, local = transposed_times(axes, omega);
  const Vec3 com = body * Vec3{m.body_ipos[3], m.body_ipos[4], m.body_ipos[5]};
  const Vec3 velocity = Vec3{s.qvel[0], s.qvel[1], s.qvel[2]} + cross(omega, com);
  const double* moment = m.body_inertia + 3;
  const Vec3 spin{moment[0] * local.x, moment[1] * local.y, moment[2] * local.z};
  const double mass = m.body_mass[1];
  return {axes * spin, velocity * mass, 0.5 * dot(spin, local) + 0.5 * mass * dot(velocity, velocity)};
}

TEST(ConservingSpin, KeepsMomentumAndEnergy) {
  for (const Integrator integrator : kWithConservingSpin) {
    for (const double speed : {5.0, 20.0}) {
      Model m = from("gravity='0 0 0' spin='conserving'", kBrick);
      m.opt.integrator = integrator;
      State s(m);
      Data d(m);
      s.qvel[0] = 1;
      s.qvel[3] = 0.05 * speed, s.qvel[4] = speed, s.qvel[5] = 0.02 * speed;
      const Motion start = motion(m, s);
      for (int i = 0; i < 30000; ++i) {
        ASSERT_TRUE(step(m, s, d).ok());
        if (i % 1000) continue;
        const Motion now = motion(m, s);
        ASSERT_NEAR(now.energy / start.energy, 1, 1e-10) << i;
        ASSERT_LE(norm(now.spin - start.spin), 1e-10 * norm(start.spin)) << i;
        ASSERT_LE(norm(now.momentum - start.momentum), 1e-10 * norm(start.momentum)) << i;
      }
      EXPECT_EQ(d.gyroscopic_explicit, 0);
    }
  }
}

// A rod 0.8 m long and 2 cm thick: its inertias are as 1 to 1000, and roundings of its spin are magnified as much.
TEST(ConservingSpin, KeepsAThinRod) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kMidpoint}) {
    for (const double speed : {5.0, 20.0}) {
      Model m =
          from("gravity='0 0 0' spin='conserving'", "<body><freejoint/><geom type='capsule' size='.01 .4'/></body>");
      m.opt.integrator = integrator;
      State s(m);
      Data d(m);
      s.qvel[3] = speed, s.qvel[4] = 0.02 * speed, s.qvel[5] = 0.9 * speed;
      const Motion start = motion(m, s);
      for (int i = 0; i < 10000; ++i) ASSERT_TRUE(step(m, s, d).ok());
      const Motion now = motion(m, s);
      EXPECT_NEAR(now.energy / start.energy, 1, 1e-9) << static_cast<int>(integrator) << ' ' << speed;
      EXPECT_LE(norm(now.spin - start.spin), 1e-10 * norm(start.spin)) << static_cast<int>(integrator) << ' ' << speed;
      EXPECT_EQ(d.gyroscopic_explicit, 0);
    }
  }
}

// Without the option the same motion gains or loses energy: the test above can fail.
TEST(ConservingSpin, IsNeeded) {
  Model m = from("gravity='0 0 0'", kBrick);
  State s(m);
  Data d(m);
  s.qvel[3] = 0.25, s.qvel[4] = 5, s.qvel[5] = 0.1;
  const double start = motion(m, s).energy;
  for (int i = 0; i < 30000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_GT(std::abs(motion(m, s).energy / start - 1), 1e-2);
}

// Half the step, a quarter of the difference to a fine one: the rule is of the second order, and goes to the same
// place.
TEST(ConservingSpin, ConvergesToTheMotion) {
  const auto end = [&](double h) {
    Model m = from("gravity='0 0 0' spin='conserving'", kBrick);
    m.opt.timestep = h;
    State s(m);
    Data d(m);
    s.qvel[3] = 1, s.qvel[4] = 4, s.qvel[5] = 2;
    for (int i = 0; i < std::lround(1 / h); ++i) EXPECT_TRUE(step(m, s, d).ok());
    return std::vector<double>(s.qpos, s.qpos + 7);
  };
  const auto apart = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (size_t i = 3; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  const std::vector<double> fine = end(1.0 / 16384);
  const double coarse = apart(end(1.0 / 256), fine), half = apart(end(1.0 / 512), fine);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_NEAR(coarse / half, 4, 0.3);
  // RK4, plain, ends there, too
  Model m = from("gravity='0 0 0' integrator='RK4' timestep='.0009765625'", kBrick);
  State s(m);
  Data d(m);
  s.qvel[3] = 1, s.qvel[4] = 4, s.qvel[5] = 2;
  for (int i = 0; i < 1024; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_LT(apart({s.qpos, s.qpos + 7}, fine), 1e-5);
}

// A top on a ball joint: the spin about the vertical is kept, and the energy stays within its band for a minute.
TEST(ConservingSpin, ATopOnABallJoint) {
  for (const Integrator integrator : kWithConservingSpin) {
    Model m = from("spin='conserving'",
                   "<body><joint type='ball'/><inertial pos='0 0 .1' mass='1' diaginertia='.002 .002 .003'/></body>");
    m.opt.integrator = integrator;
    State s(m);
    Data d(m);
    s.qpos[0] = std::cos(0.2), s.qpos[1] = std::sin(0.2);
    s.qvel[2] = 100;
    const auto energy = [&] {
      const Vec3 up = rotate(Quat{s.qpos[0], s.qpos[1], s.qpos[2], s.qpos[3]}, Vec3{0, 0, 1});
      const double across = 0.012;  // about the anchor
      return 0.5 * (across * (s.qvel[0] * s.qvel[0] + s.qvel[1] * s.qvel[1]) + 0.003 * s.qvel[2] * s.qvel[2]) +
             9.81 * 0.1 * up.z;
    };
    const auto vertical = [&] {
      const Vec3 spin{0.012 * s.qvel[0], 0.012 * s.qvel[1], 0.003 * s.qvel[2]};
      return rotate(Quat{s.qpos[0], s.qpos[1], s.qpos[2], s.qpos[3]}, spin).z;
    };
    const double start = energy(), spin = vertical();
    for (int i = 0; i < 30000; ++i) {
      ASSERT_TRUE(step(m, s, d).ok());
      ASSERT_NEAR(energy() / start, 1, 2e-4) << i;
    }
    EXPECT_NEAR(vertical() / spin, 1, 1e-10);
    EXPECT_NEAR(s.qvel[2], 100, 1e-9);
  }
}

// Without spin it is the integrator's own motion.
TEST(ConservingSpin, FallsAsOthersDo) {
  Model plain = from("", kBrick), conserving = from("spin='conserving'", kBrick);
  State s(plain), t(conserving);
  Data d(plain), e(conserving);
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(step(plain, s, d).ok());
    ASSERT_TRUE(step(conserving, t, e).ok());
  }
  for (int i = 0; i < plain.nq; ++i) EXPECT_NEAR(s.qpos[i], t.qpos[i], 1e-12);
  for (int i = 0; i < plain.nv; ++i) EXPECT_NEAR(s.qvel[i], t.qvel[i], 1e-12);
}

TEST(ConservingSpin, SaysWhereItHasNoEffect) {
  const Report report = load_report_string("<mujoco><option spin='conserving' integrator='RK4'/></mujoco>");
  bool said = false;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    said = said || diagnostic.message.find("spin has no effect") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace pliant
