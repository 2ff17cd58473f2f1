// Binary models: what comes back is what was saved, and nothing else is accepted.

#include "pliant/model_io.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "pliant/load.h"

namespace pliant {
namespace {

const char* kScene = R"(<mujoco model="io">
  <option timestep="0.001"/>
  <asset><texture name="t" type="2d" builtin="checker" width="4" height="4"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="s"/></body>
  </worldbody>
  <sensor><accelerometer site="s"/></sensor>
  <keyframe><key name="k" qpos="0 0 2 1 0 0 0"/></keyframe>
</mujoco>)";

std::string file_name() {
  return testing::TempDir() + "/pliant_model_io_" +
         testing::UnitTest::GetInstance()->current_test_info()->name() + ".plm";
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(ModelIo, RoundTripIsBitForBit) {
  const Model model = load_model_string(kScene);
  save_plm(model, file_name());
  const Model back = load_plm(file_name());
  const auto sizes = model_sizes();
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    EXPECT_EQ(model.size_value(i), back.size_value(i)) << sizes[i].name;
  }
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i) * scalar_bytes(fields[i].scalar);
    ASSERT_EQ(0, n == 0 ? 0 : std::memcmp(model.field_data(i), back.field_data(i), n)) << fields[i].name;
  }
  EXPECT_EQ(model.opt.timestep, back.opt.timestep);
  EXPECT_EQ(model.pending, back.pending);
  EXPECT_EQ(back.id(ObjType::kSite, "s"), 0);
  EXPECT_EQ(back.model_name(), "io");
  // and the file itself is reproducible
  const std::string first = bytes_of(file_name());
  save_plm(back, file_name());
  EXPECT_EQ(first, bytes_of(file_name()));
}

TEST(ModelIo, AFlippedBitAnywhereIsRefused) {
  save_plm(load_model_string(kScene), file_name());
  const std::string good = bytes_of(file_name());
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::string bad = good;
    // every byte of the header, then places all over the file
    const size_t at = trial < 40 ? trial : random() % bad.size();
    bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
    write(file_name(), bad);
    EXPECT_THROW(load_plm(file_name()), LoadError) << "byte " << at;
  }
}

TEST(ModelIo, CutAndLengthenedFilesAreRefused) {
  save_plm(load_model_string(kScene), file_name());
  const std::string good = bytes_of(file_name());
  for (const size_t keep : {size_t{0}, size_t{1}, size_t{39}, size_t{40}, good.size() / 2, good.size() - 1}) {
    write(file_name(), good.substr(0, keep));
    EXPECT_THROW(load_plm(file_name()), LoadError) << keep;
  }
  write(file_name(), good + "x");
  EXPECT_THROW(load_plm(file_name()), LoadError);
}

TEST(ModelIo, LoadModelTakesBinaryFiles) {
  save_plm(load_model_string(kScene), file_name());
  EXPECT_EQ(load_model(file_name()).nbody, 2);
  EXPECT_FALSE(load_report(file_name() + ".plm").ok());  // no such file
}

}  // namespace
}  // namespace pliant
