// The stage passive on the CPU.

#include "force/passive_stage_hd.h"
#include "force/stages.h"

namespace pliant {

void run_passive(const Model& m, const State& s, Data& d) { passive_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
