#pragma once
// What the integrators need of the sensors.

#include "pliant/state.h"

namespace pliant {

/// Measurements of this step into the histories of the sensors that have one.
void push_readings(const Model& m, State& s, const Data& d);

}  // namespace pliant
