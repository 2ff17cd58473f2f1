// Semi-implicit Euler on the CPU.

#include "integrate/euler_hd.h"

#include "integrate/integrate.h"
#include "step/fault.h"

namespace pliant {

bool has_implicit_damping(const Model& m) { return has_implicit_damping(SerialTeam{}, m); }

void advance_euler(const Model& m, State& s, Data& d) {
  if (!has_implicit_damping(m)) {
    advance_state(m, s, d, d.act_dot, d.qacc, nullptr);
    return;
  }
  const int bad = implicit_damping(SerialTeam{}, m, s, d);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  advance_state(m, s, d, d.act_dot, d.qacc_advance, nullptr);
}

}  // namespace pliant
