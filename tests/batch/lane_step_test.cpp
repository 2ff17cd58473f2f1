// Worlds moved together end with the bits of each alone: every model, differing worlds, faults, disagreement.

#include "batch/lane_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <vector>

#include "pliant/batch.h"
#include "pliant/rollout.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

/// Controls beyond their ranges now and then.
void draw_controls(const Model& m, std::mt19937& random, double* ctrl) {
  for (int i = 0; i < m.nu; ++i) {
    const bool limited = m.actuator_ctrllimited[i] != 0;
    const double low = limited ? m.actuator_ctrlrange[2 * i] : -1, high = limited ? m.actuator_ctrlrange[2 * i + 1] : 1;
    ctrl[i] = std::uniform_real_distribution<double>(low - 0.05 * (high - low), high + 0.05 * (high - low))(random);
  }
}

std::vector<int> all_outputs() {
  std::vector<int> places(data_fields().size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

/// Arrays that steps leave behind, but for working memory and what belongs to other integrators.
bool is_compared(const StateFieldInfo& field) {
  const std::string_view owner = field.owner;
  for (const char* other : {"scratch", "host_scratch", "metric", "rk4", "tgs", "yield", "delay", "inverse"}) {
    if (owner == other) return false;
  }
  return true;
}

/// Worlds, and each once more alone.
class Worlds {
 public:
  Worlds(const Model& m, int n, int seed) : m_(m), random_(static_cast<unsigned>(seed)) {
    for (int k = 0; k < n; ++k) {
      State s(m);
      if (m.nkey) s.reset(m, 0);
      for (int i = 0; i < m.nv; ++i) s.qvel[i] = std::normal_distribution<double>(0, 0.3)(random_);
      together_.push_back(s), alone_.push_back(s);
      data_.emplace_back(m), data_alone_.emplace_back(m);
    }
  }

  State& state(size_t k, bool alone) { return alone ? alone_[k] : together_[k]; }
  size_t size() const { return together_.size(); }

  void set_controls() {
    for (size_t k = 0; k < size(); ++k) {
      draw_controls(m_, random_, together_[k].ctrl);
      std::copy_n(together_[k].ctrl, m_.nu, alone_[k].ctrl);
    }
  }

  /// One step of all; what each ended with.
  std::vector<StepStatus> step(LaneStep& lanes) {
    std::vector<LaneWorld> worlds(size());
    for (size_t k = 0; k < size(); ++k) worlds[k] = {&together_[k], &data_[k], {}};
    lanes.step(worlds);
    std::vector<StepStatus> status;
    for (size_t k = 0; k < size(); ++k) {
      status.push_back(worlds[k].status);
      EXPECT_EQ(status[k].faults, pliant::step(m_, alone_[k], data_alone_[k]).faults) << "world " << k;
    }
    return status;
  }

  /// The first difference in bits, "" if there is none; arrays of Data only of worlds whose step was good.
  std::string difference(const std::vector<StepStatus>& status, bool outputs = true) const {
    for (size_t k = 0; k < size(); ++k) {
      if (together_[k].hash() != alone_[k].hash()) return "state of world " + std::to_string(k);
      if (!status[k].ok()) continue;
      for (size_t f = 0; f < data_fields().size(); ++f) {
        const StateFieldInfo& field = data_fields()[f];
        const size_t n = static_cast<size_t>(field.count(m_)) * static_cast<size_t>(field.width(m_));
        const int place = static_cast<int>(f);
        const bool wanted = outputs ? is_compared(field) : field.owner == std::string_view("sensor");
        if (wanted && n &&
            std::memcmp(data_[k].field_data(place), data_alone_[k].field_data(place), n * scalar_bytes(field.scalar)) !=
                0) {
          return std::string(field.name) + " of world " + std::to_string(k);
        }
      }
    }
    return {};
  }

 private:
  const Model& m_;
  std::mt19937 random_;
  std::vector<State> together_, alone_;
  std::vector<Data> data_, data_alone_;
};

/// With all arrays of Data as outputs, then without any: states and readings alone.
void compare(const Model& m, const std::string& name, int steps, int n = kWorldsTogether) {
  for (const bool outputs : {true, false}) {
    Worlds worlds(m, n, 5);
    LaneStep lanes(m, Data(m), outputs ? all_outputs() : std::vector<int>());
    for (int i = 0; i < steps; ++i) {
      worlds.set_controls();
      const std::string difference = worlds.difference(worlds.step(lanes), outputs);
      ASSERT_EQ(difference, "") << name << (outputs ? "" : " without outputs") << ", step " << i;
    }
  }
}

TEST(LaneStep, MovesScenesOfOurOwnAsEachWorldAlone) {
  int moved = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "models")) {
    if (entry.path().extension() != ".xml") continue;
    const Model m = load_model(entry.path());
    if (!LaneStep::is_for(m)) continue;
    ++moved;
    for (const int n : {2, 3, 4}) compare(m, entry.path().filename(), n == 4 ? 120 : 20, n);
  }
#ifdef __FMA__
  EXPECT_GE(moved, 6);
#else
  EXPECT_EQ(moved, 0);
#endif
}

TEST(LaneStep, MovesScenesUnderEveryFlagAsEachWorldAlone) {
  for (const char* scene : {"quadruped", "gripper", "drop"}) {
    for (int bit = 0; bit < 30; ++bit) {
      Model m = load_scene(scene);
      (bit < 20 ? m.opt.disableflags : m.opt.enableflags) ^= 1 << (bit % 20);
      if (LaneStep::is_for(m)) compare(m, scene + std::string(", flag ") + std::to_string(bit), 25);
      m.opt.noslip_iterations = 3;
      m.opt.cone = m.opt.cone == ConeType::kElliptic ? ConeType::kPyramidal : ConeType::kElliptic;
      if (LaneStep::is_for(m)) compare(m, scene + std::string(", noslip, flag ") + std::to_string(bit), 25);
    }
  }
}

TEST(LaneStep, MovesScenesUnderEveryIntegratorAndSolverAsEachWorldAlone) {
  for (const char* scene : kScenes) {
    for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
      for (const SolverType solver : {SolverType::kNewton, SolverType::kCg, SolverType::kPgs}) {
        Model m = load_scene(scene);
        m.opt.integrator = integrator;
        m.opt.solver = solver;
        if (integrator == Integrator::kImplicit)
          m.opt.density = 1.2, m.opt.viscosity = 0.01, m.opt.enableflags |= kEnableEnergy;
        if (LaneStep::is_for(m)) compare(m, scene, 30);
      }
    }
  }
}

TEST(LaneStep, MovesModelsOfOthersAsEachWorldAlone) {
  const int models = for_other_models([](const std::filesystem::path& path, const Model& m) {
    constexpr int kLarge = 80;  // dofs
    const int steps = std::getenv("PLIANT_FULL") ? 400 : 100;
    if (LaneStep::is_for(m)) compare(m, path, m.nv > kLarge ? steps / 10 : steps);
  });
  if (models < 0) GTEST_SKIP() << "PLIANT_MODELS is not set";
}

TEST(LaneStep, FaultsStayInTheirWorld) {
  const Model m = load_scene("quadruped");
  if (!LaneStep::is_for(m)) GTEST_SKIP() << "built without the instructions";
  for (const bool in_result : {false, true}) {
    Worlds worlds(m, 4, 1);
    LaneStep lanes(m, Data(m), all_outputs());
    for (int i = 0; i < 10; ++i) {
      worlds.set_controls();
      for (const bool alone : {false, true}) {
        if (i != 4) continue;
        if (in_result) {
          worlds.state(2, alone).qvel[0] = 9.9e9;  // the next position is beyond bounds
          worlds.state(2, alone).qpos[0] = 9.99e9;
        } else {
          worlds.state(2, alone).ctrl[1] = std::nan("");
        }
      }
      const std::vector<StepStatus> status = worlds.step(lanes);
      EXPECT_EQ(status[2].ok(), i != 4 && (i < 4 || !in_result)) << i;
      for (const size_t k : {0u, 1u, 3u}) EXPECT_TRUE(status[k].ok());
      EXPECT_EQ(worlds.difference(status), "") << i;
    }
  }
}

// Worlds of which one lies beyond the angles that are reduced together: each makes its step alone, with its own bits,
// and they soon try again.
TEST(LaneStep, WorldsThatDisagreeMoveAlone) {
  const Model m = load_scene("quadruped");
  if (!LaneStep::is_for(m)) GTEST_SKIP() << "built without the instructions";
  Worlds worlds(m, 4, 1);
  LaneStep lanes(m, Data(m), all_outputs());
  const int angle = m.jnt_qposadr[m.njnt - 1];
  const double before = worlds.state(1, false).qpos[angle];
  for (int i = 0; i < 20; ++i) {
    worlds.set_controls();
    for (const bool alone : {false, true}) {
      if (i == 5) worlds.state(1, alone).qpos[angle] = 3e4;
      if (i == 6) worlds.state(1, alone).qpos[angle] = before;
    }
    EXPECT_EQ(worlds.difference(worlds.step(lanes)), "") << i;
    if (i == 4) EXPECT_EQ(lanes.split(), 0);
    if (i == 5) EXPECT_EQ(lanes.split(), 1);
  }
  EXPECT_EQ(lanes.split(), 1);
  EXPECT_EQ(lanes.together(), 19);  // (one step without a try)
}

TEST(LaneStep, AllocatesNothing) {
  for (const char* scene : kScenes) {
    const Model m = load_scene(scene);
    if (!LaneStep::is_for(m)) continue;
    std::vector<State> states;
    std::vector<Data> datas;
    LaneWorld worlds[4];
    for (int k = 0; k < 4; ++k) states.emplace_back(m), datas.emplace_back(m);
    for (size_t k = 0; k < 4; ++k) {
      states[k].qvel[0] = 0.01 * static_cast<double>(k);
      worlds[k] = {&states[k], &datas[k], {}};
    }
    LaneStep lanes(m, datas[0]);
    for (int i = 0; i < 300; ++i) lanes.step(worlds);  // (until contacts have had their room)
    const long before = allocation_count();
    for (int i = 0; i < 20; ++i) lanes.step(worlds);
    EXPECT_EQ(allocation_count(), before) << scene;
  }
}

TEST(LaneStep, RolloutsOfAnyNumberOfWorldsHaveTheBitsOfOne) {
  constexpr int kSteps = 40;
  for (const char* scene : kScenes) {
    const Model m = load_scene(scene);
    const size_t size = static_cast<size_t>(state_size(m, kStateFullPhysics)), nu = static_cast<size_t>(m.nu);
    std::mt19937 random(2);
    std::vector<double> states, controls(9 * kSteps * nu);
    for (int w = 0; w < 9; ++w) {
      State s(m);
      for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.1 * std::normal_distribution<double>()(random);
      states.resize(states.size() + size);
      get_state(m, s, kStateFullPhysics, states.data() + size * static_cast<size_t>(w));
    }
    for (size_t i = 0; nu && i < 9 * kSteps; ++i) draw_controls(m, random, controls.data() + nu * i);
    if (nu) controls[(4 * kSteps + 7) * nu] = std::nan("");  // world 4 stops
    const auto run = [&](int first, int n, int threads) {
      const size_t w = static_cast<size_t>(first);
      RolloutInput in;
      in.models = {&m}, in.nworld = n, in.nstep = kSteps;
      in.state = {states.data() + w * size, n};
      if (nu) in.control = {controls.data() + w * kSteps * nu, n};
      in.control_steps = kSteps;
      std::vector<double> out(static_cast<size_t>(n) * kSteps * size);
      std::vector<int32_t> steps(static_cast<size_t>(n));
      RolloutOutput to;
      to.state = out.data(), to.steps = steps.data();
      const auto faults = Rollout(threads).run(in, to);
      for (int k = 0; k < n; ++k) {
        const bool stops = nu && first + k == 4;
        EXPECT_EQ(steps[static_cast<size_t>(k)], stops ? 7 : kSteps) << scene;
      }
      EXPECT_EQ(faults.size(), nu && first <= 4 && 4 < first + n ? 1u : 0u);
      return out;
    };
    std::vector<double> expected;
    for (int w = 0; w < 9; ++w) {
      const std::vector<double> alone = run(w, 1, 1);
      expected.insert(expected.end(), alone.begin(), alone.end());
    }
    for (int n = 1; n <= 9; ++n) {
      const std::vector<double> together = run(0, n, n % 3 == 0 ? 2 : 1);
      EXPECT_EQ(std::memcmp(together.data(), expected.data(), together.size() * sizeof(double)), 0) << scene << n;
    }
  }
}

/// A batch of six worlds moves as each alone, also when they get parameters of their own.
void compare_batch(Model m, const char* what) {
  BatchOptions options;
  options.threads = 1;
  options.outputs = {"qacc", "cvel"};
  Batch batch(m, 6, options);
  std::vector<State> states;
  std::vector<Data> datas;
  const BatchField qvel = batch.field("qvel"), qpos = batch.field("qpos"), cvel = batch.field("cvel");
  const auto row = [](const BatchField& f, size_t w) {
    return static_cast<double*>(f.data) + static_cast<ptrdiff_t>(w) * f.world_stride;
  };
  for (size_t w = 0; w < 6; ++w) {
    states.emplace_back(m), datas.emplace_back(m);
    for (int i = 0; i < m.nv; ++i) states[w].qvel[i] = row(qvel, w)[i] = 0.1 * static_cast<double>(w) * (i % 3);
  }
  for (const bool own : {false, true}) {
    if (own) {
      const BatchField damping = batch.parameter("dof_damping");
      for (size_t w = 0; w < 6; ++w) row(damping, w)[m.nv - 1] = 3;
      m.dof_damping[m.nv - 1] = 3;
    }
    batch.step(3);
    for (size_t w = 0; w < 6; ++w) {
      for (int i = 0; i < 3; ++i) step(m, states[w], datas[w]);
      EXPECT_EQ(std::memcmp(row(qpos, w), states[w].qpos, sizeof(double) * static_cast<size_t>(m.nq)), 0)
          << what << ", world " << w;
      EXPECT_EQ(std::memcmp(row(cvel, w), datas[w].cvel, sizeof(double) * 6 * static_cast<size_t>(m.nbody)), 0)
          << what << ", world " << w;
    }
  }
}

TEST(LaneStep, BatchesMoveWorldsAsEachAlone) {
  Model m = load_scene("quadruped");
  compare_batch(m, "as it is");
  m.opt.enableflags |= kEnableEnergy;
  compare_batch(m, "with energies");
  m.opt.integrator = Integrator::kImplicitFast;
  compare_batch(m, "under implicitfast");
  m.opt.integrator = Integrator::kRk4;
  compare_batch(m, "under RK4");
  m.opt.integrator = Integrator::kEuler;
  m.geom_adhesion[m.ngeom - 1] = 5;
  compare_batch(m, "with adhesion");
  const Model held = load_model_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' gap='.1'/>"
      "<body name='b' pos='0 0 .1'><freejoint/><geom size='.1'/></body></worldbody>"
      "<actuator><adhesion body='b' ctrlrange='0 1' gain='50'/></actuator></mujoco>");
  compare_batch(held, "with an actuator of adhesion");
}

}  // namespace
}  // namespace pliant
