#pragma once
// implicit and implicitfast: velocities change as the forces at the end of the step say, to first order,
//
//   (M - h D) qacc = qfrc_smooth + qfrc_constraint,   D = d(smooth forces)/d(qvel)
//
// implicit takes the whole of D and solves by tree-sparse LU. implicitfast leaves the bias force out, which makes
// M - h D symmetric: L'DL factors in the pattern of M; bodies that float alone are solved in full, six by six.
// Constraint forces are not differentiated.
//
// reads M qfrc_smooth qfrc_constraint and what smooth_derivative_hd.h reads
// writes qDeriv, qLU or qH and qHDiagInv, qacc_advance

#include "integrate/free_body_hd.h"
#include "integrate/smooth_derivative_hd.h"
#include "math/tree_lu_team.h"
#include "math/tree_matrix_team.h"

namespace pliant {

/// qacc_advance becomes the force that accelerates.
template <class Team, class M, class D>
PLIANT_HD void set_advancing_force(const Team& team, const M& m, D& d) {
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]; });
}

/// qDeriv and qLU, the factors of M - h qDeriv.
template <class Team, class M, class S, class D>
PLIANT_HD void factor_implicit(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  const R h = m.opt.timestep;
  smooth_derivative(team, m, s, d, SmoothDerivative::kFull);
  each(team, m.nD, [&](int i) PLIANT_INLINED {
    const int from = m.mapM2D[i];
    d.qLU[i] = (from >= 0 ? R(d.M[from]) : R(0)) - h * d.qDeriv[i];
  });
  factor_tree_lu(team, derivative_pattern(m), d.qLU);
}

/// qacc_advance of implicit.
template <class Team, class M, class S, class D>
PLIANT_HD void implicit_acceleration(const Team& team, const M& m, const S& s, D& d) {
  factor_implicit(team, m, s, d);
  set_advancing_force(team, m, d);
  solve_tree_lu(team, derivative_pattern(m), d.qLU, d.qacc_advance);
}

/// qDeriv and qH = M - h qDeriv of implicitfast, not yet factored. Bodies that float alone are solved by themselves;
/// their place in qH only has to be regular: they hold M.
template <class Team, class M, class S, class D>
PLIANT_HD void assemble_implicitfast(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  const R h = m.opt.timestep;
  smooth_derivative(team, m, s, d, SmoothDerivative::kSymmetric);
  each(team, m.nC, [&](int i) PLIANT_INLINED { d.qH[i] = d.M[i] - h * d.qDeriv[m.mapD2M[i]]; });
  each(team, m.njnt, [&](int j) PLIANT_INLINED {
    if (!is_free_body(m, j)) return;
    const int first = m.M_rowadr[m.jnt_dofadr[j]], last = m.jnt_dofadr[j] + 5;
    for (int i = first; i < m.M_rowadr[last] + m.M_rownnz[last]; ++i) d.qH[i] = d.M[i];
  });
}

/// The acceleration of a free body's six dofs that belongs to the force x; false if its matrix is singular.
template <class M, class S, class D, class X>
PLIANT_HD bool solve_free_body(const M& m, const S& s, D& d, int joint, const X& x, typename D::Real (&body)[6]) {
  using R = typename D::Real;
  Mat6T<R> a = free_body_matrix(m, s, d, joint, R(m.opt.timestep));
  for (int k = 0; k < 6; ++k) body[k] = x[m.jnt_dofadr[joint] + k];
  return solve_lu(a, body);
}

/// x becomes the acceleration that belongs to the force x; qH is factored. Free bodies are trees with a matrix of their
/// own; where it is singular, qH serves.
template <class Team, class M, class S, class D, class X>
PLIANT_HD void solve_implicitfast(const Team& team, const M& m, const S& s, D& d, X x) {
  using R = typename D::Real;
  const auto pattern = mass_pattern(m);
  if constexpr (Team::kSerial) {
    int solved = 0;  // dofs before this one are done
    for (int j = 0; j < m.njnt; ++j) {
      if (!is_free_body(m, j)) continue;
      const int first = m.jnt_dofadr[j];
      R body[6];
      if (!solve_free_body(m, s, d, j, x, body)) continue;
      solve_tree(pattern, d.qH, d.qHDiagInv, x, solved, first);
      for (int k = 0; k < 6; ++k) x[first + k] = body[k];
      solved = first + 6;
    }
    solve_tree(pattern, d.qH, d.qHDiagInv, x, solved, m.nv);
  } else {
    // answers of free bodies wait in the working memory of their dofs: six numbers, and whether there are any
    each(team, m.njnt, [&](int j) {
      if (!is_free_body(m, j)) return;
      R body[6];
      const bool regular = solve_free_body(m, s, d, j, x, body);
      const auto kept = d.dof_scratch + 6 * m.jnt_dofadr[j];
      for (int k = 0; k < 6; ++k) kept[k] = body[k];
      kept[6] = regular;
    });
    solve_tree(team, pattern, d.qH, d.qHDiagInv, x);
    team.sync();
    each(team, m.njnt, [&](int j) {
      if (!is_free_body(m, j)) return;
      const int first = m.jnt_dofadr[j];
      const auto kept = d.dof_scratch + 6 * first;
      for (int k = 0; k < 6 && kept[6] != 0; ++k) x[first + k] = kept[k];
    });
  }
}

/// qacc_advance of implicitfast. Returns the first dof with a pivot that is not positive, -1 if none.
template <class Team, class M, class S, class D>
PLIANT_HD int implicitfast_acceleration(const Team& team, const M& m, const S& s, D& d) {
  assemble_implicitfast(team, m, s, d);
  const int bad = factor_tree(team, mass_pattern(m), d.qH, d.qHDiagInv);
  set_advancing_force(team, m, d);
  solve_implicitfast(team, m, s, d, d.qacc_advance);
  return bad;
}

}  // namespace pliant
