#pragma once
// The last part of a step.

#include "pliant/step.h"

namespace pliant {

/// Moves `s` by one timestep. `from` is `s`, or a copy of it in which followers are where they belong: what `forward`
/// has computed Data from.
StepStatus advance_from(const Model& m, const State& from, State& s, Data& d, Integrator integrator);

/// What is wrong with the accelerations and readings of a step; 0 if nothing.
int check_results(const Model& m, const State& s, Data& d);

}  // namespace pliant
