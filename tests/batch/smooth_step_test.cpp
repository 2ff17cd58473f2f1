// The step of a batch on the host: the kernels of the GPU in both precisions, by one thread and by levels.

#include <gtest/gtest.h>

#include "pliant/step.h"
#include "tests/batch/host_worlds.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

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
  EXPECT_LE((worst_step<double, SerialTeam>(m, this, from)), 1e-13);
  EXPECT_LE((worst_step<double, LevelTeam>(m, this, from)), 1e-12);
}

TEST_P(SmoothStep, InSinglePrecisionIsCloseToIt) {
  const auto from = [this](int seed) { return start(seed); };
  EXPECT_LE((worst_step<float, SerialTeam>(m, this, from)), 2e-4);
  EXPECT_LE((worst_step<float, LevelTeam>(m, this, from)), 2e-4);
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
