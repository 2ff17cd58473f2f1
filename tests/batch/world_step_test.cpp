// Whole steps by teams, on the host: what a GPU will run, contacts, rows and solver included. In double the same bits
// for every size of team, and the CPU's step; in single precision what is missing to the equations of motion.

#include "batch/world_step_hd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "joint/followers_hd.h"
#include "pliant/step.h"
#include "tests/batch/team_world.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

struct Scene {
  const char* name;
  int steps;                    // between looks
  const char* other = nullptr;  // path below PLIANT_MODELS; nullptr: ours
  bool randomly = false;
  const char* ours = nullptr;  // path below the root, of a scene that is not in models/
};

bool load(const Scene& scene, Model& m) {
  if (!scene.ours) return load_scene_or_other(scene.name, scene.other, m);
  m = load_model(std::filesystem::path(PLIANT_SOURCE_DIR) / scene.ours);
  return true;
}

class WorldSteps : public testing::TestWithParam<Scene> {};

double largest_difference(const std::vector<double>& a, const double* b, double floor = 1) {
  double most = 0, scale = floor;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

template <class R>
std::vector<double> state_of(const TeamWorld<R>& world) {
  std::vector<double> all;
  const auto add = [&](const auto& x, int n) {
    for (int i = 0; i < n; ++i) all.push_back(static_cast<double>(x[i]));
  };
  const ModelView<R>& m = world.m;
  add(world.s.time, 1), add(world.s.qpos, m.nq), add(world.s.qvel, m.nv), add(world.s.act, m.na);
  add(world.s.qacc_warmstart, m.nv), add(world.d.qacc, m.nv), add(world.d.qfrc_constraint, m.nv);
  add(world.s.history, m.nhistory), add(world.d.sensordata, m.nsensordata), add(world.d.next_reading, m.nsensordata);
  add(world.d.energy, 2), add(world.d.cam_xpos, 3 * m.ncam), add(world.d.cam_xmat, 9 * m.ncam);
  add(world.d.light_xpos, 3 * m.nlight), add(world.d.light_xdir, 3 * m.nlight);
  add(world.d.subtree_linvel, 3 * m.nbody), add(world.d.subtree_angmom, 3 * m.nbody);
  add(world.d.cacc, 6 * m.nbody), add(world.d.cfrc_int, 6 * m.nbody), add(world.d.cfrc_ext, 6 * m.nbody);
  return all;
}

// Readings, histories, energies, cameras and lights beside the CPU's, each array or sensor relative to its largest
// number or to the given one.
struct Tolerances {
  double poses, accelerations;  // of what follows from positions and velocities, and of what follows from qacc
  double largest_acceleration = 1;
};
// Sensors of accelerations and forces read differences of these.
double largest_force(const Model& m, const Data& d) {
  double most = 1;
  for (const double* x : {d.cacc, d.cfrc_int, d.cfrc_ext}) {
    for (int i = 0; i < 6 * m.nbody; ++i) most = std::max(most, std::abs(x[i]));
  }
  return most;
}
template <class R>
void expect_readings(const Model& m, const State& s, const Data& d, TeamWorld<R>& world, Tolerances tolerances,
                     const std::string& where) {
  const auto same = [&](const char* name, const auto& mine, const double* cpu, int n, double tolerance,
                        double scale = 1) {
    EXPECT_LE(largest_difference(world.numbers(mine, n), cpu, scale), tolerance) << where << ' ' << name;
  };
  same("energy", world.d.energy, d.energy, 2, tolerances.poses);
  same("cam_xpos", world.d.cam_xpos, d.cam_xpos, 3 * m.ncam, tolerances.poses);
  same("cam_xmat", world.d.cam_xmat, d.cam_xmat, 9 * m.ncam, tolerances.poses);
  same("light_xpos", world.d.light_xpos, d.light_xpos, 3 * m.nlight, tolerances.poses);
  same("light_xdir", world.d.light_xdir, d.light_xdir, 3 * m.nlight, tolerances.poses);
  for (int i = 0; i < m.nsensor; ++i) {
    const bool late = m.sensor_needstage[i] == static_cast<int>(Stage::kAcceleration);
    const double tolerance = late ? tolerances.accelerations : tolerances.poses;
    const double scale = late ? tolerances.largest_acceleration : 1;
    const std::string name = "sensor " + std::to_string(i) + " of type " + std::to_string(m.sensor_type[i]);
    const int adr = m.sensor_adr[i], dim = m.sensor_dim[i];
    same(name.c_str(), world.d.sensordata + adr, d.sensordata + adr, dim, tolerance, scale);
    if (m.sensor_history[2 * i] == 0) continue;
    const int history = m.sensor_historyadr[i], n = 2 + m.sensor_history[2 * i] * (1 + dim);
    same((name + ", history").c_str(), world.s.history + history, s.history + history, n, tolerance, scale);
  }
}

// What M qacc = forces lacks, relative to the forces; all numbers of the float world, M of the CPU.
double missing(const Model& m, const State& s, const Data& d, TeamWorld<float>& world) {
  std::vector<double> a = world.numbers(world.d.qacc, m.nv), left(a.size());
  clear_followers(m, s, a.data());
  multiply_tree(mass_pattern(m), d.M, a.data(), left.data());
  double most = 0, scale = 1;
  for (int i = 0; i < m.nv; ++i) {
    const double smooth = world.d.qfrc_smooth[i], constraint = world.d.qfrc_constraint[i];
    most = std::max(most, std::abs(left[static_cast<size_t>(i)] - smooth - constraint));
    scale = std::max({scale, std::abs(smooth), std::abs(constraint), std::abs(d.qfrc_bias[i])});
  }
  return most / scale;
}

TEST_P(WorldSteps, AreThoseOfTheCpu) {
  Model m;
  if (!load(GetParam(), m)) GTEST_SKIP() << "PLIANT_MODELS has no " << GetParam().other;
  m.opt.integrator = Integrator::kEuler;
  m.opt.solver = SolverType::kNewton;
  m.opt.tolerance = 1e-14;
  m.opt.noslip_iterations = 0;
  m.opt.disableflags |= kDisableIsland;
  m.opt.enableflags |= kEnableEnergy;
  int contacts = 0, rows = 0;
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    m.opt.cone = cone;
    State s(m);
    if (GetParam().randomly) randomise(m, s, 1);
    Data d(m);
    for (int look = 0; look < 3; ++look) {
      for (int k = 0; k < GetParam().steps; ++k) ASSERT_TRUE(step(m, s, d).ok());
      const State before = s;
      ASSERT_TRUE(step(m, s, d).ok());
      contacts += d.ncon, rows += d.rows.n;
      const std::string where = std::string(GetParam().name) + " look " + std::to_string(look) +
                                (cone == ConeType::kElliptic ? " elliptic" : " pyramidal");
      const TeamWorld<double>::Room room{d.ncon + 3, d.rows.n + 5, d.rows.segment_room + 9, d.rows.entry_room + 50};
      TeamWorld<double> one(m, before, room), eight(m, before, room), warp(m, before, room);
      const WorldReport report = one.step<1>(1);
      ASSERT_EQ(report.status, 0) << where;
      eight.step<8>(2), warp.step<32>(3);
      const std::vector<double> mine = state_of(one);
      EXPECT_EQ(mine, state_of(eight)) << where;
      EXPECT_EQ(mine, state_of(warp)) << where;
      ASSERT_EQ(one.d.ncon, d.ncon) << where;
      ASSERT_EQ(one.d.rows.n, d.rows.n) << where;
      EXPECT_LE(largest_difference(one.numbers(one.d.rows.row_J, d.rows.nentry), d.rows.row_J), 1e-12) << where;
      EXPECT_LE(largest_difference(one.numbers(one.d.rows.row_aref, d.rows.n), d.rows.row_aref), 1e-12) << where;
      EXPECT_LE(largest_difference(one.numbers(one.d.qacc_smooth, m.nv), d.qacc_smooth), 1e-12) << where;
      // the solver ends at the rounding of its gradient
      EXPECT_LE(largest_difference(one.numbers(one.d.qacc, m.nv), d.qacc), 1e-9) << where;
      EXPECT_LE(largest_difference(one.numbers(one.s.qpos, m.nq), s.qpos), 1e-12) << where;
      EXPECT_LE(largest_difference(one.numbers(one.s.qvel, m.nv), s.qvel), 1e-10) << where;
      EXPECT_EQ(one.s.time[0], s.time[0]);
      expect_readings(m, s, d, one, {1e-12, 1e-9}, where);

      TeamWorld<float> single(
          m, before, {4 * d.ncon + 20, 4 * d.rows.n + 50, 4 * d.rows.segment_room + 99, 4 * d.rows.entry_room + 500});
      TeamWorld<float> single_warp(
          m, before, {4 * d.ncon + 20, 4 * d.rows.n + 50, 4 * d.rows.segment_room + 99, 4 * d.rows.entry_room + 500});
      ASSERT_EQ(single.step<1>(4).status, 0) << where;
      single_warp.step<32>(5);
      EXPECT_EQ(state_of(single), state_of(single_warp)) << where;
      EXPECT_LE(missing(m, before, d, single), 1e-5) << where;
      expect_readings(m, s, d, single, {1e-4, 1e-4, largest_force(m, d)}, where);
    }
  }
  EXPECT_GT(contacts + rows + m.nfollower, 0) << GetParam().name;
}

// A world without room says so and stays where it was.
TEST(WorldStep, OverflowLeavesTheState) {
  Model m = load_scene("drop");
  m.opt.integrator = Integrator::kEuler;
  State s(m);
  Data d(m);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(m, s, d).ok());
  forward(m, s, d);
  ASSERT_GT(d.ncon, 1);
  const TeamWorld<double>::Room enough{d.ncon, d.rows.n, d.rows.nsegment, d.rows.nentry};
  TeamWorld<double> good(m, s, enough);
  EXPECT_EQ(good.step<8>(1).status, 0);
  for (int which = 0; which < 4; ++which) {
    TeamWorld<double>::Room room = enough;
    --(which == 0 ? room.contacts : which == 1 ? room.rows : which == 2 ? room.segments : room.entries);
    TeamWorld<double> world(m, s, room);
    const std::vector<double> qpos = world.numbers(world.s.qpos, m.nq), qvel = world.numbers(world.s.qvel, m.nv);
    EXPECT_EQ(world.step<8>(1).status, bit(which == 0 ? Fault::kContactOverflow : Fault::kRowOverflow)) << which;
    EXPECT_EQ(qpos, world.numbers(world.s.qpos, m.nq));
    EXPECT_EQ(qvel, world.numbers(world.s.qvel, m.nv));
    EXPECT_EQ(world.s.time[0], s.time[0]);
  }
}

// The scene that sensors are compared in has all of them, in all ways of measuring.
TEST(WorldStep, SceneHasEverySensor) {
  Model m;
  ASSERT_TRUE(load({"all_sensors", 0, nullptr, false, "tests/batch/all_sensors.xml"}, m));
  std::vector<bool> has(std::size(kSensorKinds));
  bool late = false, seldom = false, kept = false;
  for (int i = 0; i < m.nsensor; ++i) {
    has[static_cast<size_t>(m.sensor_type[i])] = true;
    if (m.sensor_history[2 * i] == 0) continue;
    late = late || m.sensor_delay[i] > 0;
    seldom = seldom || m.sensor_interval[2 * i] > 0;
    kept = kept || (m.sensor_delay[i] == 0 && m.sensor_interval[2 * i] == 0);
  }
  EXPECT_TRUE(late && seldom && kept);
  for (size_t type = 0; type < has.size(); ++type) {
    // (there are no plugins)
    EXPECT_EQ(has[type], type != static_cast<size_t>(SensorType::kPlugin)) << "type " << type;
  }
}

// Readings that are not finite and cursors that are no places are faults of the world, as on the CPU, and it stays.
TEST(WorldStep, BadReadingsAndHistoriesLeaveTheState) {
  const Model good = load_model_string(R"(
    <mujoco><option integrator="Euler"/><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/>
      <site name="a" pos="0.1 0 0"/><site name="b" pos="0 0.1 0"/></body></worldbody>
    <actuator><motor joint="j" nsample="3" delay="0.003"/></actuator>
    <sensor><framepos objtype="site" objname="a"/>
      <framepos objtype="site" objname="b" nsample="4" delay="0.003"/>
      <user name="own" dim="2"/><subtreelinvel body="world" nsample="4" delay="0.003"/></sensor></mujoco>)");
  State start(good);
  Data d(good);
  start.qvel[0] = 1;
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(step(good, start, d).ok());
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  using Spoil = void (*)(Model&, State&, double);
  const Spoil spoils[] = {
      [](Model&, State&, double) {},
      [](Model& m, State&, double nan) { m.site_pos[0] = nan; },
      [](Model& m, State&, double nan) { m.site_pos[4] = nan; },
      [](Model& m, State&, double nan) { m.opt.disableflags |= kDisableSensor, m.site_pos[0] = nan; },
      [](Model& m, State&, double nan) { m.opt.disableflags |= kDisableSensor, m.site_pos[4] = nan; },
      [](Model& m, State& s, double) { s.history[m.sensor_historyadr[1] + 1] = 4; },
      [](Model& m, State& s, double) { s.history[m.sensor_historyadr[1] + 1] = -1e9; },
      [](Model& m, State& s, double nan) { s.history[m.actuator_historyadr[0] + 1] = nan; },
      [](Model& m, State& s, double nan) { s.ctrl[0] = m.site_pos[0] = nan; },
  };
  int faults = 0;
  for (size_t k = 0; k < std::size(spoils); ++k) {
    Model m = good;
    State s = start;
    spoils[k](m, s, kNan);
    const auto look = [&](auto members) {
      TeamWorld<double> world(m, s, {8, 8, 8, 8});
      State moved = s;
      Data data(m);
      const StepStatus cpu = step(m, moved, data);
      faults |= cpu.faults;
      EXPECT_EQ(world.template step<decltype(members)::value>(1).status, cpu.faults) << k;
      for (int i = 0; i < m.nhistory; ++i) {
        const double mine = world.s.history[i];
        EXPECT_TRUE(mine == moved.history[i] || (std::isnan(mine) && std::isnan(moved.history[i]))) << k << ' ' << i;
      }
      EXPECT_EQ(world.s.time[0], moved.time[0]) << k;
      EXPECT_EQ(world.s.qpos[0], moved.qpos[0]) << k;
    };
    look(std::integral_constant<int, 1>{}), look(std::integral_constant<int, 8>{});
    look(std::integral_constant<int, 32>{});
  }
  EXPECT_EQ(faults, bit(Fault::kBadReading) | bit(Fault::kBadHistory) | bit(Fault::kBadControl));
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, WorldSteps,
    testing::Values(Scene{"beads", 40}, Scene{"drop", 100}, Scene{"gripper", 60}, Scene{"quadruped", 100},
                    Scene{"tendon_finger", 20, nullptr, true}, Scene{"mimic_gripper", 60},
                    Scene{"mimic_hand", 20, nullptr, true}, Scene{"gear_chain", 30, nullptr, true},
                    Scene{"rubber_balls", 260}, Scene{"stack_of_boxes", 60},
                    Scene{"all_sensors", 30, nullptr, false, "tests/batch/all_sensors.xml"},
                    Scene{"humanoid", 50, "mujoco/humanoid/humanoid.xml"},
                    Scene{"franka", 20, "menagerie/franka_emika_panda/scene.xml"},
                    Scene{"shadow_hand", 20, "menagerie/shadow_hand/scene_right.xml"},
                    Scene{"barkour", 20, "menagerie/google_barkour_vb/scene.xml"},
                    Scene{"barkour_hills", 20, "menagerie/google_barkour_vb/scene_hfield_mjx.xml"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pliant
