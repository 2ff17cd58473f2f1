#pragma once
// What a step computes on demand, once per state: energies, momenta of subtrees, forces between bodies. Sensors,
// options and users ask for them; Data::done says which are there.

#include "pliant/state.h"

namespace pliant {

void run_energy_pos(const Model& m, const State& s, Data& d);
void run_energy_vel(const Model& m, const State& s, Data& d);
void run_subtree(const Model& m, const State& s, Data& d);
void run_body_forces(const Model& m, const State& s, Data& d);

// As stages of the pipeline.
inline void run_potential_energy(const Model& m, const State& s, Data& d) { run_energy_pos(m, s, d); }
inline void run_kinetic_energy(const Model& m, const State& s, Data& d) { run_energy_vel(m, s, d); }

}  // namespace pliant
