// The stages inertia and bias on the CPU.

#include "inertia/inertia.h"

#include "joint/followers_hd.h"
#include "inertia/inertia_hd.h"
#include "state/fault.h"
#include "inertia/stages.h"

namespace pliant {
namespace {

void report_singular(const State& s, Data& d, int dof) {
  if (dof >= 0) record_fault(s, d, Fault::kSingularInertia, "qLDiagInv", dof, d.qLDiagInv[dof]);
}

// Where joints follow others exactly: M of all joints, then Gᵀ M G.
int inertia_with_followers(const Model& m, const State& s, Data& d) {
  composite_inertias(SerialTeam{}, m, d);
  // rows that no other branch has joined are made as everywhere
  double* joined = d.dof_scratch;
  for (int dof = 0; dof < m.nv; ++dof) {
    const int parent = m.M_parentid[dof];
    joined[dof] = parent != m.dof_parentid[dof] || (parent >= 0 && joined[parent] != 0);
    if (joined[dof] != 0) {
      mass_row_between_branches(m, d, dof);
    } else {
      mass_row(m, d, dof);
    }
  }
  add_tendon_armature(m, d);
  reduce_symmetric(m, s, d.M);
  return factor_mass_matrix(SerialTeam{}, m, d);
}

}  // namespace

void run_inertia(const Model& m, const State& s, Data& d) {
  report_singular(s, d, m.nfollower ? inertia_with_followers(m, s, d) : inertia_stage(SerialTeam{}, m, s, d));
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
