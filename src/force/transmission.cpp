// The stage transmission on the CPU.

#include "force/transmission_table_hd.h"
#include "force/stages.h"

namespace pliant {

void run_transmission(const Model& m, const State& s, Data& d) { transmission_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
