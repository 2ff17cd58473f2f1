// Contract of the pipeline table: a stage writes the fields it owns and no others, and leaves State alone.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>

#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

// Owners of the fields each stage may write. Sensors compute on demand what no stage has computed yet.
const std::map<std::string, std::set<std::string>> kOwners = {
    {"position sensors", {"sensor", "energy", "subtree"}},
    {"velocity sensors", {"sensor", "energy", "subtree"}},
    {"acceleration sensors", {"sensor", "body_forces"}},
    {"potential energy", {"energy"}},
    {"kinetic energy", {"energy"}},
};

class Contract : public testing::TestWithParam<const char*> {};

TEST_P(Contract, StagesWriteOnlyWhatTheyOwn) {
  Model m = load_scene(GetParam());
  m.opt.enableflags |= kEnableEnergy;
  State first(m), second(m);
  randomise(m, first, 1);
  randomise(m, second, 2);
  for (const StageInfo& stage : pipeline()) {
    // Data of one state, then one stage with another: what the stage writes changes.
    Data d(m);
    forward(m, first, d);
    Data before = d;
    d.done = {};
    const uint64_t hash = second.hash();
    stage.run(m, second, d);
    EXPECT_EQ(second.hash(), hash) << stage.name;
    const auto special = kOwners.find(stage.name);
    int field = 0;
    for (const StateFieldInfo& info : data_fields()) {
      const size_t bytes = scalar_bytes(info.scalar) * d.field_count(field) * d.field_width(field);
      const bool changed = std::memcmp(d.field_data(field), before.field_data(field), bytes) != 0;
      const bool owned = std::string(info.owner) == "scratch" || std::string(info.owner) == stage.name ||
                         (special != kOwners.end() && special->second.count(info.owner));
      EXPECT_TRUE(owned || !changed) << stage.name << " wrote " << info.name << " of " << info.owner;
      ++field;
    }
  }
}

// Every owner in the list is a stage, or something computed on demand.
TEST(Contract, OwnersExist) {
  std::set<std::string> known = {"integrate", "subtree", "body_forces", "inverse", "energy", "sensor", "scratch"};
  for (const StageInfo& stage : pipeline()) known.insert(stage.name);
  for (const StateFieldInfo& info : data_fields()) EXPECT_TRUE(known.count(info.owner)) << info.owner;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Contract, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant
