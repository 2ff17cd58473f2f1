// Energies, momenta of subtrees and forces between bodies on the CPU.

#include "balance/balance.h"

#include "balance/on_demand_hd.h"

namespace pliant {
namespace {

/// Whether it is there or not.
void compute(const Model& m, const State& s, Data& d, SensorNeed need) {
  provide(SerialTeam{}, m, s, d, bit(need));
  claim(d, bit(need));
}

}  // namespace

void run_energy_pos(const Model& m, const State& s, Data& d) { potential_energy_stage(SerialTeam{}, m, s, d); }
void run_energy_vel(const Model& m, const State& s, Data& d) { kinetic_energy_stage(SerialTeam{}, m, s, d); }
void run_subtree(const Model& m, const State& s, Data& d) { compute(m, s, d, SensorNeed::kSubtree); }
void run_body_forces(const Model& m, const State& s, Data& d) { compute(m, s, d, SensorNeed::kBodyForces); }

}  // namespace pliant
