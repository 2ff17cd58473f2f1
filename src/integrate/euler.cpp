// Semi-implicit Euler on the CPU.

#include "integrate/euler_hd.h"

#include "inertia/inertia.h"
#include "integrate/hard_mimics.h"
#include "integrate/integrate.h"
#include "math/tree_matrix.h"
#include "state/fault.h"

namespace pliant {

bool has_implicit_damping(const Model& m) { return has_implicit_damping(SerialTeam{}, m); }

void advance_euler(const Model& m, const State& s, Data& d, ForwardFn) {
  if (!has_implicit_damping(m)) {
    advance_state(m, s, d, d.act_dot, d.qacc, mean_velocity(m, s, d, [&](double* x) { solve_mass(m, d, x); }));
    return;
  }
  const int bad = implicit_damping(SerialTeam{}, m, s, d);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  const ImplicitSolve integrator{[](const Model& model, const State&, Data& data, double* x) {
    solve_tree(mass_pattern(model), data.qH, data.qHDiagInv, x);
  }};
  advance_implicitly(m, s, d, integrator);
}

}  // namespace pliant
