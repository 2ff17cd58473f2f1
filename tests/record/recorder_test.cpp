// Recordings: columns, lines, the shape of an archive.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "pliant/pliant.h"

namespace pliant {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Recording : public testing::Test {
 protected:
  Model m = load_model_string(
      R"(<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body>
                                 <body><joint/><geom size=".1"/></body></worldbody></mujoco>)");
  State s = make_state(m);
  Data d = make_data(m);
  std::filesystem::path folder = std::filesystem::path(testing::TempDir());
};

TEST_F(Recording, Csv) {
  const auto path = folder / "pliant_recording.csv";
  Recorder recorder(m, path, {"qpos", "qpos", "xpos"});
  EXPECT_TRUE(recorder.needs_data());
  s.qpos[0] = 0.1;
  recorder.record(s, d);
  recorder.finish();
  EXPECT_EQ(recorder.rows(), 1);
  const std::string text = content(path);
  EXPECT_EQ(text.substr(0, text.find(",xpos")), "time,qpos.j,qpos.joint 1");
  EXPECT_NE(text.find("xpos.world[0]"), std::string::npos);
  EXPECT_NE(text.find("\n0,0.1,0,"), std::string::npos);
  std::filesystem::remove(path);
}

TEST_F(Recording, NpzIsAZipArchive) {
  const auto path = folder / "pliant_recording.npz";
  {
    Recorder recorder(m, path, {"qvel"});
    EXPECT_FALSE(recorder.needs_data());
    recorder.record(s, d);
  }  // finished by going away
  const std::string bytes = content(path);
  EXPECT_EQ(bytes.substr(0, 2), "PK");
  EXPECT_EQ(bytes.substr(bytes.size() - 22, 4), std::string("PK\x05\x06"));
  EXPECT_NE(bytes.find("qvel.npy"), std::string::npos);
  std::filesystem::remove(path);
}

TEST_F(Recording, Misuse) {
  EXPECT_THROW(Recorder(m, folder / "x.txt", {"qpos"}), std::invalid_argument);
  EXPECT_THROW(Recorder(m, folder / "x.csv", {"nonsense"}), std::invalid_argument);
  EXPECT_THROW(Recorder(m, folder / "no/such/folder/x.csv", {"qpos"}), std::runtime_error);
}

}  // namespace
}  // namespace pliant
