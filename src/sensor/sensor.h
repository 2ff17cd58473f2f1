#pragma once
// What others need of the sensors.

#include "pliant/state.h"

namespace pliant {

/// next_reading: what delayed sensors measure now. What they report is older. Returns the place of the first number
/// that is not finite, -1 if none is.
int measure_delayed(const Model& m, const State& s, Data& d);
/// Place in sensordata of the first reading that is not finite; -1 if none is. What users write into sensors of their
/// own is their business.
int first_bad_reading(const Model& m, const Data& d);

/// What a sensor would report at `time` (pliant/query.h).
void read_sensor(const Model& m, const State& s, const Data& d, int sensor, double time, int order, double* reading);

}  // namespace pliant
