// Mimic constraints from text: what is read, what is refused and where, the pattern of M.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "model/mass_tree.h"
#include "pliant/load.h"
#include "pliant/mimic.h"
#include "pliant/model_io.h"

namespace pliant {
namespace {

Report with(const std::string& equality, const std::string& rest = "") {
  return load_report_string(
      "<mujoco><compiler angle='radian' autolimits='true'/><worldbody>\n"
      "<body name='a'><joint name='a' range='-1 1'/><geom size='.1'/><body><joint name='b' type='slide'/><geom "
      "size='.1'/>"
      "<body><joint name='c'/><geom size='.1'/></body></body></body>\n"
      "<body pos='1 0 0'><joint name='d' range='-.1 .1'/><geom size='.1'/><body><joint name='ball' type='ball'/>"
      "<geom size='.1'/></body></body>\n"
      "<body pos='2 0 0'><freejoint name='free'/><geom size='.1'/></body></worldbody>\n<equality>\n" +
      equality + "\n</equality>" + rest + "</mujoco>");
}

TEST(Mimic, IsRead) {
  const Report r = with(
      "<mimic name='m' joint1='c' joint2='a b' gear='2 -3' offset='.5' mode='soft' naturalfreq='10' dampratio='.7'/>\n"
      "<mimic joint1='d' joint2='c' gear='.01' mode='hard' erp='.3' active='false'/>");
  ASSERT_TRUE(r.ok()) << r.diagnostics[0].text();
  const Model& m = *r.model;
  ASSERT_EQ(m.nmimic, 2);
  ASSERT_EQ(m.nmimiclead, 3);
  EXPECT_EQ(m.nmimicrow, 2);
  EXPECT_EQ(m.nfollower, 0);
  EXPECT_EQ(m.eq_type[0], static_cast<int>(EqualityType::kMimic));
  EXPECT_EQ(m.eq_obj1id[0], m.id(ObjType::kJoint, "c"));
  EXPECT_EQ(m.eq_mimicid[1], 1);
  EXPECT_EQ(m.mimic_leadid[1], m.id(ObjType::kJoint, "b"));
  EXPECT_EQ(m.mimic_gear[1], -3);
  EXPECT_EQ(m.mimic_offset[0], .5);
  EXPECT_EQ(m.mimic_naturalfreq[0], 10);
  EXPECT_EQ(m.mimic_dampratio[0], .7);
  EXPECT_EQ(m.mimic_erp[1], .3);
  EXPECT_EQ(m.mimic_mode[1], static_cast<int>(MimicMode::kHard));
  EXPECT_FALSE(m.eq_active0[1]);
  // connected by a leader: one block
  EXPECT_EQ(m.mimic_blockid[0], m.mimic_blockid[1]);
}

TEST(Mimic, BadInputIsRefusedAtItsLine) {
  const struct {
    const char *text, *says;
  } cases[] = {
      {"<mimic joint1='a' joint2='a' gear='1'/>", "follow itself"},
      {"<mimic joint1='ball' joint2='a' gear='1'/>", "ball joint"},
      {"<mimic joint1='a' joint2='free' gear='1'/>", "free joint"},
      {"<mimic joint1='a' joint2='b' gear='0'/>", "gear of 0"},
      {"<mimic joint1='a' joint2='b' gear='1 2'/>", "1 leaders, but 2 gears"},
      {"<mimic joint1='a' joint2='b' gear='1' mode='soft' naturalfreq='10' dampratio='-1'/>", "cannot be negative"},
      {"<mimic joint1='a' joint2='b' gear='1' mode='soft'/>", "naturalfreq must be greater than 0"},
      {"<mimic joint1='a' joint2='b' gear='1' mode='hard' erp='0'/>", "erp must be"},
      {"<mimic joint1='a' joint2='b b' gear='1 1'/>", "twice"},
      {"<mimic joint1='a' joint2='nobody' gear='1'/>", "nobody"},
      {"<mimic joint1='a' joint2='' gear='1'/>", "joint2"},
      {"<mimic joint1='a' joint2='b' gear='1'/><mimic joint1='b' joint2='a' gear='1'/>", "cycle"},
      {"<mimic joint1='a' joint2='b' gear='1' mode='hard'/><mimic joint1='b' joint2='c' gear='1'/>"
       "<mimic joint1='c' joint2='a' gear='1' mode='soft' naturalfreq='3'/>",
       "cycle"},
      {"<mimic joint1='a' joint2='b' gear='1'/><mimic joint1='a' joint2='c' gear='1'/>", "contradicts"},
      // c = -2b and b = -a, but c = -5a: only a = 0 satisfies all
      {"<mimic joint1='c' joint2='b' gear='2' mode='hard'/><mimic joint1='b' joint2='a' gear='1' mode='hard'/>"
       "<mimic joint1='c' joint2='a' gear='5' mode='hard'/>",
       "stays at 0"},
      // the same relation with another offset: nothing satisfies both
      {"<mimic joint1='a' joint2='b' gear='2' mode='hard'/><mimic joint1='a' joint2='b' gear='2' offset='1' "
       "mode='hard'/>",
       "off by 1"},
  };
  for (const auto& [text, says] : cases) {
    const Report r = with(text);
    ASSERT_FALSE(r.ok()) << text;
    bool found = false;
    for (const Diagnostic& d : r.diagnostics) {
      found = found || (d.message.find(says) != std::string::npos && d.line == 6);
    }
    EXPECT_TRUE(found) << text << "\n" << r.diagnostics[0].text();
  }
}

TEST(Mimic, ConsequencesAreFindings) {
  const auto says = [](const Report& r, const char* what) {
    for (const Diagnostic& d : r.diagnostics) {
      if (d.code == Code::kMimicConsequence && d.message.find(what) != std::string::npos && d.line > 0) return true;
    }
    return false;
  };
  // follower with an actuator, ranges that cannot hold together, a range that stops the leader, a repetition, a start
  EXPECT_TRUE(
      says(with("<mimic joint1='d' joint2='a' gear='1'/>", "<actuator><motor joint='d'/></actuator>"), "drives"));
  EXPECT_TRUE(says(with("<mimic joint1='d' joint2='a' gear='1' offset='9'/>"), "no position satisfies both"));
  EXPECT_TRUE(says(with("<mimic joint1='d' joint2='a' gear='1'/>"), "stops them earlier"));
  EXPECT_TRUE(says(
      with("<mimic joint1='c' joint2='a' gear='1' mode='hard'/><mimic joint1='c' joint2='a' gear='1' mode='hard'/>"),
      "already"));
  EXPECT_TRUE(says(with("<mimic joint1='c' joint2='a' gear='1' offset='.2'/>"), "from where the file puts it"));
  EXPECT_FALSE(says(with("<mimic joint1='c' joint2='a' gear='1'/>"), "c"));
}

TEST(Mimic, ForeignFormsComeAndGo) {
  // URDF-like: q1 = -1 q2 + 0.02, about reference positions that are not zero
  EqualitySpec equality;
  equality.type = EqualityType::kJoint;
  equality.object1 = "f", equality.object2 = "l";
  equality.data[0] = .3, equality.data[1] = -2;
  const auto mimic = mimic_from_joint_equality(equality, .1, .4);
  ASSERT_TRUE(mimic);
  // q1 - .1 = .3 - 2 (q2 - .4) at q2 = 1: q1 = -.8
  EXPECT_NEAR(-.8 + mimic->gear[0] * 1 + mimic->offset, 0, 1e-15);
  const auto back = joint_equality_from_mimic(*mimic, .1, .4);
  ASSERT_TRUE(back);
  EXPECT_NEAR(back->data[0], .3, 1e-15);
  EXPECT_EQ(back->data[1], -2);
  equality.data[2] = 1;
  EXPECT_FALSE(mimic_from_joint_equality(equality, 0, 0));

  // USD: a slide driven by a hinge, gearing in metres per degree
  const PhysxMimic physx{.gearing = .002, .offset = .1, .natural_frequency = 5, .damping_ratio = 1};
  const EqualitySpec slide = mimic_from_physx("f", "l", physx, {.degrees = true, .follower_turns = false});
  EXPECT_NEAR(slide.gear[0], .002 * 180 / 3.14159265358979323846, 1e-15);
  EXPECT_EQ(slide.offset, .1);
  EXPECT_EQ(slide.mode, MimicMode::kSoft);
  const auto again = physx_from_mimic(slide, {.degrees = true, .follower_turns = false});
  ASSERT_TRUE(again);
  EXPECT_NEAR(again->gearing, .002, 1e-15);
  // without damping PhysX is hard
  EXPECT_EQ(mimic_from_physx("f", "l", {.natural_frequency = 5}).mode, MimicMode::kHard);
}

TEST(MassTree, CoupledDofsLieOnOnePath) {
  std::mt19937 generator(3);
  const auto pick = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 300; ++trial) {
    // a random forest in depth-first order, followers eliminated from the end of a random order of joints
    const int n = 2 + pick(12);
    std::vector<int> parent(n), stack;
    for (int i = 0; i < n; ++i) {
      while (!stack.empty() && pick(3) == 0) stack.pop_back();
      parent[i] = stack.empty() ? -1 : stack.back();
      stack.push_back(i);
    }
    std::vector<int> joints(n);
    for (int i = 0; i < n; ++i) joints[i] = i;
    std::shuffle(joints.begin(), joints.end(), generator);
    std::vector<FollowerDof> followers;
    for (int k = 0; k < n / 2; ++k) {
      if (pick(2)) followers.push_back({joints[k], {joints[k + 1 + pick(n - k - 1)]}});
    }
    const std::vector<int> row = mass_tree_parents(parent, followers);
    const auto above = [&](const std::vector<int>& p, int a, int i) {
      while (i > a) i = p[i];
      return i == a;
    };
    // boolean elimination: every coupling has its place
    std::vector<std::vector<bool>> coupled(n, std::vector<bool>(n));
    for (int i = 0; i < n; ++i) {
      for (int a = 0; a <= i; ++a) coupled[i][a] = coupled[a][i] = above(parent, a, i);
    }
    for (const FollowerDof& f : followers) {
      for (int x = 0; x < n; ++x) {
        if (x == f.dof || !coupled[f.dof][x]) continue;
        coupled[f.leaders[0]][x] = coupled[x][f.leaders[0]] = true;
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int a = 0; a < i; ++a) {
        if (coupled[i][a]) {
          EXPECT_TRUE(above(row, a, i)) << trial;
        }
      }
    }
    // descendants follow without a gap
    for (int i = 1; i < n; ++i) {
      for (int a = row[i] + 1; a < i; ++a) EXPECT_TRUE(above(row, row[i], a) || row[i] < 0);
    }
  }
}

TEST(Mimic, BinaryModelsKeepThem) {
  const Report r = with("<mimic joint1='c' joint2='d' gear='2'/><mimic joint1='d' joint2='a' gear='1' mode='hard'/>");
  ASSERT_TRUE(r.ok());
  const std::string bytes = write_plm(*r.model);
  const Model again = read_plm(bytes);
  EXPECT_EQ(again.nfollower, 1);
  EXPECT_EQ(again.mimic_gear[0], 2);
  Model broken = *r.model;
  broken.mimic_leadid[0] = broken.eq_obj1id[0];
  EXPECT_ANY_THROW(read_plm(write_plm(broken)));
  Model mixed = *r.model;
  mixed.M_parentid[mixed.nv - 1] = 0;
  EXPECT_ANY_THROW(read_plm(write_plm(mixed)));
}

}  // namespace
}  // namespace pliant
