// The step of a batch on the host: the kernels of the GPU in both precisions, by one thread and by levels.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include "pliant/step.h"
#include "tests/base/fiber_team.h"
#include "tests/batch/host_worlds.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast};

class SmoothStep : public testing::TestWithParam<const char*> {
 protected:
  SmoothStep() : m(load_scene(GetParam())) {
    m.opt.disableflags |= kDisableConstraint;
    m.opt.integrator = Integrator::kEuler;
  }
  State start(int seed) const {
    State s(m);
    randomise(m, s, seed);
    return s;
  }
  Model m;
};

template <class R>
void put(const Model& m, const State& s, StateView<R> v) {
  const auto copy = [](const double* from, const Strided<R>& to, int n) {
    for (int i = 0; i < n; ++i) to[i] = static_cast<R>(from[i]);
  };
  copy(s.time, v.time, 1);
  copy(s.qpos, v.qpos, m.nq);
  copy(s.qvel, v.qvel, m.nv);
  copy(s.act, v.act, m.na);
  copy(s.history, v.history, m.nhistory);
  copy(s.ctrl, v.ctrl, m.nu);
  copy(s.qfrc_applied, v.qfrc_applied, m.nv);
  copy(s.xfrc_applied, v.xfrc_applied, 6 * m.nbody);
  copy(s.mocap_pos, v.mocap_pos, 3 * m.nmocap);
  copy(s.mocap_quat, v.mocap_quat, 4 * m.nmocap);
}

/// All numbers of the State of a world.
std::vector<double> whole_state(const Model& m, const StateView<double>& s) {
  std::vector<double> all;
  const auto add = [&](const auto& field, const StateFieldInfo& info) {
    for (int k = 0; k < info.count(m) * info.width(m); ++k) all.push_back(double(field[k]));
  };
  int i = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) add(s.name, state_fields()[i++]);
#include "pliant/state_fields.def"
#include "tests/source_folder.h"
#undef FIELD
  return all;
}

/// Largest difference of the State after a step from the CPU's, relative to the largest number.
template <class R>
double error_of_step(const Model& m, const State& want, StateView<R> got) {
  double error = 0, scale = 1;
  const auto compare = [&](const double* a, const Strided<R>& b, int n) {
    for (int i = 0; i < n; ++i) {
      scale = std::max(scale, std::abs(a[i]));
      error = std::max(error, std::abs(a[i] - double(b[i])));
    }
  };
  compare(want.qpos, got.qpos, m.nq);
  compare(want.qvel, got.qvel, m.nv);
  compare(want.act, got.act, m.na);
  compare(want.time, got.time, 1);
  return error / scale;
}

template <class R, class Team>
double worst_step(const Model& m, const SmoothStep*, auto&& start) {
  constexpr int kWorlds = 5;
  HostWorlds<R> worlds(m, kWorlds);
  Data d(m);
  double worst = 0;
  for (int w = 0; w < kWorlds; ++w) {
    State s = start(w + 1);
    put(m, s, worlds.state(w));
    EXPECT_TRUE(step(m, s, d).ok());
    EXPECT_EQ(worlds.step(Team{}, w), 0);
    worst = std::max(worst, error_of_step(m, s, worlds.state(w)));
  }
  return worst;
}

TEST_P(SmoothStep, InDoublePrecisionIsTheStepOfTheCpu) {
  const auto from = [this](int seed) { return start(seed); };
  for (const Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    EXPECT_LE((worst_step<double, SerialTeam>(m, this, from)), 1e-13);
    EXPECT_LE((worst_step<double, LevelTeam>(m, this, from)), 1e-12);
  }
}

/// The State after three steps by a team of so many members.
template <int members>
std::vector<double> after_three_steps(const Model& m, const State& s) {
  HostWorlds<double> worlds(m, 1);
  put(m, s, worlds.state(0));
  FiberTeam<members>::run([&](const FiberTeam<members>& team) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(worlds.step(team, 0), 0);
  });
  return whole_state(m, worlds.state(0));
}
TEST_P(SmoothStep, HasTheSameBitsForEverySizeOfTeam) {
  for (const Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    for (int seed = 1; seed < 4; ++seed) {
      const State s = start(seed);
      const std::vector<double> one = after_three_steps<1>(m, s);
      EXPECT_EQ(one, after_three_steps<8>(m, s));
      EXPECT_EQ(one, after_three_steps<32>(m, s));
    }
  }
}

TEST_P(SmoothStep, InSinglePrecisionIsCloseToIt) {
  const auto from = [this](int seed) { return start(seed); };
  for (const Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    EXPECT_LE((worst_step<float, SerialTeam>(m, this, from)), 2e-4);
    EXPECT_LE((worst_step<float, LevelTeam>(m, this, from)), 2e-4);
  }
}

TEST_P(SmoothStep, LeavesAWorldWithBadInputAlone) {
  HostWorlds<double> worlds(m, 2);
  State s = start(1);
  put(m, s, worlds.state(0));
  put(m, s, worlds.state(1));
  worlds.state(1).qvel[0] = std::nan("");
  EXPECT_EQ(worlds.step(SerialTeam{}, 0), 0);
  EXPECT_EQ(worlds.step(SerialTeam{}, 1), bit(Fault::kBadVelocity));
  EXPECT_EQ(worlds.state(1).time[0], s.time[0]);
  for (int i = 0; i < m.nq; ++i) EXPECT_EQ(worlds.state(1).qpos[i], s.qpos[i]);
  EXPECT_NE(worlds.state(0).time[0], s.time[0]);
}

// Whatever a step is refused for, its input or its result: no number of State changes, histories included.
TEST_P(SmoothStep, ARefusedStepChangesNoNumberOfState) {
  HostWorlds<double> worlds(m, 1);
  put(m, start(1), worlds.state(0));
  for (int i = 0; i < 2; ++i) ASSERT_EQ(worlds.step(SerialTeam{}, 0), 0);
  int refused = 0;
  for (double bad : {std::nan(""), 9.9e9}) {
    for (Strided<double> field : {worlds.state(0).qvel, worlds.state(0).qfrc_applied}) {
      std::vector<double> good;
      for (int i = 0; i < m.nv; ++i) good.push_back(field[i]), field[i] = bad;
      const std::vector<double> before = whole_state(m, worlds.state(0));
      if (worlds.step(LevelTeam{}, 0) != 0) {
        ++refused;
        const std::vector<double> after = whole_state(m, worlds.state(0));
        EXPECT_EQ(std::memcmp(after.data(), before.data(), sizeof(double) * before.size()), 0) << bad;
      }
      for (int i = 0; i < m.nv; ++i) field[i] = good[static_cast<size_t>(i)];
    }
  }
  EXPECT_GE(refused, 3);
}

// A control enters its history only with a step that is made.
TEST(RefusedWorld, KeepsItsHistory) {
  Model m = load_model_string(
      "<mujoco><option timestep='10'/><worldbody><body><joint name='j'/><geom size='.1' pos='.1 0 "
      "0'/></body></worldbody>"
      "<actuator><motor joint='j' nsample='4' delay='20'/></actuator></mujoco>");
  m.opt.disableflags |= kDisableConstraint;
  HostWorlds<double> worlds(m, 1);
  State s(m);
  s.ctrl[0] = 0.5;
  s.qvel[0] = 9.9e9;  // ten seconds later beyond 1e10
  put(m, s, worlds.state(0));
  const std::vector<double> before = whole_state(m, worlds.state(0));
  EXPECT_EQ(worlds.step(SerialTeam{}, 0), bit(Fault::kBadPosition));
  EXPECT_EQ(whole_state(m, worlds.state(0)), before);
}

// Side sites are numbers that a world may have of its own.
TEST(RefusedWorld, IfASideSiteDoesNotExist) {
  Model m = load_model_string(
      "<mujoco><worldbody><geom name='drum' size='.1'/><site name='above' pos='0 0 .2'/><site name='from' pos='-.5 0 "
      "0'/><body pos='.5 0 0'><joint type='slide'/><geom size='.05'/><site name='to'/></body></worldbody><tendon>"
      "<spatial><site site='from'/><geom geom='drum' sidesite='above'/><site site='to'/></spatial></tendon></mujoco>");
  m.opt.disableflags |= kDisableConstraint;
  for (const double side : {0.0, 3.0, 1e300, std::nan("")}) {
    m.wrap_prm[1] = side;
    HostWorlds<double> worlds(m, 1);
    put(m, State(m), worlds.state(0));
    const std::vector<double> before = whole_state(m, worlds.state(0));
    EXPECT_EQ(worlds.step(LevelTeam{}, 0), side == 0 ? 0 : bit(Fault::kBadParameter)) << side;
    EXPECT_EQ(whole_state(m, worlds.state(0)) == before, side != 0) << side;
  }
}

// Without contacts and limits all sensors read what the CPU does, delayed ones included.
TEST(SmoothStepSensors, ReadWhatTheCpuDoes) {
  Model m = load_model(source_folder() / "tests" / "batch" / "all_sensors.xml");
  m.opt.disableflags |= kDisableConstraint;
  m.opt.integrator = Integrator::kEuler;
  State s(m);
  randomise(m, s, 1);
  Data d(m);
  HostWorlds<double> worlds(m, 2);
  put(m, s, worlds.state(1));
  for (int k = 0; k < 9; ++k) {
    ASSERT_TRUE(step(m, s, d).ok());
    ASSERT_EQ(worlds.step(LevelTeam{}, 1), 0);
    const DataView<double> mine = worlds.data(1);
    for (int i = 0; i < m.nsensor; ++i) {
      double scale = 1;
      for (int n = 0; n < m.sensor_dim[i]; ++n) scale = std::max(scale, std::abs(d.sensordata[m.sensor_adr[i] + n]));
      for (int n = m.sensor_adr[i]; n < m.sensor_adr[i] + m.sensor_dim[i]; ++n) {
        EXPECT_NEAR(mine.sensordata[n], d.sensordata[n], 1e-10 * scale) << "step " << k << " sensor " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, SmoothStep, testing::ValuesIn(kScenes),
                         [](const auto& info) { return std::string(info.param); });

TEST(TreeOrder, PutsEveryBodyAfterItsParentAndEveryDofOnce) {
  for (const char* scene : kScenes) {
    const Model m = load_scene(scene);
    const TreeOrderTable table = make_tree_order(m);
    const TreeOrder order = table.view(table.numbers.data());
    std::vector<int> level_of(m.nbody, -1);
    for (int level = 0; level < order.nlevel; ++level) {
      for (int k = order.level_adr[level]; k < order.level_adr[level + 1]; ++k) {
        const int body = order.level_body[k];
        EXPECT_EQ(level_of[body], -1);
        level_of[body] = level;
        if (body) {
          EXPECT_EQ(level_of[m.body_parentid[body]], level - 1);
        }
      }
    }
    int children = 0;
    for (int b = 0; b < m.nbody; ++b) {
      for (int k = order.child_adr[b]; k < order.child_adr[b + 1]; ++k, ++children) {
        EXPECT_EQ(m.body_parentid[order.child[k]], b);
      }
    }
    EXPECT_EQ(children, m.nbody - 1);
    EXPECT_EQ(order.ndof_level ? order.dof_level_adr[order.ndof_level] : 0, m.nv);
  }
}

}  // namespace
}  // namespace pliant
