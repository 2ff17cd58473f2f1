// Hard and soft mimics in steps: closed forms of two rotors under every solver, responses, fans, invariances.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "pliant/mimic.h"
#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr SolverType kSolvers[] = {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs};

std::string rotor(const std::string& name, double inertia) {
  const std::string i = std::to_string(inertia);
  return "<body><inertial pos='0 0 0' mass='1' diaginertia='" + i + " " + i + " " + i + "'/><joint name='" + name +
         "' axis='0 0 1'/></body>";
}

// Rotors of these inertias, named a, b, c …, on a fixed base, without gravity.
Model rotors(const std::vector<double>& inertia, const std::string& mimics, double h = 0.01) {
  std::string bodies;
  for (size_t i = 0; i < inertia.size(); ++i) bodies += rotor(std::string(1, static_cast<char>('a' + i)), inertia[i]);
  Model m = load_model_string("<mujoco><option gravity='0 0 0' timestep='" + std::to_string(h) +
                              "' tolerance='1e-20' iterations='200'/><worldbody>" + bodies + "</worldbody><equality>" +
                              mimics + "</equality></mujoco>");
  return m;
}

const char* const kPair = "<mimic name='m' joint1='a' joint2='b' gear='2' mode='soft' naturalfreq='10' dampratio='1'/>";

double residual(const Model& m, const State& s) {
  double C = m.mimic_offset[0] + s.qpos[m.jnt_qposadr[m.eq_obj1id[m.mimic_eqid[0]]]];
  for (int i = 0; i < m.mimic_leadnum[0]; ++i) C += m.mimic_gear[i] * s.qpos[m.jnt_qposadr[m.mimic_leadid[i]]];
  return C;
}

TEST(MimicRow, TwoRotorsFollowTheClosedFormUnderEverySolver) {
  for (const SolverType solver : kSolvers) {
    for (const int substeps : {1, 4, 8}) {
      Model m = rotors({1, 4}, kPair);
      m.opt.solver = solver;
      m.opt.tgs_substeps = substeps;
      m.opt.tgs_sweeps = 8;
      const int parts = solver == SolverType::kTgs ? substeps : 1;
      State s(m);
      Data d(m);
      s.qpos[0] = 0.1;
      for (int n = 1; n <= 50; ++n) {
        ASSERT_TRUE(step(m, s, d).ok());
        // (1 + N x / (1 + x)) (1 + x)^-N with x = μh/parts
        const double x = 10 * 0.01 / parts, N = parts * n;
        ASSERT_NEAR(residual(m, s), 0.1 * (1 + N * x / (1 + x)) * std::pow(1 + x, -N), 1e-10)
            << int(solver) << " " << n;
        // null-space momentum
        ASSERT_NEAR(-2 * s.qvel[0] + 4 * s.qvel[1], 0, 1e-12);
        if (n == 1 && parts == 1) {
          EXPECT_NEAR(d.rows.row_force[0] * 0.01, -0.0413223140496, 1e-12);
        }
      }
      if (solver != SolverType::kTgs) break;
    }
  }
}

TEST(MimicRow, OneStepOfTheCheckState) {
  for (const SolverType solver : kSolvers) {
    Model m = rotors({1, 4}, kPair);
    m.opt.solver = solver;
    m.opt.tgs_substeps = 1;
    State s(m);
    Data d(m);
    s.qpos[0] = 0.1, s.qpos[1] = 0.03, s.qvel[0] = 0.4, s.qvel[1] = -0.7;
    s.qfrc_applied[0] = 1.3, s.qfrc_applied[1] = -2;
    step(m, s, d);
    EXPECT_NEAR(d.rows.row_force[0] * 0.01, 0.0204008, 5e-8);
  }
}

// Two unit masses on serial sliders: M⁻¹ = [[1, -1], [-1, 2]] has terms beside its diagonal.
TEST(MimicRow, SerialSliders) {
  const auto make = [](const char* parameters) {
    return load_model_string(
        std::string(
            "<mujoco><option gravity='0 0 0' timestep='0.01' tolerance='1e-20'/><worldbody><body><inertial pos='0 0 0' "
            "mass='1' diaginertia='1 1 1'/><joint name='a' type='slide' axis='1 0 0'/><body><inertial pos='0 0 0' "
            "mass='1' diaginertia='1 1 1'/><joint name='b' type='slide' axis='1 0 0'/></body></body></worldbody>"
            "<equality><mimic joint1='a' joint2='b' gear='1.63' offset='0.5' ") +
        parameters + "/></equality></mujoco>");
  };
  const struct {
    const char* parameters;
    double impulse, v[2], q[2], tolerance;
  } cases[] = {{"mode='soft' naturalfreq='1000' dampratio='1.5'",
                -49.161625,
                {66.871824, -111.105273},
                {1.668718, -1.111053},
                1e-6},
               // (the sheet's hard row has no regularisation at all)
               {"mode='hard' erp='0.9'", -55.963062, {71.156729, -126.476521}, {1.711567, -1.264765}, 2e-4}};
  for (const SolverType solver : kSolvers) {
    for (const auto& c : cases) {
      Model m = make(c.parameters);
      m.opt.solver = solver;
      m.opt.tgs_substeps = 1;
      State s(m);
      Data d(m);
      s.qpos[0] = 1, s.qvel[0] = 35.9;
      step(m, s, d);
      EXPECT_NEAR(d.rows.row_diagA[0], 3.0538, 1e-12);
      EXPECT_NEAR(d.rows.row_force[0] * 0.01, c.impulse, c.tolerance);
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(s.qvel[i], c.v[i], c.tolerance);
        EXPECT_NEAR(s.qpos[i], c.q[i], c.tolerance);
      }
    }
  }
}

TEST(MimicRow, RespondsThroughAFloatingBaseOnly) {
  // r_AB = 0 across a fixed base, not across one that floats
  const auto response = [](const char* base) {
    const Model m = load_model_string(
        std::string("<mujoco><option gravity='0 0 0'/><worldbody><body>") + base +
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + rotor("a", 1) + rotor("b", 4) +
        "</body></worldbody><equality><mimic joint1='a' joint2='b' gear='2' mode='hard'/></equality></mujoco>");
    State s(m);
    Data d(m);
    forward(m, s, d);
    return d.rows.row_diagA[0];
  };
  EXPECT_NEAR(response(""), 1 + 4 * 0.25, 1e-12);
  // base of inertia 1 about z: M⁻¹ of (base, a, b) = [[1, -1, -1], [-1, 2, 1], [-1, 1, 1.25]]
  EXPECT_NEAR(response("<freejoint/>"), 2 + 2 * 2 * 1 + 4 * 1.25, 1e-12);
}

TEST(MimicRow, PolesAndEnergy) {
  // z = 1 / (1 - h p): |z| = 0.9622504, phase 0.1926754 for μ = 20, ζ = 0.1
  Model m = rotors({1, 4}, "<mimic joint1='a' joint2='b' gear='2' mode='soft' naturalfreq='20' dampratio='0.1'/>");
  State s(m);
  Data d(m);
  s.qpos[0] = 0.1;
  const double r = 2, kp = 400 / r, kd = 2 * 0.1 * 20 / r, h = 0.01, s_number = h * h * 400 + 2 * 0.1 * 20 * h;
  double C[3] = {0.1, 0.1, 0.1};  // C_{-1} = C_0: at rest
  const auto energy = [&] {
    return 0.5 * (s.qvel[0] * s.qvel[0] + 4 * s.qvel[1] * s.qvel[1]) + 0.5 * kp * C[2] * C[2];
  };
  for (int n = 0; n < 200; ++n) {
    const double before = energy(), v[2] = {s.qvel[0], s.qvel[1]};
    step(m, s, d);
    C[0] = C[1], C[1] = C[2], C[2] = residual(m, s);
    EXPECT_NEAR(C[2] * (1 + s_number) - (2 + 2 * 0.1 * 20 * h) * C[1] + C[0], 0, 1e-13);
    const double u = s.qvel[0] + 2 * s.qvel[1], dv[2] = {s.qvel[0] - v[0], s.qvel[1] - v[1]};
    const double lost = h * kd * u * u + 0.5 * (dv[0] * dv[0] + 4 * dv[1] * dv[1]) + 0.5 * kp * h * h * u * u;
    EXPECT_NEAR(energy() - before, -lost, 1e-13);
  }
  EXPECT_NEAR(std::sqrt(1 / (1 + s_number)), 0.9622504, 1e-7);
}

TEST(MimicRow, RestsAtTheLoadOverItsStiffness) {
  for (const SolverType solver : kSolvers) {
    Model m = rotors({1, 4}, kPair);
    m.opt.solver = solver;
    State s(m);
    Data d(m);
    s.qfrc_applied[0] = 3, s.qfrc_applied[1] = 6;  // J' f with f = 3
    for (int i = 0; i < 600; ++i) step(m, s, d);
    EXPECT_NEAR(residual(m, s), 3.0 / 50, 1e-8);
    forward(m, s, d);
    EXPECT_NEAR(mimic_report(m, s, d, "m").force, -3, 1e-7);
  }
}

TEST(MimicRow, FrequencyResponse) {
  // C(z)/f(z) = h² r / ((1 + s) z - (2 + 2ζμh) + 1/z) for a load at the start of the step
  Model m = rotors({1, 4}, kPair);
  State s(m);
  Data d(m);
  const double h = 0.01, w = 0.13, s_number = 0.21;
  const std::complex<double> z = std::polar(1.0, w);
  const std::complex<double> gain = h * h * 2.0 / ((1 + s_number) * z - 2.2 + 1.0 / z);
  std::complex<double> now = 1;
  for (int n = 0; n < 1500; ++n, now *= z) {
    const double f = now.real();
    s.qfrc_applied[0] = f, s.qfrc_applied[1] = 2 * f;
    if (n > 1400) {
      EXPECT_NEAR(residual(m, s), (gain * now).real(), 1e-10) << n;
    }
    step(m, s, d);
  }
}

TEST(MimicRow, ReflectsInertia) {
  for (const SolverType solver : kSolvers) {
    Model m = rotors({1, 4}, "<mimic joint1='a' joint2='b' gear='2' mode='hard'/>");
    m.opt.solver = solver;
    State s(m);
    Data d(m);
    s.qfrc_applied[0] = 1;
    forward(m, s, d);
    EXPECT_NEAR(d.qacc[0], 1 / (1 + 4.0 / 4), 1e-5);
    EXPECT_NEAR(d.qacc[1], -d.qacc[0] / 2, 1e-5);
  }
}

TEST(MimicRow, ALightLeaderMovesSevenFollowers) {
  std::string mimics;
  for (char c = 'b'; c < 'i'; ++c)
    mimics += std::string("<mimic mode='hard' joint1='") + c + "' joint2='a' gear='-1'/>";
  for (const SolverType solver : kSolvers) {
    for (const double leader : {0.01, 0.001, 0.0001}) {
      Model m = rotors({leader, .01, .01, .01, .01, .01, .01, .01}, mimics);
      m.opt.solver = solver;
      if (solver == SolverType::kPgs) m.opt.iterations = 4;
      State s(m);
      Data d(m);
      s.qfrc_applied[0] = 0.1;
      step(m, s, d);
      // (compliance 1e-6 over a ratio of inertias of 100)
      EXPECT_NEAR(s.qvel[0], 0.01 * 0.1 / (leader + 0.07), 2e-4 * s.qvel[0]) << int(solver) << " " << leader;
    }
  }
}

TEST(MimicRow, SweepsDoNotStiffenIt) {
  double first = 0;
  for (const int sweeps : {1, 4, 32}) {
    Model m = rotors({1, 4}, kPair);
    m.opt.solver = SolverType::kPgs;
    m.opt.iterations = sweeps;
    State s(m);
    Data d(m);
    s.qpos[0] = 0.1;
    for (int i = 0; i < 10; ++i) step(m, s, d);
    if (sweeps == 1) first = s.qpos[0];
    EXPECT_NEAR(s.qpos[0], first, 1e-15);
  }
}

TEST(MimicRow, RolesCanBeSwapped) {
  for (const char* mode : {"mode='soft' naturalfreq='30' dampratio='0.3'", "mode='hard' erp='0.3'"}) {
    Model one = rotors({1, 4}, "<mimic joint1='a' joint2='b' gear='2' offset='0.3' " + std::string(mode) + "/>");
    Model two = rotors({1, 4}, "<mimic joint1='b' joint2='a' gear='0.5' offset='0.15' " + std::string(mode) + "/>");
    State s(one), t(two);
    Data d(one), e(two);
    for (State* state : {&s, &t}) state->qvel[0] = 1, state->qfrc_applied[1] = 0.7;
    for (int i = 0; i < 100; ++i) {
      step(one, s, d);
      step(two, t, e);
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(s.qpos[k], t.qpos[k], 1e-11);
    }
  }
}

TEST(MimicRow, ADifferentialOfThree) {
  // λ by hand: (r + cfm) λ = -(u* + erp C/h) with r = 1/1 + .25/2 + .25/3
  Model m = rotors({1, 2, 3},
                   "<mimic joint1='a' joint2='b c' gear='-0.5 -0.5' mode='soft' naturalfreq='12' dampratio='0.4'/>");
  State s(m);
  Data d(m);
  s.qpos[0] = 0.2, s.qpos[1] = -0.1, s.qpos[2] = 0.4, s.qvel[0] = 1, s.qvel[1] = 2, s.qvel[2] = -1;
  s.qfrc_applied[1] = 0.5;
  const double h = 0.01, mu = 12, zeta = 0.4, r = 1 + 0.125 + 0.25 / 3, sn = h * h * mu * mu + 2 * zeta * mu * h;
  const double u = 1 - 0.5 * (2 + h * 0.25) + 0.5, C = 0.2 + 0.05 - 0.2;
  const double lambda = -(u + mu * h / (mu * h + 2 * zeta) * C / h) / (r + r / sn);
  step(m, s, d);
  EXPECT_NEAR(d.rows.row_force[0] * h, lambda, 1e-12);
}

TEST(MimicRow, IsStableAtAnyFrequency) {
  for (const SolverType solver : kSolvers) {
    for (const double mu : {1e2, 1e4, 1e6, 1e8}) {
      Model m = rotors({1, 4}, "<mimic joint1='a' joint2='b' gear='2' mode='soft' naturalfreq='" + std::to_string(mu) +
                                   "' dampratio='0.2'/>");
      m.opt.solver = solver;
      State s(m);
      Data d(m);
      s.qpos[0] = 0.1;
      for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(step(m, s, d).ok());
        ASSERT_LT(std::abs(residual(m, s)), 0.11) << int(solver) << " " << mu << " " << i;
      }
    }
  }
}

TEST(MimicRow, AFollowerAtItsLimitStopsTheLeader) {
  for (const SolverType solver : kSolvers) {
    Model m = load_model_string(
        "<mujoco><compiler angle='radian' autolimits='true'/><option gravity='0 0 0'/><worldbody><body>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint name='a' axis='0 0 1' range='-.2 .2'"
        "/></body>" +
        rotor("b", 4) +
        "</worldbody><equality><mimic joint1='a' joint2='b' gear='-1' "
        "mode='hard'/></equality></mujoco>");
    m.opt.solver = solver;
    State s(m);
    Data d(m);
    s.qfrc_applied[1] = 1;
    for (int i = 0; i < 3000; ++i) step(m, s, d);
    EXPECT_NEAR(s.qpos[1], 0.2, 0.01) << int(solver);
    EXPECT_NEAR(s.qvel[1], 0, 0.01) << int(solver);
  }
}

// Every joint of a chain hangs by its neighbour: the load adds up towards the root, C_k = f_k / kp.
TEST(MimicRow, AChainSagsAsItsSpringsSay) {
  std::string mimics;
  for (char c = 'b'; c < 'f'; ++c) {
    mimics +=
        std::string("<mimic mode='soft' naturalfreq='20' joint1='") + c + "' joint2='" + char(c - 1) + "' gear='-1'/>";
  }
  Model m = rotors({1, 1, 1, 1, 1}, mimics);
  State s(m);
  Data d(m);
  // the first rotor is held by a strong spring, the last one is pulled
  m.jnt_stiffness[0] = 1e4;
  m.dof_damping[0] = 200;
  s.qfrc_applied[4] = 2;
  for (int i = 0; i < 4000; ++i) step(m, s, d);
  const double kp = 400.0 / 2;  // μ²/r, r = 1 + 1
  for (int k = 1; k < 5; ++k) EXPECT_NEAR(s.qpos[k] - s.qpos[k - 1], 2 / kp, 1e-6) << k;
}

TEST(MimicRow, ReportsResidualForceAndPower) {
  const Model m = rotors({1, 4}, kPair);
  State s(m);
  Data d(m);
  s.qpos[0] = 0.1, s.qvel[1] = 0.5;
  forward(m, s, d);
  const MimicReport report = mimic_report(m, s, d, "a");
  EXPECT_EQ(report.name, "m");
  EXPECT_NEAR(report.residual, 0.1, 1e-15);
  EXPECT_NEAR(report.rate, 1, 1e-15);
  EXPECT_NEAR(report.force, d.rows.row_force[0], 1e-15);
  EXPECT_NEAR(report.power, report.force, 1e-15);
  EXPECT_THROW(mimic_report(m, s, d, "nobody"), std::invalid_argument);
}

TEST(MimicRow, ProjectionReachesTheManifold) {
  const Model m = load_model_string(
      "<mujoco><worldbody><body name='x'><joint name='a' axis='0 0 1'/><geom size='.1' pos='.5 0 0'/><body name='y' "
      "pos='1 0 0'>"
      "<joint name='b' axis='0 0 1'/><geom size='.1' pos='.5 0 0'/></body></body>" +
      rotor("c", 1) +
      "<body name='z' pos='1.5 0.3 0'><freejoint/><geom size='.1'/></body></worldbody><equality>"
      "<mimic joint1='c' joint2='a' gear='3' offset='0.2' mode='soft' naturalfreq='9'/><connect body1='y' body2='z' "
      "anchor='1 0 0'/></equality></mujoco>");
  State s(m);
  s.qpos[0] = 0.4, s.qpos[1] = -0.7, s.qpos[2] = 1, s.qvel[0] = 2, s.qvel[4] = 1;
  const Projection result = project_state(m, s);
  EXPECT_GT(result.before, 0.1);
  EXPECT_LT(result.after, 1e-10);
  Data d(m);
  forward(m, s, d);
  for (int i = 0; i < d.rows.ne; ++i) {
    EXPECT_NEAR(d.rows.row_pos[i], 0, 1e-10);
    EXPECT_NEAR(d.rows.row_vel[i], 0, 1e-10);
  }
}

}  // namespace
}  // namespace pliant
