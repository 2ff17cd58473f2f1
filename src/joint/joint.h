#pragma once
// The table of joint types: joints.def. A type is a struct of static functions, all for host and device; its numbers
// are those of JointTraits (kNumPos, kNumVel, kQuat, kMotion).
//
//   move          applies the joint to its body's frame; gives anchor and axis in the world (hinges read hinge_cos
//                 and hinge_sin, computed for all of them before, so that bodies need not wait for them)
//   columns       cdof: the motion a unit velocity of each dof causes
//   integrate     qpos after time h with velocity qvel
//   difference    the velocity (times scale) that leads from qb to qa in unit time
//   transmission  puts the moment of an actuator into a row; returns its length
//   reference     qpos0, from the body's pose in the file and the attribute ref (host only)
// Joints with one dof get the last four from ScalarJoint.

#include "rooms/joints.h"
#include "pliant/types.h"

namespace pliant {

/// Calls f with the struct of the type. Numbers that are no type do not get into a Model.
template <class F>
PLIANT_HD decltype(auto) with_joint_type(int type, F&& f) {
  switch (static_cast<JointType>(type)) {
#define JOINT(name, file, keyword, positions, velocities, quaternion, motion) \
  case JointType::k##name:                                                    \
    return f(name##Joint{});
#include "pliant/joints.def"
#undef JOINT
  }
  __builtin_unreachable();
}

/// Whether a body floats by a joint of this type.
PLIANT_HD bool floats(int joint_type) {
  return with_joint_type(joint_type, [](auto type) PLIANT_INLINED { return type.kMotion == JointMotion::kPose; });
}
/// Whether it is a rotation by quaternion.
PLIANT_HD bool is_ball(int joint_type) {
  return with_joint_type(
      joint_type, [](auto type) PLIANT_INLINED { return type.kMotion == JointMotion::kTurn && type.kQuat >= 0; });
}
/// Where its quaternion and its angular velocity begin among its numbers; -1: it has none.
PLIANT_HD int quaternion_of(int joint_type) {
  return with_joint_type(joint_type, [](auto type) PLIANT_INLINED { return type.kQuat; });
}

}  // namespace pliant
