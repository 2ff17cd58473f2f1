// The stage tendons on the CPU.

#include "kinematics/tendon_hd.h"
#include "kinematics/stages.h"

namespace pliant {

void run_tendons(const Model& m, const State& s, Data& d) { tendons_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
