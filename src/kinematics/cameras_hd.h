#pragma once
// Poses of cameras and lights, which may follow bodies or look at them.
//
// reads poses subtree_com · writes cam_x* light_x*

#include "base/team.h"
#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

/// What a camera or light that aims at a body looks at.
template <class D>
PLIANT_HD Vec3T<typename D::Real> aim_target(const D& d, CamLightMode mode, int body) {
  return mode == CamLightMode::kTargetBody ? vec3(d.xpos, body) : vec3(d.subtree_com, body);
}
PLIANT_HD bool follows(CamLightMode mode) { return mode == CamLightMode::kTrack || mode == CamLightMode::kTrackCom; }
PLIANT_HD bool aims(CamLightMode mode) {
  return mode == CamLightMode::kTargetBody || mode == CamLightMode::kTargetBodyCom;
}

/// Where a camera stands if it only moves with its body.
template <class M, class D>
PLIANT_HD void carried_camera(const M& m, const D& d, int cam, Vec3T<typename D::Real>& pos,
                              Mat3T<typename D::Real>& axes) {
  const int body = m.cam_bodyid[cam];
  pos = mat3(d.xmat, body) * vec3(m.cam_pos, cam) + vec3(d.xpos, body);
  axes = matrix(quat(d.xquat, body) * quat(m.cam_quat, cam));
}
template <class M, class D>
PLIANT_HD void carried_light(const M& m, const D& d, int light, Vec3T<typename D::Real>& pos,
                             Vec3T<typename D::Real>& direction) {
  const auto turn = mat3(d.xmat, m.light_bodyid[light]);
  pos = turn * vec3(m.light_pos, light) + vec3(d.xpos, m.light_bodyid[light]);
  direction = turn * vec3(m.light_dir, light);
}

template <class M, class D>
PLIANT_HD void camera_pose(const M& m, D& d, int cam) {
  using R = typename D::Real;
  const int body = m.cam_bodyid[cam];
  const auto mode = static_cast<CamLightMode>(m.cam_mode[cam]);
  Vec3T<R> pos;
  Mat3T<R> axes;
  carried_camera(m, d, cam, pos, axes);
  if (follows(mode)) {
    axes = mat3(m.cam_mat0, cam);
    pos = mode == CamLightMode::kTrack ? vec3(d.xpos, body) + vec3(m.cam_pos0, cam)
                                       : vec3(d.subtree_com, body) + vec3(m.cam_poscom0, cam);
  } else if (aims(mode) && m.cam_targetbodyid[cam] >= 0) {
    // z points away from the target, x is level.
    const Vec3T<R> z = normalized(pos - aim_target(d, mode, m.cam_targetbodyid[cam]));
    const Vec3T<R> x = normalized(cross(Vec3T<R>{0, 0, 1}, z));
    axes = columns(x, normalized(cross(z, x)), z);
  }
  set(d.cam_xpos, cam, pos);
  set(d.cam_xmat, cam, axes);
}

template <class M, class D>
PLIANT_HD void light_pose(const M& m, D& d, int light) {
  using R = typename D::Real;
  const int body = m.light_bodyid[light];
  const auto mode = static_cast<CamLightMode>(m.light_mode[light]);
  Vec3T<R> pos, direction;
  carried_light(m, d, light, pos, direction);
  if (follows(mode)) {
    direction = vec3(m.light_dir0, light);
    pos = mode == CamLightMode::kTrack ? vec3(d.xpos, body) + vec3(m.light_pos0, light)
                                       : vec3(d.subtree_com, body) + vec3(m.light_poscom0, light);
  } else if (aims(mode) && m.light_targetbodyid[light] >= 0) {
    direction = aim_target(d, mode, m.light_targetbodyid[light]) - pos;
  }
  set(d.light_xpos, light, pos);
  set(d.light_xdir, light, normalized(direction));
}

template <class Team, class M, class S, class D>
PLIANT_HD void cameras_stage(const Team& team, const M& m, const S&, D& d) {
  each(team, m.ncam, [&](int c) PLIANT_INLINED { camera_pose(m, d, c); });
  each(team, m.nlight, [&](int l) PLIANT_INLINED { light_pose(m, d, l); });
}

}  // namespace pliant
