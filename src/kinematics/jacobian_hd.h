#pragma once
// Jacobians of points: one dof's motion seen at a point, and forces at points mapped to dofs.
//
// reads cdof subtree_com cvel

#include "math/field_values.h"

namespace pliant {

/// The last dof that moves a body, -1 if it cannot move; dof_parentid leads on to the others.
template <class M>
PLIANT_HD int last_dof(const M& m, int body) {
  const int moved = m.body_weldid[body];
  return m.body_dofnum[moved] ? m.body_dofadr[moved] + m.body_dofnum[moved] - 1 : -1;
}

/// Whether dof `above` is `dof` or moves its body too. Both must share an entry of M, which also has others where exact
/// mimics join branches.
template <class M>
PLIANT_HD bool moves_together(const M& m, int above, int dof) {
  if (m.nfollower == 0) return true;
  const int body = m.dof_bodyid[above];
  return dof <= m.B_colind[m.B_rowadr[body] + m.B_rownnz[body] - 1];
}

/// Velocity of a point of the body per unit velocity of `dof`; `offset` is the point minus the reference
/// point of the tree (subtree_com of its root).
template <class D, class R>
PLIANT_HD SpatialT<R> motion_at(const D& d, int dof, Vec3T<R> offset) {
  const SpatialT<R> column = spatial(d.cdof, dof);
  return {column.ang, column.lin + cross(column.ang, offset)};
}

/// qfrc += J' (force, torque) with the force acting at `point` of a body.
template <class M, class D, class R, class Q>
PLIANT_HD void add_force_at(const M& m, const D& d, int body, Vec3T<R> point, Vec3T<R> force, Vec3T<R> torque,
                            Q& qfrc) {
  const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
  // moved to the reference point once, instead of every column to the point
  const SpatialT<R> wrench{torque + cross(offset, force), force};
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    qfrc[dof] += dot(spatial(d.cdof, dof), wrench);
  }
}

/// A force and torque at a point of a body, moved to the reference point of the body's tree.
template <class M, class D, class R>
PLIANT_HD SpatialT<R> wrench_at(const M& m, const D& d, int body, Vec3T<R> point, Vec3T<R> force, Vec3T<R> torque) {
  const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
  return {torque + cross(offset, force), force};
}

/// Velocity of a point of a body, world axes.
template <class M, class D, class R>
PLIANT_HD Vec3T<R> point_velocity(const M& m, const D& d, int body, Vec3T<R> point) {
  const SpatialT<R> v = spatial(d.cvel, body);
  return v.lin + cross(v.ang, point - vec3(d.subtree_com, m.body_rootid[body]));
}

/// Row of a quantity that depends on how body b stands to body a: put(dof, value) for every dof that moves
/// one of them without the other, highest dof first, with value = cdof · wrench. The wrenches are about the
/// reference points of the trees (wrench_at) and must cancel on dofs that move both, which are left out.
template <class M, class D, class R, class F>
PLIANT_HD void relative_row(const M& m, const D& d, int body_a, SpatialT<R> wrench_a, int body_b, SpatialT<R> wrench_b,
                            F&& put) {
  int a = last_dof(m, body_a), b = last_dof(m, body_b);
  // The higher of two dofs cannot be an ancestor of the lower: it belongs to one chain only.
  while (a != b) {
    if (a > b) {
      put(a, dot(spatial(d.cdof, a), wrench_a));
      a = m.dof_parentid[a];
    } else {
      put(b, dot(spatial(d.cdof, b), wrench_b));
      b = m.dof_parentid[b];
    }
  }
}

}  // namespace pliant
