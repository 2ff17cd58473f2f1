#pragma once
// What a step computes on demand, once per state: energies, momenta of subtrees, forces between bodies. Sensors,
// options and users ask for them; Data::done says which are there.

#include "pliant/state.h"

namespace pliant {

void run_energy_pos(const Model& m, const State& s, Data& d);   // energy.cpp
void run_energy_vel(const Model& m, const State& s, Data& d);   // energy.cpp
void run_subtree(const Model& m, const State& s, Data& d);      // subtree.cpp
void run_body_forces(const Model& m, const State& s, Data& d);  // body_forces.cpp

}  // namespace pliant
