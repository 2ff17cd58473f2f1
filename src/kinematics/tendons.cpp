// The stage tendons on the CPU.

#include "kinematics/tendon_hd.h"
#include "kinematics/stages.h"
#include "state/fault.h"

namespace pliant {

void run_tendons(const Model& m, const State& s, Data& d) {
  tendons_stage(SerialTeam{}, m, s, d);
  const int bad = first_bad_side(m);
  if (bad >= 0) record_fault(s, d, Fault::kBadParameter, "wrap_prm", bad, m.wrap_prm[bad]);
}

}  // namespace pliant
