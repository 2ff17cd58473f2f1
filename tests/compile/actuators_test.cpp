// Actuators: every shortcut against its closed form, inputs and outputs, limits, default classes,
// and what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

std::string document(const std::string& actuators, const std::string& head = "") {
  return "<mujoco>" + head + R"(
    <worldbody>
      <site name="ground"/>
      <body name="arm">
        <joint name="hinge" range="-40 60"/>
        <joint name="slide" type="slide" range="-1 2"/>
        <geom size="0.1" pos="0.3 0 0"/>
        <site name="hand"/>
        <body name="ball"><joint name="ball" type="ball"/><geom size="0.1" pos="0 0 1"/></body>
      </body>
    </worldbody>
    <tendon><fixed name="cord" range="0 2"><joint joint="hinge" coef="2"/></fixed></tendon>
    <actuator>)" +
         actuators + "</actuator></mujoco>";
}

Model compiled(const std::string& actuators, const std::string& head = "") {
  return load_model_string(document(actuators, head));
}

// the findings, as text, about something that must be refused
std::string refused(const std::string& actuators, const std::string& head = "") {
  const Report report = load_report_string(document(actuators, head));
  EXPECT_FALSE(report.ok()) << actuators;
  return to_text(report.diagnostics);
}

bool has_code(const Report& report, Code code) {
  return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.code == code; });
}

TEST(Actuators, MotorHasUnitGain) {
  const Model m = compiled(R"(<motor joint="hinge" gear="7"/>)");
  ASSERT_EQ(m.nu, 1);
  EXPECT_EQ(m.actuator_gainprm[0], 1);
  EXPECT_EQ(m.actuator_biastype[0], static_cast<int>(BiasType::kNone));
  EXPECT_EQ(m.actuator_gear[0], 7);
  EXPECT_EQ(m.actuator_trnid[0], 0);
  EXPECT_EQ(m.actuator_trnid[1], -1);
  // |M⁻¹ moment|: other dofs can only make the joint easier to move
  EXPECT_GE(m.actuator_acc0[0], 7 / m.dof_M0[m.jnt_dofadr[m.actuator_trnid[0]]] - 1e-9);
}

TEST(Actuators, PositionServoIsAffine) {
  const Model m = compiled(R"(<position joint="hinge" kp="40" kv="3" timeconst="0.2"/>)");
  EXPECT_EQ(m.actuator_gainprm[0], 40);
  EXPECT_EQ(m.actuator_biasprm[0], 0);
  EXPECT_EQ(m.actuator_biasprm[1], -40);
  EXPECT_EQ(m.actuator_biasprm[2], -3);
  EXPECT_EQ(m.actuator_dyntype[0], static_cast<int>(DynType::kFilterExact));
  EXPECT_EQ(m.actuator_dynprm[0], 0.2);
  EXPECT_EQ(m.na, 1);
}

TEST(Actuators, DampingRatioFitsTheMass) {
  const Model m = compiled(R"(<position joint="hinge" kp="40" dampratio="0.7"/>)");
  // felt at the joint, with everything beyond it free to move
  const double mass = 1 / m.dof_invweight0[m.jnt_dofadr[m.actuator_trnid[0]]];
  EXPECT_NEAR(m.actuator_biasprm[2], -0.7 * 2 * std::sqrt(40 * mass), 1e-9);
}

TEST(Actuators, CylinderAreaFromDiameter) {
  const Model m = compiled(R"(<cylinder joint="slide" diameter="0.2" area="9" timeconst="0.3"/>)");
  EXPECT_DOUBLE_EQ(m.actuator_gainprm[0], 3.14159265358979323846 / 4 * 0.04);
  EXPECT_EQ(m.actuator_dynprm[0], 0.3);
}

TEST(Actuators, VelocityAndDamper) {
  const Model m = compiled(R"(<velocity joint="hinge" kv="5"/>
                              <damper joint="hinge" kv="2" ctrlrange="0 1"/>)");
  EXPECT_EQ(m.actuator_gainprm[0], 5);
  EXPECT_EQ(m.actuator_biasprm[2], -5);
  EXPECT_EQ(m.actuator_gainprm[kNumGain + 0], 0);
  EXPECT_EQ(m.actuator_gainprm[kNumGain + 2], -2);
  EXPECT_TRUE(m.actuator_ctrllimited[1]);
}

TEST(Actuators, InheritedRangeIsScaledAboutItsCentre) {
  const Model m = compiled(R"(<position joint="hinge" kp="1" inheritrange="0.5"/>
                              <intvelocity tendon="cord" kp="1" inheritrange="2"/>)");
  EXPECT_DOUBLE_EQ(m.actuator_ctrlrange[0], -15 * kDegree);
  EXPECT_DOUBLE_EQ(m.actuator_ctrlrange[1], 35 * kDegree);
  EXPECT_TRUE(m.actuator_ctrllimited[0]);
  EXPECT_EQ(m.actuator_actrange[2], -1);
  EXPECT_EQ(m.actuator_actrange[3], 3);
}

TEST(Actuators, OnlyGeneralTakesTheLawOfAnyClass) {
  const Model m = compiled(R"(<general joint="hinge"/><motor joint="hinge"/>)",
                           R"(<default><position kp="40" ctrlrange="0 2"/></default>)");
  EXPECT_EQ(m.actuator_gainprm[0], 40);
  EXPECT_EQ(m.actuator_biastype[0], static_cast<int>(BiasType::kAffine));
  EXPECT_EQ(m.actuator_gainprm[kNumGain], 1);
  EXPECT_EQ(m.actuator_biastype[1], static_cast<int>(BiasType::kNone));
  EXPECT_EQ(m.actuator_biasprm[kNumBias + 1], 0);
  EXPECT_EQ(m.actuator_ctrlrange[3], 2);  // ranges and gears come from any
}

TEST(Actuators, ParametersComeFromTheNearestClassOfTheSameShortcut) {
  const char* classes = R"(<default><position kp="40"/><default class="inner"><velocity kv="3"/></default></default>)";
  const Model m = compiled(R"(<position joint="hinge" class="inner"/><pid joint="hinge" class="inner"/>
                              <velocity joint="hinge"/><velocity joint="hinge" class="inner"/>)",
                           classes);
  EXPECT_EQ(m.actuator_gainprm[0], 40);             // over the velocity servo in between
  EXPECT_EQ(m.actuator_biasprm[kNumBias + 1], -1);  // no pid anywhere: its own default
  EXPECT_EQ(m.actuator_gainprm[2 * kNumGain], 1);   // likewise
  EXPECT_EQ(m.actuator_gainprm[3 * kNumGain], 3);
  EXPECT_EQ(m.actuator_ctrlspec[0], kInputPos);
  EXPECT_EQ(m.actuator_ctrlspec[2], kInputVel);
}

TEST(Actuators, PidInputsPackInOrder) {
  const Model m = compiled(
      R"(<pid joint="hinge" kp="2" input="pos ff" posrange="-1 1" ffrange="-5 5"/>
         <motor joint="slide"/>)");
  EXPECT_EQ(m.nu, 3);
  EXPECT_EQ(m.actuator_ctrlnum[0], 2);
  EXPECT_EQ(m.actuator_ctrladr[1], 2);
  EXPECT_EQ(m.actuator_ctrlspec[0], kInputPos | kInputFf);
  EXPECT_EQ(m.actuator_ctrlrange[1], 1);
  EXPECT_EQ(m.actuator_ctrlrange[3], 5);
}

TEST(Actuators, OrientationServoHasThreeOutputs) {
  const Model m = compiled(R"(<orientation joint="ball" kp="3" input="quat"/><motor joint="hinge"/>)");
  EXPECT_EQ(m.nactuator, 2);
  EXPECT_EQ(m.nu, 5);
  EXPECT_EQ(m.nout, 4);
  EXPECT_EQ(m.actuator_trntype[0], static_cast<int>(TransmissionType::kSo3));
  EXPECT_EQ(m.actuator_outadr[1], 3);
}

TEST(Actuators, DcMotorFromNominalData) {
  // no drag: Ke = V/ω, K = Ke, R = K V/τ
  const Model m = compiled(R"(<dcmotor joint="hinge" nominal="24 1.5 300" inductance="0.0032"/>)");
  const double K = 24.0 / 300, R = K * 24 / 1.5;
  EXPECT_DOUBLE_EQ(m.actuator_gainprm[1], K);
  EXPECT_DOUBLE_EQ(m.actuator_gainprm[0], R);
  EXPECT_DOUBLE_EQ(m.actuator_dynprm[0], 0.0032 / R);
  EXPECT_EQ(m.na, 1);
  EXPECT_TRUE(m.actuator_actearly[0]);
}

TEST(Actuators, DcMotorFromNominalDataWithDrag) {
  // the no-load speed must solve  V K = ω (K² + R B)
  const double V = 24, speed = 300, R = 3, B = 4e-4;
  const Model m = compiled(R"(<dcmotor joint="hinge" nominal="24 1.5 300" resistance="3" damping="0.0004"/>)");
  const double K = m.actuator_gainprm[1];
  EXPECT_NEAR(V * K, speed * (K * K + R * B), 1e-12);
  EXPECT_EQ(m.jnt_actuatorid[0], 0);
}

TEST(Actuators, WhoAddsDampingToAJoint) {
  const Model m = compiled(R"(<motor joint="hinge" damping="1"/><motor joint="hinge"/>
                              <motor joint="slide" damping="1"/><motor joint="slide" armature="1"/>
                              <motor tendon="cord" armature="1"/>)");
  EXPECT_EQ(m.jnt_actuatorid[0], 0);
  EXPECT_EQ(m.jnt_actuatorid[1], -2);
  EXPECT_EQ(m.jnt_actuatorid[2], -1);
  EXPECT_EQ(m.tendon_actuatorid[0], 4);
}

TEST(Actuators, HistoryOfInputs) {
  const Model m = compiled(R"(<motor joint="hinge" nsample="3" delay="0.01"/><motor joint="hinge"/>
                              <motor joint="hinge" nsample="2" interp="linear"/>)");
  EXPECT_EQ(m.actuator_historyadr[0], 0);
  EXPECT_EQ(m.actuator_historyadr[1], -1);
  EXPECT_EQ(m.actuator_historyadr[2], 2 + 2 * 3);
  EXPECT_EQ(m.nhistory, 2 + 2 * 3 + 2 + 2 * 2);
  // a sample has all inputs
  EXPECT_EQ(compiled(R"(<pid joint="hinge" input="pos vel" nsample="3"/>)").nhistory, 2 + 3 * 3);
}

TEST(Actuators, LengthRangeOfAMuscle) {
  // found by simulation: pulled against its limits, which give way a little; the cord allows 0 … 1 rad, less than the
  // hinge
  const Model found = compiled(R"(<muscle joint="hinge"/>)", R"(<option><flag contact="disable"/></option>)");
  EXPECT_TRUE(found.pending.empty());
  const Model given = compiled(R"(<muscle joint="hinge" lengthrange="0.1 0.4"/>)");
  EXPECT_EQ(given.actuator_lengthrange[1], 0.4);
  const Model limits = compiled(R"(<muscle joint="hinge"/>)", R"(<compiler><lengthrange uselimit="true"/></compiler>)");
  EXPECT_DOUBLE_EQ(limits.actuator_lengthrange[0], -40 * kDegree);
  for (int side = 0; side < 2; ++side) {
    const double beyond = (side ? 1 : -1) * (found.actuator_lengthrange[side] - side);
    EXPECT_GT(beyond, 0);
    EXPECT_LT(beyond, 0.01);
  }
}

TEST(Actuators, LengthRangeThatCannotBeFound) {
  EXPECT_NE(
      refused(R"(<muscle joint="slide"/>)", R"(<compiler><lengthrange inttotal="1e9"/></compiler>)").find("steps"),
      std::string::npos);
}

TEST(Actuators, UserLawsNeedACallback) {
  const Report report = load_report_string(document(R"(<general joint="hinge" gaintype="user" dyntype="user"/>)"));
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(has_code(report, Code::kUserCallback));
}

TEST(Actuators, SecondTargetIsIgnoredWithAWarning) {
  const Report report = load_report_string(document(R"(<motor joint="hinge" tendon="cord"/>)"));
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(has_code(report, Code::kIgnoredAttribute));
  EXPECT_EQ(report.model->actuator_trntype[0], static_cast<int>(TransmissionType::kTendon));
}

TEST(Actuators, Refused) {
  const struct {
    const char* actuator;
    const char* finding;
  } cases[] = {
      {R"(<motor/>)", "no transmission target"},
      {R"(<motor joint="hing"/>)", "did you mean 'hinge'"},
      {R"(<motor joint="hinge" refsite="hand"/>)", "'refsite'"},
      {R"(<motor cranksite="hand" cranklength="1"/>)", "'slidersite'"},
      {R"(<position joint="hinge" kv="-1"/>)", "'kv' ≥ 0"},
      {R"(<position joint="hinge" kv="1" dampratio="1"/>)", "'dampratio'"},
      {R"(<position joint="hinge" kp="-1" dampratio="1"/>)", "kp ≥ 0"},
      {R"(<position joint="ball" inheritrange="1"/>)", "inherit a range"},
      {R"(<position joint="hinge" inheritrange="1" ctrlrange="0 1"/>)", "'inheritrange' and 'ctrlrange'"},
      {R"(<motor joint="hinge" ctrlrange="1 0" ctrllimited="true"/>)", "ctrlrange[0] < ctrlrange[1]"},
      {R"(<motor joint="hinge" delay="0.1"/>)", "no history"},
      {R"(<motor site="hand" damping="1"/>)", "joint or tendon"},
      {R"(<muscle joint="hinge" lmin="2"/>)", "lmin < 1 < lmax"},
      {R"(<damper joint="hinge"/>)", "no 'ctrlrange'"},
      {R"(<adhesion body="arm" ctrlrange="-1 1"/>)", "negative"},
      {R"(<dcmotor joint="hinge"/>)", "motor constant"},
      {R"(<orientation joint="hinge"/>)", "ball joint"},
      {R"(<pid joint="hinge" input="vel pos"/>)", "pos vel ff"},
      {R"(<general joint="hinge" actdim="2"/>)", "no states"},
      {R"(<general joint="hinge" dyntype="user" actdim="2000000000"/>
          <general joint="hinge" dyntype="user" actdim="2000000000"/>)",
       "too large"},
      {R"(<plugin joint="hinge"/>)", "plugins are not supported"},
  };
  for (const auto& c : cases) {
    const std::string findings = refused(c.actuator);
    EXPECT_NE(findings.find(c.finding), std::string::npos) << c.actuator << "\n" << findings;
  }
}

}  // namespace
}  // namespace pliant
