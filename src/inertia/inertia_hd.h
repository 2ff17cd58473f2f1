#pragma once
// The stages inertia and bias for one world.

#include "base/team.h"
#include "inertia/bias_hd.h"
#include "inertia/composite_hd.h"
#include "joint/followers_hd.h"
#include "kinematics/tendon_hd.h"
#include "math/tree_matrix_team.h"

namespace pliant {

template <class M, class D>
PLIANT_HD void add_tendon_armature(const M& m, D& d) {
  using R = typename D::Real;
  for (int t = 0; t < m.ntendon; ++t) {
    if (const R inertia = tendon_inertia(m, t); inertia != 0) add_inertia_along(m, d, t, inertia);
  }
}

template <class M, class D>
PLIANT_HD void add_tendon_bias(const M& m, D& d) {
  using R = typename D::Real;
  for (int t = 0; t < m.ntendon; ++t) {
    const R inertia = tendon_inertia(m, t);
    if (inertia == 0 || is_fixed_tendon(m, t)) continue;
    const R tension = inertia * tendon_bias_acceleration(m, d, t);
    const int adr = m.ten_J_rowadr[t];
    for (int k = adr; k < adr + m.ten_J_rownnz[t]; ++k) d.qfrc_bias[m.ten_J_colind[k]] += tension * d.ten_J[k];
  }
}

/// qLD from M; the first dof with a pivot that is not positive, -1 if none.
template <class Team, class M, class D>
PLIANT_HD int factor_mass_matrix(const Team& team, const M& m, D& d) {
  each(team, m.nC, [&](int i) PLIANT_INLINED { d.qLD[i] = d.M[i]; });
  return factor_tree(team, mass_pattern(m), d.qLD, d.qLDiagInv);
}

/// Inertia of each body and everything it carries.
template <class Team, class M, class D>
PLIANT_HD void composite_inertias(const Team& team, const M& m, D& d) {
  each(team, 10 * m.nbody, [&](int i) PLIANT_INLINED { d.crb[i] = d.cinert[i]; });
  children_first(team, m, [&](int b) PLIANT_INLINED {
    if (const int parent = m.body_parentid[b]) {
      set(d.crb, parent, spatial_inertia(d.crb, parent) + spatial_inertia(d.crb, b));
    }
  });
}

/// M of all joints where some follow others exactly; it then becomes Gᵀ M G. Rows that no other branch has joined are
/// made as everywhere.
template <class Team, class M, class D>
PLIANT_HD void mass_rows_with_followers(const Team& team, const M& m, D& d) {
  const auto joined = d.dof_scratch;
  once(team, [&] {
    for (int dof = 0; dof < m.nv; ++dof) {
      const int parent = m.M_parentid[dof];
      joined[dof] = parent != m.dof_parentid[dof] || (parent >= 0 && joined[parent] != 0);
    }
  });
  each(team, m.nv, [&](int dof) {
    if (joined[dof] != 0) {
      mass_row_between_branches(m, d, dof);
    } else {
      mass_row(m, d, dof);
    }
  });
}

/// M and its factors; returns what factor_mass_matrix does.
template <class Team, class M, class S, class D>
PLIANT_HD int inertia_stage(const Team& team, const M& m, const S& s, D& d) {
  composite_inertias(team, m, d);
  if (m.nfollower) {
    mass_rows_with_followers(team, m, d);
  } else {
    each(team, m.nv, [&](int dof) PLIANT_INLINED { mass_row(m, d, dof); });
  }
  if (m.ntendon) once(team, [&]() PLIANT_INLINED { add_tendon_armature(m, d); });
  if (m.nfollower) once(team, [&] { reduce_symmetric(m, s, d.M); });
  return factor_mass_matrix(team, m, d);
}

/// Force that qacc needs, into qfrc; nullptr for qacc: none.
template <class Team, class M, class S, class D, class Q, class F>
PLIANT_HD void newton_euler(const Team& team, const M& m, const S& s, D& d, const Q& qacc, F& qfrc) {
  using R = typename D::Real;
  once(team, [&]() PLIANT_INLINED {
    SpatialT<R> world{};
    if (!(m.opt.disableflags & kDisableGravity)) {
      world.lin = {R(-m.opt.gravity[0]), R(-m.opt.gravity[1]), R(-m.opt.gravity[2])};
    }
    set(d.bias_acc, 0, world);
  });
  parents_first(team, m, [&](int b) PLIANT_INLINED { body_newton_euler(m, s, d, b, qacc, d.bias_acc, d.bias_force); });
  children_first(team, m, [&](int b) PLIANT_INLINED { project_force(m, d, b, d.bias_force, qfrc); });
}

template <class Team, class M, class S, class D>
PLIANT_HD void bias_stage(const Team& team, const M& m, const S& s, D& d) {
  newton_euler(team, m, s, d, nullptr, d.qfrc_bias);
  if (m.ntendon) once(team, [&]() PLIANT_INLINED { add_tendon_bias(m, d); });
}

}  // namespace pliant
