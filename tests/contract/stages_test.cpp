// Contract of stages.def: a stage writes the arrays of the owners it names and no others, what it writes depends on
// the arrays it names and no others, and it leaves State alone. Arrays are those of data_fields.def and, as far as a
// step has made them, of contact_fields.def, row_fields.def and island_fields.def.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

std::set<std::string> words(const char* text) {
  std::istringstream in(text);
  std::set<std::string> found;
  for (std::string word; in >> word;) found.insert(word);
  return found;
}

/// An array of Data: where it lies and who owns it.
struct Array {
  std::string owner;
  Scalar scalar;
  StepArray at;

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> out;
    for (int i = 0; i < at.count; ++i) {
      const auto* from = static_cast<const std::byte*>(at.data) + at.stride * static_cast<size_t>(i);
      out.insert(out.end(), from, from + at.bytes);
    }
    return out;
  }

  /// Numbers that nobody who reads them can overlook.
  void spoil() const {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < at.count; ++i) {
      auto* to = static_cast<std::byte*>(at.data) + at.stride * static_cast<size_t>(i);
      for (size_t k = 0; k < at.bytes; k += sizeof kNan) std::memcpy(to + k, &kNan, sizeof kNan);
    }
  }
};

bool is_integer(const std::string& name) {
  static const std::set<std::string> kIntegers = [] {
    std::set<std::string> names;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  if (Scalar::type != Scalar::real) names.insert(#name);
#include "pliant/island_fields.def"
#include "pliant/row_fields.def"
#undef FIELD
#define FIELD(owner, type, name, width, unit, meaning) \
  if (std::string(#type) != "real") names.insert("contact." #name);
#include "pliant/contact_fields.def"
#include "tests/source_folder.h"
#undef FIELD
    return names;
  }();
  return kIntegers.count(name) > 0;
}

/// All arrays by name; working memory is nobody's.
std::map<std::string, Array> arrays_of(const Model& m, const Data& d) {
  std::map<std::string, Array> all;
  int field = 0;
  for (const StateFieldInfo& info : data_fields()) {
    const int i = field++;
    const size_t size = scalar_bytes(info.scalar);
    if (std::string(info.owner).ends_with("scratch")) continue;
    all[info.name] = {info.owner,
                      info.scalar,
                      {info.owner, info.name, d.field_data(i), size, size, d.field_count(i) * d.field_width(i)}};
  }
  for_each_step_array(d, m, [&](const StepArray& array) {
    all[array.name] = {array.owner, is_integer(array.name) ? Scalar::i32 : Scalar::real, array};
  });
  return all;
}

std::map<std::string, std::vector<std::byte>> contents(const Model& m, const Data& d) {
  std::map<std::string, std::vector<std::byte>> all;
  for (const auto& [name, array] : arrays_of(m, d)) all[name] = array.bytes();
  return all;
}

/// Data of one state, and another state: what a stage computes of that one differs.
struct Bench {
  Bench(Model model, Integrator integrator) : m(std::move(model)) {
    m.opt.enableflags |= kEnableEnergy;
    m.opt.integrator = integrator;
    first = State(m), second = State(m);
    randomise(m, first, 1);
    randomise(m, second, 2);
  }
  /// Everything up to a stage, of the first state; the stage itself sees the second.
  Data before(const StageInfo& stage) const {
    Data d(m);
    forward(m, first, d);
    for (const StageInfo& earlier : pipeline()) {
      if (&earlier == &stage) break;
      if (is_needed(m, earlier.condition)) earlier.run(m, first, d);
    }
    d.done = {};
    return d;
  }
  Model m;
  State first, second;
};

/// What a stage writes without owning it, one line each.
std::vector<std::string> stray_writes(const Bench& bench, const StageInfo& stage) {
  std::vector<std::string> found;
  const std::set<std::string> writes = words(stage.writes);
  Data d = bench.before(stage);
  const auto owners = arrays_of(bench.m, d);
  const auto before = contents(bench.m, d);
  State state = bench.second;
  const uint64_t hash = state.hash();
  stage.run(bench.m, state, d);
  if (state.hash() != hash) found.push_back(std::string(stage.name) + " wrote into State");
  const auto after = contents(bench.m, d);
  for (const auto& [name, bytes] : before) {
    // making contacts or rows anew is the end of those before
    const bool made_anew = !after.count(name) || after.at(name).size() != bytes.size();
    if (!made_anew && after.at(name) == bytes) continue;
    const std::string& owner = owners.at(name).owner;
    if (writes.count(owner) || (made_anew && (writes.count("collision") || writes.count("constraint")))) continue;
    // who makes contacts writes all of them
    if (writes.count("collision") && name.starts_with("contact.")) continue;
    found.push_back(std::string(stage.name) + " wrote " + name + " of " + owner);
  }
  return found;
}

class Contract : public testing::TestWithParam<const char*> {};

TEST_P(Contract, StagesWriteOnlyWhatTheyOwn) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kDiscrete}) {
    const Bench bench(load_scene(GetParam()), integrator);
    for (const StageInfo& stage : pipeline()) {
      if (!is_needed(bench.m, stage.condition)) continue;
      EXPECT_EQ(stray_writes(bench, stage), std::vector<std::string>{});
    }
  }
}

// A stage that writes what is not its own is found, wherever it writes.
TEST(Contract, StrayWritesAreFound) {
  Bench bench(load_scene("drop"), Integrator::kEuler);
  bench.m.opt.solver = SolverType::kTgs;
  Data d(bench.m);
  for (int i = 0; i < 300; ++i) step(bench.m, bench.first, d);  // until it lies
  bench.second = bench.first;
  ASSERT_GT(d.ncon, 0);
  ASSERT_GT(d.islands.n, 0);
  ASSERT_FALSE(bench.second.row_memory.force.empty());
  StageInfo stage{};
  for (const StageInfo& other : pipeline()) {
    if (std::string(other.name) == "velocity") stage = other;
  }
  ASSERT_EQ(stray_writes(bench, stage), std::vector<std::string>{});
  using Run = void (*)(const Model&, const State&, Data&);
  const Run strays[] = {
      [](const Model&, const State&, Data& d) { d.contact[0].dist += 1; },
      [](const Model&, const State&, Data& d) { d.contact[0].friction[4] += 1; },
      [](const Model&, const State&, Data& d) { d.rows.row_J[0] += 1; },
      [](const Model&, const State&, Data& d) { d.rows.row_force[d.rows.n - 1] += 1; },
      [](const Model&, const State&, Data& d) { d.rows.row_segadr[0] += 1; },
      [](const Model&, const State&, Data& d) { d.islands.island_dof[0] += 1; },
      [](const Model&, const State&, Data& d) { d.qacc[0] += 1; },
      [](const Model&, const State& s, Data&) { const_cast<State&>(s).row_memory.force[0] += 1; },
      [](const Model&, const State& s, Data&) { s.qvel[0] += 1; },
  };
  for (const Run stray : strays) {
    stage.run = stray;
    EXPECT_EQ(stray_writes(bench, stage).size(), 1U);
  }
}

/// Which arrays a stage's results depend on: those that change its results when they are spoilt.
std::set<std::string> arrays_read(const Bench& bench, const StageInfo& stage) {
  const Data start = bench.before(stage);
  Data clean = start;
  clean.done = {};
  stage.run(bench.m, bench.second, clean);
  const auto expected = contents(bench.m, clean);
  std::set<std::string> read;
  for (const auto& [name, array] : arrays_of(bench.m, start)) {
    // (integers are places in other arrays: spoilt ones lead anywhere)
    if (array.at.count == 0 || array.scalar != Scalar::real) continue;
    Data d = start;
    d.done = {};
    arrays_of(bench.m, d).at(name).spoil();
    stage.run(bench.m, bench.second, d);
    const auto results = contents(bench.m, d);
    for (const auto& [result, bytes] : expected) {
      const auto found = results.find(result);
      // (what a stage does not write of its own arrays stays spoilt)
      if (result != name && (found == results.end() || found->second != bytes)) read.insert(name);
    }
  }
  return read;
}

// Two Data in the same state, one stage on both: every array has the same bits, whatever memory held before.
TEST_P(Contract, StagesWriteAllOfWhatTheyMake) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kDiscrete}) {
    const Bench bench(load_scene(GetParam()), integrator);
    for (const StageInfo& stage : pipeline()) {
      if (!is_needed(bench.m, stage.condition)) continue;
      const Data start = bench.before(stage);
      Data a = start, b = start;
      // memory that is taken holds something else
      std::memset(b.arena.take<std::byte>(1 << 20), 0x5a, 1 << 20);
      b = start;
      for (Data* d : {&a, &b}) {
        d->done = {};
        stage.run(bench.m, bench.second, *d);
      }
      const auto first = contents(bench.m, a), second = contents(bench.m, b);
      ASSERT_EQ(first.size(), second.size()) << stage.name;
      for (const auto& [name, bytes] : first) EXPECT_EQ(bytes == second.at(name), true) << stage.name << ' ' << name;
    }
  }
}

/// Models that between them have every kind of element.
const char* const kCases[] = {"cameras_and_lights",      "dynamics_actuator_laws",  "dynamics_dcmotor",
                              "dynamics_fluid",          "dynamics_gravcomp",       "dynamics_muscle",
                              "dynamics_sensors_frames", "dynamics_sensors_joints", "dynamics_sensors_sites",
                              "dynamics_springs",        "dynamics_tendon_wraps",   "dynamics_tendons",
                              "dynamics_transmission",   "rows_contacts",           "rows_kinds"};

/// Boxes on boxes with all kinds of friction, some centimetres deep in each other.
std::string sliding_stacks() {
  std::string bodies;
  for (int i = 0; i < 8; ++i) {
    for (int floor = 0; floor < 2; ++floor) {
      bodies +=
          "<body pos='" + std::to_string(6 * i) + " 0 " + std::to_string(0.45 + 0.9 * floor) +
          "'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
          "<geom type='box' size='.5 .5 .5' friction='" +
          std::to_string(0.5 * (i + 1)) + "'/></body>";
    }
  }
  return "<mujoco><option friction='anchored'><flag diagstack='enable'/></option><worldbody><geom type='plane' "
         "size='99 9 1' "
         "friction='0.1'/>" +
         bodies + "</worldbody></mujoco>";
}

TEST(Contract, StagesReadWhatTheySay) {
  std::map<std::string, std::set<std::string>> read;
  const auto look = [&](const Bench& bench) {
    for (const StageInfo& stage : pipeline()) {
      if (is_needed(bench.m, stage.condition)) read[stage.name].merge(arrays_read(bench, stage));
    }
  };
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kDiscrete}) {
    for (const char* scene : kScenes) look(Bench(load_scene(scene), integrator));
    for (const char* name : kCases) {
      const std::string file = std::string(name) + ".xml";
      look(Bench(load_model(source_folder() / "tests" / "parity" / "cases" / file), integrator));
    }
    // anchored friction that is asked for more than its cone, and stacks by their true response
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      Bench bench(load_model_string(sliding_stacks()), integrator);
      bench.m.opt.cone = cone;
      look(bench);
    }
  }
  for (const StageInfo& stage : pipeline()) {
    std::string found;
    for (const std::string& name : read[stage.name]) found += (found.empty() ? "" : " ") + name;
    const std::set<std::string> said = words(stage.reads);
    EXPECT_EQ(said, read[stage.name]) << "stages.def should say of " << stage.name << ": \"" << found << '"';
  }
}

// Every owner in the list is written by a stage, or computed on demand.
TEST(Contract, OwnersExist) {
  std::set<std::string> known = {"integrate", "factors", "implicit",    "rk4",     "tgs",    "yield",   "delay",
                                 "subtree",   "energy",  "body_forces", "inverse", "sensor", "scratch", "host_scratch"};
  for (const StageInfo& stage : pipeline()) known.merge(words(stage.writes));
  for (const StateFieldInfo& info : data_fields()) EXPECT_TRUE(known.count(info.owner)) << info.owner;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Contract, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant
