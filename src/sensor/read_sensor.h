#pragma once
// The reading of one sensor as it is now, without delay and interval.

#include "pliant/state.h"

namespace pliant {

/// Writes sensor_dim numbers. Data holds what `forward` computed for the state.
void read_sensor(const Model& m, const State& s, Data& d, int sensor, double* reading);

}  // namespace pliant
