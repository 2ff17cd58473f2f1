#pragma once
// Free bodies, with what is fixed to them: six dofs of their own, for which implicitfast solves with the
// derivative of the bias force, too. The gyroscopic terms of a fast spinning body would otherwise
// be explicit.
//
// reads M qDeriv cvel crb cdof cdof_dot · writes dof_scratch of the body's dofs

#include "integrate/bias_derivative_hd.h"
#include "math/mat6.h"

namespace pliant {

/// Whether a joint is free, alone on its body and in its tree; nor do exact mimics of others give its rows of M more
/// columns.
template <class M>
PLIANT_HD bool is_free_body(const M& m, int joint) {
  if (!floats(m.jnt_type[joint])) return false;
  const int body = m.jnt_bodyid[joint];
  return m.body_jntnum[body] == 1 && m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[joint]]] == 6 &&
         m.M_parentid[m.jnt_dofadr[joint]] < 0;
}

/// Whether a body is such a free body, or fixed to one.
template <class M>
PLIANT_HD bool is_part_of_free_body(const M& m, int body) {
  const int root = m.body_rootid[body];
  return m.body_jntnum[root] == 1 && is_free_body(m, m.body_jntadr[root]);
}

/// a += M of its six dofs.
template <class M, class D, class R>
PLIANT_HD void add_free_body_part(const M& m, const D& matrix, int first, Mat6T<R>& a) {
  for (int i = 0; i < 6; ++i) {
    const int row = m.M_rowadr[first + i], n = m.M_rownnz[first + i];
    for (int c = 0; c < n; ++c) {
      const int k = m.M_colind[row + c] - first;
      a(i, k) += matrix[row + c];
      if (k != i) a(k, i) += matrix[row + c];
    }
  }
}

/// a += h d(bias)/d(qvel). All that is fixed to the body moves as it does: its composite inertia stands for all.
template <class M, class S, class D>
PLIANT_HD void add_free_body_bias(const M& m, const S& s, D& d, int joint, typename D::Real h,
                                  Mat6T<typename D::Real>& a) {
  using R = typename D::Real;
  const int first = m.jnt_dofadr[joint], body = m.jnt_bodyid[joint];
  const InertiaRate<R> rate = inertia_rate(spatial_inertia(d.crb, body), spatial(d.cvel, body));
  for (int i = 0; i < 6; ++i) acceleration_slope(m, s, d, first + i);
  for (int i = 0; i < 6; ++i) {
    const R diagonal = bias_derivative_row(m, d, first + i, rate, [&](int, int k, R lower, R upper) {
      a(i, k - first) += h * lower;
      a(k - first, i) += h * upper;
    });
    a(i, i) += h * diagonal;
  }
}

/// M - h d(forces)/d(qvel) of its six dofs, the derivative of the bias force included.
template <class M, class S, class D>
PLIANT_HD Mat6T<typename D::Real> free_body_matrix(const M& m, const S& s, D& d, int joint, typename D::Real h) {
  Mat6T<typename D::Real> a;
  const int first = m.jnt_dofadr[joint];
  add_free_body_part(m, d.M, first, a);
  add_free_body_bias(m, s, d, joint, h, a);
  for (int i = 0; i < 6; ++i) {
    for (int c = 0; c < 6; ++c) a(i, c) -= h * d.qDeriv[m.D_rowadr[first + i] + c];
  }
  return a;
}

}  // namespace pliant
