// Replay: the same bits from any row; what differs is named. tests/python/test_replay.py has more scenes.

#include "pliant/replay.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "pliant/pliant.h"

namespace pliant {
namespace {

constexpr const char* kScene = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="box" pos="0 0 0.1"><freejoint name="root"/><geom type="box" size=".1 .1 .1"/></body>
  <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody><actuator><motor name="motor" joint="hinge"/></actuator></mujoco>)";

class ReplayTest : public testing::Test {
 protected:
  Model m = load_model_string(kScene);
  std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("replay_" + std::to_string(getpid()) + ".plr");
  State s = make_state(m);
  Data d = make_data(m);
  void TearDown() override { std::filesystem::remove(path); }

  void run(Recorder& recorder, int steps) {
    for (int i = 0; i < steps; ++i) {
      s.ctrl[0] = 0.3 * std::sin(0.1 * i);
      recorder.record(s, d);
      ASSERT_TRUE(step(m, s, d).ok());
    }
  }
};

TEST_F(ReplayTest, FromAnyRow) {
  for (const SolverType solver : {SolverType::kNewton, SolverType::kCg, SolverType::kPgs, SolverType::kTgs}) {
    m.opt.solver = solver;
    s = make_state(m);
    Recorder recorder(m, path, {});
    run(recorder, 100);
    recorder.finish();
    const RecordingFile file(path);
    for (const double from : {0.0, 0.02, 0.1, 0.19}) {
      const ReplayReport report = replay(*file.model(), file, {.from = from});
      EXPECT_TRUE(report.same()) << replay_text(report, file);
      EXPECT_EQ(report.same_rows, report.last_row - report.first_row);
      EXPECT_EQ(report.last_row, 99);
    }
  }
}

// From any chunk, and without those before it: they may be gone.
TEST_F(ReplayTest, FromAnyChunkWithoutThoseBefore) {
  for (const SolverType solver : {SolverType::kNewton, SolverType::kTgs}) {
    m.opt.solver = solver;
    s = make_state(m);
    Recorder recorder(m, path, {}, {.embed_model = false});
    for (int chunk = 0; chunk < 6; ++chunk) {
      run(recorder, 10 + chunk);
      recorder.flush();
    }
    recorder.finish();
    const RecordingFile file(path);
    const std::vector<int64_t> chunks = file.chunks();
    ASSERT_EQ(chunks, (std::vector<int64_t>{0, 10, 21, 33, 46, 60}));
    const auto bytes = static_cast<size_t>(std::filesystem::file_size(path));
    std::fstream disk(path, std::ios::in | std::ios::out | std::ios::binary);
    for (const int64_t row : chunks) {
      const double from = file.time(row);
      EXPECT_EQ(file.first_row(from), row);
      EXPECT_EQ(file.last_row(from), row);
      const ReplayReport report = replay(m, file, {.from = from});
      EXPECT_TRUE(report.same()) << replay_text(report, file);
      EXPECT_EQ(report.first_row, row);
      EXPECT_EQ(report.same_rows, 74 - row);
      if (row != 33) continue;
      // whoever reads the first half of the file now finds no chunks there
      disk.write(std::string(bytes / 3, 'x').data(), static_cast<std::streamsize>(bytes / 3));
      disk.flush();
      EXPECT_THROW(file.time(0), std::runtime_error);
    }
    EXPECT_EQ(file.first_row(1e9), file.rows());
    EXPECT_EQ(file.last_row(-1), -1);
  }
}

TEST_F(ReplayTest, AnotherModelDiffers) {
  Recorder recorder(m, path, {});
  run(recorder, 50);
  recorder.finish();
  const RecordingFile file(path);
  Model other = m;
  other.dof_damping[6] = 0.11;
  const ReplayReport report = replay(other, file);
  ASSERT_FALSE(report.same());
  EXPECT_EQ(report.first->object, "joint 'hinge'");
  EXPECT_LE(report.first->step, 2);
  EXPECT_EQ(report.largest->row, 49);
  EXPECT_NE(replay_text(report, file).find("differs from step"), std::string::npos);
  EXPECT_THROW(replay(load_model_string("<mujoco/>"), file), std::invalid_argument);
  EXPECT_THROW(replay(m, file, {.from = 100}), std::invalid_argument);
  EXPECT_THROW(replay(m, file, {.world = 1}), std::invalid_argument);
}

TEST_F(ReplayTest, ResetsAndGaps) {
  Recorder recorder(m, path, {});
  run(recorder, 20);
  s.reset(m);
  s.qpos[2] = 0.5;
  recorder.event("reset", 0, "");
  run(recorder, 20);
  recorder.record(s, d, 100);  // as if there were steps without a row
  recorder.finish();
  const RecordingFile file(path);
  ReplayReport report = replay(m, file, {.to = 0.038});
  EXPECT_TRUE(report.same()) << replay_text(report, file);
  EXPECT_EQ(report.restarts, 1);
  EXPECT_EQ(report.steps, 38);
  report = replay(m, file);
  EXPECT_FALSE(report.same());
  EXPECT_EQ(report.first->row, 40);
  EXPECT_EQ(report.skipped_steps, 60);
}

TEST_F(ReplayTest, TheFaultComesAgain) {
  Recorder recorder(m, path, {});
  run(recorder, 20);
  s.ctrl[0] = std::nan("");
  recorder.record(s, d);
  const StepStatus status = step(m, s, d);
  ASSERT_FALSE(status.ok());
  recorder.event("fault", *s.time, describe_status(m, d, status));
  recorder.finish("fault");
  const RecordingFile file(path);
  for (const bool until_fault : {false, true}) {
    const ReplayReport report = replay(m, file, {.until_fault = until_fault});
    EXPECT_TRUE(report.same());
    EXPECT_EQ(report.fault.faults, status.faults);
    EXPECT_EQ(report.fault_text, report.recorded_fault);
    EXPECT_NE(report.fault_text.find("actuator 'motor'"), std::string::npos);
    EXPECT_NE(replay_text(report, file).find("as recorded"), std::string::npos);
  }
  EXPECT_TRUE(replay(m, file, {.to = 0.02, .until_fault = true}).fault_text.empty());
}

}  // namespace
}  // namespace pliant
