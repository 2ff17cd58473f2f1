#pragma once
// Free bodies under the integrator discrete: six dofs solved by themselves with M̂ + h d(bias)/dv, the derivative of
// their gyroscopic forces, which no symmetric metric can hold.
//
// reads metric rows qfrc_metric qfrc_constraint cvel crb cdof · writes qacc of such bodies

#include "base/team.h"
#include "constraint/constraint_stage_hd.h"
#include "integrate/free_body_hd.h"
#include "integrate/metric.h"

namespace pliant {

enum Touch : char { kTouchedByNothing, kTouchedByRow, kTouchedByTerm };

/// What touches each dof. With the reference's dense Jacobian a row touches where its number is not 0.
template <class Team, class M, class D, class T>
PLIANT_HD void mark_touched(const Team& team, const M& m, const D& d, T* touched) {
  each(team, m.nv, [&](int i) PLIANT_INLINED { touched[i] = kTouchedByNothing; });
  const auto& rows = d.rows;
  const bool sparse = has_sparse_rows(m);
  // (who writes the same into the same place does no harm)
  each(team, rows.n, [&](int i) PLIANT_INLINED {
    const auto* J = rows.row_J + rows.row_Jadr[i];
    for (int s = rows.row_segadr[i]; s < rows.row_segadr[i] + rows.row_segnum[i]; ++s) {
      for (int c = 0; c < rows.segment_len[s]; ++c, ++J) {
        if (sparse || *J != 0) touched[rows.segment_dof[s] + c] = kTouchedByRow;
      }
    }
  });
  each(team, d.metric.nefmT, [&](int k) PLIANT_INLINED {
    const int adr = m.ten_J_rowadr[d.efm_tid[k]], n = m.ten_J_rownnz[d.efm_tid[k]];
    for (int c = adr; d.efm_ts[k] != 0 && c < adr + n; ++c) touched[m.ten_J_colind[c]] = kTouchedByTerm;
  });
  each(team, d.metric.nefmA, [&](int k) PLIANT_INLINED {
    const int i = d.efm_aid[k];
    for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
      for (int c = 0; c < d.moment_rownnz[out]; ++c)
        touched[d.moment_colind[d.moment_rowadr[out] + c]] = kTouchedByTerm;
    }
  });
}

/// Whether the joint is that of a free body that spins: else d(bias)/dv is zero.
template <class M, class S>
PLIANT_HD bool is_spinning_body(const M& m, const S& s, int joint) {
  if (!is_free_body(m, joint)) return false;
  const int first = m.jnt_dofadr[joint] + 3;
  return s.qvel[first] != 0 || s.qvel[first + 1] != 0 || s.qvel[first + 2] != 0;
}

/// Whether a spinning body is solved by itself: those that no row and no term of tendons or actuators touches, as in
/// the reference; with the option discrete_full also those that rows touch, with the forces that the solver found.
template <class M, class T>
PLIANT_HD bool turns_by_itself(const M& m, int joint, const T* touched) {
  bool row = false, term = false;
  for (int k = 0; k < 6; ++k) {
    const T touch = touched[m.jnt_dofadr[joint] + k];
    row = row || touch == kTouchedByRow;
    term = term || touch == kTouchedByTerm;
  }
  return !term && (!row || m.opt.discrete_full);
}

/// M̂ + h d(bias)/dv of its six dofs.
template <class M, class S, class D>
PLIANT_HD Mat6T<typename D::Real> turning_matrix(const M& m, const S& s, D& d, int joint) {
  Mat6T<typename D::Real> a;
  add_free_body_part(m, metric_of(m, d).matrix, m.jnt_dofadr[joint], a);
  add_free_body_bias(m, s, d, joint, typename D::Real(m.opt.timestep), a);
  return a;
}

/// qacc of a body that turns by itself.
template <class M, class S, class D>
PLIANT_HD void turn_free_body(const M& m, const S& s, D& d, int joint) {
  using R = typename D::Real;
  const int first = m.jnt_dofadr[joint];
  Mat6T<R> a = turning_matrix(m, s, d, joint);
  R x[6];
  for (int i = 0; i < 6; ++i) x[i] = d.qfrc_metric[first + i] + d.qfrc_constraint[first + i];
  if (!solve_lu(a, x)) return;
  for (int i = 0; i < 6; ++i) d.qacc[first + i] = x[i];
}

/// All of them, by a team; touched: memory for all dofs. Returns how many spin and were left out.
template <class Team, class M, class S, class D>
PLIANT_HD_FREE int turn_free_bodies(const Team& team, const M& m, const S& s, D& d, int* touched) {
  if (m.nq == m.nv) return 0;  // no free joint
  mark_touched(team, m, d, touched);
  int mine = 0, left_out = 0;
  each(team, m.njnt, [&](int j) {
    if (!is_spinning_body(m, s, j)) return;
    if (turns_by_itself(m, j, touched)) {
      turn_free_body(m, s, d, j);
    } else {
      ++mine;
    }
  });
  team.scan(mine, left_out);
  return left_out;
}

}  // namespace pliant
