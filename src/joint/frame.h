#pragma once
// What the joint types share: the frame they move, and rotations by quaternion.

#include "math/field_values.h"
#include "pliant/kinds.h"

namespace pliant {

/// A body's frame while its joints are applied one after the other; mat is always that of quat.
template <class R>
struct BodyFrame {
  Vec3T<R> pos;
  QuatT<R> quat;
  Mat3T<R> mat;
};

/// What an actuator pulls a joint with: a gear along its numbers, one of torques where a body floats. Torques are in
/// the axes of the moved body, or in those of the frame that the joint turns in.
template <class R>
struct JointGear {
  Vec3T<R> linear, angular;
  bool in_parent;
};

/// The quaternion of a joint.
template <class R, class Q>
PLIANT_HD QuatT<R> unit_quat(const Q& qpos, int adr) {
  return normalized(QuatT<R>{qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]});
}

/// Three rotations about the body's axes, through an anchor that lies -to_com away from the reference point.
template <class F, class R>
PLIANT_HD void rotation_columns(F& cdof, int dof, Vec3T<R> to_com, const Mat3T<R>& xmat) {
  for (int k = 0; k < 3; ++k) {
    const Vec3T<R> axis = xmat.column(k);
    set(cdof, dof + k, SpatialT<R>{axis, cross(axis, to_com)});
  }
}

template <class Q, class V, class R>
PLIANT_HD void integrate_quat(Q& qpos, int adr, const V& qvel, int dof, R h) {
  const QuatT<R> q = integrated(QuatT<R>{qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]},
                                Vec3T<R>{qvel[dof], qvel[dof + 1], qvel[dof + 2]}, h);
  qpos[adr] = q.w, qpos[adr + 1] = q.x, qpos[adr + 2] = q.y, qpos[adr + 3] = q.z;
}

/// Both quaternions are taken as they are, normalised or not.
template <class F, class QA, class QB, class R>
PLIANT_HD void difference_quat(F& out, int dof, R scale, const QA& qa, const QB& qb, int adr) {
  const Vec3T<R> v = pliant::difference(QuatT<R>{qa[adr], qa[adr + 1], qa[adr + 2], qa[adr + 3]},
                                        QuatT<R>{qb[adr], qb[adr + 1], qb[adr + 2], qb[adr + 3]});
  for (int k = 0; k < 3; ++k) out[dof + k] = v[k] * scale;
}

/// A body turns about an anchor: its origin follows.
template <class M, class R>
PLIANT_HD void turn(const M& m, int joint, QuatT<R> rotation, Vec3T<R> anchor, BodyFrame<R>& body) {
  body.quat = body.quat * rotation;
  body.mat = matrix(body.quat);
  body.pos = anchor - body.mat * vec3(m.jnt_pos, joint);
}

/// Anchor and axis in the world, with the frame as it is before the joint acts.
template <class M, class R>
PLIANT_HD void anchor_and_axis(const M& m, int joint, const BodyFrame<R>& body, Vec3T<R>& anchor, Vec3T<R>& axis) {
  axis = body.mat * vec3(m.jnt_axis, joint);
  anchor = times_plus(body.mat, vec3(m.jnt_pos, joint), body.pos);
}

}  // namespace pliant
