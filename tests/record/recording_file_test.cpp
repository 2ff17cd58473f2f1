// Recordings in chunks: every bit comes back; what is cut short or damaged is read up to the damage or refused.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "pliant/flight_recorder.h"
#include "pliant/pliant.h"
#include "pliant/recording.h"
#include "record/chunks.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

constexpr const char* kScene = R"(<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 0.2"><freejoint/><geom size=".1"/></body>
  <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator></mujoco>)";

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RecordingFileTest : public testing::Test {
 protected:
  Model m = load_model_string(kScene);
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("recordings_" + std::to_string(getpid()));
  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Steps with a control that changes; hashes of the recorded states.
  std::vector<uint64_t> record(Recorder& recorder, int steps) {
    State s = make_state(m);
    Data d = make_data(m);
    std::vector<uint64_t> hashes;
    for (int i = 0; i < steps; ++i) {
      s.ctrl[0] = 0.1 * i;
      if (recorder.needs_data()) forward(m, s, d);
      recorder.record(s, d);
      hashes.push_back(s.hash());
      EXPECT_TRUE(step(m, s, d).ok());
    }
    return hashes;
  }
  /// A small recording as bytes: no model, chunks of a few rows.
  std::string small(int rows) {
    const auto path = folder / "small.plr";
    RecordingWriter writer(path, recording_head(m, {"xpos"}, true), nullptr);
    State s = make_state(m);
    Data d = make_data(m);
    for (int i = 0; i < rows; ++i) {
      forward(m, s, d);
      std::vector<const void*> arrays;
      for (const RecordedField& field : writer.head().fields) {
        int place = 0;
        for (const StateFieldInfo& info : field.of_state ? state_fields() : data_fields()) {
          if (field.name == info.name) arrays.push_back(field.of_state ? s.field_data(place) : d.field_data(place));
          ++place;
        }
      }
      writer.add_row(i, arrays);
      if (i % 4 == 3) writer.flush();
      if (i == 5) writer.add_event("note", *s.time, "five");
      EXPECT_TRUE(step(m, s, d).ok());
    }
    writer.finish();
    return content(path);
  }
};

TEST_F(RecordingFileTest, EveryBitComesBack) {
  for (const SolverType solver : {SolverType::kNewton, SolverType::kTgs}) {
    m.opt.solver = solver;
    const auto path = folder / "run.plr";
    Recorder recorder(m, path, {"xpos"});
    EXPECT_EQ(recorder.unfinished(), folder / "run.plr.part");
    const std::vector<uint64_t> hashes = record(recorder, 300);
    recorder.event("note", 0.5, "half");
    recorder.finish("stopped");
    const RecordingFile file(path);
    EXPECT_TRUE(file.whole());
    EXPECT_EQ(file.note(), "");
    EXPECT_EQ(file.end(), "stopped");
    ASSERT_EQ(file.rows(), 300);
    State s = make_state(m);
    for (const int64_t row : {0, 17, 299, 5, 150}) {
      file.restore(row, s);
      EXPECT_EQ(s.hash(), hashes[static_cast<size_t>(row)]) << row;
      EXPECT_EQ(file.step(row), row);
    }
    ASSERT_EQ(file.events().size(), 1u);
    EXPECT_EQ(file.events()[0].row, 300);
    EXPECT_EQ(file.events()[0].text, "half");
    const std::optional<Model> inside = file.model();
    ASSERT_TRUE(inside);
    EXPECT_EQ(inside->nv, m.nv);
    EXPECT_FALSE(std::filesystem::exists(folder / "run.plr.part"));
  }
}

TEST_F(RecordingFileTest, AnOlderFileStaysUntilTheNewOneIsWhole) {
  const auto path = folder / "run.plr";
  {
    Recorder(m, path, {}).record(make_state(m), make_data(m));
  }
  const std::string before = content(path);
  RecordingWriter writer(path, recording_head(m, {}, true), nullptr);
  EXPECT_EQ(content(path), before);
  {
    const RecordingWriter gone = std::move(writer);
  }
  EXPECT_EQ(content(path), before);
  EXPECT_EQ(RecordingFile(folder / "run.plr.part").rows(), 0);  // what it leaves is read, and says that it has no end
  // and is not overwritten by the next
  RecordingWriter next(path, recording_head(m, {}, true), nullptr);
  EXPECT_EQ(next.unfinished(), folder / "run.plr.part-2");
  next.abandon();
  EXPECT_FALSE(std::filesystem::exists(folder / "run.plr.part-2"));
}

TEST_F(RecordingFileTest, CutShortAnywhere) {
  const std::string whole = small(12);
  int64_t most = 0;
  int refused = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    try {
      const RecordingFile file(whole.substr(0, n), "cut");
      EXPECT_FALSE(file.whole());
      EXPECT_NE(file.note(), "");
      EXPECT_GE(file.rows(), most) << n;  // more bytes, more rows
      EXPECT_EQ(file.rows() % 4, 0);
      most = std::max(most, file.rows());
    } catch (const std::runtime_error& problem) {
      ++refused;
      EXPECT_EQ(most, 0) << problem.what();
    }
  }
  EXPECT_EQ(most, 12);
  EXPECT_GT(refused, 0);
}

TEST_F(RecordingFileTest, AnyFlippedBitIsNoticed) {
  const std::string whole = small(12);
  State right = make_state(m), read = make_state(m);
  const RecordingFile good(whole, "good");
  int refused = 0;
  for (size_t bit = 0; bit < 8 * whole.size(); bit += 3) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    try {
      const RecordingFile file(bytes, "flipped");
      EXPECT_NE(file.note(), "") << bit;
      for (int64_t row = 0; row < file.rows(); ++row) {
        file.restore(row, read);
        good.restore(row, right);
        ASSERT_EQ(read.hash(), right.hash()) << bit;
      }
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(RecordingFileTest, NonsenseWithTheRightChecksums) {
  const std::string whole = small(8);
  unsigned random = 1;
  const auto next = [&](size_t n) { return (random = random * 1664525u + 1013904223u) / 7 % n; };
  State s = make_state(m);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = whole;
    for (int k = 0; k < 3; ++k) bytes[next(bytes.size())] = static_cast<char>(next(256));
    try {
      const RecordingFile file(seal_plr(bytes), "sealed");
      for (int64_t row = 0; row < file.rows(); ++row) file.restore(row, s);
    } catch (const std::exception&) {
      // a refusal is fine: a crash is not
    }
  }
}

TEST_F(RecordingFileTest, Conversion) {
  const auto path = folder / "run.plr";
  Recorder chunks(m, path, {"xpos"}), archive(m, folder / "direct.npz", {"qpos", "xpos"}),
      table(m, folder / "direct.csv", {"qpos", "xpos"});
  record(chunks, 50), record(archive, 50), record(table, 50);
  chunks.finish(), archive.finish(), table.finish();
  const RecordingFile file(path);
  convert_recording(file, folder / "made.npz", {"qpos", "xpos"});
  convert_recording(file, folder / "made.csv", {"qpos", "xpos"});
  EXPECT_EQ(content(folder / "made.npz"), content(folder / "direct.npz"));
  EXPECT_EQ(content(folder / "made.csv"), content(folder / "direct.csv"));
  EXPECT_THROW(convert_recording(file, folder / "made.npz", {"nonsense"}), std::invalid_argument);
  EXPECT_THROW(convert_recording(file, folder / "made.txt", {}), std::invalid_argument);
  const Recording all = read_recording(path);
  EXPECT_EQ(all.fields.at("qpos"), read_recording(folder / "direct.csv").fields.at("qpos"));
  EXPECT_EQ(all.steps.size(), 50u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 5);  // nothing else is left
}

TEST_F(RecordingFileTest, FlightRecorder) {
  FlightRecorder flight(m, {.seconds = 0.1});
  EXPECT_EQ(flight.capacity(), 26);
  EXPECT_THROW(flight.write(m, folder / "f.plr", "asked", ""), std::logic_error);
  State s = make_state(m);
  Data d = make_data(m);
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 100; ++i) {
    s.ctrl[0] = i;
    flight.record(s);
    hashes.push_back(s.hash());
    step(m, s, d);
  }
  flight.write(m, folder / "f.plr", "fault", "why");
  const RecordingFile file(folder / "f.plr");
  ASSERT_EQ(file.rows(), 26);
  for (int64_t row = 0; row < 26; ++row) {
    file.restore(row, s);
    EXPECT_EQ(s.hash(), hashes[static_cast<size_t>(74 + row)]);
    EXPECT_EQ(file.step(row), 74 + row);
  }
  EXPECT_EQ(file.end(), "fault");
  EXPECT_EQ(file.events().at(0).text, "why");
  EXPECT_THROW(flight.record(make_state(load_model_string("<mujoco/>"))), std::invalid_argument);
  flight.clear();
  EXPECT_EQ(flight.rows(), 0);
  EXPECT_LE(FlightRecorder(m, {.seconds = 1e9, .most_bytes = 1 << 20}).capacity(), 1 << 14);
  EXPECT_THROW(FlightRecorder(m, {.seconds = 0}), std::invalid_argument);
}

/// Shortest time of a call [s], of batches of 50: what disturbs makes it longer, never shorter.
struct Shortest {
  double seconds = 1e9;
  template <class Call>
  void batch(Call call) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) call();
    seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 50);
  }
};

TEST(FlightRecorder, CostsLittleOfAStep) {
  if (!std::getenv("PLIANT_FULL")) GTEST_SKIP() << "a matter of time, which other processes disturb: make test-full";
  for (const char* name : {"drop", "gripper", "quadruped", "newtons_cradle"}) {
    const Model model = load_model(source_folder() / "models" / (std::string(name) + ".xml"));
    State s = make_state(model);
    Data d = make_data(model);
    FlightRecorder flight(model, {.seconds = 1});
    for (int64_t i = 0; i < flight.capacity(); ++i) flight.record(s);  // pages are taken once
    // in turn, and longer where the machine is busy: until the shortest of both are known well enough
    Shortest a_step, a_copy;
    for (int round = 0; round < 2000 && (round < 60 || a_copy.seconds > 0.025 * a_step.seconds); ++round) {
      a_step.batch([&] { step(model, s, d); });
      a_copy.batch([&] { flight.record(s); });
    }
    std::printf("%s: a step %.2f us, a copy %.3f us: %.2f %%\n", name, 1e6 * a_step.seconds, 1e6 * a_copy.seconds,
                100 * a_copy.seconds / a_step.seconds);
    EXPECT_LT(a_copy.seconds, 0.03 * a_step.seconds) << name;
  }
}

}  // namespace
}  // namespace pliant
