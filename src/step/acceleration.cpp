// The stage acceleration: all smooth forces summed, those of exact followers passed to their leaders, M⁻¹ applied.

#include "joint/followers_hd.h"
#include "step/acceleration_hd.h"
#include "step/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d) {
  sum_smooth_forces(SerialTeam{}, m, s, d);
  reduce_force(m, s, d.qfrc_smooth);
  smooth_acceleration(SerialTeam{}, m, d);
}

}  // namespace pliant
