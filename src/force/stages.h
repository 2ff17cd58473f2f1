#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

void run_transmission(const Model& m, const State& s, Data& d);  // transmission.cpp
void run_passive(const Model& m, const State& s, Data& d);       // passive.cpp
void run_actuation(const Model& m, const State& s, Data& d);     // actuation.cpp

}  // namespace pliant
