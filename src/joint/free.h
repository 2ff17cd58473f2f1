#pragma once
// Free joint: a body that floats. qpos: position, quaternion. qvel: velocity of the body's origin in world
// axes, angular velocity in body axes.

#include "joint/frame.h"

namespace pliant {

struct FreeJoint : JointTraits<JointType::kFree> {
  /// The body's pose is the joint's; anchor and axis follow it.
  template <class M, class Q, class D, class R>
  PLIANT_HD static void move(const M& m, const Q& qpos, const D&, int joint, BodyFrame<R>& body, Vec3T<R>& anchor,
                             Vec3T<R>& axis) {
    const int adr = m.jnt_qposadr[joint];
    body.pos = {qpos[adr], qpos[adr + 1], qpos[adr + 2]};
    body.quat = normalized(QuatT<R>{qpos[adr + 3], qpos[adr + 4], qpos[adr + 5], qpos[adr + 6]});
    body.mat = matrix(body.quat);
    anchor = body.pos;
    axis = vec3(m.jnt_axis, joint);
  }

  template <class F, class R>
  PLIANT_HD static void columns(F& cdof, int dof, Vec3T<R>, Vec3T<R> to_com, const Mat3T<R>& xmat) {
    set(cdof, dof, SpatialT<R>{{}, {1, 0, 0}});
    set(cdof, dof + 1, SpatialT<R>{{}, {0, 1, 0}});
    set(cdof, dof + 2, SpatialT<R>{{}, {0, 0, 1}});
    rotation_columns(cdof, dof + 3, to_com, xmat);
  }

  template <class Q, class V, class R>
  PLIANT_HD static void integrate(Q& qpos, int adr, const V& qvel, int dof, R h) {
    for (int k = 0; k < 3; ++k) qpos[adr + k] += h * qvel[dof + k];
    integrate_quat(qpos, adr + 3, qvel, dof + 3, h);
  }

  template <class F, class QA, class QB, class R>
  PLIANT_HD static void difference(F& out, int dof, R scale, const QA& qa, const QB& qb, int adr) {
    for (int k = 0; k < 3; ++k) out[dof + k] = (qa[adr + k] - qb[adr + k]) * scale;
    difference_quat(out, dof + 3, scale, qa, qb, adr + 3);
  }

  /// It has no length.
  template <class Q, class R, class Row>
  PLIANT_HD static R transmission(const Q& qpos, int adr, int dof, const JointGear<R>& gear, Row& row) {
    const Vec3T<R> torque =
        gear.in_parent ? rotate(conjugate(unit_quat<R>(qpos, adr + 3)), gear.angular) : gear.angular;
    for (int k = 0; k < 3; ++k) row.put(dof + k, gear.linear[k]);
    for (int k = 0; k < 3; ++k) row.put(dof + 3 + k, torque[k]);
    return 0;
  }

  template <class P>
  static void reference(const P& pose, double, double* qpos) {
    double* const quaternion = qpos + 3;
    set(qpos, 0, pose.pos);
    set(quaternion, 0, pose.quat);
  }
};

}  // namespace pliant
