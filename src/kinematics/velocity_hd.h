#pragma once
// Velocities of bodies and of their motion columns.
//
// reads cdof qvel · writes cvel cdof_dot
// Bodies must be visited parents first. Cost: linear.

#include "joint/joint.h"
#include "math/field_values.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void body_velocity(const M& m, const S& s, D& d, int body) {
  using R = typename D::Real;
  SpatialT<R> velocity = spatial(d.cvel, m.body_parentid[body]);
  const int first = m.body_jntadr[body];
  for (int j = first; j < first + m.body_jntnum[body]; ++j) {
    with_joint_type(m.jnt_type[j], [&](auto type) PLIANT_INLINED {
      int dof = m.jnt_dofadr[j];
      // Translations along world axes: the columns do not change.
      for (int k = 0; k < type.kQuat; ++k, ++dof) {
        set(d.cdof_dot, dof, SpatialT<R>{});
        velocity = fused(R(s.qvel[dof]), spatial(d.cdof, dof), velocity);
      }
      // All others of a joint move with what is below the joint.
      const SpatialT<R> before = velocity;
      for (int k = type.kQuat < 0 ? 0 : type.kQuat; k < type.kNumVel; ++k, ++dof) {
        const SpatialT<R> column = spatial(d.cdof, dof);
        set(d.cdof_dot, dof, cross_motion(before, column));
        velocity = fused(R(s.qvel[dof]), column, velocity);
      }
    });
  }
  set(d.cvel, body, velocity);
}

}  // namespace pliant
