// The reading of one sensor as it is now: what the sensor stages last wrote.

#include "sensor/read_sensor.h"

namespace pliant {

void read_sensor(const Model& m, const State&, Data& d, int sensor, double* reading) {
  for (int k = 0; k < m.sensor_dim[sensor]; ++k) reading[k] = d.sensordata[m.sensor_adr[sensor] + k];
}

}  // namespace pliant
