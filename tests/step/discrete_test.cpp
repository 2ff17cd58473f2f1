// The integrator discrete against closed forms: its metric, its rows, its step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "pliant/inverse.h"
#include "pliant/pliant.h"
#include "pliant/query.h"
#include "pliant/step.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

constexpr double kExact = 1e-12;

/// Equal to 1e-12 of the number itself, or of what it is a difference of.
void expect_same(double found, double wanted, double size = 0) {
  EXPECT_NEAR(found, wanted, kExact * std::max(std::abs(wanted), std::abs(size)));
}

Model discrete_model(const std::string& body, const std::string& option = "", const std::string& rest = "") {
  return load_model_string("<mujoco><option integrator='discrete' timestep='.01' gravity='0 0 0' tolerance='1e-15' " +
                           option + "/><worldbody>" + body + "</worldbody>" + rest + "</mujoco>");
}

Vector solve(Matrix a, Vector b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k) {
    size_t p = k;
    for (size_t i = k; i < n; ++i) p = std::abs(a[i][k]) > std::abs(a[p][k]) ? i : p;
    std::swap(a[k], a[p]), std::swap(b[k], b[p]);
    for (size_t i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

constexpr const char* kSlide =
    "<body><joint type='slide' {}/><geom size='.1' mass='2' contype='0' conaffinity='0'/></body>";
std::string slide(const std::string& attributes) {
  std::string text = kSlide;
  return text.replace(text.find("{}"), 2, attributes);
}

TEST(Discrete, SpringAndDamperOfAJoint) {
  const double h = 0.01, mass = 2, q = 0.3, v = -0.7;
  Model m = discrete_model(slide("stiffness='500 40 30' damping='6 5 4' springref='.1'"));
  State s(m);
  Data d(m);
  s.qpos[0] = q, s.qvel[0] = v;
  ASSERT_TRUE(forward(m, s, d).ok());
  const double x = q - 0.1, K = 500 + 2 * 40 * x + 3 * 30 * x * x, D = 6 + 2 * 5 * std::abs(v) + 3 * 4 * v * v;
  const double f = -x * (500 + 40 * x + 30 * x * x) - v * (6 + 5 * std::abs(v) + 4 * v * v);
  const double a = (f - h * K * v) / (mass + h * D + h * h * K);
  expect_same(d.qacc[0], a);
  expect_same(d.qacc_smooth[0], a);
  expect_same(d.qfrc_smooth[0], f);
  expect_same(d.efm_diag[0], h * D + h * h * K);
  ASSERT_TRUE(step(m, s, d).ok());
  expect_same(s.qvel[0], v + h * a);
  expect_same(s.qpos[0], q + h * (v + h * a));
  // each by its flag
  m.opt.disableflags = kDisableSpring;
  s.qpos[0] = q, s.qvel[0] = v;
  forward(m, s, d);
  expect_same(d.qacc[0], -v * (6 + 5 * std::abs(v) + 4 * v * v) / (mass + h * D));
  m.opt.disableflags = kDisableDamper;
  forward(m, s, d);
  expect_same(d.qacc[0], (-x * (500 + 40 * x + 30 * x * x) - h * K * v) / (mass + h * h * K));
}

// A slope that would make the metric smaller is left out, stiffness and damping each by itself.
TEST(Discrete, NegativeSlopesAreExplicit) {
  Model m = discrete_model(slide("stiffness='-500' damping='-6'"));
  State s(m);
  Data d(m);
  s.qpos[0] = 0.1, s.qvel[0] = 0.2;
  ASSERT_TRUE(forward(m, s, d).ok());
  expect_same(d.qacc[0], (500 * 0.1 + 6 * 0.2) / 2);
}

TEST(Discrete, BallJointSpring) {
  Model m = discrete_model(
      "<body><joint type='ball' stiffness='30' damping='.2'/><geom type='box' size='.1 .2 .3' mass='5'/></body>");
  State s(m);
  Data d(m);
  for (int i = 0; i < 3; ++i) s.qvel[i] = 0.3 * (i + 1);
  s.qpos[0] = std::cos(0.2), s.qpos[2] = std::sin(0.2);
  ASSERT_TRUE(forward(m, s, d).ok());
  Matrix M(3, Vector(3));
  Vector f(3);
  for (int i = 0; i < 3; ++i) {
    M[i][i] = m.body_inertia[3 + i] + 0.01 * 0.2 + 1e-4 * 30;
    f[i] = d.qfrc_smooth[i] - 0.01 * 30 * s.qvel[i];
  }
  const Vector a = solve(M, f);
  // (the torque of one axis is a difference of those of the others)
  const double size = std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])});
  for (int i = 0; i < 3; ++i) expect_same(d.qacc[i], a[i], size);
}

constexpr const char* kTwo =
    "<body><joint name='a' type='slide'/><geom size='.1' mass='2' contype='0' conaffinity='0'/></body>"
    "<body pos='1 0 0'><joint name='b' type='slide'/><geom size='.1' mass='3' contype='0' conaffinity='0'/></body>";

// Between two trees: outside of the pattern of M. Momentum is kept, whatever the step.
TEST(Discrete, TendonBetweenTrees) {
  const double h = 0.01, k = 4e4, b = 300;
  for (const char* solver : {"Newton", "CG"}) {
    Model m =
        discrete_model(kTwo, std::string("solver='") + solver + "'",
                       "<tendon><fixed stiffness='40000' damping='300' springlength='.2'><joint joint='a' coef='-1'/>"
                       "<joint joint='b' coef='1.5'/></fixed></tendon>");
    State s(m);
    Data d(m);
    s.qpos[0] = 0.1, s.qpos[1] = 0.4, s.qvel[0] = 0.5, s.qvel[1] = -0.3;
    ASSERT_TRUE(forward(m, s, d).ok());
    const double w[2] = {-1, 1.5}, mass[2] = {2, 3};
    const double length = -0.1 + 1.5 * 0.4 - 0.2, rate = -0.5 - 1.5 * 0.3,
                 force = -k * length - b * rate - h * k * rate;
    Matrix M(2, Vector(2));
    Vector f(2);
    for (int i = 0; i < 2; ++i) {
      f[i] = w[i] * force;
      for (int j = 0; j < 2; ++j) M[i][j] = (i == j ? mass[i] : 0) + (h * b + h * h * k) * w[i] * w[j];
    }
    const Vector a = solve(M, f);
    EXPECT_EQ(d.metric.nterm, 1);
    for (int i = 0; i < 2; ++i) expect_same(d.qacc[i], a[i]);
    const double momentum = 1.5 * 2 * s.qvel[0] + 3 * s.qvel[1];
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(step(m, s, d).ok());
    EXPECT_NEAR(1.5 * 2 * s.qvel[0] + 3 * s.qvel[1], momentum, 1e-12);
    EXPECT_NEAR(-s.qvel[0] + 1.5 * s.qvel[1], 0, 1e-9);  // at rest along the tendon
  }
}

// Along one path of the tree the term is part of the factored matrix.
// A gripper: an equality between two fingers, and a servo on a tendon between the same two. The term of the servo
// stands behind the row of the equality and shares its segments, or, if that is on other dofs, has its own.
TEST(Discrete, TermOnTheDofsOfARow) {
  const std::string free_slide = "<body><joint type='slide' name='c' damping='3'/><geom size='.1' mass='2'/></body>";
  const std::string rest =
      "<tendon><fixed name='t'><joint joint='a' coef='.5'/><joint joint='b' coef='.7'/></fixed></tendon>"
      "<actuator><position tendon='t' kp='1e4' kv='50'/></actuator><equality><joint joint1='a' joint2='";
  for (const char* second : {"b", "c"}) {
    Model m = discrete_model(slide("name='a'") + slide("name='b'") + free_slide, "", rest + second + "'/></equality>");
    m.opt.disableflags |= kDisableContact;
    State s(m);
    Data d(m);
    const double start[] = {0.02, -0.03, 0.01}, speed[] = {0.3, 0.1, -0.2};
    std::copy_n(start, 3, s.qpos), std::copy_n(speed, 3, s.qvel);
    s.ctrl[0] = 0.4;
    ASSERT_TRUE(forward(m, s, d).ok());
    ASSERT_EQ(d.rows.n, 1);
    ASSERT_EQ(d.metric.nterm, 1);
    EXPECT_EQ(d.rows.row_segadr[1] == d.rows.row_segadr[0], *second == 'b');
    // (M + h D + term + J' D J) a = f + J' D aref
    const double h = 0.01, scale = h * h * 1e4 + h * 50;
    const double w[] = {0.5, 0.7, 0}, J[] = {1, *second == 'b' ? -1.0 : 0.0, *second == 'c' ? -1.0 : 0.0};
    Matrix A(3, Vector(3, 0.0));
    Vector b(3);
    for (int i = 0; i < 3; ++i) {
      A[i][i] = 2 + (i == 2 ? h * 3 : 0);
      b[i] = d.qfrc_metric[i] + J[i] * d.rows.row_D[0] * d.rows.row_aref[0];
      for (int j = 0; j < 3; ++j) A[i][j] += scale * w[i] * w[j] + d.rows.row_D[0] * J[i] * J[j];
    }
    const Vector a = solve(A, b);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(d.qacc[i], a[i], 1e-10 * std::abs(a[i])) << second << ' ' << i;
    // the diagonal of the row, at the end of the step: weight · Σ J²/(M + S) / Σ J²/M
    double with = 0, without = 0;
    for (int i = 0; i < 3; ++i) {
      with += J[i] * J[i] / (2 + (i == 2 ? h * 3 : scale * w[i] * w[i]));
      without += J[i] * J[i] / 2;
    }
    const double* kbip = d.rows.row_KBIP;
    const double later = 1 + h * kbip[1] + h * h * kbip[0] * kbip[2];
    expect_same(d.rows.row_diagA[0], d.rows.row_weight[0] * with / without / later);
  }
}

TEST(Discrete, TendonAlongATree) {
  const double h = 0.01;
  Model m = discrete_model(
      "<body><joint name='a' type='slide'/><geom size='.1' mass='2'/>"
      "<body pos='1 0 0'><joint name='b' type='slide'/><geom size='.1' mass='3'/></body></body>",
      "",
      "<tendon><fixed stiffness='100' damping='7'><joint joint='a' coef='2'/><joint joint='b' "
      "coef='-1'/></fixed></tendon>");
  State s(m);
  Data d(m);
  s.qpos[0] = 0.1, s.qpos[1] = -0.4, s.qvel[0] = 0.5, s.qvel[1] = -0.3;
  ASSERT_TRUE(forward(m, s, d).ok());
  const double w[2] = {2, -1}, length = 0.6, rate = 1.3, scale = h * 7 + h * h * 100;
  Matrix M = {{5 + 4 * scale, 3 - 2 * scale}, {3 - 2 * scale, 3 + scale}};
  const double force = -100 * length - 7 * rate - h * 100 * rate;
  const Vector a = solve(M, {w[0] * force, w[1] * force});
  EXPECT_EQ(d.metric.nterm, 0);
  for (int i = 0; i < 2; ++i) expect_same(d.qacc[i], a[i]);
  for (int i = 0; i < 2; ++i) expect_same(d.efm_sdiag[i], scale * w[i] * w[i]);
}

TEST(Discrete, ServoAndItsBounds) {
  const double h = 0.01, kp = 900, kv = 4, mass = 2, q = 0.02, v = 0.5;
  const auto at = [&](const std::string& joint, const std::string& servo, double ctrl) {
    Model m = discrete_model(slide("name='j' " + joint), "",
                             "<actuator><position joint='j' kp='900' kv='4' " + servo + "/></actuator>");
    State s(m);
    Data d(m);
    s.qpos[0] = q, s.qvel[0] = v, s.ctrl[0] = ctrl;
    EXPECT_TRUE(forward(m, s, d).ok());
    return d.qacc[0];
  };
  const double free = (kp * (0.1 - q) - kv * v - h * kp * v) / (mass + h * kv + h * h * kp);
  expect_same(at("", "", 0.1), free);
  // cut off by the actuator, by the joint: nothing but the force remains
  expect_same(at("", "forcerange='-10 10'", 0.1), 5);
  expect_same(at("actuatorfrcrange='-10 10'", "", 0.1), 5);
}

// What an explicit step would blow up with in a few steps.
TEST(Discrete, AStiffServoIsStable) {
  for (const char* solver : {"Newton", "CG"}) {
    Model m = discrete_model(slide("name='j'"), std::string("solver='") + solver + "'",
                             "<actuator><position joint='j' kp='1e6'/></actuator>");
    State s(m);
    Data d(m);
    s.ctrl[0] = 0.5, s.qvel[0] = 3;
    double away = 1;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(step(m, s, d).ok());
      EXPECT_LE(std::abs(s.qpos[0] - 0.5), away + 0.031);
      away = std::abs(s.qpos[0] - 0.5);
    }
    EXPECT_NEAR(s.qpos[0], 0.5, 1e-9);
  }
}

// A row at the end of the step: s = 1 + h B + h² K d, aref / s, R / s.
TEST(Discrete, RowOfALimit) {
  const double h = 0.01, r = -0.03, v = -0.4;
  Model m = discrete_model(slide("range='0 1' solreflimit='.05 .8' solimplimit='.6 .6 .001 .5 2'"));
  State s(m);
  Data d(m);
  s.qpos[0] = r, s.qvel[0] = v;
  ASSERT_TRUE(forward(m, s, d).ok());
  ASSERT_EQ(d.rows.n, 1);
  const double dw = 0.6, K = 1 / (dw * dw * 0.05 * 0.05 * 0.8 * 0.8), B = 2 / (dw * 0.05), A = 0.5;
  const double f = 1 + h * B + h * h * K * dw;
  const double aref = (-B * v - K * dw * (r + h * v)) / f, R = (1 - dw) / dw * A / f;
  expect_same(d.rows.row_aref[0], aref);
  expect_same(d.rows.row_R[0], R);
  expect_same(d.rows.row_diagA[0], A / f);
  expect_same(d.qacc[0], A * aref / (A + R));
  EXPECT_EQ(d.rows.row_clamps[0], 0);
}

// refsafe: what one step cannot resolve becomes the stiffest row that it can; equalities and stiffness given directly
// are left as they are.
TEST(Discrete, RefsafeResolvesLimits) {
  const double h = 0.01, d = 0.9;
  const auto row = [&](const std::string& solref, int flags = 0) {
    Model m = discrete_model(slide("range='0 1' solreflimit='" + solref + "' solimplimit='.9 .9 .001 .5 2'"));
    m.opt.disableflags |= flags;
    State s(m);
    Data data(m);
    s.qpos[0] = -0.03;
    EXPECT_TRUE(forward(m, s, data).ok());
    return Vector{data.rows.row_KBIP[0], data.rows.row_KBIP[1], static_cast<double>(data.rows.row_clamps[0])};
  };
  // K d h² = 1 / (d (t/h)²): t = h / √d is where it begins
  const double edge = h / std::sqrt(d);
  EXPECT_EQ(row(std::to_string(1.001 * edge) + " 1")[2], 0);
  EXPECT_EQ(static_cast<int>(row(std::to_string(0.999 * edge) + " 1")[2]), static_cast<int>(RowClamp::kRefsafe));
  const double K = 1 / (h * h * d);
  const Vector replaced = row("0.002 1.2");
  expect_same(replaced[0], K);
  expect_same(replaced[1], 2 * 1.2 * std::sqrt(K));
  expect_same(row("0.002 1", kDisableRefSafe)[0], 1 / (d * d * 4e-6));
  expect_same(row("-1e7 -10")[0], 1e7 / (d * d));
}

// A limit that refsafe has resolved stops a mass in one step, without rebound.
TEST(Discrete, AResolvedLimitDoesNotRebound) {
  Model m = discrete_model(slide("range='0 1' solreflimit='1e-4 1' solimplimit='.9999 .9999 .001 .5 2'"));
  State s(m);
  Data d(m);
  s.qpos[0] = 0.001, s.qvel[0] = -1;
  double fastest = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    fastest = std::max(fastest, s.qvel[0]);
  }
  EXPECT_LT(fastest, 0.5);  // it is pushed out of the depth of one step, no faster than it came
  EXPECT_GT(s.qpos[0], -1e-6);
}

// The impedance at the end of the step is bounded, and says so.
TEST(Discrete, StiffestRow) {
  Model m = discrete_model(slide("range='0 1' solreflimit='1e-5 1' solimplimit='.99 .99 .001 .5 2'"));
  m.opt.disableflags |= kDisableRefSafe;
  State s(m);
  Data d(m);
  s.qpos[0] = -0.01;
  ASSERT_TRUE(forward(m, s, d).ok());
  expect_same(d.rows.row_R[0], 0.0001 / 0.9999 * 0.5);
  EXPECT_TRUE(d.rows.row_clamps[0] & static_cast<int>(RowClamp::kStiffest));
  EXPECT_GT(d.clamps[8], 0);
}

// The diagonal of a row: inverse weights, less by what the metric adds to the dofs it moves; or exactly.
TEST(Discrete, DiagonalOfRows) {
  const double h = 0.01;
  const std::string body =
      "<body><joint name='a' type='slide' damping='50'/><geom size='.1' mass='2'/>"
      "<body pos='1 0 0'><joint name='b' type='slide' stiffness='3000'/><geom size='.1' mass='3'/></body></body>";
  const std::string rest = "<equality><joint joint1='a' joint2='b' polycoef='0 2'/></equality>";
  for (const bool exact : {false, true}) {
    Model m = discrete_model(body, "", rest);
    if (exact) m.opt.enableflags |= kEnableDiagExact;
    State s(m);
    Data d(m);
    ASSERT_TRUE(forward(m, s, d).ok());
    const double add[2] = {h * 50, h * h * 3000}, J[2] = {1, -2};
    double A = m.dof_invweight0[0] + m.dof_invweight0[1];
    if (exact) {
      const Vector x = solve({{5 + add[0], 3}, {3, 3 + add[1]}}, {J[0], J[1]});
      A = J[0] * x[0] + J[1] * x[1];
    } else {
      A *= (1 / (5 + add[0]) + 4 / (3 + add[1])) / (1.0 / 5 + 4.0 / 3);
    }
    const double* kbip = d.rows.row_KBIP;
    const double f = 1 + h * kbip[1] + h * h * kbip[0] * kbip[2];
    expect_same(d.rows.row_diagA[0], A / f);
  }
}

constexpr const char* kSpinning =
    "<geom type='plane' size='2 2 1'/><body pos='0 0 {}'><freejoint/>"
    "<geom type='box' size='.1 .2 .4' mass='1'/></body>";
std::string spinning(const std::string& height) {
  std::string text = kSpinning;
  return text.replace(text.find("{}"), 2, height);
}

// Free bodies: gyroscopic forces of the step's end while nothing touches them; with a row as in the reference not, or
// with the option as implicitfast has them.
TEST(Discrete, GyroscopicForcesOfFreeBodies) {
  for (const bool touching : {false, true}) {
    Model m = discrete_model(spinning(touching ? "0.3999" : "3"));
    State s(m);
    Data d(m);
    for (int i = 0; i < 3; ++i) s.qvel[3 + i] = 4 + i;
    ASSERT_TRUE(forward(m, s, d).ok());
    const Vector without(d.qacc, d.qacc + 6);
    EXPECT_EQ(d.rows.n > 0, touching);
    EXPECT_EQ(d.gyroscopic_explicit, touching ? 1 : 0);
    m.opt.discrete_full = 1;
    Data full(m);
    ASSERT_TRUE(forward(m, s, full).ok());
    EXPECT_EQ(full.gyroscopic_explicit, 0);
    double difference = 0;
    for (int i = 0; i < 6; ++i) difference = std::max(difference, std::abs(full.qacc[i] - without[i]));
    if (touching) {
      EXPECT_GT(difference, 1e-3);
      // (M + h ∂bias/∂v) a = f + Jᵀ λ; the bias is quadratic in the velocity, so that differences are exact
      const double* inertia = m.body_inertia + 3;
      for (int i = 0; i < 6; ++i) {
        double sum = (i < 3 ? m.body_mass[1] : inertia[i - 3]) * full.qacc[i], size = std::abs(sum);
        for (int j = 3; j < 6; ++j) {
          double slope = 0;
          for (const double sign : {1.0, -1.0}) {
            State nudged = s;
            nudged.qvel[j] += sign;
            Data e(m);
            ASSERT_TRUE(forward(m, nudged, e).ok());
            slope += 0.5 * sign * e.qfrc_bias[i];
          }
          sum += 0.01 * slope * full.qacc[j];
          size = std::max(size, std::abs(0.01 * slope * full.qacc[j]));
        }
        expect_same(sum, full.qfrc_smooth[i] + full.qfrc_constraint[i], size + std::abs(full.qfrc_smooth[i]));
      }
    } else {
      EXPECT_EQ(difference, 0);
      // the same body under implicitfast, whose forces are the same here
      m.opt.integrator = Integrator::kImplicitFast;
      State other = s;
      Data e(m);
      ASSERT_TRUE(step(m, other, e).ok());
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(other.qvel[i], s.qvel[i] + 0.01 * without[i], kExact);
    }
  }
}

// PGS: tendons and servos as in the reference explicit and counted; with the option the minimum is Newton's.
TEST(Discrete, PgsWithTermsOnDemand) {
  const std::string rest =
      "<tendon><fixed name='t' stiffness='4000' damping='30'><joint joint='a' coef='-1'/><joint joint='b' "
      "coef='1.5'/></fixed>"
      "</tendon><actuator><position tendon='t' kp='500'/><position joint='a' kp='700'/></actuator>"
      "<equality><joint joint1='b' polycoef='.3'/></equality>";
  Model m = discrete_model(kTwo, "iterations='500'", rest);
  State s(m);
  s.qpos[0] = 0.1, s.qpos[1] = 0.4, s.qvel[0] = 0.5, s.ctrl[1] = 0.3;
  Data newton(m), plain(m), full(m);
  ASSERT_TRUE(forward(m, s, newton).ok());
  m.opt.solver = SolverType::kPgs;
  ASSERT_TRUE(forward(m, s, plain).ok());
  EXPECT_EQ(plain.metric.nefmT + plain.metric.nefmA, 0);
  EXPECT_EQ(plain.terms_explicit, 3);
  m.opt.discrete_full = 1;
  ASSERT_TRUE(forward(m, s, full).ok());
  EXPECT_EQ(full.terms_explicit, 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(full.qacc[i], newton.qacc[i], 1e-9 * std::abs(newton.qacc[i]));
    EXPECT_GT(std::abs(plain.qacc[i] - newton.qacc[i]), 1e-3);
  }
}

// Everything at once, in scenes with all kinds of elements: M̂ a = f + shift + Jᵀ λ, inverse dynamics gives back what
// was applied, islands change nothing, and the solvers agree.
class DiscreteScenes : public testing::TestWithParam<const char*> {};

TEST_P(DiscreteScenes, BalanceInverseAndIslands) {
  Model m = load_scene(GetParam());
  m.opt.integrator = Integrator::kDiscrete;
  m.opt.tolerance = 1e-15, m.opt.iterations = 300, m.opt.noslip_iterations = 0;
  for (int seed = 1; seed <= 3; ++seed) {
    State s(m);
    randomise(m, s, seed);
    m.opt.solver = SolverType::kNewton;
    Data d(m);
    ASSERT_TRUE(forward(m, s, d).ok());
    double size = 1;
    for (int i = 0; i < m.nv; ++i) size = std::max(size, std::abs(d.qacc[i]));
    const ForwardInverse both = compare_forward_inverse(m, s, d);
    double force = 1;
    for (int i = 0; i < m.nv; ++i) force = std::max(force, std::abs(d.qfrc_smooth[i]));
    EXPECT_LT(both.constraint, 1e-6 * force) << seed;
    EXPECT_LT(both.applied, 1e-6 * force) << seed;
    // islands
    m.opt.disableflags ^= kDisableIsland;
    Data whole(m);
    ASSERT_TRUE(forward(m, s, whole).ok());
    m.opt.disableflags ^= kDisableIsland;
    for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(whole.qacc[i], d.qacc[i], 1e-6 * size) << seed << " " << i;
    // CG
    m.opt.solver = SolverType::kCg;
    m.opt.iterations = 5000;
    Data cg(m);
    ASSERT_TRUE(forward(m, s, cg).ok());
    for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(cg.qacc[i], d.qacc[i], 1e-5 * size) << seed << " " << i;
  }
}

TEST_P(DiscreteScenes, AStepAllocatesNothing) {
  Model m = load_scene(GetParam());
  m.opt.integrator = Integrator::kDiscrete;
  State s(m);
  Data d(m);
  for (int i = 0; i < 100; ++i) step(m, s, d);
  const State start = s;
  for (int i = 0; i < 20; ++i) step(m, s, d);
  s = start;
  const long before = allocation_count();
  for (int i = 0; i < 20; ++i) step(m, s, d);
  EXPECT_EQ(allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Scenes, DiscreteScenes, testing::ValuesIn(kScenes));

// Followers: a joint that mirrors another with gear 2 and has a spring, a damper and a servo of its own, against the
// model in which the leader has them.
TEST(Discrete, ExactMimics) {
  const std::string body =
      "<body><joint name='a' type='slide'/><geom size='.1' mass='2' contype='0' conaffinity='0'/></body>"
      "<body><joint name='b' type='slide' {}/><geom size='.1' mass='3' contype='0' conaffinity='0'/></body>";
  const auto with = [&](const std::string& text) {
    std::string out = body;
    return out.replace(out.find("{}"), 2, text);
  };
  Model m = discrete_model(with("stiffness='300' damping='5'"), "",
                           "<equality><mimic joint1='b' joint2='a' gear='2'/></equality>"
                           "<actuator><position joint='b' kp='100' kv='2'/></actuator>");
  State s(m);
  Data d(m);
  s.qpos[0] = 0.1, s.qpos[1] = -0.2, s.qvel[0] = 0.5, s.qvel[1] = -1, s.ctrl[0] = 0.3;
  ASSERT_TRUE(forward(m, s, d).ok());
  // q_b = -2 q_a
  const double h = 0.01, mass = 2 + 4 * 3, k = 4 * (300 + 100), b = 4 * (5 + 2);
  const double f = -2 * (-300 * -0.2 - 5 * -1.0 + 100 * (0.3 + 0.2) - 2 * -1.0);
  const double a = (f - h * k * 0.5) / (mass + h * b + h * h * k);
  expect_same(d.qacc[0], a);
  expect_same(d.qacc[1], -2 * a);
}

}  // namespace
}  // namespace pliant
