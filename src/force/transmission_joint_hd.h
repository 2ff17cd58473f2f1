#pragma once
// Actuators on joints. Slide and hinge: length gear · qpos. Ball: rotation vector · gear. Free: no
// length, a force in world axes and a torque. Torques are in the axes of the moved body, or ("in
// parent") in those of the frame the joint turns in.
//
// reads qpos

#include "force/moment_row_hd.h"
#include "pliant/types.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void joint_transmission(const M& m, const S& s, int actuator, MomentRow<D>& row) {
  using R = typename D::Real;
  const int joint = m.actuator_trnid[2 * actuator], output = m.actuator_outadr[actuator];
  const int adr = m.jnt_qposadr[joint], dof = m.jnt_dofadr[joint];
  const bool in_parent = m.actuator_trntype[actuator] == static_cast<int>(TransmissionType::kJointInParent);
  const Vec3T<R> gear = linear_gear(m, output);
  const auto rotation = [&](int at) {
    return normalized(QuatT<R>{s.qpos[at], s.qpos[at + 1], s.qpos[at + 2], s.qpos[at + 3]});
  };
  switch (static_cast<JointType>(m.jnt_type[joint])) {
    case JointType::kFree: {
      const Vec3T<R> torque = angular_gear(m, output);
      const Vec3T<R> turned = in_parent ? rotate(conjugate(rotation(adr + 3)), torque) : torque;
      for (int k = 0; k < 3; ++k) row.put(dof + k, gear[k]);
      for (int k = 0; k < 3; ++k) row.put(dof + 3 + k, turned[k]);
      return row.finish(output, 0);
    }
    case JointType::kBall: {
      const QuatT<R> turn = rotation(adr);
      const Vec3T<R> turned = in_parent ? rotate(conjugate(turn), gear) : gear;
      for (int k = 0; k < 3; ++k) row.put(dof + k, turned[k]);
      return row.finish(output, dot(rotation_vector(turn), turned));
    }
    default:
      row.put(dof, gear.x);
      return row.finish(output, gear.x * s.qpos[adr]);
  }
}

}  // namespace pliant
