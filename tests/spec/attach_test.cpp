// Attached models: names, compiler settings, references, keyframes.

#include <gtest/gtest.h>

#include <algorithm>

#include "pliant/load.h"

namespace pliant {
namespace {

const char* kArm = R"(<mujoco model="arm">
  <compiler angle="radian"/>
  <option timestep="0.01"/>
  <default><default class="soft"><geom solref="0.1 1"/></default></default>
  <asset><material name="steel" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="base"><joint name="turn" range="-1 1"/>
      <geom name="link" class="soft" size="0.1" material="steel"/><site name="tip"/></body>
    <body name="other"><joint name="elsewhere"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="drive" joint="turn"/><motor name="lost" joint="elsewhere"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/></sensor>
  <keyframe><key name="up" qpos="0.7 0.1"/></keyframe>
</mujoco>)";

Report attach(const std::string& element) {
  LoadOptions options;
  options.assets["arm.xml"] = kArm;
  return load_report_string(R"(<mujoco><asset><model name="arm" file="arm.xml"/></asset>
      <worldbody><body name="torso" pos="0 0 1"><joint name="waist" range="-90 90"/><geom size="0.2"/>)" +
                                element + "</body></worldbody></mujoco>",
                            options);
}

TEST(Attach, BodyComesWithWhatRefersToIt) {
  const Report report = attach(R"(<frame pos="0 0 0.5"><attach model="arm" body="base" prefix="left_"/></frame>)");
  ASSERT_TRUE(report.ok()) << to_text(report.diagnostics);
  const Model& m = *report.model;
  EXPECT_EQ(m.nbody, 3);
  const int body = m.id(ObjType::kBody, "left_base");
  ASSERT_GE(body, 0);
  EXPECT_EQ(m.name(ObjType::kBody, m.body_parentid[body]), "torso");
  EXPECT_NEAR(m.body_pos[3 * body + 2], 0.5, 1e-15);
  // radians there, degrees here
  EXPECT_NEAR(m.jnt_range[2 * m.id(ObjType::kJoint, "left_turn") + 1], 1.0, 1e-15);
  EXPECT_NEAR(m.jnt_range[2 * m.id(ObjType::kJoint, "waist") + 1], 1.5707963267948966, 1e-12);
  EXPECT_EQ(m.geom_solref[2 * m.id(ObjType::kGeom, "left_link")], 0.1);
  EXPECT_EQ(m.geom_matid[m.id(ObjType::kGeom, "left_link")], m.id(ObjType::kMaterial, "left_steel"));
  EXPECT_EQ(m.nu, 1);
  EXPECT_EQ(m.nsensor, 1);
  // what was left out, and the timestep that is not used, are named
  const auto says = [&](const std::string& text) {
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                       [&](const Diagnostic& d) { return d.message.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(says("lost"));
  EXPECT_TRUE(says("option/timestep"));
}

TEST(Attach, KeyframeFollowsItsJoint) {
  const Report report = attach(R"(<attach model="arm" body="base" prefix="a_"/>)");
  ASSERT_TRUE(report.ok()) << to_text(report.diagnostics);
  const Model& m = *report.model;
  ASSERT_EQ(m.nkey, 1);
  EXPECT_EQ(m.name(ObjType::kKey, 0), "a_up");
  EXPECT_EQ(m.key_qpos[m.jnt_qposadr[m.id(ObjType::kJoint, "a_turn")]], 0.7);
  EXPECT_EQ(m.key_qpos[m.jnt_qposadr[m.id(ObjType::kJoint, "waist")]], 0.0);
}

TEST(Attach, ConflictDecidesWhoseSettingsCount) {
  const auto timestep = [](const std::string& policy, const std::string& own) {
    LoadOptions options;
    options.assets["arm.xml"] = kArm;
    const Report report = load_report_string("<mujoco><compiler conflict=\"" + policy + "\"/>" + own +
                                                 R"(<asset><model name="arm" file="arm.xml"/></asset>
               <worldbody><attach model="arm" body="base" prefix="a_"/></worldbody></mujoco>)",
                                             options);
    return report.ok() ? report.model->opt.timestep : -1;
  };
  EXPECT_EQ(timestep("warning", ""), 0.002);
  EXPECT_EQ(timestep("merge", ""), 0.01);
  EXPECT_EQ(timestep("merge", "<option timestep=\"0.005\"/>"), 0.005);  // the smaller of the two
  EXPECT_EQ(timestep("error", "<option timestep=\"0.005\"/>"), -1);
}

TEST(Attach, TwiceUnderDifferentPrefixes) {
  const Report report =
      attach(R"(<attach model="arm" body="base" prefix="a_"/><attach model="arm" body="base" prefix="b_"/>)");
  ASSERT_TRUE(report.ok()) << to_text(report.diagnostics);
  EXPECT_EQ(report.model->nbody, 4);
  EXPECT_EQ(report.model->nkey, 2);
}

TEST(Attach, NameClashIsAnError) {
  EXPECT_FALSE(
      attach(R"(<attach model="arm" body="base" prefix=""/><attach model="arm" body="base" prefix=""/>)").ok());
}

TEST(Attach, UnknownModelAndBodyAreErrors) {
  EXPECT_FALSE(attach(R"(<attach model="leg" body="base" prefix="a_"/>)").ok());
  EXPECT_FALSE(attach(R"(<attach model="arm" body="bass" prefix="a_"/>)").ok());
}

TEST(Attach, AModelThatContainsItselfIsAnError) {
  LoadOptions options;
  options.assets["loop.xml"] = R"(<mujoco><asset><model name="loop" file="loop.xml"/></asset>
      <worldbody><attach model="loop" prefix="x"/></worldbody></mujoco>)";
  EXPECT_FALSE(load_report_string(R"(<mujoco><asset><model name="loop" file="loop.xml"/></asset>
      <worldbody><attach model="loop" prefix="y"/></worldbody></mujoco>)",
                                  options)
                   .ok());
}

TEST(Attach, CopiesOfCopiesStayWithinTheLimit) {
  // every copy holds all copies before it
  std::string attaches;
  for (int i = 0; i < 40; ++i) attaches += "<attach body=\"b\" prefix=\"x" + std::to_string(i) + "_\"/>";
  LoadOptions options;
  options.max_copies = 10'000;
  const Report report = load_report_string(
      "<mujoco><worldbody><body name=\"b\"><geom size=\"1\"/>" + attaches + "</body></worldbody></mujoco>", options);
  ASSERT_EQ(report.diagnostics.size(), 1u) << to_text(report.diagnostics);
  EXPECT_EQ(report.diagnostics[0].code, Code::kTooLarge);
}

TEST(Attach, ElementsWithoutReferencesDoubleToo) {
  std::string attaches;
  for (int i = 0; i < 40; ++i) attaches += "<attach body=\"b\" prefix=\"x" + std::to_string(i) + "_\"/>";
  LoadOptions options;
  options.max_copies = 10'000;
  const Report report = load_report_string(
      "<mujoco><worldbody><body name=\"b\"/>" + attaches + "</worldbody><sensor><clock/></sensor></mujoco>", options);
  ASSERT_EQ(report.diagnostics.size(), 1u) << to_text(report.diagnostics);
  EXPECT_EQ(report.diagnostics[0].code, Code::kTooLarge);
}

TEST(Attach, KeyframesCountInputsAndStates) {
  LoadOptions options;
  options.assets["child.xml"] = R"(<mujoco><worldbody>
      <body><joint name="j"/><geom size="1"/></body><body><joint name="k" type="ball"/><geom size="1"/></body>
      </worldbody>
      <actuator><pid joint="j"/><motor joint="j"/><orientation joint="k"/><intvelocity joint="j"/></actuator>
      <keyframe><key ctrl="1 2 3 4 5 6 7" act="8"/></keyframe></mujoco>)";
  const Report report = load_report_string(R"(<mujoco><asset><model name="child" file="child.xml"/></asset>
      <worldbody><body><joint name="p"/><geom size="1"/></body><attach model="child" prefix="c_"/></worldbody>
      <actuator><pid joint="p"/></actuator></mujoco>)",
                                           options);
  ASSERT_TRUE(report.ok()) << to_text(report.diagnostics);
  const Model& m = *report.model;
  ASSERT_EQ(m.nkey, 1);
  ASSERT_EQ(m.nu, 9);
  // the model's own servo comes first and stays at rest
  for (int i = 0; i < 9; ++i) EXPECT_EQ(m.key_ctrl[i], i < 2 ? 0 : i - 1) << i;
  EXPECT_EQ(m.key_act[0], 8);
}

}  // namespace
}  // namespace pliant
