// The stages acceleration (all smooth forces summed, M⁻¹ applied) and solver (no constraints yet: qacc is
// qacc_smooth).

#include "step/acceleration_hd.h"
#include "step/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d) { acceleration_stage(SerialTeam{}, m, s, d); }

void run_solver(const Model& m, const State&, Data& d) {
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_constraint[i] = 0;
    d.qacc[i] = d.qacc_smooth[i];
  }
}

}  // namespace pliant
