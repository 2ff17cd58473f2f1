#pragma once
// What others need of the sensors.

#include "pliant/state.h"

namespace pliant {

/// Readings of this step into the histories of the sensors that have one. Delayed sensors are
/// measured here: what they report is older.
void push_readings(const Model& m, State& s, Data& d);

/// What a sensor would report at `time` (pliant/query.h).
void read_sensor(const Model& m, const State& s, const Data& d, int sensor, double time, int order, double* reading);

}  // namespace pliant
