// What soft constraints do, through the whole of a forward pass: the scalar law, the response of a row that stands
// alone, bounds of friction loss. docs/physics.md refers to these tests.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "constraint/impedance_hd.h"
#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

Model model_of(const std::string& text) { return load_model_string(text); }

struct Law {
  double solref[2];
  double solimp[5];
};

// solref of both formats, solimp flat, rising, falling, with all shapes
std::vector<Law> laws() {
  const double refs[][2] = {{0.02, 1}, {0.3, 0.2}, {0.05, 3}, {-1000, -10}, {-50, 0}, {0, -30}};
  const double imps[][5] = {{0.9, 0.95, 0.001, 0.5, 2}, {0.5, 0.5, 0.1, 0.5, 2}, {1e-4, 0.9999, 0.05, 0.3, 3},
                            {0.8, 0.2, 0.02, 0.7, 1},   {0.3, 0.7, 0, 0.5, 2},   {0.1, 0.6, 0.03, 0.9, 6}};
  std::vector<Law> all;
  for (const auto& ref : refs) {
    for (const auto& imp : imps) {
      all.push_back({{ref[0], ref[1]}, {imp[0], imp[1], imp[2], imp[3], imp[4]}});
    }
  }
  return all;
}

// The textbook's k and b, and d(r), written out once more.
struct Textbook {
  double d, k, b;
  Textbook(const Law& law, double r) {
    const double *imp = law.solimp, *ref = law.solref;
    const double x = imp[2] > 0 ? std::abs(r) / imp[2] : 0;
    double y = 1;
    if (imp[2] == 0) {
      y = 0.5;
    } else if (x < 1) {
      y = x <= imp[3] ? std::pow(x, imp[4]) / std::pow(imp[3], imp[4] - 1)
                      : 1 - std::pow(1 - x, imp[4]) / std::pow(1 - imp[3], imp[4] - 1);
    }
    d = imp[0] + y * (imp[1] - imp[0]);
    const double dw = imp[1];
    k = ref[0] > 0 ? d / (dw * dw * ref[0] * ref[0] * ref[1] * ref[1]) : -ref[0] * d / (dw * dw);
    b = ref[0] > 0 ? 2 / (dw * ref[0]) : -ref[1] / dw;
  }
};

// a₁ + d (b v + k r) = (1 - d) a₀, all in the direction of the row.
void expect_law(const Textbook& t, double r, double v, double a0, double a1, const std::string& what) {
  const double scale = std::abs(a1) + t.d * (t.b * std::abs(v) + t.k * std::abs(r)) + std::abs(a0);
  EXPECT_NEAR(a1 + t.d * (t.b * v + t.k * r), (1 - t.d) * a0, 1e-12 * scale) << what;
}

class ScalarLaw : public testing::Test {
 protected:
  // tolerance 0: the solver goes on until nothing improves
  static std::string options() { return "<option tolerance='0'><flag refsafe='disable' gravity='disable'/></option>"; }
};

TEST_F(ScalarLaw, EqualityOfASlider) {
  Model m = model_of("<mujoco>" + options() +
                     "<worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='3'/></body></worldbody>"
                     "<equality><joint joint1='j' polycoef='0 0 0 0 0'/></equality></mujoco>");
  State s(m);
  Data d(m);
  for (const Law& law : laws()) {
    std::copy_n(law.solref, 2, m.eq_solref);
    std::copy_n(law.solimp, 5, m.eq_solimp);
    for (double r : {-0.2, -0.01, -0.0004, 0.0, 0.0007, 0.03}) {
      for (double v : {-2.0, 0.0, 0.3}) {
        for (double a0 : {-9.81, 0.0, 40.0}) {
          s.qpos[0] = r, s.qvel[0] = v, s.qfrc_applied[0] = 3 * a0;
          ASSERT_TRUE(forward(m, s, d).ok());
          expect_law(Textbook(law, r), r, v, a0, d.qacc[0], "equality");
        }
      }
    }
  }
}

TEST_F(ScalarLaw, LimitOfASlider) {
  Model m = model_of("<mujoco>" + options() +
                     "<worldbody><body><joint type='slide' limited='true' range='-1 5' margin='.01'/>"
                     "<geom size='.1' mass='3'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  int active = 0;
  for (const Law& law : laws()) {
    std::copy_n(law.solref, 2, m.jnt_solref);
    std::copy_n(law.solimp, 5, m.jnt_solimp);
    for (double r : {-0.2, -0.02, -0.003, -1e-5}) {
      for (double v : {-2.0, 0.0, 0.3}) {
        for (double a0 : {-500.0, -9.81, 0.0, 20.0}) {
          // r = (q + 1) - margin
          s.qpos[0] = r + 0.01 - 1, s.qvel[0] = v, s.qfrc_applied[0] = 3 * a0;
          const double exact_r = (s.qpos[0] + 1) - 0.01;
          ASSERT_TRUE(forward(m, s, d).ok());
          const Textbook t(law, exact_r);
          // it only pushes: where the law asks for less than what happens anyway, nothing happens
          if (a0 >= -t.b * v - t.k * exact_r) {
            EXPECT_NEAR(d.qacc[0], a0, 1e-12 * (1 + std::abs(a0)));
          } else {
            ++active;
            expect_law(t, exact_r, v, a0, d.qacc[0], "limit");
          }
        }
      }
    }
  }
  EXPECT_GT(active, 300);
}

// A free sphere over a plane: the row's diagonal is 1/m, wherever it touches.
TEST_F(ScalarLaw, SphereWithoutFriction) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    Model m = model_of(
        "<mujoco><option tolerance='0' cone='" + std::string(cone) +
        "'><flag refsafe='disable' gravity='disable'/></option><worldbody><geom type='plane' size='1 1 1' "
        "condim='1' margin='.01'/><body><freejoint/><geom size='.1' mass='3' condim='1'/></body></worldbody></mujoco>");
    State s(m);
    Data d(m);
    int active = 0;
    for (const Law& law : laws()) {
      for (int geom = 0; geom < 2; ++geom) {
        std::copy_n(law.solref, 2, m.geom_solref + 2 * geom);
        std::copy_n(law.solimp, 5, m.geom_solimp + 5 * geom);
      }
      for (double r : {-0.09, -0.02, -0.003, -1e-5}) {
        for (double v : {-2.0, 0.0, 0.3}) {
          for (double a0 : {-500.0, -9.81, 20.0}) {
            s.qpos[2] = r + 0.1 + 0.01, s.qvel[2] = v, s.qfrc_applied[2] = 3 * a0;
            ASSERT_TRUE(forward(m, s, d).ok());
            ASSERT_EQ(d.rows.n, 1);
            const double exact_r = d.rows.row_pos[0] - d.rows.row_margin[0];
            const Textbook t(law, exact_r);
            if (a0 >= -t.b * v - t.k * exact_r) {
              EXPECT_NEAR(d.qacc[2], a0, 1e-12 * (1 + std::abs(a0)));
            } else {
              ++active;
              expect_law(t, exact_r, v, a0, d.qacc[2], "contact");
            }
          }
        }
      }
    }
    EXPECT_GT(active, 300);
  }
}

// The closed loop of a flat impedance is r̈ + (2 / t) ṙ + r / (t² ζ²) = 0: time constant t, damping ratio ζ.
class Response : public testing::TestWithParam<double> {};

TEST_P(Response, HasTheTimeConstantAndDampingRatio) {
  const double time = 0.2, ratio = GetParam(), h = 0.0005;
  Model m = model_of(
      "<mujoco><option timestep='0.0005' integrator='RK4' tolerance='0'><flag gravity='disable'/></option>"
      "<worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='3'/></body></worldbody>"
      "<equality><joint joint1='j' polycoef='0 0 0 0 0' solimp='.9 .9 .1 .5 2' solref='.2 " +
      std::to_string(ratio) + "'/></equality></mujoco>");
  State s(m);
  Data d(m);
  s.qpos[0] = 1;
  const double w = 1 / (time * ratio), decay = 1 / time;
  int crossings = 0;
  double last = 1, envelope = 0;
  for (int i = 1; i <= 2000; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    const double t = i * h, x = s.qpos[0];
    // the solution of the linear equation from x = 1, v = 0
    double expected;
    if (ratio < 1) {
      const double f = std::sqrt(w * w - decay * decay);
      expected = std::exp(-decay * t) * (std::cos(f * t) + decay / f * std::sin(f * t));
    } else if (ratio == 1) {
      expected = std::exp(-decay * t) * (1 + decay * t);
    } else {
      const double f = std::sqrt(decay * decay - w * w), fast = -decay - f, slow = -decay + f;
      expected = (slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (slow - fast);
    }
    EXPECT_NEAR(x, expected, 2e-6) << "t = " << t;
    crossings += x * last < 0;
    last = x;
    if (std::abs(t - time) < h / 2 && ratio < 1) {
      const double v = s.qvel[0], f = std::sqrt(w * w - decay * decay);
      // amplitude of the oscillation relative to that at the start
      envelope = std::hypot(x, (v + decay * x) / f) / std::hypot(1, decay / f);
    }
  }
  if (ratio < 1) {
    EXPECT_GT(crossings, 1) << "underdamped: it swings";
    EXPECT_NEAR(envelope, std::exp(-1), 1e-5) << "its envelope falls to 1/e after timeconst";
  } else {
    EXPECT_EQ(crossings, 0) << "critically damped or overdamped: it does not cross zero";
  }
}

INSTANTIATE_TEST_SUITE_P(DampingRatios, Response, testing::Values(0.1, 0.5, 1.0, 2.0));

TEST(Row, AtRestUnderLoad) {
  // |r| = a (1 - d) timeconst² dampratio² for a flat impedance
  Model m = model_of(
      "<mujoco><option gravity='0 0 -9.81' tolerance='0'/><worldbody><body>"
      "<joint type='slide' axis='0 0 1' limited='true' range='0 1' solimplimit='.8 .8 .01' solreflimit='.1 .6'/>"
      "<geom size='.1' mass='3'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  s.qpos[0] = 0.001;
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(s.qpos[0], -9.81 * 0.2 * 0.01 * 0.36, 1e-9);
}

TEST(Row, FrictionLossHoldsUpToItsBound) {
  Model m = model_of(
      "<mujoco><option tolerance='0'><flag gravity='disable'/></option><worldbody><body>"
      "<joint type='slide' frictionloss='2'/><geom size='.1' mass='3'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  for (double force : {0.0, 1.0, 1.99, -1.5}) {
    s.qfrc_applied[0] = force;
    forward(m, s, d);
    // creeps: the row gives way by (1 - d) of the acceleration
    EXPECT_NEAR(d.qacc[0], 0.1 * force / 3, 1e-12);
  }
  for (double force : {5.0, -7.0}) {
    s.qfrc_applied[0] = force;
    forward(m, s, d);
    EXPECT_NEAR(d.qacc[0], (force - std::copysign(2, force)) / 3, 1e-12);
    EXPECT_NEAR(d.rows.row_force[0], -std::copysign(2, force), 1e-12);
  }
}

}  // namespace
}  // namespace pliant
