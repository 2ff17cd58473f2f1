// Semi-implicit Euler: velocities first, positions with the new velocities. Joint damping is taken at the end
// of the step: (M + h B) qacc = forces, B = d(damping force)/dv.

#include <cstring>

#include "integrate/integrate.h"
#include "math/tree_matrix.h"

namespace pliant {
void advance_euler(const Model& m, State& s, Data& d) {
  if (!has_implicit_damping(m)) {
    advance_state(m, s, d, d.act_dot, d.qacc, nullptr);
    return;
  }
  std::memcpy(d.qH, d.M, sizeof(double) * m.nC);
  for (int i = 0; i < m.nv; ++i) {
    d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += m.opt.timestep * damping_slope(m, i, s.qvel[i]);
    d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  }
  factor_tree(mass_pattern(m), d.qH, d.qHDiagInv);
  solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, d.qacc_advance);
  advance_state(m, s, d, d.act_dot, d.qacc_advance, nullptr);
}

}  // namespace pliant
