#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

void run_collision(const Model& m, const State& s, Data& d);

}  // namespace pliant
