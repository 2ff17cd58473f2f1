// Sensors without a reference: readings at rest, velocities as derivatives of positions, work done
// once.

#include "model/sensor_kinds.h"
#include "tests/query/system.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

const double* reading(const Model& m, const Data& d, int sensor) { return d.sensordata + m.sensor_adr[sensor]; }

TEST(Sensors, AtRestFeelGravityUpwards) {
  const Model m = load_model_string(R"(
    <mujoco><worldbody>
      <body name="held"><joint type="slide" axis="0 0 1"/><geom size="0.1" mass="2"/>
        <site name="s" euler="90 0 0"/></body>
      <body name="fixed" pos="1 0 0"><geom size="0.1" mass="3"/><site name="f"/></body>
    </worldbody>
    <sensor><accelerometer site="s"/><accelerometer site="f"/><force site="f"/><force site="s"/></sensor></mujoco>)");
  State s(m);
  Data d(m);
  s.qfrc_applied[0] = 2 * 9.81;  // carries its weight
  forward(m, s, d);
  expect_near(triple(reading(m, d, 0)), {0, 9.81, 0}, 1e-12, "accelerometer");
  expect_near(triple(reading(m, d, 1)), {0, 0, 9.81}, 1e-15, "what cannot move");
  expect_near(triple(reading(m, d, 2)), {0, 0, 3 * 9.81}, 1e-12, "force on what is fixed");
  expect_near(triple(reading(m, d, 3)), {0, 2 * 9.81, 0}, 1e-12, "force on what is held");
}

// The frame case lists position and velocity sensors of the same objects and frames in the same
// order.
TEST(Sensors, FrameVelocitiesAreDerivativesOfFramePositions) {
  System system;
  const Model m = load_model(source_folder() / "tests/parity/cases/dynamics_sensors_frames.xml");
  State s(m);
  randomise(m, s, 5);
  Data now(m), before(m), after(m);
  State past = s, future = s;
  const double h = 1e-6;
  integrate_pos(m, past.qpos, s.qvel, -h);
  integrate_pos(m, future.qpos, s.qvel, h);
  forward(m, s, now);
  forward(m, past, before);
  forward(m, future, after);
  int compared = 0;
  for (int v = 0; v < m.nsensor; ++v) {
    if (m.sensor_type[v] != static_cast<int>(SensorType::kFrameLinVel)) continue;
    for (int p = 0; p < m.nsensor; ++p) {
      const bool same = m.sensor_type[p] == static_cast<int>(SensorType::kFramePos) &&
                        m.sensor_objtype[p] == m.sensor_objtype[v] && m.sensor_objid[p] == m.sensor_objid[v] &&
                        m.sensor_reftype[p] == m.sensor_reftype[v] && m.sensor_refid[p] == m.sensor_refid[v];
      // cameras that aim move in ways their body does not
      const auto is_camera = [](int type) { return type == static_cast<int>(ObjType::kCamera); };
      if (!same || is_camera(m.sensor_reftype[v])) continue;
      Triple slope;
      for (int k = 0; k < 3; ++k) slope[k] = (reading(m, after, p)[k] - reading(m, before, p)[k]) / (2 * h);
      expect_near(triple(reading(m, now, v)), slope, 1e-7, "sensor " + std::to_string(v));
      ++compared;
    }
  }
  EXPECT_GE(compared, 30);
}

TEST(Sensors, AskForWhatTheyNeedOnce) {
  System system;
  EXPECT_TRUE(system.d.done.energy_pos && system.d.done.energy_vel && system.d.done.subtree &&
              system.d.done.body_forces);
  const Model none =
      load_model_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  State s(none);
  Data d(none);
  forward(none, s, d);
  EXPECT_FALSE(d.done.energy_pos || d.done.energy_vel || d.done.subtree || d.done.body_forces);
}

// For a batch it is settled beforehand: each need before the first stage that has it, and there only.
TEST(Sensors, NeedsAreSettledForABatch) {
  Model m = load_model(source_folder() / "tests/batch/all_sensors.xml");
  const int potential = bit(SensorNeed::kPotentialEnergy), kinetic = bit(SensorNeed::kKineticEnergy);
  const int subtree = bit(SensorNeed::kSubtree), forces = bit(SensorNeed::kBodyForces);
  const SensorNeeds all = sensor_needs(m);
  EXPECT_EQ(all.before(Stage::kPosition), potential | kinetic);
  EXPECT_EQ(all.before(Stage::kVelocity), subtree);
  EXPECT_EQ(all.before(Stage::kAcceleration), forces);
  EXPECT_EQ(all.before(Stage::kNone), 0);
  // a sensor that somebody has given to a later stage
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_type[i] == static_cast<int>(SensorType::kKineticEnergy)) m.sensor_needstage[i] = 3;
  }
  EXPECT_EQ(sensor_needs(m).before(Stage::kPosition), potential);
  EXPECT_EQ(sensor_needs(m).before(Stage::kAcceleration), kinetic | forces);
  // without readings: what may be delayed is measured all the same
  m.opt.disableflags |= kDisableSensor;
  EXPECT_EQ(sensor_needs(m).before(Stage::kPosition), 0);
  EXPECT_EQ(sensor_needs(m).before(Stage::kNone), kinetic | subtree | forces);
}

// Who exchanges a sensor between steps gets what the new one needs.
TEST(Sensors, MayBeExchangedBetweenSteps) {
  const char* text = R"(
    <mujoco><worldbody><body><joint axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/><site name="s" pos="0.2 0 0"/></body>
    </worldbody><sensor><KIND site="s"/></sensor></mujoco>)";
  const auto model = [&](const char* kind) {
    std::string filled = text;
    return load_model_string(filled.replace(filled.find("KIND"), 4, kind));
  };
  Model m = model("velocimeter");
  const Model other = model("accelerometer");
  State s(m);
  Data d(m), expected(other);
  s.qvel[0] = 2;
  forward(m, s, d);
  EXPECT_FALSE(d.done.body_forces);
  m.sensor_type[0] = other.sensor_type[0], m.sensor_needstage[0] = other.sensor_needstage[0];
  forward(m, s, d);
  forward(other, s, expected);
  EXPECT_TRUE(d.done.body_forces);
  expect_near(triple(reading(m, d, 0)), triple(reading(other, expected, 0)), 0, "exchanged");
}

TEST(Sensors, CutoffClipsBothSidesOfRealReadings) {
  const Model m = load_model_string(R"(
    <mujoco><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/></body></worldbody>
    <sensor><jointpos joint="j" cutoff="0.5"/><jointpos joint="j"/></sensor></mujoco>)");
  State s(m);
  Data d(m);
  for (const double q : {-2.0, -0.3, 0.4, 3.0}) {
    s.qpos[0] = q;
    forward(m, s, d);
    EXPECT_EQ(d.sensordata[0], std::clamp(q, -0.5, 0.5));
    EXPECT_EQ(d.sensordata[1], q);
  }
}

TEST(Sensors, DelayReportsThePast) {
  const Model m = load_model_string(R"(
    <mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/>
      <geom size="0.1"/></body></worldbody>
    <sensor><jointpos joint="j" nsample="5" delay="0.02"/><jointpos joint="j" nsample="2" interval="0.03"/></sensor>
    </mujoco>)");
  State s(m);
  Data d(m);
  s.qvel[0] = 1;  // position equals time
  for (int i = 0; i < 12; ++i) {
    const double time = *s.time;
    step(m, s, d);
    EXPECT_NEAR(d.sensordata[0], std::max(0.0, time - 0.02), 1e-12) << i;
    EXPECT_NEAR(d.sensordata[1], 0.03 * std::floor(time / 0.03 + 1e-9), 1e-12) << i;
  }
  double past = 0;
  read_sensor(m, s, d, 0, *s.time, 1, &past);
  EXPECT_NEAR(past, *s.time - 0.02, 1e-12);
}

}  // namespace
}  // namespace pliant
