// The sensor stages: each reads the sensors that need no more than the stages before it.
//
// reads almost everything · writes sensordata · cost: linear in the readings
// What only some sensors need (energies, subtree velocities, forces on bodies) is computed when the
// first one asks. With the flag "sensor" disabled the readings stay as they are.
//
// A delayed sensor reports what its history holds (sensor_history_hd.h); it is measured at the end
// of the step.

#include "sensor/sensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "balance/balance.h"
#include "sensor/sensor_history_hd.h"
#include "model/sensor_kinds.h"
#include "sensor/sensor_table_hd.h"
#include "sensor/stages.h"

namespace pliant {
namespace {

void provide(const Model& m, const State& s, Data& d, SensorNeed need) {
  switch (need) {
    case SensorNeed::kNothing:
      break;
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

// Place of the first number of a sensor that is not finite; -1: none. Users may write what they like.
int bad_reading_of(const Model& m, const double* readings, int sensor) {
  if (m.sensor_type[sensor] == static_cast<int>(SensorType::kUser)) return -1;
  for (int k = m.sensor_adr[sensor]; k < m.sensor_adr[sensor] + m.sensor_dim[sensor]; ++k) {
    if (!std::isfinite(readings[k])) return k;
  }
  return -1;
}

void read_with_history(const Model& m, const State& s, Data& d, int i) {
  double* out = d.sensordata + m.sensor_adr[i];
  const int order = m.sensor_history[2 * i + 1];
  if (is_delayed(m, i)) {
    recall_reading(m, s, i, *s.time - m.sensor_delay[i], order, out);
  } else if (measures_now(m, s, i)) {
    measure(m, s, d, i, out);
  } else {
    recall_reading(m, s, i, *s.time, order, out);
  }
}

void run_sensors(const Model& m, const State& s, Data& d, Stage stage) {
  if (m.opt.disableflags & kDisableSensor) return;
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_needstage[i] != static_cast<int>(stage)) continue;
    if (has_history(m, i)) {
      read_with_history(m, s, d, i);
    } else {
      measure(m, s, d, i, d.sensordata + m.sensor_adr[i]);
    }
  }
}

}  // namespace

void run_position_sensors(const Model& m, const State& s, Data& d) { run_sensors(m, s, d, Stage::kPosition); }
void run_velocity_sensors(const Model& m, const State& s, Data& d) { run_sensors(m, s, d, Stage::kVelocity); }
void run_acceleration_sensors(const Model& m, const State& s, Data& d) { run_sensors(m, s, d, Stage::kAcceleration); }

int measure_delayed(const Model& m, const State& s, Data& d) {
  int bad = -1;
  if (m.nhistory == 0) return bad;
  for (int i = 0; i < m.nsensor; ++i) {
    if (!has_history(m, i) || !is_delayed(m, i) || !measures_now(m, s, i)) continue;
    measure(m, s, d, i, d.next_reading + m.sensor_adr[i]);
    if (bad < 0) bad = bad_reading_of(m, d.next_reading, i);
  }
  return bad;
}

void push_readings(const Model& m, State& s, const Data& d) {
  if (m.nhistory == 0) return;
  for (int i = 0; i < m.nsensor; ++i) {
    if (!has_history(m, i) || !measures_now(m, s, i)) continue;
    const double* now = (is_delayed(m, i) ? d.next_reading : d.sensordata) + m.sensor_adr[i];
    std::copy(now, now + m.sensor_dim[i], s.history + place_for_reading(m, s, i));
  }
}

int first_bad_reading(const Model& m, const Data& d) {
  // nearly always there is none: counted without a branch, so that several are looked at together
  int64_t count = 0;
  for (int i = 0; i < m.nsensordata; ++i) count += !(std::abs(d.sensordata[i]) <= std::numeric_limits<double>::max());
  if (count == 0) return -1;
  int bad = -1;
  for (int i = 0; i < m.nsensor && bad < 0; ++i) bad = bad_reading_of(m, d.sensordata, i);
  return bad;
}

void read_sensor(const Model& m, const State& s, const Data& d, int sensor, double time, int order, double* reading) {
  if (!has_history(m, sensor)) {
    const double* now = d.sensordata + m.sensor_adr[sensor];
    std::copy(now, now + m.sensor_dim[sensor], reading);
    return;
  }
  if (order < 0) order = m.sensor_history[2 * sensor + 1];
  recall_reading(m, s, sensor, time - m.sensor_delay[sensor], order, reading);
}

}  // namespace pliant
