#pragma once
// Hinge joint: rotation about an axis through an anchor of the body. qpos [rad], counted from qpos0.

#include "joint/scalar.h"

namespace pliant {

struct HingeJoint : ScalarJoint<JointType::kHinge> {
  template <class M, class Q, class D, class R>
  PLIANT_HD static void move(const M& m, const Q&, const D& d, int joint, BodyFrame<R>& body, Vec3T<R>& anchor,
                             Vec3T<R>& axis) {
    anchor_and_axis(m, joint, body, anchor, axis);
    const Vec3T<R> v = vec3(m.jnt_axis, joint) * R(d.hinge_sin[joint]);
    turn(m, joint, QuatT<R>{d.hinge_cos[joint], v.x, v.y, v.z}, anchor, body);
  }

  template <class F, class R>
  PLIANT_HD static void columns(F& cdof, int dof, Vec3T<R> axis, Vec3T<R> to_com, const Mat3T<R>&) {
    set(cdof, dof, SpatialT<R>{axis, cross(axis, to_com)});
  }
};

}  // namespace pliant
