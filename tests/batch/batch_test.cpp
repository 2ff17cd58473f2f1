// Batch on the CPU: worlds move as they would alone, whatever the threads; parameters per world; messages.

#include "pliant/batch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

double* row(const BatchField& f, int world) { return static_cast<double*>(f.data) + world * f.world_stride; }

TEST(Batch, MovesEveryWorldAsItWouldMoveAlone) {
  for (const char* scene : kScenes) {
    const Model m = load_scene(scene);
    constexpr int kWorlds = 7;
    for (int threads : {1, 2, 5}) {
      BatchOptions options;
      options.threads = threads;
      options.outputs = {"sensordata", "qacc"};
      Batch batch(m, kWorlds, options);
      const BatchField qpos = batch.field("qpos"), qvel = batch.field("qvel"), qacc = batch.field("qacc");
      for (int w = 0; w < kWorlds; ++w) {
        for (int i = 0; i < m.nv; ++i) row(qvel, w)[i] = 0.1 * (w + 1) * ((i % 3) - 1);
      }
      batch.step(3);
      for (int w = 0; w < kWorlds; ++w) {
        State s(m);
        Data d(m);
        for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.1 * (w + 1) * ((i % 3) - 1);
        for (int k = 0; k < 3; ++k) step(m, s, d);
        EXPECT_EQ(std::memcmp(row(qpos, w), s.qpos, sizeof(double) * m.nq), 0) << scene << " world " << w;
        EXPECT_EQ(std::memcmp(row(qvel, w), s.qvel, sizeof(double) * m.nv), 0);
        EXPECT_EQ(std::memcmp(row(qacc, w), d.qacc, sizeof(double) * m.nv), 0);
      }
    }
  }
}

TEST(Batch, GivesWorldsParametersOfTheirOwn) {
  const Model m = load_scene("quadruped");
  Batch batch(m, 4);
  const BatchField damping = batch.parameter("dof_damping"), qvel = batch.field("qvel");
  for (int w = 0; w < 4; ++w) {
    for (int i = 0; i < m.nv; ++i) {
      row(damping, w)[i] = 0.5 * w;
      row(qvel, w)[i] = 1;
    }
  }
  batch.step();
  for (int w = 0; w < 4; ++w) {
    Model other = m;
    State s(m);
    Data d(m);
    for (int i = 0; i < m.nv; ++i) {
      other.dof_damping[i] = 0.5 * w;
      s.qvel[i] = 1;
    }
    step(other, s, d);
    EXPECT_EQ(std::memcmp(row(qvel, w), s.qvel, sizeof(double) * m.nv), 0) << "world " << w;
  }
}

TEST(Batch, KeepsFaultsAndResetsPerWorld) {
  const Model m = load_scene("drop");
  Batch batch(m, 3);
  row(batch.field("qvel"), 1)[0] = std::nan("");
  batch.step();
  EXPECT_EQ(batch.status()[0], 0);
  EXPECT_NE(batch.status()[1], 0);
  EXPECT_EQ(row(batch.field("time"), 1)[0], 0);
  EXPECT_GT(row(batch.field("time"), 2)[0], 0);
  const uint8_t mask[] = {0, 1, 0};
  batch.reset(mask);
  EXPECT_EQ(row(batch.field("qvel"), 1)[0], 0);
  EXPECT_GT(row(batch.field("time"), 2)[0], 0);
  batch.step();
  EXPECT_EQ(batch.status()[1], 0);
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Batch, SaysWhatIsWrong) {
  const Model m = load_scene("drop");
  EXPECT_NE(message_of([&] { Batch(m, 0); }).find("at least 1"), std::string::npos);
  Batch batch(m, 2);
  EXPECT_NE(message_of([&] { batch.field("qops"); }).find("State has time, qpos"), std::string::npos);
  EXPECT_NE(message_of([&] { batch.field("xpos"); }).find("outputs"), std::string::npos);
  EXPECT_NE(message_of([&] { batch.parameter("body_parentid"); }).find("not a real number"), std::string::npos);
  EXPECT_NE(message_of([&] { batch.parameter("nothing"); }).find("no array"), std::string::npos);
  const uint8_t mask[] = {1};
  EXPECT_NE(message_of([&] { batch.reset(mask); }).find("1 entries for 2 worlds"), std::string::npos);
  BatchOptions cuda;
  cuda.device = BatchDevice::kCuda;
  if (!cuda_unavailable().empty()) {
    const std::string message = message_of([&] { Batch(m, 2, cuda); });
    EXPECT_NE(message.find("device \"cpu\" works everywhere"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace pliant
