#pragma once
// Semi-implicit Euler for one world: velocities first, positions with the new velocities. Joint damping is taken at
// the end of the step: (M + h B) qacc = forces, B = d(damping force)/dv.

#include "base/team.h"
#include "force/activation_hd.h"
#include "force/polynomial_hd.h"
#include "joint/joint.h"
#include "math/tree_matrix_team.h"

namespace pliant {

/// Whether joint damping is taken at the end of the step: one damped dof makes the whole step implicit.
/// A constant negative damping does not count, as in the reference.
template <class M>
PLIANT_HD bool is_damped(const M& m, int dof) {
  return m.dof_damping[dof] > 0 || m.dof_dampingpoly[2 * dof] != 0 || m.dof_dampingpoly[2 * dof + 1] != 0 ||
         m.jnt_actuatorid[m.dof_jntid[dof]] != -1;
}
template <class Team, class M>
PLIANT_HD bool has_implicit_damping(const Team& team, const M& m) {
  if (m.opt.disableflags & (kDisableEulerDamp | kDisableDamper)) return false;
  bool damped = false;
  for (int i = team.lane(); i < m.nv && !damped; i += team.size()) damped = is_damped(m, i);
  return team.any(damped);
}

/// qacc_advance: the acceleration that leads to the velocity after the step. Returns the first dof with a pivot that is
/// not positive, -1 if none.
template <class Team, class M, class S, class D>
PLIANT_HD int implicit_damping(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  each(team, m.nC, [&](int i) PLIANT_INLINED { d.qH[i] = d.M[i]; });
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += R(m.opt.timestep) * joint_damping(m, i).slope(R(s.qvel[i]));
    d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  });
  const int bad = factor_tree(team, mass_pattern(m), d.qH, d.qHDiagInv);
  solve_tree(team, mass_pattern(m), d.qH, d.qHDiagInv, d.qacc_advance);
  return bad;
}

/// qpos after time h with velocity qvel, joint by joint.
template <class Team, class M, class Q, class V, class R>
PLIANT_HD void integrate_positions(const Team& team, const M& m, Q& qpos, const V& qvel, R h) {
  each(team, m.njnt, [&](int j) PLIANT_INLINED {
    with_joint_type(m.jnt_type[j],
                    [&](auto type) { type.integrate(qpos, m.jnt_qposadr[j], qvel, m.jnt_dofadr[j], h); });
  });
}

}  // namespace pliant
