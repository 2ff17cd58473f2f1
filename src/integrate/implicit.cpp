// implicit and implicitfast on the CPU.

#include "integrate/implicit_hd.h"

#include "integrate/integrate.h"
#include "state/fault.h"

namespace pliant {

void advance_implicit(const Model& m, const State& s, Data& d, ForwardFn) {
  implicit_acceleration(SerialTeam{}, m, s, d);
  const auto solve = [&](double* x) { solve_tree_lu(derivative_pattern(m), d.qLU, x); };
  advance_state(m, s, d, d.act_dot, d.qacc_advance, mean_velocity(m, s, d, solve));
}

void assemble_implicitfast(const Model& m, const State& s, Data& d) { assemble_implicitfast(SerialTeam{}, m, s, d); }

void advance_implicitfast(const Model& m, const State& s, Data& d, ForwardFn) {
  const int bad = implicitfast_acceleration(SerialTeam{}, m, s, d);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  const auto solve = [&](double* x) { solve_implicitfast(SerialTeam{}, m, s, d, x); };
  advance_state(m, s, d, d.act_dot, d.qacc_advance, mean_velocity(m, s, d, solve));
}

}  // namespace pliant
