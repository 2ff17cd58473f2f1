// The stage actuation on the CPU.

#include "force/actuation_stage_hd.h"
#include "force/stages.h"

namespace pliant {

void run_actuation(const Model& m, const State& s, Data& d) { actuation_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
