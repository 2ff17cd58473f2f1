// step: no allocation, snapshots, disposable Data, equal bits over threads, faults.

#include "pliant/step.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <thread>

#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                       Integrator::kImplicitFast, Integrator::kDiscrete};

class Step : public testing::TestWithParam<const char*> {
 protected:
  Step() : m(load_scene(GetParam())) { m.opt.disableflags |= kDisableConstraint; }
  State start(int seed = 3) const {
    State s(m);
    randomise(m, s, seed);
    return s;
  }
  Model m;
};

TEST_P(Step, AllocatesNothing) {
  for (Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    State s = start();
    Data d(m);
    ASSERT_TRUE(step(m, s, d).ok());  // warm-up
    const long before = allocation_count();
    for (int i = 0; i < 20; ++i) step(m, s, d);
    EXPECT_EQ(allocation_count(), before) << static_cast<int>(integrator);
  }
}

TEST_P(Step, ContinuesFromASnapshotBitForBit) {
  for (Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    State s = start();
    Data d(m);
    for (int i = 0; i < 10; ++i) step(m, s, d);
    const State snapshot = s;
    for (int i = 0; i < 100; ++i) step(m, s, d);
    State restored = snapshot;
    Data other(m);
    for (int i = 0; i < 100; ++i) step(m, restored, other);
    EXPECT_EQ(restored.hash(), s.hash()) << static_cast<int>(integrator);
  }
}

TEST_P(Step, AFreshDataChangesNoBit) {
  for (Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    State s = start(), t = start();
    Data d(m);
    for (int i = 0; i < 30; ++i) {
      step(m, s, d);
      Data fresh(m);
      step(m, t, fresh);
      ASSERT_EQ(s.hash(), t.hash()) << i;
    }
  }
}

TEST_P(Step, ThreadsDoNotMatter) {
  const auto run = [&](int seed) {
    State s = start(seed);
    Data d(m);
    for (int i = 0; i < 50; ++i) step(m, s, d);
    return s.hash();
  };
  std::vector<uint64_t> alone(8);
  for (int seed = 0; seed < 8; ++seed) alone[seed] = run(seed);
  for (int count : {2, 4, 8}) {
    std::vector<uint64_t> together(8);
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t) {
      threads.emplace_back([&, t] {
        for (int seed = t; seed < 8; seed += count) together[seed] = run(seed);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(together, alone) << count << " threads";
  }
}

TEST_P(Step, ForwardLeavesTheStateAlone) {
  State s = start();
  const uint64_t before = s.hash();
  Data d(m);
  forward(m, s, d);
  EXPECT_EQ(s.hash(), before);
}

// Bad input is named, and the state stays as it was.
TEST_P(Step, BadInputIsRefused) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e11};
  for (double value : bad) {
    State s = start();
    Data d(m);
    s.qvel[m.nv - 1] = value;
    const State before = s;
    const StepStatus status = step(m, s, d);
    EXPECT_TRUE(status.faults & (1 << static_cast<int>(Fault::kBadVelocity)));
    const FaultRecord& record = d.faults[static_cast<int>(Fault::kBadVelocity)];
    EXPECT_EQ(record.count, 1);
    EXPECT_EQ(record.first.index, m.nv - 1);
    EXPECT_STREQ(record.first.field, "qvel");
    EXPECT_EQ(std::memcmp(s.qpos, before.qpos, sizeof(double) * m.nq), 0);
    EXPECT_EQ(*s.time, *before.time);
    EXPECT_NE(describe_faults(m, d).find("qvel"), std::string::npos);
  }
}

// Forces too large for the arithmetic: the last good state is kept.
TEST_P(Step, AnExplosionKeepsTheLastGoodState) {
  State s = start();
  Data d(m);
  for (int i = 0; i < m.nv; ++i) s.qfrc_applied[i] = 9e9;
  m.opt.timestep = 10;
  bool refused = false;
  for (int i = 0; i < 1000 && !refused; ++i) {
    const State before = s;
    if (step(m, s, d).ok()) continue;
    refused = true;
    EXPECT_EQ(s.hash(), before.hash());
  }
  EXPECT_TRUE(refused);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Step, testing::ValuesIn(kScenes));

// Every model of the collection that loads, all integrators.
TEST(StepOfOtherModels, AllocatesNothing) {
  const int models = for_other_models([](const std::filesystem::path& path, Model& m) {
    m.opt.disableflags |= kDisableConstraint;
    for (Integrator integrator : kIntegrators) {
      m.opt.integrator = integrator;
      State s(m);
      Data d(m);
      step(m, s, d);  // warm-up
      const long before = allocation_count();
      for (int i = 0; i < 3; ++i) step(m, s, d);
      EXPECT_EQ(allocation_count(), before) << path << " " << static_cast<int>(integrator);
    }
  });
  if (models < 0) GTEST_SKIP() << "PLIANT_MODELS is not set";
  EXPECT_GT(models, 50);
}

TEST(State, KeyframesAndReset) {
  const Model m = load_model_string(R"(
    <mujoco><worldbody><body mocap="true" pos="1 2 3"/>
      <body><joint name="j" ref="0.5"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="j"/></actuator>
      <keyframe><key time="2" qpos="0.7" qvel="3" ctrl="0.25"/></keyframe></mujoco>)");
  State s(m);
  EXPECT_EQ(s.mocap_pos[1], 2);
  EXPECT_EQ(s.mocap_quat[0], 1);
  s.reset(m, 0);
  EXPECT_EQ(*s.time, 2);
  EXPECT_EQ(s.qpos[0], 0.7);
  EXPECT_EQ(s.qvel[0], 3);
  EXPECT_EQ(s.ctrl[0], 0.25);
  s.reset(m);
  EXPECT_EQ(s.qpos[0], m.qpos0[0]);
  EXPECT_EQ(*s.time, 0);
  EXPECT_THROW(s.reset(m, 1), std::invalid_argument);
  EXPECT_THROW(s.reset(m, -1), std::invalid_argument);
}

}  // namespace
}  // namespace pliant
