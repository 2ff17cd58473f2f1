// Constraints that contradict each other, repeat each other, or are not numbers: the result is finite, or the status
// names the row, what it comes from and where that was written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

int bit(Fault fault) { return 1 << static_cast<int>(fault); }

bool all_finite(const State& s, const Model& m) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::all_of(s.qpos, s.qpos + m.nq, finite) && std::all_of(s.qvel, s.qvel + m.nv, finite);
}

double fastest(const State& s, const Model& m) {
  double most = 0;
  for (int i = 0; i < m.nv; ++i) most = std::max(most, std::abs(s.qvel[i]));
  return most;
}

// Every solver, cone and integrator; returns the fastest motion at the end.
double expect_finite(Model& m, const char* what, int steps = 100) {
  double most = 0;
  for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs}) {
    for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      for (Integrator integrator : {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicitFast}) {
        m.opt.solver = solver, m.opt.cone = cone, m.opt.integrator = integrator;
        State s(m);
        Data d(m);
        for (int i = 0; i < steps; ++i) {
          const StepStatus status = step(m, s, d);
          EXPECT_TRUE(status.ok()) << what << ": " << describe_status(m, d, status);
          if (!status.ok()) break;
        }
        EXPECT_TRUE(all_finite(s, m)) << what;
        EXPECT_TRUE(std::isfinite(d.solver.gap())) << what;
        most = std::max(most, fastest(s, m));
      }
    }
  }
  return most;
}

TEST(ConstraintFaults, RedundantRows) {
  std::string equalities;
  for (int i = 0; i < 6; ++i)
    equalities += "<weld body1='a'/><connect body1='a' anchor='.1 0 0'/><joint joint1='j' polycoef='.1 0 0 0 0'/>";
  Model m = load_model_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 .099'><freejoint/><geom type='box' "
      "size='.1 .1 .1'/></body><body pos='1 0 1'><joint name='j' range='-5 5' frictionloss='1'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody><equality>" +
      equalities + "</equality></mujoco>");
  EXPECT_LT(expect_finite(m, "redundant"), 10);
}

TEST(ConstraintFaults, OpposingEqualities) {
  Model m = load_model_string(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body><body><joint name='j'/>"
      "<geom size='.1' pos='.1 0 0'/></body></worldbody><equality><joint name='up' joint1='j' polycoef='1 0 0 0 0'/>"
      "<joint name='down' joint1='j' polycoef='-1 0 0 0 0'/>"
      "<weld body1='a' relpose='0 0 3 1 0 0 0'/><weld body1='a' relpose='0 0 -3 0 1 0 0'/></equality></mujoco>");
  expect_finite(m, "opposing", 300);
  // neither wins
  m.opt.solver = SolverType::kNewton, m.opt.integrator = Integrator::kEuler;
  State s(m);
  Data d(m);
  for (int i = 0; i < 2000; ++i) step(m, s, d);
  EXPECT_NEAR(s.qpos[7], 0, 0.05);
}

TEST(ConstraintFaults, MassesOfAMillionToOne) {
  const char* kinds[][2] = {{"1e-3", "1e3"}, {"1e3", "1e-3"}};
  for (const auto& masses : kinds) {
    Model m = load_model_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='low' pos='0 0 .0999'><freejoint/><geom "
        "type='box' size='.1 .1 .1' mass='" +
        std::string(masses[0]) +
        "'/></body><body name='high' pos='0 0 .2997'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' mass='" +
        masses[1] +
        "'/></body><body name='tied' pos='1 0 .5'><freejoint/>"
        "<geom size='.1' mass='" +
        masses[0] + "'/></body><body name='to' pos='1 0 1'><freejoint/><geom size='.1' mass='" + masses[1] +
        "'/></body></worldbody><equality><weld body1='tied' body2='to'/></equality></mujoco>");
    EXPECT_LT(expect_finite(m, "mass ratio"), 50);
  }
}

TEST(ConstraintFaults, ReferencesFarBelowTheTimestep) {
  Model m = load_model_string(
      "<mujoco><option timestep='.01'/><default><geom solref='1e-7 1' solimp='.99 .9999 1e-6'/></default><worldbody>"
      "<geom type='plane' size='1 1 1'/><body pos='0 0 .12'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='1 0 1'><joint name='j' limited='true' range='10 20' solreflimit='1e-9 1'/><geom size='.1' pos='.1 0 "
      "0'/>"
      "</body></worldbody></mujoco>");
  expect_finite(m, "short solref");
  {
    // raised to two timesteps, and counted
    State s(m);
    Data d(m);
    step(m, s, d);
    EXPECT_GT(d.clamps[1], 0) << "refsafe";
    EXPECT_TRUE(d.rows.row_clamps[0] & static_cast<int>(RowClamp::kRefsafe));
  }
  // without that protection it may explode; then the step says so and keeps the last good state
  m.opt.disableflags |= kDisableRefSafe;
  m.opt.integrator = Integrator::kEuler;
  State s(m);
  Data d(m);
  for (int i = 0; i < 2000; ++i) {
    const State before = s;
    const StepStatus status = step(m, s, d);
    if (status.ok()) continue;
    EXPECT_EQ(s.hash(), before.hash());
    EXPECT_NE(describe_status(m, d, status).find("not changed"), std::string::npos);
    break;
  }
  EXPECT_TRUE(all_finite(s, m));
}

TEST(ConstraintFaults, DirectionsWithoutMass) {
  // a hinge about the axis of a point mass, held and limited
  Model m = load_model_string(
      "<mujoco><compiler boundmass='0' boundinertia='0'/><worldbody><body><joint name='spin' axis='1 0 0' "
      "armature='1e-300'/>"
      "<joint name='swing' axis='0 1 0' limited='true' range='10 20'/><inertial pos='1 0 0' mass='1' "
      "diaginertia='1e-12 1e-12 1e-12'/></body></worldbody>"
      "<equality><joint joint1='spin' polycoef='1 0 0 0 0'/></equality></mujoco>");
  for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs}) {
    m.opt.solver = solver;
    for (double inertia : {1e-12, 0.0}) {
      m.body_inertia[3] = m.body_inertia[4] = m.body_inertia[5] = inertia;
      State s(m);
      Data d(m);
      for (int i = 0; i < 100; ++i) {
        const StepStatus status = step(m, s, d);
        if (!status.ok()) {
          EXPECT_NE(describe_status(m, d, status).find("joint 'sp"), std::string::npos)
              << describe_status(m, d, status);
          break;
        }
      }
      EXPECT_TRUE(all_finite(s, m));
      if (inertia == 0) {
        EXPECT_NE(describe_faults(m, d).find("joint 'spin'"), std::string::npos) << describe_faults(m, d);
      }
    }
  }
}

// ---- NaN in ------------------------------------------------------------------------------------------

struct Broken : testing::Test {
  Broken()
      : m(load_model_string(R"(<mujoco><worldbody>
<geom name="floor" type="plane" size="1 1 1"/>
<body name="a" pos="0 0 .0999"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
<body pos="1 0 1"><joint name="elbow" limited="true" range="10 20" frictionloss="1"/><geom size=".1" pos=".1 0 0"/>
</body>
<body pos="2 0 1"><joint name="knee"/><geom size=".1" pos=".1 0 0"/></body>
</worldbody><tendon>
<fixed name="cord" limited="true" range="1 2" frictionloss="1"><joint joint="knee" coef="1"/></fixed></tendon><equality>
<joint name="gear" joint1="knee" polycoef=".25 0 0 0 0"/></equality></mujoco>)")),
        s(m),
        d(m) {}
  /// What is said after a step with the Model's numbers as they are now; the state must not change.
  std::string said(Integrator integrator = Integrator::kEuler) {
    m.opt.integrator = integrator;
    Data fresh(m);
    const State before = s;
    const StepStatus status = step(m, s, fresh);
    EXPECT_TRUE(status.faults & bit(Fault::kBadRow));
    EXPECT_EQ(s.hash(), before.hash()) << "the state is kept";
    for (int i = 0; i < m.nv; ++i) EXPECT_TRUE(std::isfinite(fresh.qacc[i]));
    EXPECT_NE(describe_faults(m, fresh), "");
    return describe_status(m, fresh, status);
  }
  void expect_said(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
  }
  Model m;
  State s;
  Data d;
};

TEST_F(Broken, Equality) {
  m.eq_data[0] = kNan;
  expect_said(said(), {"row 0 (equality 'gear' at line 9:1)", "is nan", "the state was not changed"});
}
TEST_F(Broken, FrictionLoss) {
  m.dof_invweight0[6] = kNan;
  expect_said(said(), {"row 1 (friction of joint 'elbow' at line 4:19)"});
}
TEST_F(Broken, TendonFriction) {
  m.tendon_invweight0[0] = kNan;
  expect_said(said(), {"friction of tendon 'cord' at line 8:1"});
}
TEST_F(Broken, JointLimit) {
  m.opt.disableflags |= kDisableFrictionLoss;
  m.dof_invweight0[6] = kNan;
  expect_said(said(), {"limit of joint 'elbow' at line 4:19"});
}
TEST_F(Broken, TendonLimit) {
  m.opt.disableflags |= kDisableFrictionLoss;
  m.tendon_invweight0[0] = kNan;
  expect_said(said(), {"limit of tendon 'cord' at line 8:1"});
}
TEST_F(Broken, Contact) {
  m.body_invweight0[2] = kNan;
  expect_said(said(), {"contact of geom 'floor' at line 2:1 and geom 'crate' at line 3:"});
  m.opt.cone = ConeType::kElliptic;
  expect_said(said(), {"contact of geom 'floor' at line 2:1 and geom 'crate' at line 3:"});
}
TEST_F(Broken, AllSolversAndIntegrators) {
  m.eq_data[0] = kNan;
  for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs}) {
    m.opt.solver = solver;
    for (Integrator integrator :
         {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit, Integrator::kImplicitFast}) {
      expect_said(said(integrator), {"equality 'gear'"});
    }
    for (bool islands : {true, false}) {
      m.opt.disableflags = islands ? 0 : kDisableIsland;
      expect_said(said(), {"equality 'gear'"});
    }
  }
}
// Whatever number of the Model is NaN: a finite result, or a status in words. Never an exception, a hang or NaN in the
// state.
TEST_F(Broken, AnyNumberOfTheModel) {
  int refused = 0, fields = 0;
  for (int f = 0; const FieldInfo& info : model_fields()) {
    const int field = f++;
    if (info.scalar != Scalar::real || m.field_count(field) * m.field_width(field) == 0) continue;
    ++fields;
    for (SolverType solver : {SolverType::kPgs, SolverType::kNewton}) {
      Model broken = m;
      broken.opt.solver = solver;
      double* numbers = static_cast<double*>(broken.field_data(field));
      const int n = broken.field_count(field) * broken.field_width(field);
      for (int i = 0; i < n; ++i) numbers[i] = kNan;
      State state(m);
      Data data(broken);
      const StepStatus status = step(broken, state, data);
      EXPECT_TRUE(all_finite(state, broken)) << info.name;
      if (!status.ok()) {
        ++refused;
        EXPECT_NE(describe_status(broken, data, status), "") << info.name;
      }
    }
  }
  EXPECT_GT(fields, 60);
  EXPECT_GT(refused, 20);
}
// A forward pass from a state that is not finite ends, too, and says why.
TEST_F(Broken, StateOfForward) {
  for (int i = 0; i < m.nq; ++i) {
    State bad(m);
    bad.qpos[i] = kNan;
    const StepStatus status = forward(m, bad, d);
    EXPECT_FALSE(status.ok()) << i;
    EXPECT_NE(describe_status(m, d, status), "");
  }
}

}  // namespace
}  // namespace pliant
