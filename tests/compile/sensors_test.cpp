// Sensors: sizes, addresses and objects of every family, histories, and what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

std::string document(const std::string& sensors) {
  return R"(<mujoco>
    <worldbody>
      <body name="arm">
        <joint name="hinge" range="-40 60"/>
        <joint name="free_slide" type="slide"/>
        <geom name="upper" size="0.1" pos="0.3 0 0"/>
        <site name="hand"/>
        <camera name="eye" resolution="4 3"/>
        <body name="head"><joint name="neck" type="ball"/><geom name="skull" size="0.1"/></body>
      </body>
    </worldbody>
    <tendon><fixed name="cord"><joint joint="hinge" coef="2"/></fixed></tendon>
    <actuator>
      <motor name="drive" joint="hinge" nsample="3"/>
      <orientation name="turn" joint="neck"/>
    </actuator>
    <sensor>)" +
         sensors + "</sensor></mujoco>";
}

Model compiled(const std::string& sensors) { return load_model_string(document(sensors)); }

TEST(Sensors, AddressesAddUp) {
  const Model m = compiled(R"(<touch site="hand"/><gyro site="hand"/><ballquat joint="neck"/>
                              <actuatorfrc actuator="drive"/><actuatorfrc actuator="turn"/>
                              <clock/>)");
  const int dims[] = {1, 3, 4, 1, 3, 1};
  int address = 0;
  for (int i = 0; i < m.nsensor; ++i) {
    EXPECT_EQ(m.sensor_dim[i], dims[i]);
    EXPECT_EQ(m.sensor_adr[i], address);
    address += dims[i];
  }
  EXPECT_EQ(m.nsensordata, address);
}

TEST(Sensors, StageAndDataType) {
  const Model m = compiled(R"(<touch site="hand"/><velocimeter site="hand"/>
                              <framexaxis objtype="site" objname="hand"/>)");
  EXPECT_EQ(m.sensor_datatype[0], static_cast<int>(DataType::kPositive));
  EXPECT_EQ(m.sensor_needstage[0], static_cast<int>(Stage::kAcceleration));
  EXPECT_EQ(m.sensor_needstage[1], static_cast<int>(Stage::kVelocity));
  EXPECT_EQ(m.sensor_datatype[2], static_cast<int>(DataType::kAxis));
}

TEST(Sensors, FramesKnowBodiesAndTheirInertialFrames) {
  const Model m = compiled(R"(<framepos objtype="body" objname="head" reftype="xbody" refname="arm"/>)");
  EXPECT_EQ(m.sensor_objtype[0], static_cast<int>(ObjType::kBody));
  EXPECT_EQ(m.sensor_objid[0], 2);
  EXPECT_EQ(m.sensor_reftype[0], static_cast<int>(ObjType::kXbody));
  EXPECT_EQ(m.sensor_refid[0], 1);
}

TEST(Sensors, DataFieldsDecideTheSize) {
  const Model m = compiled(R"(<contact data="found force tangent" num="3"/>
                              <rangefinder camera="eye" data="dist point"/>
                              <rangefinder site="hand"/>)");
  EXPECT_EQ(m.sensor_dim[0], 3 * (1 + 3 + 3));
  EXPECT_EQ(m.sensor_intprm[0], 1 << 0 | 1 << 1 | 1 << 6);
  EXPECT_EQ(m.sensor_dim[1], 4 * 3 * (1 + 3));
  EXPECT_EQ(m.sensor_dim[2], 1);
}

TEST(Sensors, HistoriesFollowThoseOfActuators) {
  const Model m = compiled(R"(<gyro site="hand" nsample="5" delay="0.01"/><clock nsample="2"/>)");
  const int actuators = 2 + 3 * 2;
  EXPECT_EQ(m.sensor_historyadr[0], actuators);
  EXPECT_EQ(m.sensor_historyadr[1], actuators + 2 + 5 * 4);
  EXPECT_EQ(m.nhistory, actuators + 2 + 5 * 4 + 2 + 2 * 2);
}

TEST(Sensors, UserSensorNeedsACallback) {
  const Report report = load_report_string(
      document(R"(<user dim="3" datatype="axis" needstage="vel" objtype="joint" objname="hinge"/>)"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.model->sensor_needstage[0], static_cast<int>(Stage::kVelocity));
  EXPECT_TRUE(std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                          [](const Diagnostic& d) { return d.code == Code::kUserCallback; }));
}

TEST(Sensors, Refused) {
  const struct {
    const char* sensor;
    const char* finding;
  } cases[] = {
      {R"(<gyro/>)", "'site'"},
      {R"(<gyro site="hnad"/>)", "did you mean 'hand'"},
      {R"(<gyro site="hand" noise="-1"/>)", "noise ≥ 0"},
      {R"(<gyro site="hand" delay="0.1"/>)", "no history"},
      {R"(<gyro site="hand" interval="0.1 0.1"/>)", "phase"},
      {R"(<jointpos joint="neck"/>)", "hinge or slide"},
      {R"(<ballquat joint="hinge"/>)", "ball joint"},
      {R"(<jointlimitpos joint="free_slide"/>)", "limit"},
      {R"(<tendonlimitpos tendon="cord"/>)", "limit"},
      {R"(<framequat objtype="site" objname="hand" cutoff="1"/>)", "cutoff"},
      {R"(<framepos objtype="joint" objname="hinge"/>)", "'joint'"},
      {R"(<distance geom1="upper" geom2="upper"/>)", "twice"},
      {R"(<distance geom1="upper"/>)", "'geom2'"},
      {R"(<contact data="force found"/>)", "found force"},
      {R"(<contact num="0"/>)", "'num' ≥ 1"},
      {R"(<contact num="2000000000" data="force"/>)", "too many"},
      {R"(<rangefinder site="hand" camera="eye"/>)", "'camera'"},
      {R"(<user dim="3" datatype="quaternion"/>)", "4 numbers"},
      {R"(<user dim="2" objtype="whatever" objname="hand"/>)", "whatever"},
      {R"(<tactile geom="upper" mesh="m"/>)", "the mesh 'm'"},
  };
  for (const auto& c : cases) {
    const Report report = load_report_string(document(c.sensor));
    EXPECT_FALSE(report.ok()) << c.sensor;
    const std::string findings = to_text(report.diagnostics);
    EXPECT_NE(findings.find(c.finding), std::string::npos) << c.sensor << "\n" << findings;
  }
}

}  // namespace
}  // namespace pliant
