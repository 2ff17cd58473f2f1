#pragma once
// Sensors that cast rays: a rangefinder looks along the z axis of a site, or through every pixel of
// a camera.
//
// reads geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat · writes the numbers of one
// sensor cost: per ray that of geom/ray_hd.h All geoms are seen but those of the body that carries
// the site or camera.

#include "geom/ray_hd.h"
#include "math/constants.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// What a rangefinder reports (bits of its first parameter), in this order.
enum class RayData : int { kDist, kDir, kOrigin, kPoint, kNormal, kDepth };

/// Numbers of one ray; returns the place after them. A miss has distance and depth -1 and no
/// direction, point or normal. `forward` is the direction of depth; zero: along the ray.
template <class R, class Out>
PLIANT_HD int write_ray(int wanted, const RayT<R>& ray, const RayHitT<R>& hit, Vec3T<R> forward, Vec3T<R> eye, Out& out,
                        int at) {
  const bool is_hit = hit.x >= 0;
  const Vec3T<R> none{}, point = is_hit ? fused(hit.x, ray.v, ray.p) : none;
  const bool plain = forward.x == 0 && forward.y == 0 && forward.z == 0;
  const auto wants = [wanted](RayData field) { return (wanted >> static_cast<int>(field) & 1) != 0; };
  const auto vector = [&](RayData field, Vec3T<R> v) {
    if (!wants(field)) return;
    out[at] = v.x, out[at + 1] = v.y, out[at + 2] = v.z;
    at += 3;
  };
  if (wants(RayData::kDist)) out[at++] = hit.x;
  vector(RayData::kDir, is_hit ? ray.v : none);
  vector(RayData::kOrigin, ray.p);
  vector(RayData::kPoint, point);
  vector(RayData::kNormal, is_hit ? hit.normal : none);
  if (wants(RayData::kDepth)) out[at++] = !is_hit ? R(-1) : plain ? hit.x : dot(point - eye, forward);
  return at;
}

/// Rays through the middles of pixels. The camera looks along -z, y is up; rows count from the top.
///   perspective    direction ((col + ½ - c_x) / f_x, -(row + ½ - c_y) / f_y, -1), from the camera
///   orthographic   direction -z, from (col + ½ - ½ columns) s / columns, -(row + ½ - ½ rows) s /
///   rows, with the extent s
/// f are focal lengths and c the principal point [pixels]: the middle of the picture, or as given
/// together with the size of the sensor, where it counts from the upper left corner (as in the
/// reference).
template <class R>
struct PixelRays {
  Vec3T<R> pos;
  Mat3T<R> axes;
  int width, height;
  R fx, fy, cx, cy, extent;
  bool perspective;

  template <class M, class D>
  PLIANT_HD PixelRays(const M& m, const D& d, int cam) {
    pos = vec3(d.cam_xpos, cam), axes = mat3(d.cam_xmat, cam);
    width = m.cam_resolution[2 * cam], height = m.cam_resolution[2 * cam + 1];
    perspective = m.cam_projection[cam] == 0;
    cx = R(width) / 2, cy = R(height) / 2;
    extent = R(m.cam_fovy[cam]);
    const float sensor_x = m.cam_sensorsize[2 * cam], sensor_y = m.cam_sensorsize[2 * cam + 1];
    if (!perspective) {
      fx = fy = 1;
    } else if (sensor_x != 0 && sensor_y != 0) {
      // single precision, as these fields are
      fx = m.cam_intrinsic[4 * cam] / sensor_x * width, fy = m.cam_intrinsic[4 * cam + 1] / sensor_y * height;
      cx = m.cam_intrinsic[4 * cam + 2] / sensor_x * width, cy = m.cam_intrinsic[4 * cam + 3] / sensor_y * height;
    } else {
      fx = fy = R(0.5) / std::tan(extent * R(kPi) / 360) * height;
    }
  }
  PLIANT_HD RayT<R> ray(int pixel) const {
    const R x = pixel % width + R(0.5) - cx, y = -(pixel / width + R(0.5) - cy);
    if (perspective) return {pos, axes * normalized(Vec3T<R>{x / fx, y / fy, R(-1)})};
    return {times_plus(axes, Vec3T<R>{x / width * extent, y / height * extent, R(0)}, pos), -axes.column(2)};
  }
};

template <class M, class S, class D, class Out>
PLIANT_HD_NOINLINE void sense_range(const M& m, const S&, const D& d, int i, Out& out) {
  using R = typename D::Real;
  const int id = m.sensor_objid[i], wanted = m.sensor_intprm[kNumSensorPrm * i];
  RayView view;
  if (static_cast<ObjType>(m.sensor_objtype[i]) == ObjType::kSite) {
    view.exclude_body = m.site_bodyid[id];
    const RayT<R> ray{vec3(d.site_xpos, id), mat3(d.site_xmat, id).column(2)};
    write_ray(wanted, ray, nearest_hit(m, d, view, ray.p, ray.v), Vec3T<R>{}, ray.p, out, 0);
    return;
  }
  view.exclude_body = m.cam_bodyid[id];
  const PixelRays<R> pixels(m, d, id);
  const int n = pixels.width * pixels.height;
  const Vec3T<R> forward = -pixels.axes.column(2);
  int at = 0;
  for (int first = 0; first < n; first += kRayBlock) {
    const int count = n - first < kRayBlock ? n - first : kRayBlock;
    RayT<R> rays[kRayBlock];
    RayHitT<R> hits[kRayBlock];
    for (int k = 0; k < count; ++k) rays[k] = pixels.ray(first + k);
    ray_block(m, d, view, kNoLimit<R>, rays, count, hits);
    for (int k = 0; k < count; ++k) at = write_ray(wanted, rays[k], hits[k], forward, pixels.pos, out, at);
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
