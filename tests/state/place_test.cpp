// Which object a number belongs to, and faults in words.

#include "pliant/place.h"

#include <gtest/gtest.h>

#include <limits>

#include "pliant/pliant.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

Model named() { return load_model(source_folder().string() + "/tests/parity/cases/named_objects.xml"); }

TEST(FieldPlaces, EveryJointFindsItsNumbers) {
  const Model m = named();
  for (int j = 0; j < m.njnt; ++j) {
    const FieldPlace place = place_of(m, "qpos", m.jnt_qposadr[j]);
    EXPECT_EQ(place.type, ObjType::kJoint);
    EXPECT_EQ(place.id, j);
    EXPECT_EQ(place.component, 0);
    const FieldPlace column = place_of(m, "cdof", 6 * m.jnt_dofadr[j] + 2);
    EXPECT_EQ(column.id, j);
    EXPECT_EQ(column.component, 2);
  }
  EXPECT_EQ(place_of(m, "qpos", 6).component, 6);
  EXPECT_EQ(place_of(m, "qpos", 6).components, 7);
}

TEST(FieldPlaces, RowsOfObjects) {
  const Model m = named();
  EXPECT_EQ(object_text(m, place_of(m, "xpos", 3 * m.id(ObjType::kBody, "door") + 1)), "body 'door'");
  EXPECT_EQ(object_text(m, place_of(m, "ctrl", 1)), "actuator 'servo'");
  EXPECT_EQ(object_text(m, place_of(m, "mocap_quat", 3)), "body 'target'");
  EXPECT_EQ(object_text(m, place_of(m, "sensordata", m.sensor_adr[m.id(ObjType::kSensor, "imu")])), "sensor 'imu'");
  EXPECT_EQ(object_text(m, place_of(m, "energy", 1)), "");
  EXPECT_EQ(object_text(m, place_of(m, "no such field", 0)), "");
}

TEST(Faults, NameArrayObjectValueAndTime) {
  const Model m = named();
  State s = make_state(m);
  Data d = make_data(m);
  *s.time = 1.5;
  s.ctrl[1] = std::numeric_limits<double>::quiet_NaN();
  const StepStatus status = step(m, s, d);
  const std::string text = describe_status(m, d, status);
  EXPECT_NE(text.find("ctrl[1] (actuator 'servo' at "), std::string::npos) << text;
  EXPECT_NE(text.find(" is nan at t = 1.5; the state was not changed"), std::string::npos) << text;
  EXPECT_NE(text.find("named_objects.xml:"), std::string::npos) << text;
  // the message is about the last refusal, the record about the first
  s.ctrl[1] = 0;
  s.ctrl[2] = 1e11;
  EXPECT_NE(describe_status(m, d, step(m, s, d)).find("ctrl[2]"), std::string::npos);
  EXPECT_NE(describe_faults(m, d).find("ctrl[1]"), std::string::npos);
  EXPECT_NE(describe_faults(m, d).find("1 more since"), std::string::npos);
}

TEST(Faults, ANullQuaternionIsNoRotation) {
  const Model m = named();
  State s = make_state(m);
  Data d = make_data(m);
  for (int i = 3; i < 7; ++i) s.qpos[i] = 0;
  EXPECT_TRUE(forward(m, s, d).ok());
  EXPECT_EQ(d.xquat[4], 1);
  EXPECT_EQ(d.faults[static_cast<int>(Fault::kNullQuaternion)].count, 1);
}

}  // namespace
}  // namespace pliant
