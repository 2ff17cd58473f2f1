// The sensor stages: each reads the sensors that need no more than the stages before it.
//
// reads almost everything · writes sensordata sensor_sample · cost: linear in the readings
// What only some sensors need (energies, subtree velocities, forces on bodies) is computed when the first one
// asks. With the flag "sensor" disabled the readings stay as they are.
//
// A sensor with a history measures into sensor_sample, which enters the history at the end of the step; with a
// delay it reads from the history, with an interval it reads there until the next measurement is due.

#include "sensor/sensor_kinds.h"
#include "sensor/sensor_table_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

void provide(const Model& m, const State& s, Data& d, SensorNeed need) {
  switch (need) {
    case SensorNeed::kNothing: break;
    case SensorNeed::kPotentialEnergy:
      if (!d.done.energy_pos) run_energy_pos(m, s, d);
      break;
    case SensorNeed::kKineticEnergy:
      if (!d.done.energy_vel) run_energy_vel(m, s, d);
      break;
    case SensorNeed::kSubtree:
      if (!d.done.subtree) run_subtree(m, s, d);
      break;
    case SensorNeed::kBodyForces:
      if (!d.done.body_forces) run_body_forces(m, s, d);
      break;
  }
}

void measure(const Model& m, const State& s, Data& d, int i, double* out) {
  provide(m, s, d, kSensorKinds[m.sensor_type[i]].need);
  read_sensor_now(m, s, d, i, out);
}

void run_sensors(const Model& m, const State& s, Data& d, Stage stage) {
  if (m.opt.disableflags & kDisableSensor) return;
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_needstage[i] != static_cast<int>(stage)) continue;
    measure(m, s, d, i, d.sensordata + m.sensor_adr[i]);
  }
}

}  // namespace

void run_position_sensors(const Model& m, const State& s, Data& d) { run_sensors(m, s, d, Stage::kPosition); }
void run_velocity_sensors(const Model& m, const State& s, Data& d) { run_sensors(m, s, d, Stage::kVelocity); }
void run_acceleration_sensors(const Model& m, const State& s, Data& d) {
  run_sensors(m, s, d, Stage::kAcceleration);
}

}  // namespace pliant
