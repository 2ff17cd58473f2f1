#pragma once
// The mass matrix by composite inertias: M_ij = cdof_j · (crb of the body of i) cdof_i for every ancestor j of
// i, plus armature on the diagonal. (Featherstone 2008, section 6.2.)
//
// reads cinert cdof · writes crb M

#include "math/tree_matrix.h"
#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

/// Inertia that actuators add to the dofs of a joint: armature times gear².
template <class M>
PLIANT_HD auto actuator_armature(const M& m, int joint) {
  using R = ScalarOf<decltype(m.actuator_armature)>;
  const int id = m.jnt_actuatorid[joint];
  R sum = 0;
  if (id == -1) return sum;
  // Below -1: several actuators share the joint.
  const int first = id >= 0 ? id : 0, end = id >= 0 ? id + 1 : m.nactuator;
  for (int i = first; i < end; ++i) {
    const auto type = static_cast<TransmissionType>(m.actuator_trntype[i]);
    if (type != TransmissionType::kJoint && type != TransmissionType::kJointInParent) continue;
    if (m.actuator_trnid[2 * i] != joint) continue;
    const R gear = m.actuator_gear[6 * m.actuator_outadr[i]];
    sum += m.actuator_armature[i] * gear * gear;
  }
  return sum;
}

/// Diagonal entry of a dof, from crb of its body.
template <class M, class D>
PLIANT_HD typename D::Real mass_diagonal(const M& m, const D& d, int dof) {
  const auto column = spatial(d.cdof, dof);
  return dot(column, spatial_inertia(d.crb, m.dof_bodyid[dof]) * column) + m.dof_armature[dof] +
         actuator_armature(m, m.dof_jntid[dof]);
}

/// Row of a dof, and its place on the diagonal, from crb of its body.
template <class M, class D>
PLIANT_HD void mass_row(const M& m, D& d, int dof) {
  using R = typename D::Real;
  const int row = m.M_rowadr[dof], last = m.M_rownnz[dof] - 1;
  if (m.dof_simplenum[dof]) {
    d.M[row + last] = m.dof_M0[dof];
    return;
  }
  const SpatialT<R> momentum = spatial_inertia(d.crb, m.dof_bodyid[dof]) * spatial(d.cdof, dof);
  const R vector[6] = {momentum.ang.x, momentum.ang.y, momentum.ang.z, momentum.lin.x, momentum.lin.y, momentum.lin.z};
  for_each_run(mass_pattern(m), dof, [&](int first, int length, int offset) {
    rows_of_six_times(d.cdof + 6 * first, vector, d.M + row + offset, length);
  });
  d.M[row + last] = dot(spatial(d.cdof, dof), momentum) + m.dof_armature[dof] + actuator_armature(m, m.dof_jntid[dof]);
}

/// The same where exact mimics join branches: the row also has columns that do not move the body. A column stands at
/// the place that its own depth gives.
template <class M, class D>
PLIANT_HD void mass_row_between_branches(const M& m, D& d, int dof) {
  using R = typename D::Real;
  const int row = m.M_rowadr[dof];
  const SpatialT<R> momentum = spatial_inertia(d.crb, m.dof_bodyid[dof]) * spatial(d.cdof, dof);
  for (int c = 0; c < m.M_rownnz[dof]; ++c) d.M[row + c] = 0;
  // (runs of ancestors are runs of columns, too)
  const R vector[6] = {momentum.ang.x, momentum.ang.y, momentum.ang.z, momentum.lin.x, momentum.lin.y, momentum.lin.z};
  for (int last = m.dof_parentid[dof]; last >= 0;) {
    const int length = m.dof_chainnum[last] + 1, first = last - length + 1;
    rows_of_six_times(d.cdof + 6 * first, vector, d.M + (row + m.M_rownnz[first] - 1), length);
    last = m.dof_parentid[first];
  }
  d.M[row + m.M_rownnz[dof] - 1] =
      dot(spatial(d.cdof, dof), momentum) + m.dof_armature[dof] + actuator_armature(m, m.dof_jntid[dof]);
}

}  // namespace pliant
