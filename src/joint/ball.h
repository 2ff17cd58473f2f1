#pragma once
// Ball joint: three rotations about an anchor. qpos: quaternion. qvel: angular velocity in the axes of the
// body it moves.

#include "joint/frame.h"

namespace pliant {

struct BallJoint {
  static constexpr int kNumPos = 4, kNumVel = 3;

  template <class M, class Q, class D, class R>
  PLIANT_HD static void move(const M& m, const Q& qpos, const D&, int joint, BodyFrame<R>& body, Vec3T<R>& anchor,
                             Vec3T<R>& axis) {
    anchor_and_axis(m, joint, body, anchor, axis);
    const int adr = m.jnt_qposadr[joint];
    turn(m, joint, normalized(QuatT<R>{qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]}), anchor, body);
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
};

}  // namespace pliant
