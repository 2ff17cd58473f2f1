// A refused step changes nothing: every kind of fault, at every stage that can raise it, with every integrator and
// solver, alone and in a batch, leaves every array of State (and the row memory) bit for bit as it was. What is mended
// afterwards goes on as if the refused steps had never been tried.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "constraint/constraint.h"
#include "pliant/batch.h"
#include "state/fault.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kRefusedScenes[] = {"beads",        "cushion",        "drop",         "gear_chain",
                                          "gripper",      "mimic_gripper",  "mimic_hand",   "quadruped",
                                          "rubber_balls", "stack_of_boxes", "tendon_finger"};

// What the scenes lack: delays of controls and of sensors, activations, mocap bodies, user data, exact followers.
Model model_with_everything() {
  return load_model_string(R"(<mujoco><size nuserdata="3"/><worldbody><geom type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s" pos=".01 0 0"/></body>
    <body name="hand" mocap="true" pos="1 0 1"/>
    <body pos="0 1 1"><joint name="a" damping="1"/><geom size=".05" pos=".2 0 0"/>
      <body pos=".4 0 0"><joint name="b"/><geom size=".05" pos=".2 0 0"/></body></body></worldbody>
    <equality><weld body1="hand" body2="box" active="false"/></equality>
    <actuator><general joint="a" dyntype="integrator" gainprm="2" nsample="5" delay=".006"/>
      <motor joint="a" nsample="4" delay=".004"/></actuator>
    <sensor><framepos objtype="site" objname="s" nsample="4" delay=".006"/>
      <jointpos joint="a" nsample="3" interval=".004"/>
      <framelinvel objtype="body" objname="box"/></sensor></mujoco>)");
}

/// A hash of every array of State, by name, and of the row memory.
std::vector<std::pair<std::string, uint64_t>> hashes(const State& s) {
  std::vector<std::pair<std::string, uint64_t>> list;
  int field = 0;
  for (const StateFieldInfo& info : state_fields()) {
    Hash hash;
    hash.add(s.field_data(field), scalar_bytes(info.scalar) * static_cast<size_t>(s.field_count(field)) *
                                      static_cast<size_t>(s.field_width(field)));
    list.emplace_back(info.name, hash.value());
    ++field;
  }
  list.emplace_back("everything", s.hash());
  return list;
}

int bit(Fault fault) { return 1 << static_cast<int>(fault); }

/// Some steps into the simulation, so that warm start, histories and row memory hold something.
struct World {
  explicit World(const Model& model) : m(model), s(m), d(m) {
    for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.03125 * (i % 7 - 3);
    for (int i = 0; i < m.nu; ++i) s.ctrl[i] = 0.125 * (i % 5 - 1);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(step(m, s, d).ok());
  }
  /// A step that must be refused, and leave the State alone; returns the faults.
  int expect_refused(const std::string& what) {
    const auto before = hashes(s);
    const double time = *s.time;
    const StepStatus status = step(m, s, d);
    EXPECT_FALSE(status.ok()) << what;
    EXPECT_EQ(hashes(s), before) << what;
    for (int i = 0; i < kNumFaults; ++i) {
      if (!(status.faults >> i & 1)) continue;
      seen.insert(i);
      if (std::isnan(time)) continue;
      EXPECT_EQ(d.faults[i].last.time, time) << what << ": the time of the step, not of its end";
    }
    return status.faults;
  }
  const Model& m;
  State s;
  Data d;
  static std::set<int> seen;  // faults for which a step was refused, in this test
};
std::set<int> World::seen;

void expect_seen(std::initializer_list<Fault> faults) {
  for (Fault fault : faults) EXPECT_TRUE(World::seen.count(static_cast<int>(fault))) << static_cast<int>(fault);
}

/// visit(model, name) for all scenes with all integrators and solvers.
template <class F>
void for_all(F&& visit) {
  int count = 0;
  const auto with = [&](Model m, const std::string& scene) {
    for (int integrator = 0; integrator < 4; ++integrator) {
      for (int solver = 0; solver < 4; ++solver) {
        m.opt.integrator = static_cast<Integrator>(integrator);
        m.opt.solver = static_cast<SolverType>(solver);
        m.opt.cone = static_cast<ConeType>(++count % 2);
        visit(m, scene + ", integrator " + std::to_string(integrator) + ", solver " + std::to_string(solver));
      }
    }
  };
  for (const char* scene : kRefusedScenes) with(load_scene(scene), scene);
  with(model_with_everything(), "everything");
}

/// A number of State that a step cannot use, and the fault it is.
struct BadNumber {
  Fault fault;
  double* place;
  double value;
};
std::vector<BadNumber> bad_numbers(const Model& m, State& s) {
  std::vector<BadNumber> list;
  const auto add = [&](Fault fault, double* data, int n) {
    if (n == 0) return;
    list.push_back({fault, data + n / 2, kNan});
    list.push_back({fault, data + n - 1, -HUGE_VAL});
    list.push_back({fault, data, 1e11});
  };
  add(Fault::kBadTime, s.time, 1);
  add(Fault::kBadPosition, s.qpos, m.nq);
  add(Fault::kBadVelocity, s.qvel, m.nv);
  add(Fault::kBadActivation, s.act, m.na);
  add(Fault::kBadControl, s.ctrl, m.nu);
  add(Fault::kBadAppliedForce, s.qfrc_applied, m.nv);
  add(Fault::kBadAppliedForce, s.xfrc_applied, 6 * m.nbody);
  add(Fault::kBadMocap, s.mocap_pos, 3 * m.nmocap);
  add(Fault::kBadMocap, s.mocap_quat, 4 * m.nmocap);
  add(Fault::kBadWarmstart, s.qacc_warmstart, m.nv);
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_history[2 * i] > 0) add(Fault::kBadHistory, s.history + m.actuator_historyadr[i] + 1, 1);
  }
  return list;
}

TEST(RefusedStep, ForBadInput) {
  World::seen.clear();
  for_all([](const Model& m, const std::string& name) {
    World world(m);
    for (const BadNumber& bad : bad_numbers(m, world.s)) {
      const double good = *bad.place;
      *bad.place = bad.value;
      EXPECT_TRUE(world.expect_refused(name) & bit(bad.fault)) << name << ": fault " << static_cast<int>(bad.fault);
      // halves of a step
      const auto before = hashes(world.s);
      EXPECT_FALSE(step1(m, world.s, world.d).ok()) << name;
      EXPECT_FALSE(step2(m, world.s, world.d).ok()) << name;
      EXPECT_EQ(hashes(world.s), before) << name;
      *bad.place = good;
    }
  });
  expect_seen({Fault::kBadTime, Fault::kBadPosition, Fault::kBadVelocity, Fault::kBadActivation, Fault::kBadControl,
               Fault::kBadAppliedForce, Fault::kBadMocap, Fault::kBadWarmstart, Fault::kBadHistory});
}

// Results that are too large: velocities, positions and activations after the step, from input that is not.
TEST(RefusedStep, ForResultsOfTheIntegrator) {
  for_all([](const Model& given, const std::string& name) {
    Model m = given;
    World world(m);
    m.opt.timestep = 1000;
    const State good = world.s;
    int refused = 0;
    const auto attempt = [&](double* numbers, int n, double value) {
      std::fill_n(numbers, n, value);
      const auto before = hashes(world.s);
      if (!step(m, world.s, world.d).ok()) {
        ++refused;
        EXPECT_EQ(hashes(world.s), before) << name;
      }
      world.s = good;
    };
    attempt(world.s.qvel, m.nv, 9e8);
    attempt(world.s.qfrc_applied, m.nv, 9e9);
    attempt(world.s.ctrl, m.nu, 9e9);
    attempt(world.s.act, m.na, 9e9);
    EXPECT_GE(refused, 1) << name;
  });
}

// What stages leave is poisoned, one array after the other. If the step is refused, nothing has changed; if not, all is
// finite.
TEST(RefusedStep, ForPoisonAfterEveryStage) {
  for_all([](const Model& m, const std::string& name) {
    World world(m);
    const State before = world.s;
    const auto hashes_before = hashes(before);
    int refused = 0;
    int stage = -1;
    for (const StageInfo& info : pipeline()) {
      ++stage;
      int field = -1;
      for (const StateFieldInfo& array : data_fields()) {
        ++field;
        const int n = world.d.field_count(field) * world.d.field_width(field);
        if (std::string(info.name) != array.owner || array.scalar != Scalar::real || n == 0) continue;
        // in the first, and with Runge-Kutta also in a later pass
        for (int pass : {0, 2}) {
          if (pass > 0 && m.opt.integrator != Integrator::kRk4) continue;
          int calls = 0;
          world.d.probe = [&](const Model&, const State&, Data& d, int at) {
            if (at == stage && calls++ == pass) static_cast<double*>(d.field_data(field))[n - 1] = kNan;
          };
          const StepStatus status = step(m, world.s, world.d);
          const std::string what = name + ": " + array.name + " after " + info.name;
          world.d.probe = {};
          if (!status.ok()) {
            ++refused;
            EXPECT_EQ(hashes(world.s), hashes_before) << what;
            EXPECT_FALSE(describe_status(m, world.d, status).empty()) << what;
          } else {
            for (int i = 0; i < m.nq; ++i) EXPECT_TRUE(std::isfinite(world.s.qpos[i])) << what;
            for (int i = 0; i < m.nv; ++i) EXPECT_TRUE(std::isfinite(world.s.qvel[i])) << what;
          }
          world.s = before;
        }
      }
    }
    EXPECT_GT(refused, 3) << name;
  });
}

// Every kind of fault, recorded after every stage. Those that do not refuse a step by themselves come together with an
// acceleration that is no number.
TEST(RefusedStep, ForEveryKindOfFaultAtEveryStage) {
  World::seen.clear();
  int count = 0;
  for_all([&](const Model& m, const std::string& name) {
    ++count;
    World world(m);
    const State before = world.s;
    const int stages = static_cast<int>(pipeline().size());
    for (int fault = 0; fault < kNumFaults; ++fault) {
      // a few stages here, others with the next solver, integrator and scene: all of them together
      for (int k = 0; k < 5; ++k) {
        const int stage = (fault + count + 4 * k) % stages;
        if (!is_needed(m, pipeline()[static_cast<size_t>(stage)].condition)) continue;
        const bool alone = StageFaults::refusing(1 << fault);
        world.d.probe = [&](const Model&, const State& s, Data& d, int at) {
          if (at == stage) record_fault(s, d, static_cast<Fault>(fault), "qpos", 0, 0);
          if (!alone && at + 2 == stages && m.nv > 0) d.qacc[0] = kNan;
        };
        const int faults = world.expect_refused(name);
        EXPECT_TRUE(faults & (alone ? 1 << fault : bit(Fault::kBadAcceleration))) << name;
      }
    }
    world.d.probe = {};
    // mended, it goes on as if nothing had been
    EXPECT_EQ(world.s.hash(), before.hash());
    World twin(m);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(step(m, world.s, world.d).ok() && step(m, twin.s, twin.d).ok()) << name;
    EXPECT_EQ(world.s.hash(), twin.s.hash()) << name;
  });
  expect_seen({Fault::kBadAcceleration, Fault::kBadRow, Fault::kBadOption, Fault::kBadParameter, Fault::kRowMiscount});
}

TEST(RefusedStep, ForRowsThatWereMiscounted) {
  Model m = load_scene("gripper");
  World world(m);
  ASSERT_GT(world.d.rows.n, 2);
  const std::span<const StageInfo> stages = pipeline();
  world.d.probe = [&](const Model& model, const State& s, Data& d, int at) {
    if (std::string(stages[static_cast<size_t>(at)].name) == "constraint") write_rows(model, s, d, {1, 1, 1});
  };
  EXPECT_EQ(world.expect_refused("miscount"), bit(Fault::kRowMiscount));
}

TEST(RefusedStep, ForOptionsOutsideTheirRange) {
  for_all([](const Model& given, const std::string& name) {
    Model m = given;
    World world(m);
    const Options good = m.opt;
    const auto refused = [&](const char* field) {
      EXPECT_EQ(world.expect_refused(name), bit(Fault::kBadOption)) << name << ' ' << field;
      const std::string text = describe_status(m, world.d, {bit(Fault::kBadOption)});
      EXPECT_NE(text.find(std::string("opt.") + field + " is"), std::string::npos) << text;
      EXPECT_NE(text.find("it must be"), std::string::npos) << text;
      EXPECT_EQ(forward(m, world.s, world.d).faults, bit(Fault::kBadOption));
      EXPECT_EQ(inverse(m, world.s, world.d).faults, bit(Fault::kBadOption));
      EXPECT_EQ(step1(m, world.s, world.d).faults, bit(Fault::kBadOption));
      EXPECT_EQ(step2(m, world.s, world.d).faults, bit(Fault::kBadOption));
      m.opt = good;
    };
    for (int value : {-1, 6, 10, 1 << 30, -(1 << 30)}) {
      m.opt.solver = static_cast<SolverType>(value), refused("solver");
      m.opt.integrator = static_cast<Integrator>(value), refused("integrator");
      m.opt.cone = static_cast<ConeType>(value), refused("cone");
      m.opt.jacobian = static_cast<JacobianType>(value), refused("jacobian");
    }
    for (double value : {0.0, -1.0, kNan, HUGE_VAL}) {
      m.opt.timestep = value, refused("timestep");
      m.opt.impratio = value, refused("impratio");
    }
    for (double value : {-1.0, kNan, HUGE_VAL}) {
      m.opt.tolerance = value, refused("tolerance");
      m.opt.viscosity = value, refused("viscosity");
    }
    m.opt.gravity[2] = kNan, refused("gravity[2]");
    m.opt.iterations = -1, refused("iterations");
    m.opt.tgs_substeps = 0, refused("tgs_substeps");
    m.opt.tgs_sweeps = 1 << 30, refused("tgs_sweeps");
    m.opt.disableflags = 1 << 25, refused("disableflags");
  });
}

TEST(RefusedStep, ForParametersOfTheModel) {
  World::seen.clear();
  for_all([](const Model& given, const std::string& name) {
    Model m = given;
    World world(m);
    if (m.nv == 0) return;
    const double mass = m.body_mass[m.nbody - 1];
    m.body_mass[m.nbody - 1] = kNan;
    world.expect_refused(name + ", mass");
    m.body_mass[m.nbody - 1] = mass;
    if (m.nsensor > 0 && m.nsite > 0 && name.starts_with("everything")) {
      // read by a delayed sensor only: found when it measures, not when it reports
      const double pos = m.site_pos[0];
      m.site_pos[0] = kNan;
      EXPECT_TRUE(world.expect_refused(name + ", site") & bit(Fault::kBadReading)) << name;
      m.site_pos[0] = pos;
    }
    if (world.d.ncon > 0 && m.npair == 0) {
      const int geom = world.d.contact[0].geom[1], dim = m.geom_condim[geom];
      m.geom_condim[geom] = 1000;
      EXPECT_TRUE(world.expect_refused(name + ", condim") & bit(Fault::kBadParameter)) << name;
      m.geom_condim[geom] = dim;
    }
  });
  expect_seen({Fault::kBadReading, Fault::kBadParameter});
}

// The number of a side site is kept among the real parameters of a path, where everybody may write.
TEST(RefusedStep, ForSideSitesThatDoNotExist) {
  Model m = load_model_string(R"(<mujoco><worldbody>
    <geom name="drum" size=".1"/><site name="above" pos="0 0 .2"/><site name="from" pos="-.5 0 0"/>
    <body pos=".5 0 0"><joint type="slide"/><geom size=".05" contype="0"/><site name="to"/></body></worldbody>
    <tendon><spatial name="rope"><site site="from"/><geom geom="drum" sidesite="above"/><site site="to"/></spatial>
    </tendon></mujoco>)");
  World world(m);
  double& side = m.wrap_prm[1];
  ASSERT_EQ(side, 0);
  for (const double wrong : {3.0, 1e9, 1e300, -2.0, kNan, std::numeric_limits<double>::infinity()}) {
    side = wrong;
    const std::string what = "side site " + std::to_string(wrong);
    const int faults = world.expect_refused(what);
    EXPECT_EQ(faults, bit(Fault::kBadParameter)) << what;
    const std::string text = describe_status(m, world.d, {faults});
    EXPECT_TRUE(text.starts_with("wrap_prm[1] (tendon 'rope'")) << text;
    EXPECT_NE(text.find("number of the geom's side site, or -1"), std::string::npos) << text;
    Batch batch(m, 2);
    batch.step();
    EXPECT_EQ(batch.status()[1], bit(Fault::kBadParameter)) << what;
  }
  for (const double right : {-1.0, 0.0, 2.0}) {
    side = right;
    EXPECT_TRUE(step(m, world.s, world.d).ok()) << right;
  }
}

// Exact followers that somebody has moved are put right in a step; in one that is refused they stay as given.
TEST(RefusedStep, LeavesFollowersAsGiven) {
  Model m = load_scene("mimic_hand");
  if (m.nfollower == 0) GTEST_SKIP() << "no exact follower in the scene";
  World world(m);
  const int joint = m.eq_obj1id[m.mimic_eqid[m.follower_mimicid[0]]];
  world.s.qpos[m.jnt_qposadr[joint]] += 0.3;
  world.s.ctrl[0] = kNan;
  world.expect_refused("followers");
  world.s.ctrl[0] = 0;
  const double moved = world.s.qpos[m.jnt_qposadr[joint]];
  EXPECT_TRUE(step(m, world.s, world.d).ok());
  EXPECT_GT(std::abs(world.s.qpos[m.jnt_qposadr[joint]] - moved), 0.1);
}

// The middle one of three worlds is refused: it stays, its neighbours move as they would alone, and once mended it goes
// on like a world that was never refused.
TEST(RefusedStep, InABatch) {
  for_all([](const Model& m, const std::string& name) {
    if (m.nv == 0) return;
    BatchOptions options;
    options.threads = 1;
    Batch batch(m, 3, options);
    batch.step(3);
    const auto rows = [&](int world) {
      std::vector<std::pair<std::string, uint64_t>> list;
      for (const StateFieldInfo& info : state_fields()) {
        const BatchField field = batch.field(info.name);
        const size_t bytes = scalar_bytes(field.scalar) * static_cast<size_t>(field.count);
        Hash hash;
        hash.add(static_cast<const char*>(field.data) + bytes * static_cast<size_t>(world), bytes);
        list.emplace_back(info.name, hash.value());
      }
      return list;
    };
    const BatchField force = batch.field("qfrc_applied"), mass = batch.parameter("body_mass");
    double* const bad_force = static_cast<double*>(force.data) + force.world_stride;
    double* const bad_mass = static_cast<double*>(mass.data) + mass.world_stride + m.nbody - 1;
    for (double* place : {bad_force, bad_mass}) {
      const double good = *place;
      *place = kNan;
      const auto before = rows(1), neighbour = rows(0);
      batch.step(2);
      EXPECT_NE(batch.status()[1], 0) << name;
      EXPECT_EQ(batch.status()[0], 0) << name;
      EXPECT_EQ(rows(1), before) << name;
      EXPECT_NE(rows(0), neighbour) << name;
      EXPECT_EQ(rows(0), rows(2)) << name;
      EXPECT_NE(batch.trouble().find("1 of 3 worlds stopped; first: world 1, step 0"), std::string::npos)
          << batch.trouble();
      batch.step(1);
      EXPECT_EQ(batch.trouble(), "") << "said once";
      *place = good;
      batch.step(3);
      EXPECT_EQ(batch.status()[1], 0) << name;
      // six steps in all, as if the others had never been tried
      State alone(m);
      Data data(m);
      for (int i = 0; i < 6; ++i) step(m, alone, data);
      auto six = hashes(alone);
      six.pop_back();  // all of it together: a batch has no such thing
      EXPECT_EQ(rows(1), six) << name;
      batch.reset();
      batch.step(3);
    }
  });
}

}  // namespace
}  // namespace pliant
