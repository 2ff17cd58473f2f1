// The collision stage: which pairs reach the narrow phase, in which order, with which parameters; capacity, faults.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "collision/broadphase.h"
#include "model/contact_candidates.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "step/stages.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

Model model_of(const std::string& xml) { return load_model_string("<mujoco>" + xml + "</mujoco>"); }

struct World {
  Model m;
  State s;
  Data d;
  explicit World(const std::string& xml) : World(model_of(xml)) {}
  explicit World(Model model) : m(std::move(model)), s(m), d(m) {}
  void collide() {
    run_poses(m, s, d);
    run_collision(m, s, d);
  }
};

using Pairs = std::vector<std::pair<int, int>>;
Pairs pairs_of(const Data& d) {
  Pairs pairs;
  for (int i = 0; i < d.ncon; ++i) pairs.emplace_back(d.contact[i].geom[0], d.contact[i].geom[1]);
  return pairs;
}

// All geoms against all geoms by the rules, without any broad phase or boxes.
Pairs brute_force(const Model& m, const Data& d) {
  Pairs found;
  ContactPoint points[kMaxPairPoints];
  for (int a = 0; a < m.ngeom; ++a) {
    for (int b = a + 1; b < m.ngeom; ++b) {
      int low = m.geom_bodyid[a], high = m.geom_bodyid[b], first = a, second = b;
      const GeomTag tag1 = geom_tag(m, a), tag2 = geom_tag(m, b);
      if (!joints_allow(tag1, tag2, !(m.opt.disableflags & kDisableFilterParent))) continue;
      if (!bits_allow(tag1, tag2) || is_excluded(m, body_signature(low, high))) continue;
      if (m.geom_type[first] > m.geom_type[second]) std::swap(first, second);
      const double margin = m.geom_margin[a] + m.geom_margin[b] + (m.geom_gap[a] + m.geom_gap[b]);
      if (!spheres_meet(m, d, first, second, margin)) continue;
      const Shape one = geom_shape(m, d, first), other = geom_shape(m, d, second);
      const auto function = pair_function<double>(one.type, other.type);
      const int n = function ? function(one, other, margin, points) : 0;
      for (int i = 0; i < n; ++i) found.emplace_back(first, second);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Bodies of one to three geoms, some of them chains, with bits, margins and gaps; some geoms belong to the world.
std::string random_scene(int bodies, int static_geoms, double room, int seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto geom = [&] {
    static constexpr const char* kTypes[] = {"sphere", "capsule", "box"};
    std::ostringstream text;
    text << "<geom type='" << kTypes[generator() % 3] << "' size='" << 0.05 + 0.1 * unit(generator) << " "
         << 0.05 + 0.1 * unit(generator) << " " << 0.05 + 0.1 * unit(generator) << "' pos='" << 0.2 * unit(generator)
         << " " << 0.2 * unit(generator) << " 0' euler='" << 360 * unit(generator) << " " << 360 * unit(generator)
         << " 0' contype='" << generator() % 4 << "' conaffinity='" << generator() % 4 << "' margin='"
         << 0.02 * unit(generator) << "' gap='" << 0.02 * unit(generator) << "'/>";
    return text.str();
  };
  std::ostringstream xml;
  xml << "<worldbody><geom type='plane' size='1 1 1' pos='0 0 " << 0.1 * room << "'/>";
  for (int i = 0; i < static_geoms; ++i) {
    xml << "<frame pos='" << room * unit(generator) << " " << room * unit(generator) << " " << room * unit(generator)
        << "'>" << geom() << "</frame>";
  }
  for (int i = 0; i < bodies; ++i) {
    xml << "<body name='b" << i << "' pos='" << room * unit(generator) << " " << room * unit(generator) << " "
        << room * unit(generator) << "'>" << (i % 7 == 6 ? "" : "<freejoint/>") << "<geom size='0.01'/>";
    for (int k = generator() % 3; k > 0; --k) xml << geom();
    if (i % 3 == 0)
      xml << "<body pos='0.1 0 0.1'><joint axis='0 1 0'/>" << geom() << "<body pos='0 0.1 0'>" << geom()
          << "</body></body>";
    xml << "</body>";
  }
  xml << "</worldbody><contact><exclude body1='b0' body2='b1'/><exclude body1='b2' body2='world'/></contact>";
  return xml.str();
}

struct Scene {
  int bodies, static_geoms;
  double room;
};
// list, sweep, sweep with a tree, far more geoms than fit into one block of anything
class BroadPhase : public testing::TestWithParam<Scene> {};

TEST_P(BroadPhase, FindsWhatAllPairsFind) {
  const auto [bodies, static_geoms, room] = GetParam();
  size_t contacts = 0;
  for (int seed = 0; seed < 4; ++seed) {
    World world(random_scene(bodies, static_geoms, room, seed));
    if (seed == 3) world.m.opt.disableflags |= kDisableFilterParent;
    world.collide();
    Pairs mine = pairs_of(world.d);
    contacts += mine.size();
    std::sort(mine.begin(), mine.end());
    const Pairs all = brute_force(world.m, world.d);
    Pairs different;
    std::set_symmetric_difference(mine.begin(), mine.end(), all.begin(), all.end(), std::back_inserter(different));
    EXPECT_EQ(different, Pairs{}) << "seed " << seed;
  }
  EXPECT_GT(contacts, 20u);
}
INSTANTIATE_TEST_SUITE_P(Scenes, BroadPhase,
                         testing::Values(Scene{8, 3, 0.5}, Scene{20, 5, 1}, Scene{90, 5, 2}, Scene{90, 120, 2},
                                         Scene{10, 200, 1.5}));

TEST(Collision, TwoTreesFindEachOther) {
  // two bodies of sixty spheres each, one of which moves into the other
  std::ostringstream xml;
  const auto grid = [&](double shift) {
    for (int i = 0; i < 60; ++i)
      xml << "<geom size='0.06' pos='" << 0.1 * (i % 8) + shift << " " << 0.1 * (i / 8) << " 0'/>";
  };
  xml << "<worldbody><geom type='plane' size='1 1 1' pos='0 0 0.03'/><body>";
  grid(0);
  xml << "</body><body pos='0 0 0.08' euler='0 0 20'><freejoint/>";
  grid(0.03);
  xml << "</body></worldbody>";
  World world(xml.str());
  ASSERT_TRUE(uses_tree(world.m, 1) && uses_tree(world.m, 2));
  world.collide();
  Pairs mine = pairs_of(world.d);
  std::sort(mine.begin(), mine.end());
  EXPECT_GT(mine.size(), 60u);
  EXPECT_EQ(mine, brute_force(world.m, world.d));
}

TEST(Collision, ContactsFarFromTheOrigin) {
  // the reference rounds to float32 here: bodies overlap by 0.9 mm at 10 km before they touch
  for (const double far : {0.0, 1e3, 1e4, 1e6}) {
    for (int bodies : {2, 200}) {
      std::ostringstream xml;
      xml.precision(17);
      xml << "<worldbody>";
      for (int i = 0; i < bodies; ++i) {
        xml << "<body pos='" << far + 0.199999 * (i % 2) << " " << far << " " << 0.5 * (i / 2)
            << "'><freejoint/><geom size='0.1'/></body>";
      }
      xml << "</worldbody>";
      World world(xml.str());
      world.collide();
      EXPECT_EQ(world.d.ncon, bodies / 2) << far;
    }
  }
}

TEST(Collision, StaticPlanesAndOverlappingBodies) {
  // the reference ends the process here: "broadphase buffer full"
  std::string xml =
      "<worldbody><body><geom type='plane' size='1 1 1'/></body><body><geom type='plane' size='1 1 1'/></body>";
  for (int i = 0; i < 6; ++i) xml += "<body pos='0 0 0.05'><freejoint/><geom size='0.1'/></body>";
  World world(xml + "</worldbody>");
  world.collide();
  EXPECT_EQ(world.d.ncon, 2 * 6 + 6 * 5 / 2);
}

TEST(Collision, NowhereIsNoContact) {
  World world(random_scene(12, 3, 0.5, 5));
  world.collide();
  ASSERT_GT(world.d.ncon, 10);
  for (const double bad : {std::nan(""), HUGE_VAL, 1e200}) {
    for (int g = 0; g < world.m.ngeom; g += 2) world.d.geom_xpos[3 * g + g % 3] = bad;
    run_collision(world.m, world.s, world.d);
    for (int i = 0; i < world.d.ncon; ++i) {
      const Contact& c = world.d.contact[i];
      EXPECT_TRUE(std::isfinite(c.dist) &&
                  std::isfinite(c.pos[0] + c.pos[1] + c.pos[2] + c.frame[0] + c.frame[4] + c.frame[8]));
    }
  }
}

TEST(Collision, DisableFlags) {
  World world(random_scene(12, 3, 0.5, 5));
  for (const int flag : {kDisableContact, kDisableConstraint}) {
    world.m.opt.disableflags = flag;
    world.collide();
    EXPECT_EQ(world.d.ncon, 0);
  }
}

TEST(Collision, SameBitsFromAFreshData) {
  World world(random_scene(90, 120, 2, 1));
  world.collide();
  Data fresh(world.m);
  run_poses(world.m, world.s, fresh);
  for (int i = 0; i < 3; ++i) run_collision(world.m, world.s, fresh);
  ASSERT_EQ(fresh.ncon, world.d.ncon);
  for (int i = 0; i < fresh.ncon; ++i) {
    const Contact &a = fresh.contact[i], &b = world.d.contact[i];
    EXPECT_TRUE(a.dist == b.dist && a.geom[0] == b.geom[0] && a.geom[1] == b.geom[1] &&
                std::equal(a.pos, a.pos + 3, b.pos) && std::equal(a.frame, a.frame + 9, b.frame));
  }
}

TEST(Collision, OrderIsByBodiesThenGeoms) {
  World world(random_scene(60, 10, 1, 2));
  world.collide();
  ASSERT_GT(world.d.ncon, 50);
  const auto key = [&](const Contact& c) {
    const int a = world.m.geom_bodyid[c.geom[0]], b = world.m.geom_bodyid[c.geom[1]];
    return std::tuple(std::min(a, b), std::max(a, b), c.geom[0], c.geom[1]);
  };
  for (int i = 1; i < world.d.ncon; ++i) EXPECT_LE(key(world.d.contact[i - 1]), key(world.d.contact[i]));
}

TEST(Collision, NoAllocationAfterWarmUp) {
  for (const char* name : {"stack_of_boxes", "bin_of_boxes"}) {
    World world(load_scene(name));
    for (int i = 0; i < 3; ++i) world.collide();
    const long before = allocation_count();
    for (int i = 0; i < 10; ++i) world.collide();
    EXPECT_EQ(allocation_count(), before) << name;
    EXPECT_GT(world.d.ncon, 30) << name;
  }
}

TEST(Collision, FixedMemoryKeepsWhatFitsAndSaysSo) {
  World world(load_scene("bin_of_boxes"));
  world.collide();
  const int all = world.d.ncon;
  const size_t needed = world.d.arena.high_water();
  int last = -1;
  for (size_t bytes = 1 << 14; bytes < needed + (1 << 16); bytes += needed / 40) {
    Data d(world.m);
    d.arena.reserve(bytes);
    d.arena.fixed = true;
    run_poses(world.m, world.s, d);
    run_collision(world.m, world.s, d);
    const FaultRecord& fault = d.faults[static_cast<int>(Fault::kContactOverflow)];
    EXPECT_EQ(fault.count > 0, d.ncon < all) << bytes;
    EXPECT_EQ(d.arena.growths(), 0);
    last = d.ncon;
    if (d.ncon < all) {
      EXPECT_NE(describe_faults(world.m, d).find("contacts were dropped"), std::string::npos);
      State s = world.s;
      EXPECT_TRUE(step(world.m, s, d).faults >> static_cast<int>(Fault::kContactOverflow) & 1);
      EXPECT_GT(*s.time, 0);
    }
  }
  EXPECT_EQ(last, all);
}

// ---- parameters --------------------------------------------------------------------------------

// A sphere in a plane, with the given attributes.
Contact touch(const std::string& plane, const std::string& sphere, const std::string& rest = "", double height = 0.09) {
  World world("<worldbody><geom name='p' type='plane' size='1 1 1' " + plane + "/><body pos='0 0 " +
              std::to_string(height) + "'><freejoint/><geom name='s' size='0.1' " + sphere + "/></body></worldbody>" +
              rest);
  world.collide();
  EXPECT_EQ(world.d.ncon, 1);
  return world.d.ncon ? world.d.contact[0] : Contact{};
}

std::string bytes_of(const Data& d) {
  std::string bytes;
  for (int i = 0; i < d.ncon; ++i) {
#define FIELD(owner, type, name, width, unit, meaning) \
  bytes.append(reinterpret_cast<const char*>(&d.contact[i].name), sizeof(d.contact[i].name));
#include "pliant/contact_fields.def"
#undef FIELD
  }
  return bytes;
}

// Candidates that a Model lists are those that a sweep finds, in the order of contacts; and a list that does not follow
// from the Model any more is not used.
TEST(Collision, ListAndSweepFindTheSame) {
  for (const char* name : kScenes) {
    Model m = load_scene(name);
    ASSERT_TRUE(m.prepared_contacts && m.prepared_contacts->is_current(m)) << name;
    State s(m);
    randomise(m, s, 3);
    Data listed(m), swept(m);
    int contacts = 0, changes = 0;
    const auto compare = [&] {
      Model without = m;
      without.prepared_contacts = nullptr;
      forward(m, s, listed);
      forward(without, s, swept);
      EXPECT_EQ(bytes_of(listed), bytes_of(swept)) << name << " change " << changes;
      contacts += listed.ncon;
      ++changes;
    };
    for (int k = 0; k < 10; ++k) {
      compare();
      for (int i = 0; i < 30; ++i) step(m, s, listed);
    }
    const Model before = m;
    const auto changed = [&](auto&& change) {
      change();
      EXPECT_FALSE(m.prepared_contacts->is_current(m)) << name << " change " << changes;
      compare();
      set_const(m);
      EXPECT_TRUE(m.prepared_contacts->is_current(m)) << name;
      compare();
      m = before;
    };
    changed([&] { m.geom_contype[m.ngeom - 1] = 2, m.geom_conaffinity[m.ngeom - 1] = 4; });
    changed([&] { m.body_contype[m.nbody - 1] ^= 3; });
    changed([&] { m.opt.disableflags ^= kDisableFilterParent; });
    changed([&] { m.opt.disableflags ^= kDisableMidPhase; });
    changed([&] { m.geom_type[m.ngeom - 1] = static_cast<int>(GeomType::kSphere) + (m.geom_type[m.ngeom - 1] == 2); });
    EXPECT_GT(contacts, 0) << name;
  }
}

TEST(Collision, PackedHullsFollowTheMesh) {
  World w(
      "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>");
  const auto packed = [&] { return w.m.prepared_contacts->hull(0)[0]; };
  const auto first = static_cast<double>(w.m.mesh_vert[3 * w.m.mesh_graph[w.m.mesh_graphadr[0] + 2 + 4]]);
  EXPECT_EQ(packed(), first);
  for (int i = 0; i < 3 * w.m.nmeshvert; ++i) w.m.mesh_vert[i] *= 2;
  set_const(w.m);
  EXPECT_EQ(packed(), 2 * first);
}

TEST(ContactParameters, EqualPriorityMixes) {
  Contact c = touch("friction='0.3 0.02 0.003' solmix='1' solref='0.02 1' solimp='0.8 0.9 0.01 0.5 2' condim='4'",
                    "friction='0.5 0.01 0.004' solmix='3' solref='0.06 0.2' solimp='0.4 0.5 0.05 0.1 6' condim='3'");
  EXPECT_EQ(c.dim, 4);
  EXPECT_DOUBLE_EQ(c.friction[0], 0.5);
  EXPECT_DOUBLE_EQ(c.friction[1], 0.5);
  EXPECT_DOUBLE_EQ(c.friction[2], 0.02);
  EXPECT_DOUBLE_EQ(c.friction[3], 0.004);
  EXPECT_DOUBLE_EQ(c.solref[0], 0.05);
  EXPECT_DOUBLE_EQ(c.solref[1], 0.4);
  EXPECT_DOUBLE_EQ(c.solimp[0], 0.5);
  EXPECT_DOUBLE_EQ(c.solimp[4], 5);
  // solmix of zero: the other decides; of both: half and half
  EXPECT_DOUBLE_EQ(touch("solmix='0' solref='0.1 1'", "solref='0.2 1'").solref[0], 0.2);
  EXPECT_DOUBLE_EQ(touch("solmix='0' solref='0.1 1'", "solmix='0' solref='0.2 1'").solref[0], 0.15);
  // one direct solref: the smaller of each
  c = touch("solref='-1000 -3'", "solref='0.02 1'");
  EXPECT_EQ(c.solref[0], -1000);
  EXPECT_EQ(c.solref[1], -3);
}

TEST(ContactParameters, PriorityDecidesAlone) {
  const Contact c = touch("priority='1' friction='0.3' condim='1' solref='0.1 1' margin='0.01'",
                          "friction='0.5' condim='6' margin='0.02'");
  EXPECT_EQ(c.dim, 1);
  EXPECT_DOUBLE_EQ(c.friction[0], 0.3);
  EXPECT_DOUBLE_EQ(c.solref[0], 0.1);
  EXPECT_DOUBLE_EQ(c.includemargin, 0.03);
}

TEST(ContactParameters, ExplicitPairSpeaksForItself) {
  const Contact c = touch(
      "priority='1' friction='0.3'", "condim='6'",
      "<contact><pair geom1='s' geom2='p' friction='0.7' margin='0.05' gap='0.1' solreffriction='0.4 1'/></contact>");
  EXPECT_EQ(c.dim, 3);
  EXPECT_EQ(c.pair, 0);
  EXPECT_DOUBLE_EQ(c.friction[0], 0.7);
  EXPECT_DOUBLE_EQ(c.friction[1], 1);
  EXPECT_DOUBLE_EQ(c.solreffriction[0], 0.4);
  EXPECT_DOUBLE_EQ(c.includemargin, 0.05);
}

TEST(ContactParameters, GapHasNoRowsUnlessAdhesive) {
  EXPECT_EQ(touch("margin='0.01' gap='0.02'", "", "", 0.105).exclude, ContactExclude::kNone);
  EXPECT_EQ(touch("margin='0.01' gap='0.02'", "", "", 0.12).exclude, ContactExclude::kInGap);
  const Contact sticky = touch("margin='0.01' gap='0.02' adhesion='2'", "adhesion='1'", "", 0.12);
  EXPECT_EQ(sticky.exclude, ContactExclude::kNone);
  EXPECT_EQ(sticky.dim, 1);
  EXPECT_EQ(sticky.adhesion, 3);
}

TEST(ContactParameters, FrictionFloorIsCounted) {
  World world(
      "<worldbody><geom type='plane' size='1 1 1' friction='0'/><body pos='0 0 0.09'><freejoint/>"
      "<geom size='0.1' friction='0'/></body></worldbody>");
  world.collide();
  ASSERT_EQ(world.d.ncon, 1);
  EXPECT_EQ(world.d.contact[0].friction[0], kMinMu);
  EXPECT_EQ(world.d.faults[static_cast<int>(Fault::kFrictionFloor)].count, 1);
  EXPECT_NE(describe_faults(world.m, world.d).find("friction"), std::string::npos);
}

TEST(ContactParameters, FrameIsRightHandedAndStartsWithTheNormal) {
  World world(random_scene(40, 10, 1, 3));
  world.collide();
  for (int i = 0; i < world.d.ncon; ++i) {
    const double* f = world.d.contact[i].frame;
    const Vec3 x{f[0], f[1], f[2]}, y{f[3], f[4], f[5]}, z{f[6], f[7], f[8]};
    EXPECT_NEAR(norm(x), 1, 1e-12);
    EXPECT_NEAR(norm(y), 1, 1e-12);
    EXPECT_NEAR(dot(x, y), 0, 1e-12);
    EXPECT_NEAR(norm(cross(x, y) - z), 0, 1e-12);
  }
}

}  // namespace
}  // namespace pliant
