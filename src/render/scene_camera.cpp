// Cameras: from how users say them to where they are and what they see.

#include <cmath>
#include <stdexcept>
#include <string>

#include "render/scene.h"

namespace pliant {
namespace {

/// The window of a camera at distance `near`: from the axis up, down, and half its width (0: by the picture's shape).
void set_window(const Model& m, const VisualCamera& camera, ViewCamera& view) {
  const double extent = m.stat.extent;
  view.frustum_near = double(m.vis.map.znear) * extent;
  view.frustum_far = double(m.vis.map.zfar) * extent;
  const int id = camera.fixedcamid;
  const bool fixed = camera.type == CameraType::kFixed;
  const double fovy = fixed ? m.cam_fovy[id] : double(m.vis.global.fovy);
  view.orthographic = fixed ? m.cam_projection[id] == 1 : m.vis.global.orthographic;
  view.frustum_center = view.frustum_width = 0;
  const double near = view.frustum_near;
  if (view.orthographic) {
    view.frustum_top = fovy / 2, view.frustum_bottom = -fovy / 2;
  } else if (fixed && m.cam_sensorsize[2 * id + 1] > 0) {
    // by the optics: focal lengths and principal point on the sensor
    const float *lens = m.cam_intrinsic + 4 * id, *sensor = m.cam_sensorsize + 2 * id;
    const double across = near / lens[0], along = near / lens[1];
    const double left = across * (sensor[0] / 2 - lens[2]), right = across * (sensor[0] / 2 + lens[2]);
    view.frustum_top = along * (sensor[1] / 2 - lens[3]);
    view.frustum_bottom = -along * (sensor[1] / 2 + lens[3]);
    view.frustum_center = (right - left) / 2, view.frustum_width = (right + left) / 2;
  } else {
    view.frustum_top = near * std::tan(fovy * kPi / 360), view.frustum_bottom = -view.frustum_top;
  }
}

[[noreturn]] void no_such(const char* what, int id, int count) {
  throw std::invalid_argument(std::string("there is no ") + what + " " + std::to_string(id) + "; the model has " +
                              std::to_string(count));
}

}  // namespace

VisualCamera default_free_camera(const Model& m) {
  VisualCamera camera;
  for (size_t k = 0; k < 3; ++k) camera.lookat[k] = m.stat.center[k];
  constexpr double kAway = 1.5;  // in sizes of the model, as the reference
  camera.distance = kAway * m.stat.extent;
  camera.azimuth = double(m.vis.global.azimuth), camera.elevation = double(m.vis.global.elevation);
  camera.orthographic = m.vis.global.orthographic;
  return camera;
}

void update_camera(const Model& m, const Data& d, const VisualCamera& camera, VisualScene& scene) {
  Vec3 eye, forward, up, right;
  double between = m.vis.global.ipd;
  if (camera.type == CameraType::kUser) return;
  if (camera.type == CameraType::kFixed) {
    const int id = camera.fixedcamid;
    if (id < 0 || id >= m.ncam) no_such("camera", id, m.ncam);
    const Mat3 mat = mat3(d.cam_xmat, id);
    eye = vec3(d.cam_xpos, id), forward = -mat.column(2), up = mat.column(1), right = mat.column(0);
    between = m.cam_ipd[id];
  } else {
    const double a = camera.azimuth * kPi / 180, e = camera.elevation * kPi / 180;
    forward = {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
    up = {-std::sin(e) * std::cos(a), -std::sin(e) * std::sin(a), std::cos(e)};
    right = {std::sin(a), -std::cos(a), 0};
    Vec3 center{camera.lookat[0], camera.lookat[1], camera.lookat[2]};
    if (camera.type == CameraType::kTracking) {
      if (camera.trackbodyid < 0 || camera.trackbodyid >= m.nbody) no_such("body", camera.trackbodyid, m.nbody);
      center = vec3(d.subtree_com, camera.trackbodyid);
    }
    eye = center - camera.distance * forward;
  }
  for (int side = 0; side < 2; ++side) {
    ViewCamera& view = scene.camera[side];
    const Vec3 at = fused((side ? 0.5 : -0.5) * between, right, eye);
    for (int k = 0; k < 3; ++k) view.pos[k] = at[k], view.forward[k] = forward[k], view.up[k] = up[k];
    set_window(m, camera, view);
  }
}

}  // namespace pliant
