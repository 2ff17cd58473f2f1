// Potential and kinetic energy.

#include "step/stages.h"

namespace pliant {

void run_energy_pos(const Model&, const State&, Data&) {}
void run_energy_vel(const Model&, const State&, Data&) {}

}  // namespace pliant
