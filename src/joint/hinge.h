#pragma once
// Hinge joint: rotation about an axis through an anchor of the body. qpos [rad], counted from qpos0.

#include "joint/frame.h"
#include "joint/slide.h"

namespace pliant {

struct HingeJoint {
  static constexpr int kNumPos = 1, kNumVel = 1;

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

  template <class Q, class V, class R>
  PLIANT_HD static void integrate(Q& qpos, int adr, const V& qvel, int dof, R h) {
    SlideJoint::integrate(qpos, adr, qvel, dof, h);
  }

  template <class F, class QA, class QB, class R>
  PLIANT_HD static void difference(F& out, int dof, R scale, const QA& qa, const QB& qb, int adr) {
    SlideJoint::difference(out, dof, scale, qa, qb, adr);
  }
};

}  // namespace pliant
