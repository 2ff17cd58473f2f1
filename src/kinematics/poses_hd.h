#pragma once
// Poses of bodies, joints, inertial frames, geoms and sites from qpos.
//
// reads qpos mocap_* hinge_cos hinge_sin · writes xpos xquat xmat xanchor xaxis xipos xiquat ximat geom_x* site_x*
// Bodies must be visited parents first. Cost: linear.

#include "joint/joint.h"
#include "math/field_values.h"

namespace pliant {

/// What frames fixed to a body are computed from.
template <class R>
struct Carrier {
  Vec3T<R> pos, ipos;
  QuatT<R> quat, iquat;
  Mat3T<R> mat, imat;
};

template <class D>
PLIANT_HD Carrier<typename D::Real> carrier(const D& d, int body) {
  return {vec3(d.xpos, body),   vec3(d.xipos, body), quat(d.xquat, body),
          quat(d.xiquat, body), mat3(d.xmat, body),  mat3(d.ximat, body)};
}

/// A frame fixed to a body: the inertial frame, a geom or a site. `same` tells what it coincides with.
template <class R, class P, class Q, class A>
PLIANT_HD void attached_pose(const Carrier<R>& body, Vec3T<R> pos, QuatT<R> turn, int same, P& xpos, Q& xquat, A& xmat,
                             int i) {
  const SameFrame frame = static_cast<SameFrame>(same);
  switch (frame) {
    case SameFrame::kBody:
      set(xpos, i, body.pos);
      break;
    case SameFrame::kInertia:
      set(xpos, i, body.ipos);
      break;
    default:
      set(xpos, i, times_plus(body.mat, pos, body.pos));
  }
  switch (frame) {
    case SameFrame::kNone: {
      const QuatT<R> turned = body.quat * turn;
      set(xquat, i, turned);
      set(xmat, i, matrix(turned));
      break;
    }
    case SameFrame::kBody:
    case SameFrame::kBodyRot:
      set(xquat, i, body.quat);
      set(xmat, i, body.mat);
      break;
    case SameFrame::kInertia:
    case SameFrame::kInertiaRot:
      set(xquat, i, body.iquat);
      set(xmat, i, body.imat);
      break;
  }
}

/// Length of a quaternion beyond which it is normalised again [1]. Products of unit quaternions stray by a few
/// rounding errors per body, far below what anybody could see; taking the root of every one of them is what
/// would make a chain of bodies slow, since each waits for its parent.
inline constexpr double kQuatSlack = 1e-13;

template <class R>
PLIANT_HD bool is_identity(QuatT<R> q) {
  return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
}

/// The frame before the joints: as the file has it (or mocap data), carried by the parent.
template <class M, class S, class D>
PLIANT_HD BodyFrame<typename D::Real> carried_frame(const M& m, const S& s, const D& d, int body) {
  using R = typename D::Real;
  const int mocap = m.body_mocapid[body], parent = m.body_parentid[body];
  const Vec3T<R> pos = mocap < 0 ? vec3(m.body_pos, body) : vec3(s.mocap_pos, mocap);
  const QuatT<R> turn = mocap < 0 ? quat(m.body_quat, body) : normalized(quat(s.mocap_quat, mocap));
  if (parent == 0) return {pos, turn, matrix(turn)};
  const Mat3T<R> mat = mat3(d.xmat, parent);
  const Vec3T<R> origin = times_plus(mat, pos, vec3(d.xpos, parent));
  if (is_identity(turn)) return {origin, quat(d.xquat, parent), mat};
  const QuatT<R> product = quat(d.xquat, parent) * turn;
  return {origin, product, matrix(product)};
}

template <class M, class S, class D>
PLIANT_HD void body_pose(const M& m, const S& s, D& d, int body) {
  using R = typename D::Real;
  const int first = m.body_jntadr[body], joints = m.body_jntnum[body];
  const bool alone = joints == 1 && floats(m.jnt_type[first]);
  BodyFrame<R> frame;
  if (!alone) frame = carried_frame(m, s, d, body);
  for (int j = first; j < first + joints; ++j) {
    Vec3T<R> anchor, axis;
    with_joint_type(m.jnt_type[j], [&](auto type) { type.move(m, s.qpos, d, j, frame, anchor, axis); });
    set(d.xanchor, j, anchor);
    set(d.xaxis, j, axis);
  }
  const QuatT<R> q = frame.quat;
  const R square = mul_add(q.w, q.w, dot(Vec3T<R>{q.x, q.y, q.z}, Vec3T<R>{q.x, q.y, q.z}));
  const auto keeps = abs(square - 1) <= R(kQuatSlack);
  if (!all(keeps)) {  // (worlds in lanes stray at different times)
    frame.quat = select(keeps, frame.quat, normalized(frame.quat));
    frame.mat = select(keeps, frame.mat, matrix(frame.quat));
  }
  set(d.xpos, body, frame.pos);
  set(d.xquat, body, frame.quat);
  set(d.xmat, body, frame.mat);
  attached_pose(Carrier<R>{frame.pos, {}, frame.quat, {}, frame.mat, {}}, vec3(m.body_ipos, body),
                quat(m.body_iquat, body), m.body_sameframe[body], d.xipos, d.xiquat, d.ximat, body);
}

template <class M, class D>
PLIANT_HD void geom_pose(const M& m, D& d, const Carrier<typename D::Real>& body, int geom) {
  attached_pose(body, vec3(m.geom_pos, geom), quat(m.geom_quat, geom), m.geom_sameframe[geom], d.geom_xpos,
                d.geom_xquat, d.geom_xmat, geom);
}
template <class M, class D>
PLIANT_HD void site_pose(const M& m, D& d, const Carrier<typename D::Real>& body, int site) {
  attached_pose(body, vec3(m.site_pos, site), quat(m.site_quat, site), m.site_sameframe[site], d.site_xpos,
                d.site_xquat, d.site_xmat, site);
}

}  // namespace pliant
