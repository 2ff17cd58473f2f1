#pragma once
// Semi-implicit Euler for one world: velocities first, positions with the new velocities. Joint damping is taken at
// the end of the step: (M + h B) qacc = forces, B = d(damping force)/dv.

#include "base/team.h"
#include "force/activation_hd.h"
#include "force/polynomial_hd.h"
#include "integrate/plastic_hd.h"
#include "joint/followers_hd.h"
#include "joint/joint.h"
#include "math/tree_matrix_team.h"
#include "sensor/sensor_history_hd.h"

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

/// qH = M + h Gᵀ B G where joints follow others exactly. With one leader each B stays diagonal, with several it does
/// not.
template <class Team, class M, class S, class D>
PLIANT_HD void add_damping_with_followers(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  const auto diagonal = [&](int i) { return m.M_rowadr[i] + m.M_rownnz[i] - 1; };
  const auto b = d.dof_scratch;
  each(team, m.nv, [&](int i) { b[i] = R(m.opt.timestep) * joint_damping(m, i).slope(R(s.qvel[i])); });
  bool several = false;
  each_follower(m, s, [&](const Follower<M>& follower) { several = several || follower.leaders() > 1; });
  if (!several) {
    once(team, [&] {
      each_follower(m, s, [&](const Follower<M>& follower) {
        b[follower.leader(0)] += follower.ratio(0) * follower.ratio(0) * b[follower.dof];
      });
    });
    each(team, m.nC, [&](int i) { d.qH[i] = d.M[i]; });
    each(team, m.nv, [&](int i) { d.qH[diagonal(i)] += b[i]; });
    return;
  }
  each(team, m.nC, [&](int i) { d.qH[i] = 0; });
  each(team, m.nv, [&](int i) { d.qH[diagonal(i)] = b[i]; });
  once(team, [&] { reduce_symmetric(m, s, d.qH); });
  each(team, m.nC, [&](int i) { d.qH[i] += d.M[i]; });
}

/// qacc_advance: the acceleration that leads to the velocity after the step. Returns the first dof with a pivot that is
/// not positive, -1 if none.
template <class Team, class M, class S, class D>
PLIANT_HD int implicit_damping(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  if (m.nfollower) {
    add_damping_with_followers(team, m, s, d);
  } else {
    each(team, m.nC, [&](int i) PLIANT_INLINED { d.qH[i] = d.M[i]; });
    each(team, m.nv, [&](int i) PLIANT_INLINED {
      d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += R(m.opt.timestep) * joint_damping(m, i).slope(R(s.qvel[i]));
    });
  }
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]; });
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

/// What all integrators end in: next_act, next_qvel, next_qpos, next_plastic. `qvel` moves positions (next_qvel where
/// it is the new velocity); `length`, `J`: tendons at the start of the step.
template <class Team, class M, class S, class D, class A, class Q, class V, class L>
PLIANT_HD void advance_state(const Team& team, const M& m, const S& s, D& d, const A& act_dot, const Q& qacc,
                             const V& qvel, const L& length, const L& J) {
  using R = typename D::Real;
  const R h = m.opt.timestep;
  advance_activations(team, m, s, d, act_dot);
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.next_qvel[i] = s.qvel[i] + h * qacc[i]; });
  each(team, m.nq, [&](int i) PLIANT_INLINED { d.next_qpos[i] = s.qpos[i]; });
  integrate_positions(team, m, d.next_qpos, qvel, h);
  // exact followers go where their leaders went
  if (m.nfollower) {
    once(team, [&] {
      place_followers(m, s, d.next_qpos);
      fill_followers(m, s, d.next_qvel);
    });
  }
  yield_springs(team, m, s, d, TendonMotion<L, V, R>{length, J, qvel, h});
}

/// State becomes what advance_state has left in Data, if that is `good`.
template <class Team, class M, class S, class D>
PLIANT_HD void commit(const Team& team, const M& m, S& s, D& d, bool good) {
  push_readings(team, m, s, d, good);
  push_controls(team, m, s, good);
  each(team, good ? m.nq : 0, [&](int i) PLIANT_INLINED { s.qpos[i] = d.next_qpos[i]; });
  each(team, good ? m.nv : 0, [&](int i) PLIANT_INLINED { s.qvel[i] = d.next_qvel[i]; });
  each(team, good ? m.na : 0, [&](int i) PLIANT_INLINED { s.act[i] = d.next_act[i]; });
  each(team, good ? m.nplastic : 0, [&](int i) PLIANT_INLINED { s.plastic[i] = d.next_plastic[i]; });
  each(team, good ? m.nv : 0, [&](int i) PLIANT_INLINED { s.qacc_warmstart[i] = d.qacc[i]; });
  once(team, [&] {
    if (!good) return;
    // solvers see exact followers at rest
    clear_followers(m, s, s.qacc_warmstart);
    s.time[0] += m.opt.timestep;
  });
}

}  // namespace pliant
