#pragma once
// What the integrators need of the sensors.

#include "pliant/state.h"

namespace pliant {

/// Readings of this step into the histories of the sensors that have one. Delayed sensors are
/// measured here: what they report is older.
void push_readings(const Model& m, State& s, Data& d);

}  // namespace pliant
