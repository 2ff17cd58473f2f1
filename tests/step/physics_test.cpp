// Closed-form physics of constraints through whole steps: rest depth, bounce, sliding, creep, stick, residuals under
// load, elastic impacts. Formulas are those of docs/physics.md, written out once more; nothing here needs another
// engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = 3.14159265358979323846;

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

// Parameters of a row whose impedance is d everywhere.
struct Flat {
  double d, timeconst, dampratio;
  std::string attributes() const {
    return " solimp='" + text(d) + " " + text(d) + " 0' solref='" + text(timeconst) + " " + text(dampratio) + "'";
  }
  // violation at rest under the acceleration a
  double rest(double a) const { return a * (1 - d) * timeconst * timeconst * dampratio * dampratio; }
  // speed at which a row with damping only gives way under the acceleration a: a R m = B v
  double creep(double a) const { return a * (1 - d) * timeconst / 2; }
};

void run(const Model& m, State& s, Data& d, double seconds) {
  const int steps = static_cast<int>(std::lround(seconds / m.opt.timestep));
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(m, s, d).ok());
}

// ---- spheres on the ground -----------------------------------------------------------------------

struct Ground {
  std::string option = "timestep='.002'", geom;
  std::string joints = "<freejoint/>";
  Model model() const {
    return load_model_string("<mujoco><option " + option +
                             " tolerance='0'/><worldbody>"
                             "<geom type='plane' size='5 5 1'" +
                             geom + "/><body pos='0 0 .1'>" + joints + "<geom size='.1' mass='2'" + geom +
                             "/></body></worldbody></mujoco>");
  }
};

TEST(Rest, DepthOfASphere) {
  const Flat laws[] = {{0.9, 0.02, 1}, {0.5, 0.05, 0.7}, {0.99, 0.1, 0.8}, {0.2, 0.01, 1.5}};
  for (const Flat& law : laws) {
    for (const char* cone : {"pyramidal", "elliptic"}) {
      for (int condim : {1, 3, 4, 6}) {
        if (condim > 1 && cone[0] == 'p') continue;  // softer or harder, see below
        const Model m =
            Ground{"cone='" + std::string(cone) + "'", law.attributes() + " condim='" + std::to_string(condim) + "'"}
                .model();
        State s(m);
        Data d(m);
        run(m, s, d, 60 * law.timeconst + 1);
        EXPECT_NEAR(0.1 - s.qpos[2], law.rest(kGravity), 1e-9) << cone << " condim " << condim << " d " << law.d;
        EXPECT_LT(std::abs(s.qvel[2]), 1e-9);
      }
    }
  }
}

// With friction a pyramid of four edges carries as μ² (1 + μ²) / 2 of the softness says.
TEST(Rest, DepthOfASphereOnPyramids) {
  const Flat law{0.9, 0.02, 1};
  for (double mu : {0.5, 1.0, 2.0}) {
    const Model m = Ground{"", law.attributes() + " friction='" + text(mu) + "'"}.model();
    State s(m);
    Data d(m);
    run(m, s, d, 2);
    EXPECT_NEAR(0.1 - s.qpos[2], law.rest(kGravity) * mu * mu * (1 + mu * mu) / 2, 1e-9) << "mu " << mu;
  }
}

// In contact r̈ + (2/t) ṙ + r/(t ζ)² = -(1-d) g, from r = 0 at speed v on, until the row would have to pull:
// -b ṙ - k r = -g with b = 2/(d t), k = 1/(d t² ζ²).
TEST(Bounce, FollowsTheDampedSpring) {
  const double speed = 1, h = 2e-5;
  for (double ratio : {0.05, 0.2, 0.5}) {
    const Flat law{0.8, 0.02, ratio};
    Model m = Ground{"timestep='2e-5' integrator='RK4'", law.attributes() + " condim='1'"}.model();
    State s(m);
    Data d(m);
    const double decay = 1 / law.timeconst, w2 = decay * decay / (ratio * ratio), w = std::sqrt(w2 - decay * decay);
    const double centre = -(1 - law.d) * kGravity / w2, start = -1e-9;
    // r = centre + e^(-decay t) (A cos wt + B sin wt)
    const double A = start - centre, B = (-speed + decay * A) / w;
    s.qpos[2] = 0.1 + start;
    s.qvel[2] = -speed;
    bool left = false;
    double t = 0, exact_v = 0;
    while (!left && t < 1) {
      ASSERT_TRUE(step(m, s, d).ok());
      t += h;
      const double e = std::exp(-decay * t), c = std::cos(w * t), n = std::sin(w * t);
      const double r = centre + e * (A * c + B * n);
      exact_v = e * ((B * w - decay * A) * c - (A * w + decay * B) * n);
      left = r >= 0 || (2 / law.timeconst * exact_v + w2 * r) / law.d >= kGravity;
      if (left) break;
      EXPECT_NEAR(s.qpos[2] - 0.1, r, 1e-9) << "ratio " << ratio << " t " << t;
      EXPECT_NEAR(s.qvel[2], exact_v, 1e-6) << "ratio " << ratio << " t " << t;
    }
    ASSERT_TRUE(left);
    EXPECT_GT(t, 0.1 * kPi / w);
    // it flies off with that speed: the row only pushes (the step in which it leaves is blurred by g h)
    EXPECT_NEAR(s.qvel[2], exact_v, 2 * kGravity * h) << "ratio " << ratio;
    const double top = s.qpos[2] + s.qvel[2] * s.qvel[2] / (2 * kGravity);
    double highest = 0;
    const int up = static_cast<int>(s.qvel[2] / kGravity / h) + 2;
    for (int i = 0; i < up; ++i) {
      step(m, s, d);
      highest = std::max(highest, s.qpos[2]);
    }
    EXPECT_NEAR(highest, top, 1e-5) << "ratio " << ratio;
  }
}

// Default parameters: the depth at rest solves d² r = (1 - d) g dwidth² t² with d = d(r).
TEST(Bounce, ADroppedSphereSettles) {
  const Model m = Ground{"", " condim='1'"}.model();
  State s(m);
  Data d(m);
  s.qpos[2] = 0.3;
  double deepest = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    deepest = std::max(deepest, 0.1 - s.qpos[2]);
  }
  double low = 0, high = 1e-2;
  for (int i = 0; i < 100; ++i) {
    const double r = (low + high) / 2, x = std::min(1.0, r / 1e-3);
    const double y = x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x), impedance = 0.9 + 0.05 * y;
    (impedance * impedance * r < (1 - impedance) * kGravity * 0.95 * 0.95 * 4e-4 ? low : high) = r;
  }
  EXPECT_NEAR(0.1 - s.qpos[2], low, 1e-9);
  EXPECT_GT(deepest, 5 * low) << "it fell in";
  EXPECT_LT(std::abs(s.qvel[2]), 1e-9);
}

// Without damping the contact gives back what it took. Energy m g z + ½ m v² of flight, bounce after bounce.
TEST(Bounce, IsElasticWithoutDamping) {
  Model m = Ground{"timestep='1e-5' integrator='RK4'", " condim='1' solimp='.9 .9 0' solref='-40000 0'"}.model();
  State s(m);
  Data d(m);
  s.qpos[2] = 0.15;
  int bounces = 0;
  double highest = 0, last = s.qvel[2];
  for (int i = 0; i < 100000 && bounces < 2; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    if (last > 0 && s.qvel[2] <= 0) {
      ++bounces;
      highest = s.qpos[2];
      EXPECT_NEAR(highest - 0.1, 0.05, 0.05 * 1e-3) << "bounce " << bounces;
    }
    last = s.qvel[2];
  }
  EXPECT_EQ(bounces, 2);
}

// ---- friction ------------------------------------------------------------------------------------

// A body that cannot turn, on an incline: gravity is tilted instead. `angle` is the direction downhill in the plane.
struct Incline {
  ConeType cone = ConeType::kElliptic;
  double mu = 0.5, slope = 0, angle = 0;  // slope: tangent of the inclination
  double impratio = 1;
  Flat law{0.9, 0.02, 1};
  double pull() const { return kGravity * std::sin(std::atan(slope)); }
  double press() const { return kGravity * std::cos(std::atan(slope)); }
  Model model() const {
    const std::string cone_name = cone == ConeType::kElliptic ? "elliptic" : "pyramidal";
    const std::string gravity =
        text(pull() * std::cos(angle)) + " " + text(pull() * std::sin(angle)) + " " + text(-press());
    return Ground{
        "timestep='.001' cone='" + cone_name + "' impratio='" + text(impratio) + "' gravity='" + gravity + "'",
        law.attributes() + " friction='" + text(mu) + "'",
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"}
        .model();
  }
  // the softness of a pyramid's friction is that of its normal times 1 + μ²
  double creep_speed() const { return law.creep(pull()) / impratio * (cone == ConeType::kElliptic ? 1 : 1 + mu * mu); }
};

double speed_of(const State& s) { return std::hypot(s.qvel[0], s.qvel[1]); }

TEST(Friction, CreepsSlowlyBelowTheCone) {
  for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (double impratio : {1.0, 10.0}) {
      for (double slope : {0.05, 0.2, 0.35}) {
        for (double angle : {0.0, kPi / 2, 2.5}) {
          Incline incline{cone, 0.8, slope, angle, impratio};
          const Model m = incline.model();
          State s(m);
          Data d(m);
          run(m, s, d, 1);
          EXPECT_NEAR(speed_of(s), incline.creep_speed(), 1e-6 * incline.creep_speed() + 1e-12)
              << "cone " << static_cast<int>(cone) << " impratio " << impratio << " slope " << slope;
          EXPECT_NEAR(std::atan2(s.qvel[1], s.qvel[0]), angle, 1e-6);
        }
      }
    }
  }
}

// Elliptic: the same slope μ in all directions. Pyramidal: μ along its edges, |f1| + |f2| = μ f_n between them.
TEST(Friction, SlidesFromTheAngleOfFrictionOn) {
  for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (double angle : {0.0, kPi / 8, kPi / 4, kPi / 2}) {
      const double mu = 0.5;
      const double limit =
          cone == ConeType::kElliptic ? mu : mu / (std::abs(std::cos(angle)) + std::abs(std::sin(angle)));
      const auto speed_after = [&](double slope) {
        const Model m = Incline{cone, mu, slope, angle, 1}.model();
        State s(m);
        Data d(m);
        run(m, s, d, 2);
        return speed_of(s);
      };
      const double below = 0.97 * limit, above = 1.03 * limit;
      const double pull = kGravity * (std::sin(std::atan(above)) - limit * std::cos(std::atan(above)));
      EXPECT_LT(speed_after(below), 0.03) << "cone " << static_cast<int>(cone) << " angle " << angle << ": it creeps";
      EXPECT_GT(speed_after(above), 0.9 * 2 * pull)
          << "cone " << static_cast<int>(cone) << " angle " << angle << ": it slides";
    }
  }
}

// Sliding force is μ times the normal force: acceleration downhill g (sin - μ cos), deceleration on the level μ g.
// While it slides fast, a soft contact hops; what the normal force gave to the velocity upwards is counted.
TEST(Friction, AcceleratesAndDecelerates) {
  for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (double slope : {0.0, 0.3, 0.8}) {
      const double mu = 0.5, seconds = 0.5;
      Incline incline{cone, mu, slope, 0, 1};
      const Model m = incline.model();
      State s(m);
      Data d(m);
      s.qvel[0] = 3;
      run(m, s, d, 0.05);
      const double before[] = {s.qvel[0], s.qvel[2]};
      run(m, s, d, seconds);
      const double normal = incline.press() * seconds + s.qvel[2] - before[1];
      const double expected = incline.pull() * seconds - mu * normal;
      // (edges of a pyramid beside the direction of motion carry weight without friction while it is slow)
      const double tolerance = cone == ConeType::kElliptic ? 1e-9 : 0.03 * mu * normal;
      EXPECT_NEAR(s.qvel[0] - before[0], expected, tolerance)
          << "cone " << static_cast<int>(cone) << " slope " << slope;
      EXPECT_NEAR((s.qvel[0] - before[0]) / seconds, incline.pull() - mu * incline.press(), 0.1 * mu * kGravity);
      EXPECT_NEAR(s.qvel[1], 0, 1e-16) << "but for rounding: the solver's factor is updated row by row";
    }
  }
}

TEST(Friction, LossOfAJointSticksAndSlips) {
  const Flat law{0.9, 0.02, 1};
  const double mass = 3, loss = 2;
  Model m = load_model_string(
      "<mujoco><option tolerance='0'><flag gravity='disable'/></option><worldbody><body><joint type='slide' "
      "frictionloss='2'"
      " solimpfriction='.9 .9 0' solreffriction='.02 1'/><geom size='.1' mass='3'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  // moving: it decelerates by loss / m until the row can hold it
  s.qvel[0] = 1;
  run(m, s, d, 0.5);
  EXPECT_NEAR(s.qvel[0], 1 - 0.5 * loss / mass, 1e-10);
  run(m, s, d, 1.5);
  EXPECT_LT(std::abs(s.qvel[0]), 1e-6) << "it stopped and stays";
  // pushed below the bound: it creeps
  s.qfrc_applied[0] = 1.9;
  run(m, s, d, 1);
  EXPECT_NEAR(s.qvel[0], law.creep(1.9 / mass), 1e-9);
  // above: only the difference accelerates
  s.qvel[0] = 0.1;
  s.qfrc_applied[0] = 5;
  run(m, s, d, 1);
  EXPECT_NEAR(s.qvel[0], 0.1 + (5 - loss) / mass, 1e-9);
}

// ---- residuals under load ------------------------------------------------------------------------

TEST(Residual, OfALimitUnderATorque) {
  const Flat law{0.95, 0.03, 0.8};
  Model m = load_model_string(
      "<mujoco><option tolerance='0'><flag gravity='disable'/></option><worldbody><body><joint axis='0 1 0' "
      "limited='true' range='-20 30' solimplimit='.95 .95 0' solreflimit='.03 .8'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='.1 .2 .3'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  s.qfrc_applied[0] = 7;
  run(m, s, d, 4);
  EXPECT_NEAR(s.qpos[0], 30 * kPi / 180 + law.rest(7 / 0.2), 1e-9);
}

// A sphere hangs at its centre from a connect or a weld.
TEST(Residual, OfConnectAndWeldUnderWeight) {
  const Flat law{0.9, 0.04, 0.9};
  for (const char* kind : {"<connect body1='a' anchor='0 0 0'", "<weld body1='a'"}) {
    const Model m = load_model_string(
        "<mujoco><option tolerance='0'/><worldbody><body name='a' pos='0 0 1'><freejoint/>"
        "<geom size='.1' mass='4'/></body></worldbody><equality>" +
        std::string(kind) + law.attributes() + "/></equality></mujoco>");
    State s(m);
    Data d(m);
    run(m, s, d, 4);
    EXPECT_NEAR(1 - s.qpos[2], law.rest(kGravity), 1e-9) << kind;
    EXPECT_NEAR(s.qpos[0], 0, 1e-12);
    EXPECT_NEAR(s.qpos[3], 1, 1e-12);
  }
}

// The rotation of a weld measures w = torquescale · sin(θ/2): its row pushes with dw/dθ, so that
// sin θ = 4 τ (1 - d) t² ζ² / (I torquescale²).
TEST(Residual, OfAWeldUnderATorque) {
  const Flat law{0.9, 0.04, 0.9};
  for (double scale : {1.0, 0.5}) {
    const Model m = load_model_string(
        "<mujoco><option tolerance='0'><flag gravity='disable'/></option><worldbody><body name='a'><freejoint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody><equality><weld body1='a' "
        "torquescale='" +
        text(scale) + "'" + law.attributes() + "/></equality></mujoco>");
    State s(m);
    Data d(m);
    s.xfrc_applied[6 + 5] = 20;
    run(m, s, d, 4);
    const double angle = 2 * std::asin(s.qpos[6]);
    EXPECT_NEAR(std::sin(angle), 4 * law.rest(20 / 0.1) / (scale * scale), 1e-9) << "torquescale " << scale;
  }
}

// ---- impacts -------------------------------------------------------------------------------------

// Five equal balls on a rail, a little apart: the first stops, the last leaves with its speed.
TEST(Impact, NewtonsCradle) {
  std::string bodies;
  for (int i = 0; i < 5; ++i) {
    bodies += "<body pos='" + text(0.11 * i) +
              " 0 0'><joint type='slide' axis='1 0 0'/><geom size='.05' mass='.3' condim='1'"
              " solimp='.9 .9 0' solref='-1e6 0'/></body>";
  }
  const Model m =
      load_model_string("<mujoco><option timestep='1e-5' tolerance='0'><flag gravity='disable'/></option><worldbody>" +
                        bodies + "</worldbody></mujoco>");
  State s(m);
  Data d(m);
  s.qvel[0] = 1;
  run(m, s, d, 0.06);
  double momentum = 0;
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(s.qvel[i], i == 4, 1e-3) << "ball " << i;
    momentum += s.qvel[i];
  }
  EXPECT_NEAR(momentum, 1, 1e-12);
  EXPECT_EQ(d.ncon, 0);
}

// A heavy ball against a light one: both conservation laws of a straight impact, any masses.
TEST(Impact, OfUnequalBalls) {
  for (double ratio : {0.2, 3.0, 50.0}) {
    const std::string geom = "' condim='1' solimp='.9 .9 0' solref='-1e6 0'/></body>";
    const Model m = load_model_string(
        "<mujoco><option timestep='1e-5' tolerance='0'><flag gravity='disable'/></option><worldbody><body>"
        "<joint type='slide' axis='1 0 0'/><geom size='.05' mass='" +
        text(ratio) + geom + "<body pos='.11 0 0'><joint type='slide' axis='1 0 0'/><geom size='.05' mass='1" + geom +
        "</worldbody></mujoco>");
    State s(m);
    Data d(m);
    s.qvel[0] = 1;
    run(m, s, d, 0.02);
    EXPECT_NEAR(s.qvel[0], (ratio - 1) / (ratio + 1), 2e-3) << "mass ratio " << ratio;
    EXPECT_NEAR(s.qvel[1], 2 * ratio / (ratio + 1), 2e-3) << "mass ratio " << ratio;
    EXPECT_NEAR(ratio * s.qvel[0] + s.qvel[1], ratio, 1e-11 * (1 + ratio));
  }
}

}  // namespace
}  // namespace pliant
