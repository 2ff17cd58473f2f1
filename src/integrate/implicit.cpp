// implicit and implicitfast on the CPU.

#include "integrate/implicit_hd.h"

#include "integrate/hard_mimics.h"
#include "integrate/integrate.h"
#include "state/fault.h"

namespace pliant {

void advance_implicit(const Model& m, const State& s, Data& d, ForwardFn) {
  implicit_acceleration(SerialTeam{}, m, s, d);
  const ImplicitSolve integrator{[](const Model& model, const State&, Data& data, double* x) {
    solve_tree_lu(derivative_pattern(model), data.qLU, x);
  }};
  advance_implicitly(m, s, d, integrator);
}

void assemble_implicitfast(const Model& m, const State& s, Data& d) { assemble_implicitfast(SerialTeam{}, m, s, d); }

void advance_implicitfast(const Model& m, const State& s, Data& d, ForwardFn) {
  const int bad = implicitfast_acceleration(SerialTeam{}, m, s, d);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  const ImplicitSolve integrator{[](const Model& model, const State& state, Data& data, double* x) {
    solve_implicitfast(SerialTeam{}, model, state, data, x);
  }};
  advance_implicitly(m, s, d, integrator);
}

}  // namespace pliant
