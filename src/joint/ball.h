#pragma once
// Ball joint: three rotations about an anchor. qpos: quaternion. qvel: angular velocity in the axes of the
// body it moves.

#include "joint/frame.h"

namespace pliant {

struct BallJoint : JointTraits<JointType::kBall> {
  template <class M, class Q, class D, class R>
  PLIANT_HD static void move(const M& m, const Q& qpos, const D&, int joint, BodyFrame<R>& body, Vec3T<R>& anchor,
                             Vec3T<R>& axis) {
    anchor_and_axis(m, joint, body, anchor, axis);
    const int adr = m.jnt_qposadr[joint];
    turn(m, joint, unit_quat<R>(qpos, adr), anchor, body);
  }

  template <class F, class R>
  PLIANT_HD static void columns(F& cdof, int dof, Vec3T<R>, Vec3T<R> to_com, const Mat3T<R>& xmat) {
    rotation_columns(cdof, dof, to_com, xmat);
  }

  template <class Q, class V, class R>
  PLIANT_HD static void integrate(Q& qpos, int adr, const V& qvel, int dof, R h) {
    integrate_quat(qpos, adr, qvel, dof, h);
  }

  template <class F, class QA, class QB, class R>
  PLIANT_HD static void difference(F& out, int dof, R scale, const QA& qa, const QB& qb, int adr) {
    difference_quat(out, dof, scale, qa, qb, adr);
  }

  template <class Q, class R, class Row>
  PLIANT_HD static R transmission(const Q& qpos, int adr, int dof, const JointGear<R>& gear, Row& row) {
    const QuatT<R> turn = unit_quat<R>(qpos, adr);
    const Vec3T<R> turned = gear.in_parent ? rotate(conjugate(turn), gear.linear) : gear.linear;
    for (int k = 0; k < 3; ++k) row.put(dof + k, turned[k]);
    return dot(rotation_vector(turn), turned);
  }

  template <class P>
  static void reference(const P&, double, double* qpos) {
    set(qpos, 0, Quat{});
  }
};

}  // namespace pliant
