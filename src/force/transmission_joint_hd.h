#pragma once
// Actuators on joints. Slide and hinge: length gear · qpos. Ball: rotation vector · gear. Free: no
// length, a force in world axes and a torque. Torques are in the axes of the moved body, or ("in
// parent") in those of the frame the joint turns in.
//
// reads qpos

#include "force/moment_row_hd.h"
#include "joint/joint.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void joint_transmission(const M& m, const S& s, int actuator, MomentRow<D>& row) {
  using R = typename D::Real;
  const int joint = m.actuator_trnid[2 * actuator], output = m.actuator_outadr[actuator];
  const int adr = m.jnt_qposadr[joint], dof = m.jnt_dofadr[joint];
  const bool in_parent = m.actuator_trntype[actuator] == static_cast<int>(TransmissionType::kJointInParent);
  const JointGear<R> gear{linear_gear(m, output), angular_gear(m, output), in_parent};
  with_joint_type(m.jnt_type[joint], [&](auto type) PLIANT_INLINED {
    row.finish(output, type.transmission(s.qpos, adr, dof, gear, row));
  });
}

}  // namespace pliant
