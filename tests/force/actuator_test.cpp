// Actuator laws: closed forms, continuity, limits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "force/activation_hd.h"
#include "force/actuator_table.h"
#include "pliant/pliant.h"
#include "state/history_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

struct Motor {
  explicit Motor(const std::string& actuators, const std::string& option = "")
      : model(load_model_string("<mujoco>" + option + R"(<worldbody><body>
          <joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody><actuator>)" +
                                actuators + "</actuator></mujoco>")),
        state(model),
        data(model) {}
  void run() { run_actuation(model, state, data); }
  /// As an integrator does it.
  void step() {
    run();
    advance_activations(SerialTeam{}, model, state, data, data.act_dot);
    push_controls(SerialTeam{}, model, state, true);
    std::copy_n(data.next_act, model.na, state.act);
    *state.time += model.opt.timestep;
  }
  Model model;
  State state;
  Data data;
};

TEST(Actuator, FilterExactIsTheExponential) {
  Motor motor(R"(<general joint="j" dyntype="filterexact" dynprm=".05"/>)", R"(<option timestep=".02"/>)");
  motor.state.ctrl[0] = 2;
  motor.state.act[0] = -1;
  for (int i = 1; i <= 30; ++i) {
    motor.step();
    EXPECT_NEAR(motor.state.act[0], 2 - 3 * std::exp(-i * 0.02 / 0.05), 1e-13);
  }
}

TEST(Actuator, FilterExactWithoutTimeConstantFollowsAtOnce) {
  EXPECT_NEAR(filter_exact_next(0.0, filter_rate(2.0, 0.0, 0.0), 0.0, 0.01), 2, 1e-12);
}

TEST(Actuator, BristleFollowsItsClosedForm) {
  // z' = v - a z at constant v: z = v/a (1 - e^(-a t))
  Motor motor(R"(<dcmotor joint="j" motorconst="1" resistance="1" lugre="20 .1 .3 .5 .1"/>)");
  motor.data.actuator_velocity[0] = 0.2;
  const double a = bristle_decay(motor.model, 0, 0.2);
  EXPECT_NEAR(a, 20 * 0.2 / (0.3 + 0.2 * std::exp(-4)), 1e-12);
  for (int i = 0; i < 50; ++i) motor.step();
  EXPECT_NEAR(motor.state.act[0], 0.2 / a * (1 - std::exp(-a * 50 * motor.model.opt.timestep)), 1e-13);
}

TEST(Actuator, MuscleCurvesAreContinuous) {
  constexpr double kGap = 1e-9, kLmin = 0.5, kLmax = 1.6, kFvmax = 1.2, kFpmax = 1.3;
  for (const double knot : {kLmin, (kLmin + 1) / 2, 1.0, (1 + kLmax) / 2, kLmax}) {
    EXPECT_NEAR(muscle_force_length(knot - kGap, kLmin, kLmax), muscle_force_length(knot + kGap, kLmin, kLmax), 1e-7);
    EXPECT_NEAR(muscle_force_passive(knot - kGap, kLmax, kFpmax), muscle_force_passive(knot + kGap, kLmax, kFpmax),
                1e-7);
  }
  for (const double knot : {-1.0, 0.0, kFvmax - 1}) {
    EXPECT_NEAR(muscle_force_velocity(knot - kGap, kFvmax), muscle_force_velocity(knot + kGap, kFvmax), 1e-7);
  }
  EXPECT_EQ(muscle_force_length(1.0, kLmin, kLmax), 1);
  EXPECT_EQ(muscle_force_velocity(0.0, kFvmax), 1);
  EXPECT_EQ(muscle_force_velocity(5.0, kFvmax), kFvmax);
  EXPECT_NEAR(muscle_force_passive((1 + kLmax) / 2, kLmax, kFpmax), kFpmax / 2, 1e-12);
}

TEST(Actuator, SmoothMuscleRateMeetsTheSharpOneOutsideItsWidth) {
  for (const double ctrl : {0.0, 0.9}) {
    EXPECT_NEAR(muscle_rate(ctrl, 0.45, 0.01, 0.04, 0.2), muscle_rate(ctrl, 0.45, 0.01, 0.04, 0.0), 1e-12);
  }
  EXPECT_EQ(muscle_rate(0.45, 0.45, 0.01, 0.04, 0.2), 0);
}

TEST(Actuator, MotorReachesItsStallTorqueAndNoLoadSpeed) {
  Motor motor(R"(<dcmotor joint="j" motorconst=".5" resistance="2"/>)");
  motor.state.ctrl[0] = 12;
  motor.run();
  EXPECT_NEAR(motor.data.actuator_force[0], 0.5 * 12 / 2, 1e-12);
  motor.data.actuator_velocity[0] = 12 / 0.5;
  motor.run();
  EXPECT_NEAR(motor.data.actuator_force[0], 0, 1e-12);
}

TEST(Actuator, OrientationServoTurnsTheShortWay) {
  const double angle = 0.4;
  const Vec3 torque = so3_torque(axis_angle(Vec3{0, 0, 1}, 1.0), Vec3{0, 0, angle}, Vec3{0, 0, 0.5}, 10.0, 0.0, -2.0);
  EXPECT_NEAR(torque.z, 10 * (1 - angle) - 2 * 0.5, 1e-12);
  EXPECT_NEAR(norm(shortest_rotation(Vec3{0, 0, 2 * kPi + 0.1})), 0.1, 1e-12);
  EXPECT_NEAR(shortest_rotation(Vec3{0, 0, 2 * kPi - 0.1}).z, -0.1, 1e-12);
}

TEST(Actuator, SetpointOfAnAngleIsTheNearestTurn) {
  EXPECT_NEAR(nearest_setpoint(7.0, 0.5, 2 * kPi), 7 - 2 * kPi, 1e-15);
  EXPECT_EQ(nearest_setpoint(7.0, 0.5, 0.0), 7);
}

TEST(Actuator, ControlsAreClampedAndCounted) {
  Motor motor(R"(<motor joint="j" ctrlrange="-1 1"/>)");
  motor.state.ctrl[0] = 5;
  motor.run();
  EXPECT_EQ(motor.data.ctrl_used[0], 1);
  EXPECT_EQ(motor.data.ctrl_clamped[0], 1);
  motor.model.opt.disableflags |= kDisableClampCtrl;
  motor.run();
  EXPECT_EQ(motor.data.ctrl_used[0], 5);
  EXPECT_EQ(motor.data.ctrl_clamped[0], 1);
}

TEST(Actuator, DisabledGroupsExertNothingAndKeepTheirState) {
  Motor motor(R"(<general joint="j" group="3" dyntype="integrator" gainprm="2"/>)");
  motor.state.ctrl[0] = motor.state.act[0] = 1;
  motor.model.opt.disableactuator = 1 << 3;
  motor.step();
  EXPECT_EQ(motor.data.actuator_force[0], 0);
  EXPECT_EQ(motor.state.act[0], 1);
  motor.model.opt.disableactuator = 0;
  motor.step();
  EXPECT_EQ(motor.data.actuator_force[0], 2);
  EXPECT_NEAR(motor.state.act[0], 1 + motor.model.opt.timestep, 1e-15);
}

TEST(Actuator, ADelayOfTwoStepsIsTwoStepsLate) {
  Motor motor(R"(<motor joint="j" nsample="3" delay=".02"/>)", R"(<option timestep=".01"/>)");
  for (int i = 0; i < 10; ++i) {
    motor.state.ctrl[0] = i + 1;
    motor.step();
    EXPECT_EQ(motor.data.ctrl_used[0], i < 2 ? 0 : i - 1) << i;
  }
}

TEST(History, InterpolatesPolynomialsExactly) {
  // linear interpolation of a line and cubic interpolation of a parabola, inside the ring
  double history[2 + 6 + 6] = {};
  const HistoryPlace place{0, 6, 1};
  history[place.cursor()] = 5;
  for (int i = 0; i < 6; ++i) history[place.time(i)] = i - 100;
  for (int i = 0; i < 9; ++i) history[history_insert(history, place, double(i))] = i * i + 2.0 * i;
  EXPECT_EQ(history_time(history, place, 0), 3);
  EXPECT_NEAR(history_at(history, place, 5.25, 2).value(history, 0), 5.25 * 5.25 + 2 * 5.25, 1e-12);
  EXPECT_NEAR(history_at(history, place, 5.25, 1).value(history, 0), 0.75 * 35 + 0.25 * 48, 1e-12);
  EXPECT_EQ(history_at(history, place, 5.25, 0).value(history, 0), 35);
  EXPECT_EQ(history_at(history, place, -7.0, 2).value(history, 0), 15);
  EXPECT_EQ(history_at(history, place, 70.0, 2).value(history, 0), 80);
}

TEST(History, LateSamplesGoToTheirPlace) {
  double history[2 + 4 + 4] = {};
  const HistoryPlace place{0, 4, 1};
  history[place.cursor()] = 3;
  for (int i = 0; i < 4; ++i) history[place.time(i)] = i, history[place.value(i)] = 10 * i;
  history[history_insert(history, place, 1.5)] = 15;  // drops the oldest
  history[history_insert(history, place, 2.0)] = 21;  // replaces
  for (const auto& [time, value] : {std::pair{1.0, 10.0}, {1.5, 15.0}, {2.0, 21.0}, {3.0, 30.0}}) {
    EXPECT_EQ(history_at(history, place, time, 0).value(history, 0), value);
  }
}

}  // namespace
}  // namespace pliant
