// Models written as MJCF come back the same; what the text cannot say is said.

#include "pliant/write.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "load/xml_text.h"
#include "pliant/load.h"
#include "pliant/write_form.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

Spec spec_of(const std::string& xml, const LoadOptions& options = {}) {
  Loaded loaded = load_string(xml, options);
  EXPECT_TRUE(loaded.spec) << to_text(loaded.diagnostics.list());
  return loaded.spec ? std::move(*loaded.spec) : Spec();
}

std::string written(const Spec& spec, bool for_mujoco = false) {
  Diagnostics diagnostics;
  const std::string text = write_mjcf(spec, diagnostics, {for_mujoco, {}});
  EXPECT_FALSE(diagnostics.has_errors()) << to_text(diagnostics.list());
  return text;
}

/// Names of the fields that differ by a single bit.
std::string differences(const Model& a, const Model& b) {
  std::string found;
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const std::string name = fields[i].name;
    if (name == "paths" || name.ends_with("pathadr")) continue;
    const size_t n = size_t(a.field_count(i)) * a.field_width(i), m = size_t(b.field_count(i)) * b.field_width(i);
    const size_t bytes = fields[i].scalar == Scalar::real                                     ? 8
                         : fields[i].scalar == Scalar::i32 || fields[i].scalar == Scalar::f32 ? 4
                                                                                              : 1;
    if (n != m || std::memcmp(a.field_data(i), b.field_data(i), n * bytes) != 0) found += " " + name;
  }
  const auto bits = [](const Model& model) {
    std::vector<double> all;
    const auto add = [&](const auto& value) {
      if constexpr (requires { value.size(); }) {
        for (const auto x : value) all.push_back(static_cast<double>(x));
      } else {
        all.push_back(static_cast<double>(value));
      }
    };
    visit_options(model.opt, add);
    visit_statistic(model.stat, add);
    visit_visual(model.vis, add);
    return all;
  };
  if (bits(a) != bits(b)) found += " options";
  return found;
}

void expect_round_trip(const std::string& xml, const LoadOptions& options = {}) {
  const std::string text = written(spec_of(xml, options));
  try {
    const Model before = load_model_string(xml, options), after = load_model_string(text, options);
    EXPECT_EQ(differences(before, after), "") << text;
  } catch (const LoadError& error) {
    ADD_FAILURE() << error.what() << text;
  }
}

std::string world(const std::string& content, const std::string& rest = "") {
  return "<mujoco>" + rest + "<worldbody>" + content + "</worldbody></mujoco>";
}

TEST(Writer, ReferenceFormIsTheSameModel) {
  const std::string xml = R"(<mujoco><compiler eulerseq="zyx"/>
    <default><joint range="-40 50"/><geom size=".1 .2 .3"/>
      <default class="slider"><joint type="slide"/></default></default>
    <worldbody><frame euler="0 0 30"><body euler="10 20 30"><joint ref="12"/><geom type="box" euler="1 2 3" user="1 2"/>
      <body axisangle="0 1 0 40"><joint class="slider" range="-1 2"/><joint type="ball" range="0 60"/><geom/></body>
    </body></frame></worldbody></mujoco>)";
  for (const bool classes : {false, true}) {
    Diagnostics diagnostics;
    WriteOptions options;
    options.keep_classes = classes;
    const std::string text = write_mjcf_in_reference_form(spec_of(xml), diagnostics, options);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_NE(text.find("<compiler angle=\"radian\" eulerseq=\"zyx\"/>\n\n"), std::string::npos) << text;
    EXPECT_NE(text.find("<size nuser_geom=\"2\"/>"), std::string::npos);
    EXPECT_EQ(differences(load_model_string(xml), load_model_string(text)), "") << text;
  }
  // an order of Euler angles that nothing uses is not written
  Diagnostics diagnostics;
  const std::string text =
      write_mjcf_in_reference_form(spec_of("<mujoco><compiler eulerseq='zyx'/></mujoco>"), diagnostics);
  EXPECT_EQ(text.find("eulerseq"), std::string::npos);
}

TEST(Writer, AttributeTextComesBackByteForByte) {
  XmlText xml;
  xml.open("a");
  xml.attribute("b", "<&>\"'\n\t\r\x01 \xc3\xb6");
  xml.close();
  EXPECT_EQ(xml.text(), "<a b=\"&lt;&amp;&gt;&quot;'&#10;&#9;&#13;&#1; \xc3\xb6\"/>\n");
  expect_round_trip(world("<geom name='&lt;&amp;&quot;&#10;' size='.1'/>",
                          "<custom><text name='t' data='one&#10;two&#9;\"three\" &lt;'/></custom>"));
}

TEST(Writer, LongListsAreBrokenBetweenNumbers) {
  XmlText xml;
  xml.open("a");
  std::string list;
  for (int i = 0; i < 200; ++i) list += (i ? " " : "") + std::to_string(1000 + i);
  xml.numbers("b", list);
  xml.close();
  std::string joined = xml.text();
  EXPECT_NE(joined.find('\n'), joined.size() - 1);
  for (char& c : joined) c = c == '\n' ? ' ' : c;
  EXPECT_NE(joined.find("1199"), std::string::npos);
}

TEST(Writer, OrderWithinABodySurvivesFrames) {
  expect_round_trip(world(
      "<body name='b'><frame pos='1 0 0'><geom name='g1' size='.1'/><joint name='j1' axis='1 0 0'/></frame>"
      "<geom name='g2' size='.2'/><joint name='j2'/>"
      "<frame name='f' pos='0 1 0' euler='10 20 30'><frame axisangle='0 0 1 90'><geom name='g3' size='.3'/></frame>"
      "<body name='c'><geom size='.1'/><site name='s'/></body></frame><geom name='g4' size='.1'/></body>"));
}

TEST(Writer, FreeJointsKeepWhatTheyAre) {
  expect_round_trip(
      world("<body><freejoint name='a' align='true' group='2'/><geom type='box' size='.1 .2 .3' pos='1 0 0'/></body>"
            "<body><joint type='free' damping='3' armature='.1'/><geom size='.1'/></body>"));
}

TEST(Writer, WhatOnlyAClassCanSayIsSaidByAClass) {
  const std::string arm = "<body><joint name='j' range='-1 2'/><geom size='.1'/></body>";
  expect_round_trip(world(arm,
                          "<default><tendon rgba='1 0 0 1' width='.1'/></default>"
                          "<tendon><fixed><joint joint='j' coef='2'/></fixed></tendon>"));
  expect_round_trip(world(arm + "<camera sensorsize='.1 .2' resolution='10 20' focal='.1 .1'/>",
                          "<default><camera fovy='60'/></default>"));
  expect_round_trip(world(arm, "<default><general cranklength='2'/></default><actuator><motor joint='j'/></actuator>"));
  expect_round_trip(world(arm,
                          "<actuator><position joint='j' kp='7' kv='2' inheritrange='.5' timeconst='.1'/>"
                          "<intvelocity joint='j' kp='3' inheritrange='1'/></actuator>"));
}

LoadOptions with_child(const std::string& xml) {
  LoadOptions options;
  options.assets["child.xml"] = xml;
  return options;
}

TEST(Writer, AttachedModelsTakeTheSettingsOfTheWhole) {
  const LoadOptions options = with_child(
      "<mujoco model='c'><compiler angle='radian' eulerseq='zyx' boundmass='3' autolimits='false'/><worldbody>"
      "<body name='arm' euler='.1 .2 .3'><joint name='j' range='-1 1' limited='true' ref='.3'/><joint name='k'/>"
      "<geom size='.1' axisangle='1 0 0 .5'/></body></worldbody>"
      "<actuator><motor joint='j'/></actuator><keyframe><key qpos='.2 .4' ctrl='7'/></keyframe></mujoco>");
  const std::string main =
      "<mujoco><asset><model name='m' file='child.xml'/></asset><worldbody>"
      "<body euler='10 20 30'><joint range='-90 90' springref='20'/><geom size='.2'/></body>"
      "<attach model='m' body='arm' prefix='x_'/></worldbody></mujoco>";
  const Spec spec = spec_of(main, options);
  const Model before = load_model_string(main, options), after = load_model_string(written(spec));
  ASSERT_EQ(before.nq, after.nq);
  ASSERT_EQ(before.nkey, 1);
  const auto near = [](const double* a, const double* b, int n) {
    for (int i = 0; i < n; ++i) EXPECT_NEAR(a[i], b[i], 1e-14);
  };
  near(before.body_quat, after.body_quat, 4 * before.nbody);
  near(before.body_mass, after.body_mass, before.nbody);
  near(before.jnt_range, after.jnt_range, 2 * before.njnt);
  near(before.qpos0, after.qpos0, before.nq);
  near(before.qpos_spring, after.qpos_spring, before.nq);
  near(before.key_qpos, after.key_qpos, before.nq);
  near(before.key_ctrl, after.key_ctrl, before.nu);
}

TEST(Writer, ReplicationIsWrittenOut) {
  const std::string text =
      written(spec_of(world("<replicate count='3' offset='1 0 0' euler='0 0 30'>"
                            "<body name='b'><joint name='j'/><geom size='.1'/></body></replicate>")));
  EXPECT_EQ(text.find("replicate"), std::string::npos);
  EXPECT_EQ(load_model_string(text).njnt, 3);
}

// two hinges with a reference position, tied by q_f + g q_l + offset = 0
std::string mimic(const std::string& attributes) {
  return world(
      "<body><joint name='l' ref='10'/><geom size='.1'/><body><joint name='m'/><geom size='.1'/>"
      "<body><joint name='f' ref='-20'/><geom size='.1'/></body></body></body>",
      "<equality><mimic joint1='f' " + attributes + "/></equality>");
}

TEST(Writer, MimicsComeBack) {
  expect_round_trip(mimic("joint2='l' gear='-2' offset='.3'"));
  expect_round_trip(mimic("joint2='l m' gear='-2 .5' offset='.3' mode='soft' naturalfreq='30' dampratio='.7'"));
  expect_round_trip(mimic("joint2='m' mode='hard' erp='.4'"));
}

TEST(Writer, MimicsBecomeEqualitiesForMujoco) {
  const double degree = std::acos(-1.0) / 180, l0 = 10 * degree, f0 = -20 * degree;
  Diagnostics losses;
  const Spec one = spec_of(mimic("joint2='l' gear='-2' offset='.3'"));
  const Model joint = load_model_string(write_mjcf(one, losses, {true, {}}));
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].code, Code::kWriteLoss);
  ASSERT_EQ(joint.neq, 1);
  EXPECT_EQ(joint.eq_type[0], static_cast<int>(EqualityType::kJoint));
  EXPECT_NEAR(joint.eq_data[0], -(f0 - 2 * l0 + .3), 1e-15);
  EXPECT_NEAR(joint.eq_data[1], 2, 1e-15);

  const Spec two = spec_of(mimic("joint2='l m' gear='-2 .5' offset='.3' mode='soft' naturalfreq='30' dampratio='.7'"));
  const Model tendon = load_model_string(write_mjcf(two, losses, {true, {}}));
  ASSERT_EQ(tendon.ntendon, 1);
  EXPECT_EQ(tendon.eq_type[0], static_cast<int>(EqualityType::kTendon));
  EXPECT_NEAR(tendon.eq_data[0], -(f0 - 2 * l0 + .3), 1e-15);
  // the stiffness of the constraint, 1/(dmax timeconst dampratio)², is that of the mimic
  const double rate = 1 / (tendon.eq_solimp[1] * tendon.eq_solref[0] * tendon.eq_solref[1]);
  EXPECT_NEAR(rate, 30, 1e-12);
}

TEST(Writer, NumbersThatAreNotFiniteAreErrors) {
  Spec spec = spec_of(world("<geom size='.1'/>"));
  spec.geoms[0].margin = INFINITY;
  Diagnostics diagnostics;
  write_mjcf(spec, diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1);
  EXPECT_EQ(diagnostics.list()[0].code, Code::kNotWritable);
}

class WriterFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             ("pliant_writer_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder / "in" / "meshes");
    std::ofstream(folder / "in" / "meshes" / "t.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::ofstream(folder / "in" / "m.xml")
        << "<mujoco><compiler meshdir='meshes'/><asset><mesh file='t.obj'/></asset><worldbody><body><geom type='mesh' "
           "mesh='t'/></body></worldbody></mujoco>";
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(WriterFiles, AreNamedAsSeenFromTheText) {
  fs::create_directories(folder / "out" / "deep");
  const Loaded loaded = load(folder / "in" / "m.xml");
  Diagnostics diagnostics;
  ASSERT_TRUE(save_mjcf(*loaded.spec, folder / "out" / "deep" / "m.xml", diagnostics)) << to_text(diagnostics.list());
  EXPECT_EQ(load_model(folder / "out" / "deep" / "m.xml").nmesh, 1);
  // both folders can move together
  fs::rename(folder / "in", folder / "moved");
  EXPECT_FALSE(load_report(folder / "out" / "deep" / "m.xml").ok());
}

TEST_F(WriterFiles, AreCopiedWhenAskedFor) {
  fs::create_directories(folder / "out");
  const Loaded loaded = load(folder / "in" / "m.xml");
  Diagnostics diagnostics;
  ASSERT_TRUE(save_mjcf(*loaded.spec, folder / "out" / "m.xml", diagnostics, {false, "assets"}));
  fs::remove_all(folder / "in");
  fs::rename(folder / "out", folder / "elsewhere");
  EXPECT_EQ(load_model(folder / "elsewhere" / "m.xml").nmesh, 1);
  EXPECT_TRUE(fs::exists(folder / "elsewhere" / "assets" / "t.obj"));
}

TEST_F(WriterFiles, AreWholeOrNotThere) {
  const Loaded loaded = load(folder / "in" / "m.xml");
  Diagnostics diagnostics;
  EXPECT_FALSE(save_mjcf(*loaded.spec, folder / "nowhere" / "m.xml", diagnostics));
  EXPECT_EQ(diagnostics.errors(), 1);
  // a folder in its place
  fs::create_directories(folder / "taken.xml" / "x");
  EXPECT_FALSE(save_mjcf(*loaded.spec, folder / "taken.xml", diagnostics));
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
}

}  // namespace
}  // namespace pliant
