#pragma once
// Poses, velocities and accelerations of whatever has a frame: bodies, geoms, sites, cameras.
//
// reads poses cvel cacc · writes nothing
// kBody is the inertial frame of a body (at its centre of mass), kXbody the frame its file gives
// it.

#include "pliant/types.h"
#include "kinematics/jacobian_hd.h"
#include "math/field_values.h"

namespace pliant {

template <class R>
struct ObjectFrame {
  int body = 0;
  Vec3T<R> pos;
  Mat3T<R> axes;
};

template <class M, class D>
PLIANT_HD ObjectFrame<typename D::Real> object_frame(const M& m, const D& d, ObjType type, int id) {
  switch (type) {
    case ObjType::kBody:
      return {id, vec3(d.xipos, id), mat3(d.ximat, id)};
    case ObjType::kXbody:
      return {id, vec3(d.xpos, id), mat3(d.xmat, id)};
    case ObjType::kGeom:
      return {m.geom_bodyid[id], vec3(d.geom_xpos, id), mat3(d.geom_xmat, id)};
    case ObjType::kSite:
      return {m.site_bodyid[id], vec3(d.site_xpos, id), mat3(d.site_xmat, id)};
    case ObjType::kCamera:
      return {m.cam_bodyid[id], vec3(d.cam_xpos, id), mat3(d.cam_xmat, id)};
    default:
      return {};
  }
}

/// Orientation as the tree gives it. A camera that follows or aims has another matrix; its
/// quaternion is that of its resting place on the body, as in the reference.
template <class M, class D>
PLIANT_HD QuatT<typename D::Real> object_quat(const M& m, const D& d, ObjType type, int id) {
  switch (type) {
    case ObjType::kBody:
      return quat(d.xquat, id) * quat(m.body_iquat, id);
    case ObjType::kXbody:
      return quat(d.xquat, id);
    case ObjType::kGeom:
      return quat(d.xquat, m.geom_bodyid[id]) * quat(m.geom_quat, id);
    case ObjType::kSite:
      return quat(d.xquat, m.site_bodyid[id]) * quat(m.site_quat, id);
    case ObjType::kCamera:
      return quat(d.xquat, m.cam_bodyid[id]) * quat(m.cam_quat, id);
    default:
      return {};
  }
}

/// A motion about the reference point of a tree, seen at a point `offset` from there.
template <class R>
PLIANT_HD SpatialT<R> moved_motion(SpatialT<R> motion, Vec3T<R> offset) {
  return {motion.ang, motion.lin + cross(motion.ang, offset)};
}
/// A force about the reference point of a tree, about a point `offset` from there.
template <class R>
PLIANT_HD SpatialT<R> moved_force(SpatialT<R> force, Vec3T<R> offset) {
  return {force.ang - cross(offset, force.lin), force.lin};
}

template <class M, class D, class R>
PLIANT_HD Vec3T<R> offset_in_tree(const M& m, const D& d, int body, Vec3T<R> point) {
  return point - vec3(d.subtree_com, m.body_rootid[body]);
}

/// Velocity of a point of a body, world axes.
template <class M, class D, class R>
PLIANT_HD SpatialT<R> velocity_at(const M& m, const D& d, int body, Vec3T<R> point) {
  return moved_motion(spatial(d.cvel, body), offset_in_tree(m, d, body, point));
}

/// Acceleration of a point of a body, world axes, gravity as upward acceleration: a = a_spatial + ω
/// × v. What cannot move has that of gravity alone.
template <class M, class D, class R>
PLIANT_HD SpatialT<R> acceleration_at(const M& m, const D& d, int body, Vec3T<R> point) {
  const SpatialT<R> velocity = velocity_at(m, d, body, point);
  SpatialT<R> acceleration = moved_motion(spatial(d.cacc, body), offset_in_tree(m, d, body, point));
  acceleration.lin = acceleration.lin + cross(velocity.ang, velocity.lin);
  return acceleration;
}

/// World axes into the axes of a frame.
template <class R>
PLIANT_HD SpatialT<R> in_axes(const Mat3T<R>& axes, SpatialT<R> v) {
  return {transposed_times(axes, v.ang), transposed_times(axes, v.lin)};
}

}  // namespace pliant
