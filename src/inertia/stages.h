#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

void run_inertia(const Model& m, const State& s, Data& d);  // inertia.cpp
void run_bias(const Model& m, const State& s, Data& d);     // inertia.cpp

}  // namespace pliant
