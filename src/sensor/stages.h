#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

// Sensors by what they need.
void run_position_sensors(const Model& m, const State& s, Data& d);
void run_velocity_sensors(const Model& m, const State& s, Data& d);
void run_acceleration_sensors(const Model& m, const State& s, Data& d);

}  // namespace pliant
