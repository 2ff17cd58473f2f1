#pragma once
// Activations and histories at the end of a step.

#include "pliant/state.h"

namespace pliant {

/// next_act: act after one timestep with rate act_dot, by the law of each actuator, clamped to its range.
void advance_activations(const Model& m, const State& s, Data& d, const double* act_dot);
/// Newest controls into the histories they are delayed in.
void push_controls(const Model& m, State& s);

}  // namespace pliant
