// Keyframes and custom data: completion of short lists, errors for long ones.

#include <gtest/gtest.h>

#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

Report with(const std::string& section) {
  return load_report_string(
      "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body><body><joint "
      "name='s' type='slide' ref='.5'/><geom size='.1'/></body><body name='m' mocap='true' pos='1 2 3' "
      "quat='0 2 0 0'/></worldbody><actuator><motor joint='s'/></actuator>" +
      section + "</mujoco>");
}

Report with_key(const std::string& attributes) { return with("<keyframe><key " + attributes + "/></keyframe>"); }

void expect_values(const double* got, std::initializer_list<double> want) {
  int i = 0;
  for (double x : want) {
    EXPECT_EQ(got[i], x) << "index " << i;
    ++i;
  }
}

TEST(Keyframes, WhatIsNotGivenIsTheReferenceState) {
  const Report r = with_key("time='3'");
  ASSERT_TRUE(r.ok());
  EXPECT_TRUE(r.diagnostics.empty());
  EXPECT_EQ(r.model->key_time[0], 3);
  expect_values(r.model->key_qpos, {0, 0, 1, 1, 0, 0, 0, .5});
  expect_values(r.model->key_qvel, {0, 0, 0, 0, 0, 0, 0});
  expect_values(r.model->key_mpos, {1, 2, 3});
  expect_values(r.model->key_mquat, {0, 1, 0, 0});
}

TEST(Keyframes, ShortListsAreFilledWithAFinding) {
  const Report r = with_key("qpos='7 8' qvel='9' mpos='5'");
  ASSERT_TRUE(r.ok());
  expect_values(r.model->key_qpos, {7, 8, 1, 1, 0, 0, 0, .5});
  expect_values(r.model->key_qvel, {9, 0, 0, 0, 0, 0, 0});
  expect_values(r.model->key_mpos, {1, 2, 3});
  ASSERT_EQ(r.diagnostics.size(), 3u);
  for (const Diagnostic& d : r.diagnostics) EXPECT_EQ(d.code, Code::kPaddedKeyframe);
}

TEST(Keyframes, QuaternionsAreNormalised) {
  const Model m = *with_key("qpos='0 0 0 0 3 0 4 0' mquat='0 0 0 5'").model;
  expect_values(m.key_qpos + 3, {0, .6, 0, .8});
  expect_values(m.key_mquat, {0, 0, 0, 1});
}

TEST(Keyframes, LongListsAreErrors) {
  const Report r = with_key(
      "qpos='1 2 3 4 5 6 7 8 9' qvel='1 2 3 4 5 6 7 8' ctrl='1 2' act='1' "
      "mpos='1 2 3 4' mquat='1 2 3 4 5'");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.diagnostics.size(), 6u);
  for (const Diagnostic& d : r.diagnostics) EXPECT_EQ(d.code, Code::kBadKeyframe);
}

TEST(Keyframes, SizeMakesRoom) {
  const Model m = *with("<size nkey='3'/><keyframe><key name='k' ctrl='2'/></keyframe>").model;
  ASSERT_EQ(m.nkey, 3);
  EXPECT_EQ(m.key_ctrl[0], 2);
  EXPECT_EQ(m.key_qpos[2 * m.nq + 7], .5);
  EXPECT_EQ(m.id(ObjType::kKey, "k"), 0);
}

TEST(Custom, NumericsTextsAndTuples) {
  const Report r = with(
      "<custom><numeric name='n' data='1 2' size='4'/><numeric name='o' data='5'/>"
      "<text name='t' data='hello'/><tuple name='u'><element objtype='body' objname='m'/>"
      "<element objtype='tuple' objname='u' prm='2'/></tuple></custom>");
  ASSERT_TRUE(r.ok());
  const Model& m = *r.model;
  EXPECT_EQ(m.nnumericdata, 5);
  expect_values(m.numeric_data, {1, 2, 0, 0, 5});
  EXPECT_STREQ(m.text_data, "hello");
  EXPECT_EQ(m.text_size[0], 6);
  EXPECT_EQ(m.tuple_objid[0], m.id(ObjType::kBody, "m"));
  EXPECT_EQ(m.tuple_objprm[1], 2);
}

TEST(Custom, ErrorsAreReported) {
  for (const char* bad : {"<numeric name='n' size='0'/>", "<numeric name='n' data='1 2' size='1'/>",
                          "<numeric name='n' size='501'/>", "<text name='t' data=''/>", "<tuple name='t'/>"}) {
    const Report r = with("<custom>" + std::string(bad) + "</custom>");
    ASSERT_FALSE(r.ok()) << bad;
    EXPECT_EQ(r.diagnostics[0].code, Code::kBadCustom) << bad;
  }
}

}  // namespace
}  // namespace pliant
