// Mimic joints under all four solvers: closed forms of the rotor pair in substeps, a light leader with seven followers,
// a chain of twenty links; each mode where it applies.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr SolverType kSolvers[] = {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs};

std::string text(double x) { return std::to_string(x); }

/// Rotors about z on a fixed base, with these inertias; joints r0, r1 …
std::string rotors(const std::vector<double>& inertia) {
  std::string out;
  for (size_t i = 0; i < inertia.size(); ++i) {
    const std::string value = text(inertia[i]);
    out += "<body pos='" + text(static_cast<double>(i)) + " 0 0'><inertial pos='0 0 0' mass='1' diaginertia='" + value +
           " " + value + " " + value + "'/><joint name='r" + std::to_string(i) + "' axis='0 0 1'/></body>";
  }
  return out;
}

Model load(const std::string& option, const std::string& world, const std::string& equality) {
  return load_model_string("<mujoco><option gravity='0 0 0' " + option + "/><worldbody>" + world +
                           "</worldbody><equality>" + equality + "</equality></mujoco>");
}

TEST(MimicUnderSolvers, RotorPairFollowsItsClosedForm) {
  for (SolverType solver : kSolvers) {
    for (int n : {1, 2, 4, 16}) {
      if (solver != SolverType::kTgs && n > 1) continue;
      Model m = load("timestep='.01' tolerance='1e-16'", rotors({1, 4}),
                     "<mimic joint1='r0' joint2='r1' gear='2' mode='soft' naturalfreq='10' dampratio='1'/>");
      m.opt.solver = solver;
      m.opt.tgs_substeps = n;
      State s(m);
      s.qpos[0] = 0.1;
      Data d(m);
      for (int steps = 1; steps <= 20; ++steps) {
        ASSERT_TRUE(step(m, s, d).ok());
        const double x = 0.1 / n, N = n * steps;
        EXPECT_NEAR(s.qpos[0] + 2 * s.qpos[1], 0.1 * (1 + N * x / (1 + x)) * std::pow(1 + x, -N), 1e-11)
            << static_cast<int>(solver) << " " << n << " " << steps;
        if (steps == 1 && n == 1) {
          EXPECT_NEAR(d.rows.row_force[0] * 0.01, -0.5 / 12.1, 1e-10);
        }
        EXPECT_NEAR(-2 * s.qvel[0] + 4 * s.qvel[1], 0, 1e-13);
      }
    }
  }
}

TEST(MimicUnderSolvers, ALightLeaderMovesSevenFollowers) {
  std::vector<double> inertia(8, 0.01);
  inertia[0] = 0.001;
  for (const char* mode : {"mode='hard'", "mode='soft' naturalfreq='2000' dampratio='1'"}) {
    std::string equality;
    for (int i = 1; i < 8; ++i) {
      equality += "<mimic joint1='r" + std::to_string(i) + "' joint2='r0' gear='-1' " + mode + "/>";
    }
    for (SolverType solver : kSolvers) {
      Model m = load("timestep='.002' iterations='10' tolerance='1e-14'", rotors(inertia), equality);
      m.opt.solver = solver;
      if (solver == SolverType::kCg) m.opt.iterations = 100;
      State s(m);
      Data d(m);
      s.qfrc_applied[0] = 0.01;
      for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(m, s, d).ok());
      const double exact = 0.01 / 0.071 * 0.2;
      for (int i = 0; i < 8; ++i)
        EXPECT_NEAR(s.qvel[i], exact, 0.01 * exact) << mode << " " << static_cast<int>(solver) << " " << i;
    }
  }
}

// Twenty links, every joint turns as the one before it: under weight, with few sweeps.
TEST(MimicUnderSolvers, AChainOfTwentyLinksHoldsTogether) {
  std::string links, end, equality;
  for (int i = 0; i < 20; ++i) {
    links += "<body pos='" + std::string(i ? ".1 0 0" : "0 0 0") + "'><joint name='j" + std::to_string(i) +
             "' axis='0 1 0' damping='.01'/><geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' mass='.1' "
             "contype='0' conaffinity='0'/>";
    end += "</body>";
    if (i)
      equality +=
          "<mimic joint1='j" + std::to_string(i) + "' joint2='j" + std::to_string(i - 1) + "' gear='-1' mode='hard'/>";
  }
  std::vector<double> angle;
  for (SolverType solver : kSolvers) {
    Model m = load_model_string("<mujoco><option timestep='.002' iterations='8'/><worldbody>" + links + end +
                                "</worldbody><equality>" + equality + "</equality></mujoco>");
    m.opt.solver = solver;
    if (solver == SolverType::kCg) m.opt.iterations = 100;
    State s(m);
    Data d(m);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(step(m, s, d).ok());
      for (int k = 1; k < 20; ++k) worst = std::max(worst, std::fabs(s.qpos[k] - s.qpos[k - 1]));
    }
    EXPECT_LT(worst, 1e-3) << static_cast<int>(solver);
    angle.push_back(s.qpos[0]);
  }
  for (double a : angle) EXPECT_NEAR(a, angle[2], 0.02);
}

}  // namespace
}  // namespace pliant
