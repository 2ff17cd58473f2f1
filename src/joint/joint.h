#pragma once
// The table of joint types. A type is a struct of static functions, all for host and device:
//
//   move        applies the joint to its body's frame; gives anchor and axis in the world (hinges read hinge_cos
//               and hinge_sin, computed for all of them before, so that bodies need not wait for them)
//   columns     cdof: the motion a unit velocity of each dof causes
//   integrate   qpos after time h with velocity qvel
//   difference  the velocity (times scale) that leads from qb to qa in unit time

#include "joint/ball.h"
#include "joint/free.h"
#include "joint/hinge.h"
#include "joint/slide.h"
#include "pliant/types.h"

namespace pliant {

/// Calls f with the struct of the type.
template <class F>
PLIANT_HD decltype(auto) with_joint_type(int type, F&& f) {
  switch (static_cast<JointType>(type)) {
    case JointType::kFree:
      return f(FreeJoint{});
    case JointType::kBall:
      return f(BallJoint{});
    case JointType::kSlide:
      return f(SlideJoint{});
    default:
      return f(HingeJoint{});
  }
}

}  // namespace pliant
