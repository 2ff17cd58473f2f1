// The stages inertia and bias on the CPU.

#include "inertia/inertia.h"

#include "inertia/inertia_hd.h"
#include "state/fault.h"
#include "inertia/stages.h"

namespace pliant {
namespace {

void report_singular(const State& s, Data& d, int dof) {
  if (dof >= 0) record_fault(s, d, Fault::kSingularInertia, "qLDiagInv", dof, d.qLDiagInv[dof]);
}

}  // namespace

void run_inertia(const Model& m, const State& s, Data& d) {
  report_singular(s, d, inertia_stage(SerialTeam{}, m, s, d));
}

void factor_mass(const Model& m, const State& s, Data& d) {
  report_singular(s, d, factor_mass_matrix(SerialTeam{}, m, d));
}

void newton_euler(const Model& m, const State& s, Data& d, const double* qacc, double* qfrc) {
  if (qacc) {
    newton_euler(SerialTeam{}, m, s, d, qacc, qfrc);
  } else {
    newton_euler(SerialTeam{}, m, s, d, nullptr, qfrc);
  }
}

void run_bias(const Model& m, const State& s, Data& d) { bias_stage(SerialTeam{}, m, s, d); }

void solve_mass(const Model& m, const Data& d, double* x) { solve_tree(mass_pattern(m), d.qLD, d.qLDiagInv, x); }

void multiply_mass(const Model& m, const Data& d, const double* x, double* y) {
  multiply_tree(mass_pattern(m), d.M, x, y);
}

}  // namespace pliant
