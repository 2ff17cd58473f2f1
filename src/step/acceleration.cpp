// The stage acceleration: all smooth forces summed, M⁻¹ applied.

#include "step/acceleration_hd.h"
#include "step/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d) { acceleration_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
