// Joints that follow others exactly: against models written without the follower, against the equations of motion with
// multipliers, as the limit of soft mimics, over long runs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "inertia/inertia.h"
#include "pliant/mimic.h"
#include "pliant/pliant.h"
#include "pliant/query.h"
#include "pliant/step.h"
#include "tests/step/allocations.h"
#include "tests/step/random_state.h"
#include "tests/step/scenes.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

constexpr SolverType kSolvers[] = {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs};
constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                       Integrator::kImplicitFast};

double largest_residual(const Model& m, const State& s) {
  double most = 0;
  for (int i = 0; i < m.nmimic; ++i) {
    if (m.mimic_mode[i] != static_cast<int>(MimicMode::kExact)) continue;
    double C = m.mimic_offset[i] + s.qpos[m.jnt_qposadr[m.eq_obj1id[m.mimic_eqid[i]]]];
    for (int k = m.mimic_leadadr[i]; k < m.mimic_leadadr[i] + m.mimic_leadnum[i]; ++k) {
      C += m.mimic_gear[k] * s.qpos[m.jnt_qposadr[m.mimic_leadid[k]]];
    }
    most = std::max(most, std::abs(C));
  }
  return most;
}

// Rotors a and b with everything a joint can have, b following a with ratio -1/2: in the second model b is written into
// a, whose own numbers grow by those of b times the ratio squared.
TEST(MimicExact, EqualsAModelWithoutTheFollower) {
  const auto body = [](const char* name, double inertia, const std::string& joint) {
    const std::string i = std::to_string(inertia);
    return std::string("<body><inertial pos='0 0 0' mass='1' diaginertia='") + i + " " + i + " " + i +
           "'/><joint name='" + name + "' axis='0 0 1' " + joint + "/></body>";
  };
  const std::string head =
      "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='0.01' tolerance='1e-18'"
      " iterations='300'/><worldbody>";
  Model with = load_model_string(
      head + body("a", 1, "armature='0.1' damping='0.2' stiffness='3' springref='0.1'") +
      body("b", 4,
           "armature='0.4' damping='0.8' stiffness='2' springref='0.3' range='-0.2 9' solimplimit='0.9 0.9 0.001'") +
      "</worldbody><equality><mimic joint1='b' joint2='a' gear='0.5'/></equality><actuator><position joint='a' kp='5' "
      "kv='1'/>"
      "<position name='on follower' joint='b' kp='8' kv='2'/></actuator></mujoco>");
  // q_b = -q_a/2: b's range -0.2 … is a's … 0.4; b's spring at 0.3 is one of a at -0.6 with a quarter of the stiffness
  Model without = load_model_string(
      head +
      body("a", 2,
           "armature='0.2' damping='0.4' stiffness='3' springref='0.1' range='-18 0.4' solimplimit='0.9 0.9 0.002'") +
      "</worldbody><actuator><position joint='a' kp='5' kv='1'/><position joint='a' gear='-0.5' kp='8' "
      "kv='2'/></actuator></mujoco>");
  for (const SolverType solver : kSolvers) {
    for (const Integrator integrator : kIntegrators) {
      for (Model* m : {&with, &without}) m->opt.solver = solver, m->opt.integrator = integrator;
      State s(with), t(without);
      Data d(with), e(without);
      for (int n = 0; n < 300; ++n) {
        const double target = 2 * std::sin(0.05 * n);
        s.ctrl[0] = t.ctrl[0] = target;
        s.ctrl[1] = t.ctrl[1] = -0.3 * target;
        // b's spring, by hand: force on a is ratio · (-k (q_b - 0.3))
        const double q = t.qpos[0];
        s.qfrc_applied[0] = 0.1;
        if (integrator != Integrator::kRk4) {
          t.qfrc_applied[0] = 0.1 + -0.5 * -2 * (-0.5 * q - 0.3);
          with.jnt_stiffness[1] = 2;
        } else {
          // (not constant over a Runge-Kutta step: without that spring)
          t.qfrc_applied[0] = 0.1;
          with.jnt_stiffness[1] = 0;
        }
        ASSERT_TRUE(step(with, s, d).ok());
        ASSERT_TRUE(step(without, t, e).ok());
        // penetrations of the limit are half as large for b: impedances are constant, so nothing else differs
        ASSERT_NEAR(s.qpos[0], t.qpos[0], 1e-10) << int(solver) << " " << int(integrator) << " " << n;
        ASSERT_NEAR(s.qvel[0], t.qvel[0], 1e-9);
        ASSERT_EQ(s.qpos[1], -0.5 * s.qpos[0]);
      }
    }
  }
}

// M a = f + J'λ, J a = 0, dense, with M of all joints.
std::vector<double> multiplier_acceleration(const Model& m, const State& s, std::vector<double>* lambda) {
  State free = s;
  for (int e = 0; e < m.neq; ++e) free.eq_active[e] = false;
  Data d(m);
  forward(m, free, d);
  const int nv = m.nv, n = nv + m.nmimic;
  std::vector<std::vector<double>> A(n, std::vector<double>(n + 1, 0.0));
  for (int i = 0; i < nv; ++i) {
    std::vector<double> unit(nv, 0.0), column(nv, 0.0);
    unit[i] = 1;
    multiply_mass(m, d, unit.data(), column.data());
    for (int k = 0; k < nv; ++k) A[k][i] = column[k];
    A[i][n] = d.qfrc_smooth[i];
  }
  for (int k = 0; k < m.nmimic; ++k) {
    const auto put = [&](int joint, double value) {
      A[nv + k][m.jnt_dofadr[joint]] = value;
      A[m.jnt_dofadr[joint]][nv + k] = -value;
    };
    put(m.eq_obj1id[m.mimic_eqid[k]], 1);
    for (int i = m.mimic_leadadr[k]; i < m.mimic_leadadr[k] + m.mimic_leadnum[k]; ++i)
      put(m.mimic_leadid[i], m.mimic_gear[i]);
  }
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int r = c; r < n; ++r) pivot = std::abs(A[r][c]) > std::abs(A[pivot][c]) ? r : pivot;
    std::swap(A[c], A[pivot]);
    for (int r = 0; r < n; ++r) {
      if (r == c) continue;
      const double f = A[r][c] / A[c][c];
      for (int k = c; k <= n; ++k) A[r][k] -= f * A[c][k];
    }
  }
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = A[i][n] / A[i][i];
  if (lambda) lambda->assign(x.begin() + nv, x.end());
  x.resize(nv);
  return x;
}

// Followers above, below, beside their leaders and in other trees; chains; several leaders.
std::string branches(const std::string& mimics) {
  const auto link = [](const char* name, const char* type, const char* axis, const std::string& inside) {
    return std::string("<body pos='0.1 0.05 0.2'><joint name='") + name + "' type='" + type + "' axis='" + axis +
           "' armature='0.01'/><geom type='box' size='.05 .03 .1' pos='0.03 0 0.05'/>" + inside + "</body>";
  };
  return "<mujoco><option timestep='0.002'/><default><geom contype='0' conaffinity='0'/></default><worldbody>"
         "<body pos='0 0 1'><freejoint/><geom size='.1'/>" +
         link("a", "hinge", "0 1 0",
              link("b", "slide", "1 0 0", "") + link("c", "hinge", "1 0 0", link("d", "hinge", "0 1 0", ""))) +
         link("e", "hinge", "1 1 0", link("f", "hinge", "0 0 1", "")) + "</body>" +
         link("g", "hinge", "0 1 0", link("h", "slide", "0 0 1", "")) + link("i", "hinge", "1 0 0", "") +
         "</worldbody><equality>" + mimics + "</equality></mujoco>";
}

const char* const kMimics[] = {
    "<mimic joint1='d' joint2='c' gear='-0.7'/>",    // below
    "<mimic joint1='a' joint2='d' gear='1.3'/>",     // above
    "<mimic joint1='e' joint2='a' gear='-1'/>",      // beside, with a link of its own
    "<mimic joint1='h' joint2='i' gear='0.2'/>",     // another tree
    "<mimic joint1='i' joint2='c' gear='2'/>",       // likewise, over a tree between
    "<mimic joint1='e' joint2='c b' gear='1 -3'/>",  // two leaders
    "<mimic joint1='d' joint2='e' gear='1'/><mimic joint1='e' joint2='g' gear='-2'/>",  // a chain over trees
    ("<mimic joint1='b' joint2='f' gear='0.1'/><mimic joint1='f' joint2='c' gear='1'/>"
     "<mimic joint1='h' joint2='b c' gear='1 1'/>"),
};

TEST(MimicExact, EqualsMultipliers) {
  for (const char* mimics : kMimics) {
    Model m = load_model_string(branches(mimics));
    ASSERT_EQ(m.nfollower, m.nmimic);
    for (int seed = 0; seed < 5; ++seed) {
      State s(m);
      randomise(m, s, seed);
      // (integrators call it; here the state must be on the manifold)
      project_state(m, s);
      Data d(m);
      ASSERT_TRUE(forward(m, s, d).ok());
      std::vector<double> lambda;
      const std::vector<double> expected = multiplier_acceleration(m, s, &lambda);
      for (int i = 0; i < m.nv; ++i)
        ASSERT_NEAR(d.qacc[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << mimics << " dof " << i;
      const std::vector<MimicReport> reports = mimic_reports(m, s, d);
      for (int k = 0; k < m.nmimic; ++k) {
        EXPECT_NEAR(reports[k].force, lambda[k], 1e-8 * (1 + std::abs(lambda[k]))) << mimics;
        EXPECT_NEAR(reports[k].power, 0, 1e-10);
      }
      // forward and inverse dynamics agree
      const ForwardInverse difference = compare_forward_inverse(m, s, d);
      EXPECT_LT(difference.applied, 1e-9);
    }
  }
}

TEST(MimicExact, IsTheLimitOfSoft) {
  for (const char* mimics : kMimics) {
    Model exact = load_model_string(branches(mimics));
    std::string text = mimics;
    for (size_t at = 0; (at = text.find("/>", at)) != std::string::npos; at += 60) {
      text.insert(at, " mode='soft' naturalfreq='1e3' dampratio='1'         ");
    }
    Model soft = load_model_string(branches(text));
    State s(exact), t(soft);
    randomise(exact, s, 3);
    project_state(exact, s);
    std::copy_n(s.qpos, exact.nq, t.qpos);
    std::copy_n(s.qvel, exact.nv, t.qvel);
    std::copy_n(s.qfrc_applied, exact.nv, t.qfrc_applied);
    std::copy_n(s.xfrc_applied, 6 * exact.nbody, t.xfrc_applied);
    Data d(exact), e(soft);
    forward(exact, s, d);
    double last = 0;
    for (const double mu : {1e4, 1e5, 1e6}) {
      std::fill_n(soft.mimic_naturalfreq, soft.nmimic, mu);
      forward(soft, t, e);
      double difference = 0;
      for (int i = 0; i < exact.nv; ++i) difference = std::max(difference, std::abs(d.qacc[i] - e.qacc[i]));
      // cfm falls with μ²
      if (last > 1e-7) {
        EXPECT_LT(difference, last / 20) << mimics;
      }
      last = difference;
    }
    EXPECT_LT(last, 1e-3) << mimics;
  }
}

// All integrators: one step of M - hD with the follower eliminated equals the step of a soft mimic's limit.
TEST(MimicExact, ImplicitStepsEliminateDampingToo) {
  for (const char* mimics : kMimics) {
    for (const Integrator integrator : kIntegrators) {
      Model m = load_model_string(branches(mimics));
      for (int i = 0; i < m.nv; ++i) m.dof_damping[i] = 0.3 + 0.1 * i;
      m.opt.integrator = integrator;
      State s(m);
      randomise(m, s, 5);
      project_state(m, s);
      Data d(m);
      // (M - hD) (v⁺ - v)/h = f, with multipliers: v⁺ satisfies the rows, and G'(…) vanishes. Checked by momentum along
      // G.
      State before = s;
      ASSERT_TRUE(step(m, s, d).ok());
      EXPECT_LT(largest_residual(m, s), 1e-12);
      if (integrator != Integrator::kEuler) continue;
      State free = before;
      for (int e = 0; e < m.neq; ++e) free.eq_active[e] = false;
      Data all(m);
      forward(m, free, all);
      std::vector<double> a(m.nv), rest(m.nv);
      for (int i = 0; i < m.nv; ++i) a[i] = (s.qvel[i] - before.qvel[i]) / m.opt.timestep;
      multiply_mass(m, all, a.data(), rest.data());
      for (int i = 0; i < m.nv; ++i) rest[i] += m.opt.timestep * m.dof_damping[i] * a[i] - all.qfrc_smooth[i];
      // what is left is J'λ: pushing followers' shares to the leaders leaves nothing
      for (int k = 0; k < m.nfollower; ++k) {
        const int mimic = m.follower_mimicid[k], f = m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[mimic]]];
        for (int i = m.mimic_leadadr[mimic]; i < m.mimic_leadadr[mimic] + m.mimic_leadnum[mimic]; ++i) {
          rest[m.jnt_dofadr[m.mimic_leadid[i]]] -= m.mimic_gear[i] * rest[f];
        }
        rest[f] = 0;
      }
      for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(rest[i], 0, 1e-8) << mimics << " dof " << i;
    }
  }
}

TEST(MimicExact, AFreeGearedPairKeepsItsEnergy) {
  Model m = load_model_string(branches(kMimics[2]));
  for (int k = 0; k < 3; ++k) m.opt.gravity[k] = 0;
  m.opt.integrator = Integrator::kRk4;
  m.opt.timestep = 0.001;
  m.opt.enableflags |= kEnableEnergy;
  State s(m);
  randomise(m, s, 1);
  std::fill_n(s.qfrc_applied, m.nv, 0.0);
  std::fill_n(s.xfrc_applied, 6 * m.nbody, 0.0);
  project_state(m, s);
  Data d(m);
  forward(m, s, d);
  const double start = d.energy[1];
  for (int i = 0; i < 2000; ++i) step(m, s, d);
  forward(m, s, d);
  EXPECT_NEAR(d.energy[1], start, 1e-7 * start);
}

TEST(MimicExact, LongRunsStayOnTheManifold) {
  const int steps = std::getenv("PLIANT_FULL") ? 1000000 : 10000;
  for (const char* scene : {"mimic_gripper", "mimic_hand", "gear_chain"}) {
    Model m = load_scene(scene);
    State s(m);
    Data d(m);
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    double most = 0;
    for (int i = 0; i < steps; ++i) {
      if (i % 200 == 0) {
        for (int k = 0; k < m.nu; ++k) {
          const double *range = m.actuator_ctrlrange + 2 * k, u = uniform(generator);
          s.ctrl[k] = m.actuator_ctrllimited[k] ? range[0] + u * (range[1] - range[0]) : 1.5 * u - 0.3;
        }
        m.opt.solver = kSolvers[i / 200 % 4];
        m.opt.integrator = kIntegrators[i / 800 % 4];
      }
      ASSERT_TRUE(step(m, s, d).ok()) << scene << " " << i << " " << describe_status(m, d, {1 << 6});
      most = std::max(most, largest_residual(m, s));
    }
    EXPECT_LE(most, 1e-12) << scene;
    EXPECT_EQ(d.faults[static_cast<int>(Fault::kFollowerIgnored)].count, 0);
  }
}

TEST(MimicExact, AGivenFollowerIsIgnoredAndCounted) {
  const Model m = load_model_string(branches(kMimics[0]));
  State s(m);
  Data d(m);
  const int c = m.jnt_qposadr[m.id(ObjType::kJoint, "c")], f = m.jnt_qposadr[m.id(ObjType::kJoint, "d")];
  s.qpos[c] = 0.5;
  EXPECT_TRUE(forward(m, s, d).ok());
  EXPECT_EQ(d.faults[static_cast<int>(Fault::kFollowerIgnored)].count, 1);
  EXPECT_NE(describe_status(m, d, {1 << static_cast<int>(Fault::kFollowerIgnored)}).find("leaders"), std::string::npos);
  EXPECT_EQ(s.qpos[f], 0);  // a state that is only read stays
  State t = s;
  t.qpos[f] = 0.35;
  Data e(m);
  forward(m, t, e);
  EXPECT_EQ(e.faults[static_cast<int>(Fault::kFollowerIgnored)].count, 0);
  for (int i = 0; i < m.nv; ++i) EXPECT_EQ(d.qacc[i], e.qacc[i]);
  step(m, s, d);
  EXPECT_NEAR(s.qpos[f], 0.7 * s.qpos[c], 1e-15);
}

TEST(MimicExact, CanBeSwitchedOff) {
  Model m = load_model_string(branches(kMimics[6]));
  Model none = load_model_string(branches(""));
  State s(m), t(none);
  randomise(m, s, 2);
  std::copy_n(s.qpos, m.nq, t.qpos);
  std::copy_n(s.qvel, m.nv, t.qvel);
  std::copy_n(s.qfrc_applied, m.nv, t.qfrc_applied);
  std::copy_n(s.xfrc_applied, 6 * m.nbody, t.xfrc_applied);
  Data d(m), e(none);
  for (const Integrator integrator : kIntegrators) {
    m.opt.integrator = none.opt.integrator = integrator;
    for (int k = 0; k < m.neq; ++k) s.eq_active[k] = false;
    for (int n = 0; n < 20; ++n) {
      step(m, s, d);
      step(none, t, e);
    }
    for (int i = 0; i < m.nq; ++i) EXPECT_NEAR(s.qpos[i], t.qpos[i], 1e-12) << int(integrator);
  }
}

TEST(MimicExact, AForceOnTheFollowerSplitsByItsGear) {
  // q_b = 2 q_a: a force F on b and -2F on a are in balance, λ = -F carries it
  const Model m = load_model_string(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='a' type='slide' axis='1 0 0'/><geom "
      "size='.1'/></body>"
      "<body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody><equality>"
      "<mimic name='m' joint1='b' joint2='a' gear='-2'/></equality></mujoco>");
  State s(m);
  Data d(m);
  s.qfrc_applied[1] = 3, s.qfrc_applied[0] = -6;
  forward(m, s, d);
  EXPECT_NEAR(d.qacc[0], 0, 1e-12);
  EXPECT_NEAR(mimic_report(m, s, d, "m").force, -3, 1e-12);
}

TEST(MimicExact, AllocatesNothing) {
  for (const char* scene : {"mimic_gripper", "mimic_hand"}) {
    const Model m = load_scene(scene);
    State s(m);
    Data d(m);
    for (int i = 0; i < 300; ++i) step(m, s, d);
    const long before = allocation_count();
    for (int i = 0; i < 100; ++i) step(m, s, d);
    EXPECT_EQ(allocation_count(), before) << scene;
  }
}

// The gripper closes on a block off its centre, lifts it and holds it; jaws stay symmetric.
TEST(MimicExact, AGripperHoldsABlockUnderEverySolver) {
  for (const char* mode : {"exact", "hard"}) {
    for (const SolverType solver : kSolvers) {
      Model m = load_scene("mimic_gripper");
      if (std::string(mode) == "hard") {
        Loaded loaded = load(source_folder() / "models/mimic_gripper.xml");
        loaded.spec->equalities[0].mode = MimicMode::kHard;
        Diagnostics diagnostics;
        m = *compile(*loaded.spec, diagnostics).model;
      }
      m.opt.solver = solver;
      State s(m);
      s.reset(m, 0);
      Data d(m);
      const int left = m.jnt_qposadr[m.id(ObjType::kJoint, "left")],
                right = m.jnt_qposadr[m.id(ObjType::kJoint, "right")];
      const int block = m.jnt_qposadr[m.id(ObjType::kJoint, "block")];
      double gap = 0;
      const auto run = [&](double lift, double grip, int steps) {
        s.ctrl[0] = lift, s.ctrl[1] = grip;
        for (int i = 0; i < steps; ++i) {
          ASSERT_TRUE(step(m, s, d).ok());
          gap = std::max(gap, std::abs(s.qpos[left] - s.qpos[right]));
        }
      };
      run(-0.02, 0.04, 400);
      run(-0.02, -0.005, 600);
      run(0.15, -0.005, 1500);
      EXPECT_GT(s.qpos[block + 2], 0.12) << mode << " " << int(solver);
      EXPECT_NEAR(s.qpos[block + 1], 0, 0.004) << mode << " " << int(solver);
      EXPECT_LT(gap, std::string(mode) == "exact" ? 1e-12 : 1e-4) << mode << " " << int(solver);
    }
  }
}

// A limit, a contact and a stiff drive at once.
TEST(MimicExact, AgainstLimitContactAndStiffDriveStaysBounded) {
  for (const char* mode : {"exact", "hard", "soft"}) {
    for (const SolverType solver : kSolvers) {
      Model m = load_model_string(
          "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='0.002'/><worldbody><geom type='plane' "
          "size='1 1 .1'/>"
          "<body pos='0 0 0.3'><joint name='a' type='slide' axis='0 0 1' range='-0.15 0.2'/><geom size='.05'/></body>"
          "<body pos='0.5 0 0.2'><joint name='b' type='slide' axis='0 0 1'/><geom "
          "size='.08'/></body></worldbody><equality>"
          "<mimic joint1='b' joint2='a' gear='-1' mode='" +
          std::string(mode) +
          "' naturalfreq='200' dampratio='1'/></equality>"
          "<actuator><position joint='a' kp='1e5' kv='100'/></actuator></mujoco>");
      m.opt.solver = solver;
      State s(m);
      Data d(m);
      s.ctrl[0] = -0.4;
      for (int i = 0; i < 3000; ++i) {
        ASSERT_TRUE(step(m, s, d).ok()) << mode << " " << int(solver);
        ASSERT_LT(std::abs(s.qpos[0]), 1) << mode << " " << int(solver);
        ASSERT_LT(std::abs(s.qpos[1]), 1) << mode << " " << int(solver);
      }
      EXPECT_LT(std::abs(s.qvel[0]), 1) << mode << " " << int(solver);
    }
  }
}

}  // namespace
}  // namespace pliant
