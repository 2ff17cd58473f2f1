// The stages inertia and bias.

#include "inertia/inertia.h"

#include "inertia/bias_hd.h"
#include "inertia/composite_hd.h"
#include "kinematics/tendons.h"
#include "math/tree_matrix.h"
#include "step/fault.h"
#include "step/stages.h"

namespace pliant {

void run_inertia(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < 10 * m.nbody; ++i) d.crb[i] = d.cinert[i];
  for (int b = m.nbody - 1; b > 0; --b) {
    if (const int parent = m.body_parentid[b]) {
      set(d.crb, parent, spatial_inertia(d.crb, parent) + spatial_inertia(d.crb, b));
    }
  }
  for (int dof = 0; dof < m.nv; ++dof) mass_row(m, d, dof);
  add_tendon_armature(m, d);
  factor_mass(m, s, d);
}

void factor_mass(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nC; ++i) d.qLD[i] = d.M[i];
  const int bad = factor_tree(mass_pattern(m), d.qLD, d.qLDiagInv);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qLDiagInv", bad, d.qLDiagInv[bad]);
}

void newton_euler(const Model& m, const State& s, Data& d, const double* qacc, double* qfrc) {
  Spatial world{};
  if (!(m.opt.disableflags & kDisableGravity)) {
    world.lin = {-m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2]};
  }
  set(d.bias_acc, 0, world);
  if (qacc) {
    for (int b = 1; b < m.nbody; ++b) body_newton_euler(m, s, d, b, qacc, d.bias_acc, d.bias_force);
  } else {
    for (int b = 1; b < m.nbody; ++b) body_newton_euler(m, s, d, b, nullptr, d.bias_acc, d.bias_force);
  }
  for (int b = m.nbody - 1; b > 0; --b) project_force(m, d, b, d.bias_force, qfrc);
}

void run_bias(const Model& m, const State& s, Data& d) {
  newton_euler(m, s, d, nullptr, d.qfrc_bias);
  add_tendon_bias(m, s, d);
}

void solve_mass(const Model& m, const Data& d, double* x) { solve_tree(mass_pattern(m), d.qLD, d.qLDiagInv, x); }

void multiply_mass(const Model& m, const Data& d, const double* x, double* y) {
  multiply_tree(mass_pattern(m), d.M, x, y);
}

}  // namespace pliant
