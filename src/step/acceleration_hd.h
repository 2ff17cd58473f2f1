#pragma once
// The stage acceleration for one world: all smooth forces summed, M⁻¹ applied.
//
// reads qfrc_passive qfrc_bias qfrc_applied xfrc_applied qfrc_actuator qLD · writes qfrc_smooth qacc_smooth

#include "base/team.h"
#include "joint/followers_hd.h"
#include "math/tree_matrix_team.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void add_applied_forces(const M& m, const S& s, D& d) {
  using R = typename D::Real;
  for (int b = 1; b < m.nbody; ++b) {
    const SpatialT<R> wrench = spatial(s.xfrc_applied, b);  // force first, torque second
    if (dot(wrench, wrench) == 0) continue;
    add_force_at(m, d, b, vec3(d.xipos, b), wrench.ang, wrench.lin, d.qfrc_smooth);
  }
}

/// qfrc_smooth; forces of exact followers are passed to their leaders.
template <class Team, class M, class S, class D>
PLIANT_HD void sum_smooth_forces(const Team& team, const M& m, const S& s, D& d) {
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + s.qfrc_applied[i] + d.qfrc_actuator[i];
  });
  // Forces on bodies are rare and meet on shared dofs: members look for them together, one adds them up.
  bool applied = true;
  if constexpr (!Team::kSerial) {
    applied = false;
    for (int i = 6 + team.lane(); i < 6 * m.nbody; i += team.size()) applied = applied || s.xfrc_applied[i] != 0;
    applied = team.any(applied);
  }
  once(team, [&]() PLIANT_INLINED {
    if (applied) add_applied_forces(m, s, d);
    reduce_force(m, s, d.qfrc_smooth);
  });
}

/// qacc_smooth from qfrc_smooth.
template <class Team, class M, class D>
PLIANT_HD void smooth_acceleration(const Team& team, const M& m, D& d) {
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.qacc_smooth[i] = d.qfrc_smooth[i]; });
  solve_tree(team, mass_pattern(m), d.qLD, d.qLDiagInv, d.qacc_smooth);
}

template <class Team, class M, class S, class D>
PLIANT_HD void acceleration_stage(const Team& team, const M& m, const S& s, D& d) {
  sum_smooth_forces(team, m, s, d);
  // (with a metric: metric_solve_hd.h)
  if (!d.metric.discrete) smooth_acceleration(team, m, d);
}

}  // namespace pliant
