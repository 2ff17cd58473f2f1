// Doors to what a step computes on demand.

#include "balance/balance.h"
#include "pliant/query.h"

namespace pliant {

void potential_energy(const Model& m, const State& s, Data& d) { run_energy_pos(m, s, d); }
void kinetic_energy(const Model& m, const State& s, Data& d) { run_energy_vel(m, s, d); }
void subtree_velocity(const Model& m, const State& s, Data& d) { run_subtree(m, s, d); }
void body_forces(const Model& m, const State& s, Data& d) { run_body_forces(m, s, d); }

}  // namespace pliant
