#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

void run_constraint(const Model& m, const State& s, Data& d);  // rows: constraint.cpp
void run_reference(const Model& m, const State& s, Data& d);   // aref: constraint.cpp

}  // namespace pliant
