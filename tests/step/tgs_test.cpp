// TGS through whole steps: free fall, so many steps in one, PGS with one substep, memory of rows, stacks and unequal
// masses beside PGS. Formulas are those of docs/physics.md.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pliant/batch.h"
#include "pliant/query.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr Integrator kWithSubsteps[] = {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast};

Model from(const std::string& options, const std::string& world, const std::string& rest = "") {
  return load_model_string("<mujoco><option " + options + "/><worldbody>" + world + "</worldbody>" + rest +
                           "</mujoco>");
}

void use_tgs(Model& m, int substeps = 4, int sweeps = 2) {
  m.opt.solver = SolverType::kTgs;
  m.opt.tgs_substeps = substeps;
  m.opt.tgs_sweeps = sweeps;
}

void run(const Model& m, State& s, Data& d, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(m, s, d).ok()) << i;
}

std::vector<double> positions(const Model& m, const State& s) { return {s.qpos, s.qpos + m.nq}; }

// ---- free motion --------------------------------------------------------------------------------

// As under other solvers; with equalities positions are those of the parts, which fall as their mean velocity says.
TEST(FreeFall, DependsOnSubstepsOnlyWhereThereAreEqualities) {
  for (Integrator integrator : kWithSubsteps) {
    for (int n : {1, 2, 4, 16}) {
      for (bool equality : {false, true}) {
        Model m = from("solver='TGS' timestep='.01' gravity='0 0 -10'",
                       "<body><freejoint/><geom size='.1'/></body>"
                       "<body pos='1 0 0'><joint name='a' type='slide'/><geom size='.1'/></body>",
                       equality ? "<equality><joint joint1='a' active='false'/></equality>" : "");
        use_tgs(m, n);
        m.opt.integrator = integrator;
        State s(m);
        Data d(m);
        run(m, s, d, 1);
        const double fall = 10 * 0.01 * 0.01 * (equality ? (n + 1) / (2.0 * n) : 1);
        EXPECT_NEAR(s.qpos[2], -fall, 1e-18) << n;
        EXPECT_NEAR(s.qpos[7], -fall, 1e-18) << n;
        EXPECT_NEAR(s.qvel[2], -10 * 0.01, 1e-16) << n;
        EXPECT_NEAR(d.qacc[2], -10, 1e-13) << n;
      }
    }
  }
}

// Trees that touch nothing fall alike, whether others have constraints or not.
TEST(FreeFall, IsTheSameBesideOthersThatTouch) {
  const std::string alone = "<body pos='5 0 3'><freejoint/><geom type='box' size='.1 .2 .3'/></body>";
  const std::string touching =
      "<geom type='plane' size='9 9 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body>";
  Model a = from("solver='TGS'", alone), b = from("solver='TGS'", alone + touching);
  State s(a), t(b);
  Data d(a), e(b);
  for (int i = 0; i < 6; ++i) s.qvel[i] = t.qvel[i] = 0.3 * i - 1;
  run(a, s, d, 20);
  run(b, t, e, 20);
  EXPECT_GT(e.rows.n, 0);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(s.qpos[i], t.qpos[i]);
}

// ---- so many steps in one -----------------------------------------------------------------------

/// A slider that falls on the ground, and two geared ones; rows do not change with the configuration.
Model linear_system(const std::string& options) {
  return from(
      options + " gravity='0 0 -10'",
      "<geom type='plane' size='5 5 1' solimp='.9 .9 0' condim='1'/>"
      "<body pos='0 0 .11'><joint type='slide' axis='0 0 1'/><geom size='.1' condim='1' solimp='.9 .9 0' "
      "mass='2'/></body>"
      "<body pos='1 0 5'><joint name='a' type='slide' axis='0 0 1' frictionloss='.5'/><geom size='.1' mass='1'/></body>"
      "<body pos='2 0 5'><joint name='b' type='slide' axis='0 0 1' range='-.05 1' limited='true' solimplimit='.9 .9 "
      "0'/>"
      "<geom size='.1' mass='3'/></body>",
      "<equality><joint joint1='a' joint2='b' polycoef='0 -2 0 0 0' solimp='.8 .8 0'/></equality>");
}

TEST(Substeps, EndWhereStepsOfTheirLengthEnd) {
  for (int n : {2, 4, 8}) {
    Model whole = linear_system("timestep='.008' solver='TGS'"),
          part = linear_system("timestep='.008' solver='Newton'");
    use_tgs(whole, n, 200);
    part.opt.timestep = whole.opt.timestep / n;
    part.opt.tolerance = 1e-20;
    State s(whole), t(part);
    Data d(whole), e(part);
    // (on the way a row that appears within a step is seen only when the next begins)
    run(whole, s, d, 400);
    run(part, t, e, 400 * n);
    for (int k = 0; k < whole.nv; ++k) {
      EXPECT_NEAR(s.qpos[k], t.qpos[k], 1e-6) << n << " " << k;
      EXPECT_NEAR(s.qvel[k], 0, 1e-6);
    }
  }
}

// From a state in which all rows are there for good the agreement is that of the arithmetic.
TEST(Substeps, AreExactlyStepsOfTheirLengthWhereRowsStay) {
  for (Integrator integrator : kWithSubsteps) {
    for (int n : {2, 4, 8}) {
      Model whole = linear_system("timestep='.008' solver='TGS'"),
            part = linear_system("timestep='.008' solver='Newton'");
      use_tgs(whole, n, 300);
      part.opt.timestep = whole.opt.timestep / n;
      part.opt.tolerance = 1e-25;
      whole.opt.integrator = part.opt.integrator = integrator;
      State s(whole), t(part);
      Data d(whole), e(part);
      for (State* state : {&s, &t}) {
        state->qpos[0] = -0.02;
        state->qpos[1] = 0.1;
        state->qpos[2] = -0.06;
        state->qvel[0] = 0.05;
      }
      run(whole, s, d, 1);
      run(part, t, e, n);
      for (int k = 0; k < whole.nv; ++k) {
        EXPECT_NEAR(s.qpos[k], t.qpos[k], 1e-10) << n << " " << k;
        EXPECT_NEAR(s.qvel[k], t.qvel[k], 1e-8) << n << " " << k;
      }
    }
  }
}

TEST(Substeps, OneOfThemIsPgsBitForBit) {
  for (const char* scene : {"drop", "gripper", "beads", "stack_of_boxes"}) {
    for (Integrator integrator : {Integrator::kEuler, Integrator::kImplicitFast, Integrator::kRk4}) {
      Model m = load_scene(scene);
      m.opt.integrator = integrator;
      m.opt.disableflags |= kDisableWarmStart;
      m.opt.tolerance = 0;
      m.opt.iterations = 6;
      Model tgs = m;
      m.opt.solver = SolverType::kPgs;
      // the stages of Runge-Kutta are not divided: all sweeps at once
      use_tgs(tgs, integrator == Integrator::kRk4 ? 3 : 1, integrator == Integrator::kRk4 ? 2 : 6);
      State s(m), t(tgs);
      Data d(m), e(tgs);
      int rows = 0;
      for (int i = 0; i < 40; ++i) {
        run(m, s, d, 1);
        run(tgs, t, e, 1);
        rows += d.rows.n;
        ASSERT_EQ(positions(m, s), positions(tgs, t)) << scene << " " << i;
      }
      if (std::string(scene) != "drop") {
        EXPECT_GT(rows, 0) << scene;
      }
    }
  }
}

// ---- memory -------------------------------------------------------------------------------------

constexpr const char* kTouching[] = {"drop", "gripper", "quadruped", "stack_of_boxes"};

class TgsScenes : public testing::TestWithParam<const char*> {
 protected:
  TgsScenes() : m(load_scene(GetParam())), steps(GetParam() == std::string("drop") ? 300 : 60) { use_tgs(m); }
  State thrown() const {
    State s(m);
    for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.3 * std::sin(7.0 * i + 1);
    return s;
  }
  Model m;
  int steps;
};

TEST_P(TgsScenes, AllocateNothing) {
  for (Integrator integrator :
       {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit, Integrator::kImplicitFast}) {
    m.opt.integrator = integrator;
    Data d(m);
    State s = thrown();
    run(m, s, d, steps);
    State again = thrown();
    const long before = allocation_count();
    for (int i = 0; i < steps; ++i) step(m, again, d);
    EXPECT_EQ(allocation_count(), before) << static_cast<int>(integrator);
    EXPECT_GT(d.rows.n, 0);
    EXPECT_EQ(d.row_memory_dropped, 0);
  }
}

TEST_P(TgsScenes, ContinueFromASnapshotAndWithAFreshDataBitForBit) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    m.opt.cone = cone;
    State s = thrown();
    Data d(m);
    run(m, s, d, steps);
    State restored = s;
    EXPECT_EQ(restored.hash(), s.hash());
    EXPECT_FALSE(s.row_memory.entries.empty());
    run(m, s, d, steps);
    for (int i = 0; i < steps; ++i) {
      Data fresh(m);
      ASSERT_TRUE(step(m, restored, fresh).ok());
    }
    EXPECT_EQ(restored.hash(), s.hash());
    // without the memory the motion is another one: it is part of the state
    restored.row_memory.clear();
    EXPECT_NE(restored.hash(), s.hash());
  }
}

TEST_P(TgsScenes, GiveEqualBitsInABatch) {
  State s(m);
  Data d(m);
  run(m, s, d, steps);
  for (int threads : {1, 3}) {
    BatchOptions options;
    options.threads = threads;
    Batch batch(m, 5, options);
    for (int i = 0; i < steps; ++i) batch.step();
    const BatchField field = batch.field("qpos");
    for (int world = 0; world < 5; ++world) {
      const double* qpos = static_cast<const double*>(field.data) + world * m.nq;
      EXPECT_EQ(std::vector<double>(qpos, qpos + m.nq), positions(m, s)) << world;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Models, TgsScenes, testing::ValuesIn(kTouching),
                         [](const auto& info) { return std::string(info.param); });

TEST(RowMemory, IsThereForTgsOnly) {
  Model m = load_scene("stack_of_boxes");
  State s(m);
  Data d(m);
  run(m, s, d, 10);
  EXPECT_TRUE(s.row_memory.entries.empty());
  // the solver may change while a simulation runs
  use_tgs(m);
  run(m, s, d, 10);
  EXPECT_FALSE(s.row_memory.entries.empty());
  const size_t rows = s.row_memory.force.size();
  EXPECT_EQ(rows, static_cast<size_t>(d.rows.n));
  for (size_t i = 1; i < s.row_memory.entries.size(); ++i) {
    const RowMemory::Entry &a = s.row_memory.entries[i - 1], &b = s.row_memory.entries[i];
    EXPECT_TRUE(a.kind < b.kind ||
                (a.kind == b.kind && (a.id[0] < b.id[0] || (a.id[0] == b.id[0] && a.id[1] <= b.id[1]))));
  }
  m.opt.solver = SolverType::kNewton;
  run(m, s, d, 1);
  EXPECT_TRUE(s.row_memory.entries.empty());
  use_tgs(m);
  run(m, s, d, 1);
  s.reset(m);
  EXPECT_TRUE(s.row_memory.entries.empty());
}

TEST(RowMemory, OfAFixedArenaIsBoundedAndCounted) {
  Model m = load_scene("stack_of_boxes");
  State s(m);  // made for another solver: no room yet
  use_tgs(m);
  Data d(m);
  run(m, s, d, 3);
  s.row_memory = RowMemory();
  s.row_memory.reserve(2, 8);
  d.arena.fixed = true;
  run(m, s, d, 1);
  EXPECT_LE(s.row_memory.entries.size(), 2u);
  EXPECT_GT(d.row_memory_dropped, 0);
}

// ---- physics ------------------------------------------------------------------------------------

// At rest a contact is as deep as with every other solver.
TEST(Rest, DepthOfASphereIsThatOfTheLaw) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    for (int condim : {1, 3}) {
      Model m = from("solver='TGS' timestep='.002' cone='" + std::string(cone) + "'",
                     "<geom type='plane' size='5 5 1' solimp='.9 .9 0' solref='.02 1'/><body pos='0 0 "
                     ".1'><freejoint/><geom size='.1' "
                     "mass='2' friction='1' solimp='.9 .9 0' solref='.02 1' condim='" +
                         std::to_string(condim) + "'/></body>");
      State s(m);
      Data d(m);
      run(m, s, d, 2000);
      EXPECT_NEAR(0.1 - s.qpos[2], 9.81 * 0.1 * 0.02 * 0.02, 1e-9) << cone << condim;
      EXPECT_TRUE(d.solver.converged());
    }
  }
}

// A block that cannot turn, on a slope of friction 0.5: gravity leans instead.
constexpr double kFriction = 0.5, kImpedance = 0.9, kTimeconst = 0.02;
struct Slope {
  double pull, press;  // accelerations along it and into it
  explicit Slope(double tangent)
      : pull(9.81 * std::sin(std::atan(tangent))), press(9.81 * std::cos(std::atan(tangent))) {}
  static double mass(const Model& m) { return m.body_mass[1]; }
  Model model(ConeType cone, int substeps) const {
    const std::string law = " solimp='.9 .9 0' solref='.02 1' friction='.5'";
    Model m = from("timestep='.002'", "<geom type='plane' size='50 50 1'" + law +
                                          "/><body pos='0 0 .0999'><joint type='slide' axis='1 0 0'/>"
                                          "<joint type='slide' axis='0 0 1'/><geom size='.1'" +
                                          law + "/></body>");
    use_tgs(m, substeps);
    m.opt.cone = cone;
    m.opt.gravity[0] = pull, m.opt.gravity[2] = -press;
    return m;
  }
};

// Inside the cone friction is a row with damping only, R f = B v: it gives way with a (1 - d) timeconst / 2, a pyramid
// whose edges all press (tangent < mu / 2) 1 + mu^2 times as fast. Nothing hops: every solver creeps alike.
TEST(Friction, CreepsBelowTheConeAsTheLawAndNewtonSay) {
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (double tangent : {0.2, 0.4}) {
      const Slope slope(tangent);
      Model newton = slope.model(cone, 1);
      newton.opt.solver = SolverType::kNewton;
      State t(newton);
      Data e(newton);
      run(newton, t, e, 1500);
      const double creep = slope.pull * (1 - kImpedance) * kTimeconst / 2 *
                           (cone == ConeType::kElliptic ? 1 : 1 + kFriction * kFriction);
      for (int substeps : {1, 2, 4, 8}) {
        const Model m = slope.model(cone, substeps);
        State s(m);
        Data d(m);
        run(m, s, d, 1500);
        EXPECT_NEAR(s.qvel[0], t.qvel[0], 1e-6 * creep) << substeps;
        if (cone == ConeType::kElliptic || tangent < kFriction / 2) {
          EXPECT_NEAR(s.qvel[0], creep, 1e-6 * creep) << substeps;
        }
      }
    }
  }
}

// Sliding friction is mu times the normal force. A contact that slides fast hops: the convex cone asks for a speed mu v
// away from the ground, and the rows of a contact that opened come back when the next step begins. When it hops depends
// on the solver and its substeps, so the speed along the slope at one moment differs by mu times the speeds of hops
// (some percent here, Newton with h and with h/4 included) and is no measure. Impulses are: whatever the hops, as long
// as it slides,
//   v_t + mu v_n = v_t(0) + mu v_n(0) + (pull - mu press) t        v_n the speed away from the slope
// to rounding, with two sweeps as with many.
TEST(Friction, SlidesByCoulombsLaw) {
  const double seconds = 0.5;
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    for (int substeps : {1, 2, 4, 8}) {
      for (double tangent : {0.0, 0.6}) {
        const Slope slope(tangent);
        const Model m = slope.model(cone, substeps);
        State s(m);
        Data d(m);
        s.qvel[0] = 4;
        run(m, s, d, 20);  // it lands
        const double tangential = s.qvel[0], normal = s.qvel[1];
        double press = 0;
        for (int i = 0; i < 250; ++i) {
          run(m, s, d, 1);
          press += d.qfrc_constraint[1] / Slope::mass(m) * m.opt.timestep;
        }
        const double friction = kFriction * (slope.press * seconds + s.qvel[1] - normal);
        EXPECT_NEAR(s.qvel[0] - tangential, slope.pull * seconds - friction, 1e-12)
            << static_cast<int>(cone) << " " << substeps;
        // hops are small beside what pressed: the normal force is the weight, and friction mu g cos
        EXPECT_NEAR(press, slope.press * seconds + s.qvel[1] - normal, 1e-12);
        EXPECT_LT(std::fabs(s.qvel[1]), kFriction * 4) << "faster than the cone asks for";
        EXPECT_GT(s.qvel[0], 1) << "it still slides, or the test says nothing";
      }
    }
  }
}

TEST(Noslip, TakesTheCreepOut) {
  double speed[2];
  for (int k = 0; k < 2; ++k) {
    Model m = from(
        "solver='TGS' cone='elliptic' gravity='3 0 -9' noslip_iterations='" + std::to_string(10 * k) + "'",
        "<geom type='plane' size='5 5 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .2 .1'/></body>");
    State s(m);
    Data d(m);
    run(m, s, d, 400);
    speed[k] = s.qvel[0];
  }
  EXPECT_GT(speed[0], 1e-4);
  EXPECT_LT(std::fabs(speed[1]), 0.05 * speed[0]);
}

TEST(Islands, DoNotDependOnWhatIsFarAway) {
  const std::string pile =
      "<geom type='plane' size='50 50 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='.02 0 .31'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
  Model a = from("solver='TGS'", pile);
  Model b =
      from("solver='TGS'", pile + "<body pos='20 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='7'/></body>");
  State s(a), t(b);
  Data d(a), e(b);
  run(a, s, d, 200);
  run(b, t, e, 200);
  for (int i = 0; i < 14; ++i) EXPECT_EQ(s.qpos[i], t.qpos[i]) << i;
}

TEST(Faults, NumbersThatAreNoneRefuseTheStep) {
  Model m = load_scene("stack_of_boxes");
  use_tgs(m);
  State s(m);
  Data d(m);
  run(m, s, d, 5);
  const uint64_t before = s.hash();
  m.geom_friction[3] = std::numeric_limits<double>::quiet_NaN();
  Data e(m);
  EXPECT_FALSE(step(m, s, e).ok());
  EXPECT_EQ(s.hash(), before);
}

// ---- beside PGS at equal cost -------------------------------------------------------------------

/// A tower of boxes; the last weighs `top`.
Model tower(int count, double top) {
  std::string world = "<geom type='plane' size='5 5 1'/>";
  for (int i = 0; i < count; ++i) {
    world += "<body pos='0 0 " + std::to_string(0.1 + 0.2 * i) +
             "'><freejoint/><geom type='box' size='.1 .1 .1' mass='" + std::to_string(i + 1 == count ? top : 1.0) +
             "'/></body>";
  }
  return from("timestep='.005' cone='elliptic'", world);
}

/// Deepest overlap and largest speed in the last of two seconds.
struct Unrest {
  double overlap = 0, speed = 0;
};
Unrest unrest(Model& m) {
  State s(m);
  Data d(m);
  Unrest out;
  for (int i = 0; i < 400; ++i) {
    EXPECT_TRUE(step(m, s, d).ok());
    if (i < 200) continue;
    for (int c = 0; c < d.ncon; ++c) out.overlap = std::max(out.overlap, -d.contact[c].dist);
    for (int k = 0; k < m.nv; ++k) out.speed = std::max(out.speed, std::fabs(s.qvel[k]));
  }
  return out;
}

/// Eight sweeps each: PGS all at once, TGS two in each of four substeps.
struct EqualCost {
  Unrest pgs, tgs, newton;
};
EqualCost compare(const Model& m) {
  Model pgs = m, tgs = m, newton = m;
  pgs.opt.solver = SolverType::kPgs;
  pgs.opt.iterations = 8;
  pgs.opt.tolerance = 0;
  use_tgs(tgs, 4, 2);
  return {unrest(pgs), unrest(tgs), unrest(newton)};
}

// The table of docs/physics.md, [mm] and [m/s]; 0: it does not stand (boxes move faster than 0.5 m/s).
TEST(BesidePgs, TowersStandAsTheTableSays) {
  const struct {
    int boxes;
    double top, pgs, tgs, newton;  // overlap
  } table[] = {{2, 1, 0.35, 0.21, 0.21},
               {5, 1, 1.10, 0.59, 0.56},
               {10, 1, 6.60, 2.53, 0.90},
               {2, 100, 0, 5.6, 5.0},
               {5, 100, 0, 0, 10.2}};
  for (const auto& line : table) {
    const EqualCost c = compare(tower(line.boxes, line.top));
    const auto agrees = [&](const Unrest& seen, double overlap, const char* solver) {
      if (overlap == 0) {
        EXPECT_GT(seen.speed, 0.5) << line.boxes << " " << solver;
      } else {
        EXPECT_NEAR(1e3 * seen.overlap, overlap, 0.03 * overlap) << line.boxes << " " << solver;
        EXPECT_LT(seen.speed, 0.5) << line.boxes << " " << solver;
      }
    };
    agrees(c.pgs, line.pgs, "PGS");
    agrees(c.tgs, line.tgs, "TGS");
    agrees(c.newton, line.newton, "Newton");
    // what stands under both stands firmer under TGS
    if (line.pgs > 0) {
      EXPECT_LT(c.tgs.overlap, 0.65 * c.pgs.overlap);
      EXPECT_LT(c.tgs.speed, 0.5 * c.pgs.speed);
    }
  }
}

// ---- findings -----------------------------------------------------------------------------------

TEST(Findings, OfOptionsThatHaveNoEffectOrNoMeaning) {
  const auto text = [](const std::string& option) {
    const Report report = load_report_string("<mujoco><option " + option + "/><worldbody/></mujoco>");
    return to_text(report.diagnostics);
  };
  EXPECT_NE(text("solver='TGS' iterations='50'").find("iterations has no effect on the solver TGS"), std::string::npos);
  EXPECT_NE(text("solver='TGS' integrator='RK4'").find("RK4"), std::string::npos);
  EXPECT_NE(text("tgs_substeps='0'").find("tgs_substeps must be 1 to 10000, not 0"), std::string::npos);
  EXPECT_NE(text("tgs_sweeps='-3'").find("tgs_sweeps must be 1 to 10000, not -3"), std::string::npos);
  EXPECT_EQ(text("solver='TGS' tgs_substeps='8' tgs_sweeps='1'"), "0 errors, 0 warnings");
  EXPECT_EQ(text("iterations='50'"), "0 errors, 0 warnings");
}

}  // namespace
}  // namespace pliant
