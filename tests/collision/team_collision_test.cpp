// The stage collision by teams, on the host: what a GPU will run, in both precisions. In double the contacts of the CPU
// to the last bit, for every size of team; in single precision the same contacts as far as rounding allows.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collision/collision_stage_hd.h"
#include "collision/stages.h"
#include "model/contact_candidates.h"
#include "pliant/step.h"
#include "tests/base/fiber_team.h"
#include "tests/batch/host_worlds.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr int kNoLimit = 1 << 20;

/// One world with room for contacts.
template <class R>
class CollisionWorld {
 public:
  CollisionWorld(const Model& model, const State& from, const Data& cpu, int contacts = 2048, int survivors = 8192)
      : worlds_(model, 1), pairs_(list_pairs(model, kNoLimit)) {
    worlds_.m.candidates = pairs_.table();
    worlds_.set(0, from);
    worlds_.set(0, cpu);
    d = worlds_.data(0);
    d.contact = take<ContactT<R>>(contacts), d.contact_room = contacts;
    d.collision.survivor = take<int>(survivors), d.collision.survivor_room = survivors;
    d.collision.result = take<PairResult>(survivors), d.collision.point = take<ContactPointT<R>>(contacts);
    d.collision.geom_motion = take<GeomMotionT<R>>(model.ngeom);
    d.collision.body_motion = take<BodyMotionT<R>>(model.nbody);
  }

  template <int members>
  CollisionReport run(unsigned seed) {
    CollisionReport report;
    const StateView<R> s = worlds_.state(0);
    FiberTeam<members>::run(
        [&](const FiberTeam<members>& team) {
          DataView<R> mine = d;
          const CollisionReport its = collision_stage(team, worlds_.m, s, mine);
          if (team.lane() == members - 1) report = its, ncon = mine.ncon;
        },
        seed);
    return report;
  }
  /// Whether nothing was written behind what was given.
  bool is_intact() const {
    for (const auto& block : memory_) {
      for (size_t i = block.size() - kGuard; i < block.size(); ++i) {
        if (block[i] != kUntouched) return false;
      }
    }
    return true;
  }

 private:
  static constexpr size_t kGuard = 1024;
  static constexpr std::byte kUntouched{0x7f};
  template <class T>
  T* take(int n) {
    memory_.emplace_back(sizeof(T) * static_cast<size_t>(n) + kGuard, kUntouched);
    return reinterpret_cast<T*>(memory_.back().data());
  }
  HostWorlds<R> worlds_;
  ListedPairs pairs_;
  std::deque<std::vector<std::byte>> memory_;

 public:
  DataView<R> d;
  int ncon = 0;
};

template <class R>
std::string bytes_of(const ContactT<R>& c) {
  std::string bytes;
#define FIELD(owner, type, name, width, unit, meaning) \
  bytes.append(reinterpret_cast<const char*>(&c.name), sizeof(c.name));
#include "pliant/contact_fields.def"
#undef FIELD
  return bytes;
}
template <class R>
std::vector<std::string> contacts_of(const CollisionWorld<R>& world) {
  std::vector<std::string> all;
  for (int i = 0; i < world.ncon; ++i) all.push_back(bytes_of(world.d.contact[i]));
  return all;
}
std::vector<std::string> contacts_of(const Data& d) {
  std::vector<std::string> all;
  for (int i = 0; i < d.ncon; ++i) all.push_back(bytes_of(d.contact[i]));
  return all;
}

/// In double: the CPU's bits, whatever the team.
void expect_same_bits(const Model& m, const State& s, const Data& d, const std::string& where) {
  CollisionWorld<double> one(m, s, d), eight(m, s, d), warp(m, s, d);
  const CollisionReport report = one.run<1>(1);
  const std::vector<std::string> cpu = contacts_of(d), mine = contacts_of(one);
  EXPECT_FALSE(report.unlisted || report.overflow || report.miscount) << where;
  EXPECT_EQ(report.contacts, d.ncon) << where;
  EXPECT_EQ(report.tested, d.npair_tested) << where;
  EXPECT_TRUE(mine == cpu) << where;
  EXPECT_EQ(eight.run<8>(2).tested, report.tested) << where;
  EXPECT_EQ(warp.run<32>(3).tested, report.tested) << where;
  EXPECT_TRUE(contacts_of(eight) == mine) << where;
  EXPECT_TRUE(contacts_of(warp) == mine) << where;
}

/// Of the contacts of a pair, by their geoms.
template <class C>
std::map<std::pair<int, int>, std::vector<C>> by_pair(const C* contact, int n) {
  std::map<std::pair<int, int>, std::vector<C>> pairs;
  for (int i = 0; i < n; ++i) pairs[{contact[i].geom[0], contact[i].geom[1]}].push_back(contact[i]);
  return pairs;
}

/// In single precision: every pair that clearly touches is found, with the depth of its deepest point; every point is
/// where the CPU has one, or, where a face has several choices of points, on the same plane. Lengths are relative to
/// the shapes, and to how far they are from the origin, where single precision ends.
void expect_close(const Model& m, const State& s, const Data& d, const std::string& where, int& compared) {
  CollisionWorld<float> one(m, s, d), warp(m, s, d);
  one.run<1>(4), warp.run<32>(5);
  EXPECT_TRUE(contacts_of(one) == contacts_of(warp)) << where;
  const auto mine = by_pair(one.d.contact, one.ncon);
  const auto cpu = by_pair(d.contact, d.ncon);
  const auto deepest = [](const auto& contacts) {
    const auto* best = &contacts[0];
    for (const auto& c : contacts) best = c.dist < best->dist ? &c : best;
    return *best;
  };
  for (const auto& [geoms, contacts] : cpu) {
    const Contact& worst = deepest(contacts);
    const double size =
        m.geom_rbound[geoms.first] + m.geom_rbound[geoms.second] + std::hypot(worst.pos[0], worst.pos[1], worst.pos[2]);
    const double tolerance = 1e-5 * size;
    const double reach =
        pair_margin(m, geoms.first, geoms.second, worst.pair) + pair_gap(m, geoms.first, geoms.second, worst.pair);
    if (worst.dist > reach - tolerance) continue;
    const std::string pair = where + " geoms " + std::to_string(geoms.first) + " " + std::to_string(geoms.second);
    const auto found = mine.find(geoms);
    ASSERT_TRUE(found != mine.end()) << pair << " dist " << worst.dist;
    ++compared;
    const ContactT<float> most = deepest(found->second);
    EXPECT_NEAR(most.dist, worst.dist, tolerance) << pair;
    for (const ContactT<float>& c : found->second) {
      // the point is as far from the plane of the nearest of the CPU's as their distances say
      double nearest = HUGE_VAL;
      for (const Contact& other : contacts) {
        double off = 0, along = 0;
        for (int k = 0; k < 3; ++k) {
          off += std::pow(c.pos[k] - other.pos[k], 2);
          along += (c.pos[k] - other.pos[k]) * other.frame[k];
        }
        nearest = std::min(nearest, std::abs(c.dist - other.dist) + std::min(std::sqrt(off), std::abs(along)));
      }
      EXPECT_LE(nearest, 4 * tolerance) << pair;
    }
  }
}

struct Scene {
  const char* name;
  int steps;          // until things lie on each other
  const char* other;  // path below PLIANT_MODELS; nullptr: ours
};
class TeamCollisions : public testing::TestWithParam<Scene> {};

TEST_P(TeamCollisions, AreThoseOfTheCpu) {
  Model m;
  if (!load_scene_or_other(GetParam().name, GetParam().other, m))
    GTEST_SKIP() << "PLIANT_MODELS has no " << GetParam().other;
  int contacts = 0, compared = 0;
  for (int seed = 0; seed < 3; ++seed) {
    State s(m);
    if (m.nkey > 0 && seed == 1) std::memcpy(s.qpos, m.key_qpos, sizeof(double) * static_cast<size_t>(m.nq));
    if (seed == 2) randomise(m, s, seed);
    Data d(m);
    for (int k = 0; k < 3; ++k) {
      const std::string where =
          std::string(GetParam().name) + " start " + std::to_string(seed) + " look " + std::to_string(k);
      forward(m, s, d);
      run_collision(m, s, d);
      contacts += d.ncon;
      expect_same_bits(m, s, d, where);
      // (a random configuration has deep overlaps with several ways out)
      if (seed < 2) expect_close(m, s, d, where, compared);
      for (int i = 0; i < GetParam().steps; ++i) {
        if (!step(m, s, d).ok()) break;
      }
    }
  }
  EXPECT_GT(contacts, 0);
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, TeamCollisions,
    testing::Values(Scene{"stack_of_boxes", 100, nullptr}, Scene{"drop", 200, nullptr}, Scene{"gripper", 100, nullptr},
                    Scene{"mimic_gripper", 100, nullptr}, Scene{"quadruped", 100, nullptr},
                    Scene{"bin_of_boxes", 150, nullptr}, Scene{"humanoid", 150, "mujoco/humanoid/humanoid.xml"},
                    Scene{"franka", 50, "menagerie/franka_emika_panda/scene.xml"},
                    Scene{"shadow_hand", 50, "menagerie/shadow_hand/scene_right.xml"},
                    Scene{"barkour", 50, "menagerie/google_barkour_vb/scene.xml"},
                    Scene{"barkour_hills", 50, "menagerie/google_barkour_vb/scene_hfield_mjx.xml"}),
    [](const auto& info) { return info.param.name; });

/// All shapes, hulls and a height field, fast and slow, in gaps, with adhesion, surface velocities, priorities, pairs
/// and excluded pairs.
Model crowd(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto numbers = [&](int n, double low, double high) {
    std::string text;
    for (int i = 0; i < n; ++i) text += std::to_string(uniform(low, high)) + " ";
    return text;
  };
  std::string heights, bodies;
  for (int i = 0; i < 36; ++i) heights += std::to_string(uniform(0, 1)) + " ";
  const char* kinds[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
  constexpr int kBodies = 24;
  for (int i = 0; i < kBodies; ++i) {
    const std::string n = std::to_string(i), kind = kinds[i % 6];
    bodies += "<body name='b" + n + "' pos='" + numbers(2, -0.5, 0.5) + std::to_string(uniform(0.1, 0.9)) +
              "' euler='" + numbers(3, -90, 90) + "'><freejoint/>";
    for (int k = 0; k < 2; ++k) {
      bodies += "<geom name='g" + n + (k ? "b" : "") + "' type='" + kind + "' ";
      bodies += kind == "mesh" ? std::string(i % 4 ? "mesh='wedge' " : "mesh='ball' ")
                               : "size='" + numbers(3, 0.05, 0.12) + "' ";
      bodies += "pos='" + numbers(3, -0.05, 0.05) + "' margin='" + std::to_string(i % 3 ? 0.0 : 0.02) + "' gap='" +
                std::to_string(i % 5 ? 0.0 : 0.03) + "' condim='" + std::to_string(i % 3 ? 3 : 6) + "' priority='" +
                std::to_string(i % 7 == 0) + "' solmix='" + std::to_string(0.5 + i) + "' " +
                (i % 8 == 3 ? "surfacevel='0.1 0 0 0 0 1' " : "") + (i % 8 == 5 ? "adhesion='2' " : "") +
                (k ? "mass='0'" : "") + "/>";
    }
    if (i % 6 == 0) {
      bodies += "<body pos='0.1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='0.03 0.08'/></body>";
    }
    bodies += "</body>";
  }
  return load_model_string(
      "<mujoco><option timestep='0.004'/><asset><hfield name='hills' nrow='6' ncol='6' size='1.2 1.2 .2 .1' "
      "elevation='" +
      heights +
      "'/><mesh name='wedge' vertex='0 0 0 .15 0 0 0 .12 0 0 0 .1 .14 .1 .02'/>"
      "<mesh name='ball' builtin='sphere' params='2' scale='.1 .1 .1'/></asset><worldbody>"
      "<geom type='plane' size='3 3 1'/><geom type='hfield' hfield='hills' pos='0.2 0 0.01'/>"
      "<geom type='box' size='.3 .3 .002' pos='0.3 0.3 0.4'/>" +
      bodies +
      "</worldbody><contact><pair geom1='g1' geom2='g4' margin='0.05' condim='4'/><pair geom1='g2' geom2='g3b'/>"
      "<exclude body1='b0' body2='b5'/><exclude body1='b2' body2='b8'/></contact></mujoco>");
}

TEST(TeamCollision, AllShapesAllFlags) {
  struct Flags {
    int disable, enable;
    double speed;
  };
  const Flags variants[] = {{0, 0, 1},
                            {kDisableMidPhase, 0, 1},
                            {kDisableFilterParent, 0, 1},
                            {kDisableNativeCcd, 0, 1},
                            {kDisableMultiCcd, 0, 1},
                            {kDisableNativeCcd | kDisableMultiCcd, kEnableSpeculative, 30},
                            {0, kEnableOverride, 1},
                            {0, kEnableSpeculative, 30},
                            {kDisableMultiCcd, kEnableSpeculative, 30},
                            {0, kEnableSpeculative | kEnableSpeculativeExact, 30}};
  for (int seed = 1; seed <= 3; ++seed) {
    Model m = crowd(seed);
    const Options original = m.opt;
    int variant = 0, compared = 0;
    for (const Flags& flags : variants) {
      m.opt = original;
      m.opt.disableflags |= flags.disable, m.opt.enableflags |= flags.enable;
      m.opt.o_margin = 0.01;
      State s(m);
      randomise(m, s, seed);
      for (int i = 0; i < m.nv; ++i) s.qvel[i] *= flags.speed;
      Data d(m);
      forward(m, s, d);
      run_collision(m, s, d);
      EXPECT_GT(d.ncon, 20);
      // fast pairs make contacts that are not there yet
      const bool ahead = wants_motions(m);
      int predicted = 0, braked = 0;
      for (const Contact& c : std::span(d.contact, static_cast<size_t>(d.ncon))) {
        const double reach = c.includemargin + pair_gap(m, c.geom[0], c.geom[1], c.pair);
        predicted += ahead && c.dist > reach;
        braked += has_own_law(m, c);
      }
      EXPECT_EQ(predicted > 0, ahead);
      EXPECT_EQ(braked > 5, ahead && is_exact(m));
      const std::string where = "seed " + std::to_string(seed) + " variant " + std::to_string(variant++);
      expect_same_bits(m, s, d, where);
      if (variant == 1) expect_close(m, s, d, where, compared);
    }
    EXPECT_GT(compared, 10);
  }
}

// A capacity that is too small is reported, with what is needed, and nothing is written behind it.
TEST(TeamCollision, OverflowIsReported) {
  const Model m = crowd(1);
  State s(m);
  randomise(m, s, 1);
  Data d(m);
  forward(m, s, d);
  run_collision(m, s, d);
  for (const int room : {0, 1, d.ncon - 1}) {
    CollisionWorld<double> world(m, s, d, room);
    const CollisionReport report = world.run<8>(1);
    EXPECT_TRUE(report.overflow);
    EXPECT_EQ(report.contacts, d.ncon);
    EXPECT_EQ(world.ncon, 0);
    EXPECT_TRUE(world.is_intact());
  }
  CollisionWorld<double> enough(m, s, d, d.ncon);
  EXPECT_FALSE(enough.run<8>(1).overflow);
  EXPECT_EQ(enough.ncon, d.ncon);
  EXPECT_TRUE(enough.is_intact());
  CollisionWorld<double> few(m, s, d, 4096, 7);
  const CollisionReport report = few.run<8>(1);
  EXPECT_TRUE(report.overflow);
  EXPECT_GT(report.survivors, 7);
  EXPECT_EQ(few.ncon, 0);
  EXPECT_TRUE(few.is_intact());
}

// Without a list nothing is guessed.
TEST(TeamCollision, UnlistedIsRefused) {
  const Model m = load_scene("drop");
  EXPECT_FALSE(list_pairs(m, 1).complete);
  EXPECT_TRUE(list_pairs(m, 1).pairs.empty());
  State s(m);
  Data d(m);
  forward(m, s, d);
  HostWorlds<double> worlds(m, 1);
  DataView<double> view = worlds.data(0);
  EXPECT_TRUE(collision_stage(SerialTeam{}, worlds.m, worlds.state(0), view).unlisted);
}

// What is a condim, a friction and a pose only by name does not become a contact.
TEST(TeamCollision, BadNumbersAreCounted) {
  Model m = load_scene("drop");
  State s(m);
  Data d(m);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(m, s, d).ok());
  forward(m, s, d);
  ASSERT_GT(d.ncon, 0);
  m.geom_condim[d.contact[0].geom[0]] = m.geom_condim[d.contact[0].geom[1]] = 5;
  const int geom = d.contact[d.ncon - 1].geom[1];
  m.geom_size[3 * geom] = NAN, m.geom_size[3 * geom + 1] = NAN;
  run_collision(m, s, d);
  CollisionWorld<double> world(m, s, d);
  const CollisionReport report = world.run<8>(1);
  EXPECT_GT(report.bad_dims, 0);
  EXPECT_TRUE(contacts_of(world) == contacts_of(d));
}

}  // namespace
}  // namespace pliant
