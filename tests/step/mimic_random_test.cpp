// Random trees with random exact mimics: joints of both kinds, floating bases, several leaders,
// chains over trees; followers with limits, friction loss, springs, dampers, armature, actuators
// and contacts. Elimination is checked against the equations of motion of all joints, in which
// mimics are constraints with multipliers:
//
//   M a = f_smooth + J' f + C' λ,   C a = 0,   f = -∇s(J a - aref)
//
// with M and J of all joints (mimics switched off). C'λ lies in the span of the mimics' rows if and
// only if handing followers' shares to their leaders, in the order of elimination, leaves nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "constraint/reference_hd.h"
#include "inertia/inertia.h"
#include "pliant/mimic.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/random_state.h"

namespace pliant {
namespace {

constexpr SolverType kSolvers[] = {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs};

struct Choice {
  bool touching = true;  // geoms collide with one another and the ground
  bool floating = true;  // free joints and balls
  const char* mode = "exact";
};

class RandomMimics {
 public:
  RandomMimics(unsigned seed, Choice choice) : generator_(seed), choice_(choice) {
    const int trees = 1 + pick(3);
    std::string world = choice.touching ? "<geom type='plane' size='9 9 1' pos='0 0 -.3'/>" : "";
    for (int t = 0; t < trees; ++t) {
      const bool free = choice.floating && pick(2) == 0;
      world += "<body pos='" + text(0.6 * t) + " 0 " + text(uniform(0, 0.2)) + "'>" +
               (free ? "<freejoint/>" : scalar_joint()) + geom() + limb(0) + "</body>";
    }
    std::shuffle(joints_.begin(), joints_.end(), generator_);
    // a follower's leaders come before it: no cycles; it follows once: no contradictions
    std::string mimics;
    for (size_t k = 1; k < joints_.size(); ++k) {
      if (pick(2)) continue;
      const int leaders = std::min<int>(1 + pick(3), static_cast<int>(k));
      std::vector<int> from(k);
      for (size_t i = 0; i < k; ++i) from[i] = static_cast<int>(i);
      std::shuffle(from.begin(), from.end(), generator_);
      std::string names, gears;
      for (int i = 0; i < leaders; ++i) {
        names += " " + joints_[from[i]];
        gears += " " + text((pick(2) ? 1 : -1) * uniform(0.2, 2));
      }
      mimics += "<mimic joint1='" + joints_[k] + "' joint2='" + names + "' gear='" + gears + "' offset='" +
                text(pick(2) ? uniform(-0.1, 0.1) : 0) + "' mode='" + choice.mode + "'/>";
    }
    std::string actuators;
    for (const std::string& joint : joints_) {
      if (pick(3) == 0) {
        actuators += "<general joint='" + joint + "' gear='" + text(uniform(-2, 2)) +
                     "' biastype='affine' gainprm='3' biasprm='0 -3 " + text(-uniform(0, 0.5)) + "'/>";
      }
    }
    xml =
        "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='.002' "
        "tolerance='1e-22' iterations='500' "
        "ls_tolerance='1e-6'/><default><geom density='800' friction='.7'/></default><worldbody>" +
        world + "</worldbody><equality>" + mimics + "</equality><actuator>" + actuators + "</actuator></mujoco>";
  }
  std::string xml;

 private:
  int pick(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }
  double uniform(double a, double b) { return a + (b - a) * (generator_() / 4294967296.0); }
  static std::string text(double x) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.6f", x);
    return buffer;
  }
  std::string geom() {
    const char* collides = choice_.touching ? "" : " contype='0' conaffinity='0'";
    return "<geom type='capsule' fromto='0 0 0 " + text(uniform(0.05, 0.15)) + " 0 .1' size='.03'" + collides + "/>";
  }
  std::string scalar_joint() {
    joints_.push_back("j" + std::to_string(joints_.size()));
    std::string out = "<joint name='" + joints_.back() + "' type='" + (pick(2) ? "hinge" : "slide") + "' axis='" +
                      text(uniform(-1, 1)) + " " + text(uniform(-1, 1)) + " " + text(uniform(0.2, 1)) + "' armature='" +
                      text(uniform(0, 0.02)) + "'";
    if (pick(2)) out += " damping='" + text(uniform(0, 0.3)) + "'";
    if (pick(2)) out += " stiffness='" + text(uniform(0, 5)) + "' springref='" + text(uniform(-0.3, 0.3)) + "'";
    if (choice_.touching && pick(3) == 0) out += " frictionloss='" + text(uniform(0.01, 0.1)) + "'";
    if (choice_.touching && pick(3) == 0) out += " range='-.1 .15'";
    return out + "/>";
  }
  std::string limb(int depth) {
    std::string out;
    for (int child = depth == 0 ? 1 + pick(3) : pick(3); child > 0 && depth < 4; --child) {
      const bool ball = choice_.floating && pick(8) == 0;
      out += "<body pos='" + text(uniform(-0.1, 0.15)) + " " + text(uniform(-0.1, 0.1)) + " .12'>" +
             (ball ? "<joint type='ball'/>" : scalar_joint()) + (pick(4) == 0 && !ball ? scalar_joint() : "") + geom() +
             limb(depth + 1) + "</body>";
    }
    return out;
  }
  std::mt19937 generator_;
  Choice choice_;
  std::vector<std::string> joints_;
};

// A state on the manifold, and the same without mimics.
struct Both {
  State s, free;
  Data all;  // of the latter
  Both(const Model& m, int seed) : s(m), free(m), all(m) {
    randomise(m, s, seed);
    project_state(m, s);
    switch_off(m);
  }
  void switch_off(const Model& m) {
    free = s;
    for (int e = 0; e < m.neq; ++e) free.eq_active[e] = false;
    forward(m, free, all);
  }
};

/// rest without what multipliers of the mimics can carry.
void hand_to_leaders(const Model& m, std::vector<double>& rest) {
  for (int k = 0; k < m.nfollower; ++k) {
    const int mimic = m.follower_mimicid[k], f = m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[mimic]]];
    for (int i = m.mimic_leadadr[mimic]; i < m.mimic_leadadr[mimic] + m.mimic_leadnum[mimic]; ++i) {
      rest[m.jnt_dofadr[m.mimic_leadid[i]]] -= m.mimic_gear[i] * rest[f];
    }
    rest[f] = 0;
  }
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

double mimics_of(const Model& m, const double* v) {
  double most = 0;
  for (int i = 0; i < m.nmimic; ++i) {
    double C = v[m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[i]]]];
    for (int k = m.mimic_leadadr[i]; k < m.mimic_leadadr[i] + m.mimic_leadnum[i]; ++k) {
      C += m.mimic_gear[k] * v[m.jnt_dofadr[m.mimic_leadid[k]]];
    }
    most = std::max(most, std::abs(C));
  }
  return most;
}

/// M a - f_smooth - J' f, of all joints.
std::vector<double> unbalanced(const Model& m, const Both& both, const Data& d, const double* a) {
  std::vector<double> rest(static_cast<size_t>(m.nv), 0.0);
  multiply_mass(m, both.all, a, rest.data());
  for (int i = 0; i < m.nv; ++i) rest[i] -= both.all.qfrc_smooth[i];
  for (int i = 0; i < d.rows.n; ++i) add_row_times(both.all.rows, i, -d.rows.row_force[i], rest.data());
  return rest;
}

TEST(RandomMimics, SatisfyTheEquationsOfAllJoints) {
  int models = 0, followers = 0, rows = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const RandomMimics random(seed, {});
    const Report report = load_report_string(random.xml);
    ASSERT_TRUE(report.ok()) << random.xml << "\n" << to_text(report.diagnostics);
    Model m = *report.model;
    if (m.nfollower == 0) continue;
    Both both(m, static_cast<int>(seed));
    Data d(m);
    ASSERT_TRUE(forward(m, both.s, d).ok()) << seed;
    ASSERT_EQ(d.rows.n, both.all.rows.n) << seed;
    ++models, followers += m.nfollower, rows += d.rows.n;
    EXPECT_LT(mimics_of(m, d.qacc), 1e-9 * (1 + largest({d.qacc, d.qacc + m.nv}))) << seed;
    std::vector<double> rest = unbalanced(m, both, d, d.qacc);
    const double scale = 1 + largest(rest) + largest({both.all.qfrc_smooth, both.all.qfrc_smooth + m.nv});
    hand_to_leaders(m, rest);
    EXPECT_LT(largest(rest), 1e-7 * scale) << seed << "\n" << random.xml;
    // forces are what the laws of their rows say of the accelerations of all joints
    double strongest = 1;
    for (int i = 0; i < d.rows.n; ++i) strongest = std::max(strongest, std::abs(d.rows.row_force[i]));
    for (int i = 0; i < d.rows.n; ++i) {
      const double residual = row_times(both.all.rows, i, d.qacc) - d.rows.row_aref[i];
      double force = -d.rows.row_D[i] * residual;
      const auto type = static_cast<RowType>(d.rows.row_type[i]);
      if (type == RowType::kFrictionDof)
        force = std::clamp(force, -d.rows.row_frictionloss[i], d.rows.row_frictionloss[i]);
      if (type != RowType::kFrictionDof && type != RowType::kEquality) force = std::max(0.0, force);
      EXPECT_NEAR(d.rows.row_force[i], force, 1e-6 * strongest)
          << seed << " row " << i << " type " << static_cast<int>(type);
    }
  }
  EXPECT_GT(models, 100);
  EXPECT_GT(followers, 300);
  EXPECT_GT(rows, 1000);
}

/// Derivative of forces by velocities times dv, by differences; which forces is what the integrator
/// treats implicitly.
std::vector<double> implicit_part(const Model& m, const Both& both, const std::vector<double>& dv,
                                  Integrator integrator) {
  const double e = 1e-5 / std::max(1e-9, largest(dv));
  std::vector<double> out(dv.size(), 0.0);
  for (double sign : {1.0, -1.0}) {
    State moved = both.free;
    for (int i = 0; i < m.nv; ++i) moved.qvel[i] += sign * e * dv[i];
    Data d(m);
    forward(m, moved, d);
    for (int i = 0; i < m.nv; ++i) {
      double force = d.qfrc_passive[i];
      if (integrator != Integrator::kEuler) force += d.qfrc_actuator[i];
      if (integrator == Integrator::kImplicit) force -= d.qfrc_bias[i];
      out[i] += sign * force / (2 * e);
    }
  }
  return out;
}

TEST(RandomMimics, StepWithTheInertiaOfTheirIntegrator) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RandomMimics random(1000 + seed, {});
    Model m = load_model_string(random.xml);
    if (m.nfollower == 0) continue;
    m.opt.solver = kSolvers[seed % 4];
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
      m.opt.integrator = integrator;
      Both both(m, static_cast<int>(seed));
      Data d(m);
      State s = both.s;
      ASSERT_TRUE(step(m, s, d).ok()) << seed;
      std::vector<double> dv(static_cast<size_t>(m.nv)), a(dv);
      for (int i = 0; i < m.nv; ++i) dv[i] = s.qvel[i] - both.s.qvel[i], a[i] = dv[i] / m.opt.timestep;
      std::vector<double> rest = unbalanced(m, both, d, a.data());
      const std::vector<double> implicit = implicit_part(m, both, dv, integrator);
      for (int i = 0; i < m.nv; ++i) rest[i] -= implicit[i];
      const double scale = 1 + largest(rest) + largest({both.all.qfrc_smooth, both.all.qfrc_smooth + m.nv});
      hand_to_leaders(m, rest);
      EXPECT_LT(largest(rest), 1e-6 * scale) << seed << " integrator " << static_cast<int>(integrator) << " solver "
                                             << static_cast<int>(m.opt.solver) << "\n"
                                             << random.xml;
      EXPECT_LT(mimics_of(m, s.qvel), 1e-9);
    }
  }
}

// Runge-Kutta by hand on the accelerations of forward, where positions are numbers.
TEST(RandomMimics, TakeRungeKuttaSteps) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const RandomMimics random(2000 + seed, {.touching = false, .floating = false});
    Model m = load_model_string(random.xml);
    if (m.nfollower == 0) continue;
    m.opt.integrator = Integrator::kRk4;
    Both both(m, static_cast<int>(seed));
    const double h = m.opt.timestep;
    const size_t n = static_cast<size_t>(m.nv);
    std::vector<double> q(n), v(n), last_v(n), last_a(n);
    const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      State s = both.s;
      for (size_t i = 0; i < n; ++i) {
        s.qpos[i] += h * at[stage] * last_v[i];
        s.qvel[i] += h * at[stage] * last_a[i];
      }
      Data d(m);
      forward(m, s, d);
      for (size_t i = 0; i < n; ++i) {
        last_v[i] = s.qvel[i], last_a[i] = d.qacc[i];
        q[i] += h * weight[stage] / 6 * last_v[i];
        v[i] += h * weight[stage] / 6 * last_a[i];
      }
    }
    State s = both.s;
    Data d(m);
    ASSERT_TRUE(step(m, s, d).ok());
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(s.qpos[i], both.s.qpos[i] + q[i], 1e-12) << seed;
      EXPECT_NEAR(s.qvel[i], both.s.qvel[i] + v[i], 1e-10 * (1 + std::abs(v[i]))) << seed;
    }
  }
}

// Hundred steps of every solver and integrator: followers stay where leaders put them, nothing is
// refused.
TEST(RandomMimics, StayOnTheManifold) {
  constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                         Integrator::kImplicitFast};
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const char* mode : {"exact", "hard"}) {
      const RandomMimics random(3000 + seed, {.mode = mode});
      Model m = load_model_string(random.xml);
      m.opt.solver = kSolvers[seed % 4];
      m.opt.integrator = seed < 48 ? kIntegrators[seed / 4 % 4] : Integrator::kDiscrete;
      m.opt.cone = seed % 3 ? ConeType::kPyramidal : ConeType::kElliptic;
      m.opt.tolerance = 1e-8;
      m.opt.iterations = 100;
      State s(m);
      s.reset(m);
      project_state(m, s);
      Data d(m);
      double most = 0, fastest = 0;
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(step(m, s, d).ok()) << seed << " " << mode << " step " << i << "\n" << random.xml;
        for (int k = 0; k < m.nmimic; ++k) most = std::max(most, std::abs(mimic_residual(m, s, k)));
        for (int k = 0; k < m.nv; ++k) fastest = std::max(fastest, std::abs(s.qvel[k]));
      }
      EXPECT_LE(most, std::string(mode) == "exact" ? 1e-12 : 1e-3) << seed << " " << mode << " solver " << seed % 4;
      EXPECT_LT(fastest, 1e3) << seed << " " << mode;
    }
  }
}

}  // namespace
}  // namespace pliant
