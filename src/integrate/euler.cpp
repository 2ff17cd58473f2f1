// Semi-implicit Euler: velocities first, positions with the new velocities. Joint damping is taken at the end
// of the step: (M + h B) qacc = forces, B = d(damping force)/dv.

#include <cstring>

#include "force/polynomial_hd.h"
#include "integrate/integrate.h"
#include "math/tree_matrix.h"
#include "step/fault.h"

namespace pliant {

// A constant negative damping does not count, as in the reference.
bool has_implicit_damping(const Model& m) {
  if (m.opt.disableflags & (kDisableEulerDamp | kDisableDamper)) return false;
  for (int i = 0; i < m.nv; ++i) {
    if (m.dof_damping[i] > 0 || m.dof_dampingpoly[2 * i] != 0 || m.dof_dampingpoly[2 * i + 1] != 0 ||
        m.jnt_actuatorid[m.dof_jntid[i]] != -1) {
      return true;
    }
  }
  return false;
}

void advance_euler(const Model& m, State& s, Data& d) {
  if (!has_implicit_damping(m)) {
    advance_state(m, s, d, d.act_dot, d.qacc, nullptr);
    return;
  }
  std::memcpy(d.qH, d.M, sizeof(double) * m.nC);
  for (int i = 0; i < m.nv; ++i) {
    d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += m.opt.timestep * joint_damping(m, i).slope(s.qvel[i]);
    d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  }
  const int bad = factor_tree(mass_pattern(m), d.qH, d.qHDiagInv);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, d.qacc_advance);
  advance_state(m, s, d, d.act_dot, d.qacc_advance, nullptr);
}

}  // namespace pliant
