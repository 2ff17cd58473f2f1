#pragma once
// Jacobians of points: one dof's motion seen at a point, and forces at points mapped to dofs.
//
// reads cdof subtree_com

#include "state/view.h"

namespace pliant {

/// The last dof that moves a body, -1 if it cannot move; dof_parentid leads on to the others.
template <class M> PLIANT_HD int last_dof(const M& m, int body) {
  const int moved = m.body_weldid[body];
  return m.body_dofnum[moved] ? m.body_dofadr[moved] + m.body_dofnum[moved] - 1 : -1;
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
PLIANT_HD void add_force_at(const M& m, const D& d, int body, Vec3T<R> point, Vec3T<R> force, Vec3T<R> torque, Q& qfrc) {
  const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
  // moved to the reference point once, instead of every column to the point
  const SpatialT<R> wrench{torque + cross(offset, force), force};
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    qfrc[dof] += dot(spatial(d.cdof, dof), wrench);
  }
}

}  // namespace pliant
