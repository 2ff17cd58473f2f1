// Orientations, frames, fromto: forms that say the same must give the same.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

Model world(const std::string& inside, const std::string& head = "<compiler angle=\"radian\"/>") {
  return load_model_string("<mujoco>" + head + "<worldbody>" + inside + "</worldbody></mujoco>");
}

void expect_same_rotation(const double* a, const double* b, const char* what) {
  const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  EXPECT_NEAR(std::abs(dot), 1, 1e-12) << what;
}

TEST(Frames, EveryFormOfAQuarterTurnAboutZ) {
  const char* forms[] = {"quat=\"1 0 0 1\"", "axisangle=\"0 0 2 1.5707963267948966\"", "xyaxes=\"0 3 0 -1 0 0\"",
                         "euler=\"0 0 1.5707963267948966\""};
  const double expected[4] = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  for (const char* form : forms) {
    const Model m = world("<geom size=\"1\" " + std::string(form) + "/>");
    expect_same_rotation(m.geom_quat, expected, form);
  }
}

TEST(Frames, DegreesAreTheDefault) {
  const Model degrees = world("<geom size=\"1\" euler=\"10 20 30\"/>", "");
  const Model radians = world("<geom size=\"1\" euler=\"0.17453292519943295 0.3490658503988659 0.5235987755982988\"/>");
  expect_same_rotation(degrees.geom_quat, radians.geom_quat, "euler");
}

TEST(Frames, FixedAxesAreMovingAxesReversed) {
  const Model moving =
      world("<geom size=\"1\" euler=\"0.1 0.2 0.3\"/>", "<compiler angle=\"radian\" eulerseq=\"xyz\"/>");
  const Model fixed =
      world("<geom size=\"1\" euler=\"0.3 0.2 0.1\"/>", "<compiler angle=\"radian\" eulerseq=\"ZYX\"/>");
  expect_same_rotation(moving.geom_quat, fixed.geom_quat, "sequence");
}

TEST(Frames, NestedFramesEqualOneBodyChain) {
  const Model frames = world(R"(<frame pos="1 0 0" euler="0 0 0.4"><frame pos="0 2 0" euler="0.3 0 0">
      <geom size="1" pos="0 0 3" euler="0 0.5 0"/></frame></frame>)");
  const Model bodies = world(R"(<body pos="1 0 0" euler="0 0 0.4"><body pos="0 2 0" euler="0.3 0 0">
      <geom size="1" pos="0 0 3" euler="0 0.5 0"/></body></body>)",
                             "<compiler angle=\"radian\" fusestatic=\"true\"/>");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(frames.geom_pos[i], bodies.geom_pos[i], 1e-12);
  expect_same_rotation(frames.geom_quat, bodies.geom_quat, "frame");
}

TEST(Frames, FromToPointsFromTheSecondPointToTheFirst) {
  const Model m = world("<geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 0 0 1\"/>");
  EXPECT_NEAR(m.geom_size[1], 0.5, 1e-15);
  EXPECT_NEAR(m.geom_pos[2], 0.5, 1e-15);
  const double half_turn_about_x[4] = {0, 1, 0, 0};
  expect_same_rotation(m.geom_quat, half_turn_about_x, "fromto");
}

TEST(Frames, ReplicateTurnsAndShifts) {
  const Model m = world(R"(<replicate count="4" offset="1 0 0" euler="0 0 1.5707963267948966">
                           <geom name="g" size="0.1"/></replicate>)");
  ASSERT_EQ(m.ngeom, 4);
  // a square: each step goes one metre along the turned x axis
  const double x[4] = {0, 1, 1, 0}, y[4] = {0, 0, 1, 1};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(m.geom_pos[3 * i], x[i], 1e-12);
    EXPECT_NEAR(m.geom_pos[3 * i + 1], y[i], 1e-12);
    EXPECT_EQ(m.name(ObjType::kGeom, i), "g" + std::to_string(i));
  }
}

TEST(Frames, ReplicatedReferencesFollow) {
  const Model m = load_model_string(R"(<mujoco><worldbody><replicate count="11" sep="_">
      <body name="b"><joint name="j"/><geom size="0.1"/></body></replicate></worldbody>
      <actuator><motor name="m" joint="j"/></actuator></mujoco>)");
  ASSERT_EQ(m.nu, 11);
  EXPECT_EQ(m.name(ObjType::kActuator, 10), "m_10");
  EXPECT_EQ(m.name(ObjType::kJoint, m.actuator_trnid[2 * 3]), "j_03");
}

TEST(Frames, AlignedFreeBodyKeepsItsPlaceInTheWorld) {
  const char* xml = R"(<body pos="1 2 3" euler="0.1 0.2 0.3"><freejoint align="%s"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.5 0 0" euler="0.3 0 0"/><site name="s" pos="0 0 1"/></body>)";
  const auto make = [&](const char* align) {
    std::string text = xml;
    text.replace(text.find("%s"), 2, align);
    return world(text);
  };
  const Model plain = make("false"), aligned = make("true");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(aligned.body_ipos[3 + i], 0, 1e-12);
  EXPECT_NEAR(plain.body_mass[1], aligned.body_mass[1], 1e-12);
  EXPECT_GT(std::abs(aligned.qpos0[0] - plain.qpos0[0]), 0.1);
}

}  // namespace
}  // namespace pliant
