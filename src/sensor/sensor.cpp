// Sensors on the CPU.

#include "sensor/sensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sensor/sensor_stage_hd.h"
#include "sensor/stages.h"

namespace pliant {

void run_position_sensors(const Model& m, const State& s, Data& d) { position_sensors_stage(SerialTeam{}, m, s, d); }
void run_velocity_sensors(const Model& m, const State& s, Data& d) { velocity_sensors_stage(SerialTeam{}, m, s, d); }
void run_acceleration_sensors(const Model& m, const State& s, Data& d) {
  acceleration_sensors_stage(SerialTeam{}, m, s, d);
}

int measure_delayed(const Model& m, const State& s, Data& d) { return measure_delayed(SerialTeam{}, m, s, d); }

int first_bad_reading(const Model& m, const Data& d) {
  // nearly always there is none: counted without a branch, so that several are looked at together
  int64_t count = 0;
  for (int i = 0; i < m.nsensordata; ++i) count += !(std::abs(d.sensordata[i]) <= std::numeric_limits<double>::max());
  return count == 0 ? -1 : first_bad_reading(SerialTeam{}, m, d);
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
