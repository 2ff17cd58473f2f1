#pragma once
// Slide joint: translation along an axis of the body. qpos [m], counted from qpos0.

#include "joint/scalar.h"

namespace pliant {

struct SlideJoint : ScalarJoint<JointType::kSlide> {
  template <class M, class Q, class D, class R>
  PLIANT_HD static void move(const M& m, const Q& qpos, const D&, int joint, BodyFrame<R>& body, Vec3T<R>& anchor,
                             Vec3T<R>& axis) {
    anchor_and_axis(m, joint, body, anchor, axis);
    const int adr = m.jnt_qposadr[joint];
    body.pos = fused(R(qpos[adr] - m.qpos0[adr]), axis, body.pos);
  }

  template <class F, class R>
  PLIANT_HD static void columns(F& cdof, int dof, Vec3T<R> axis, Vec3T<R>, const Mat3T<R>&) {
    set(cdof, dof, SpatialT<R>{{}, axis});
  }
};

}  // namespace pliant
