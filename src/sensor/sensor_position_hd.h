#pragma once
// Sensors of configuration: frames, joints, tendons, actuators, cameras, energies, time.
//
// reads poses com ten_length actuator_length energy qpos time · writes the numbers of one sensor
// A kernel gets the sensor's number and `out`, anything with operator[] that begins at its first
// number.

#include "geom/primitive_hd.h"
#include "kinematics/object_hd.h"

namespace pliant {

template <class Out, class R>
PLIANT_HD void put(Out& out, Vec3T<R> v) {
  out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
template <class Out, class R>
PLIANT_HD void put(Out& out, QuatT<R> q) {
  out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

template <class M, class D>
PLIANT_HD auto sensor_object(const M& m, const D& d, int i) {
  return object_frame(m, d, static_cast<ObjType>(m.sensor_objtype[i]), m.sensor_objid[i]);
}
template <class M, class D>
PLIANT_HD auto sensor_reference(const M& m, const D& d, int i) {
  return object_frame(m, d, static_cast<ObjType>(m.sensor_reftype[i]), m.sensor_refid[i]);
}

// ---- frames
// ----------------------------------------------------------------------------------------------

template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_pos(const M& m, const S&, const D& d, int i, Out& out) {
  const auto object = sensor_object(m, d, i);
  if (m.sensor_refid[i] < 0) return put(out, object.pos);
  const auto reference = sensor_reference(m, d, i);
  put(out, transposed_times(reference.axes, object.pos - reference.pos));
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_axis(const M& m, const S&, const D& d, int i, Out& out) {
  const int axis = m.sensor_type[i] - static_cast<int>(SensorType::kFrameXAxis);
  const auto direction = sensor_object(m, d, i).axes.column(axis);
  if (m.sensor_refid[i] < 0) return put(out, direction);
  put(out, transposed_times(sensor_reference(m, d, i).axes, direction));
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_quat(const M& m, const S&, const D& d, int i, Out& out) {
  const auto object = object_quat(m, d, static_cast<ObjType>(m.sensor_objtype[i]), m.sensor_objid[i]);
  if (m.sensor_refid[i] < 0) return put(out, object);
  put(out, conjugate(object_quat(m, d, static_cast<ObjType>(m.sensor_reftype[i]), m.sensor_refid[i])) * object);
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_subtree_com(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, vec3(d.subtree_com, m.sensor_objid[i]));
}

/// Whether a point, in the axes of a shape centred at 0, lies inside it.
template <class R>
PLIANT_HD bool is_inside(GeomType shape, Vec3T<R> size, Vec3T<R> p) {
  return with_primitive(shape, false, [&](auto kind) PLIANT_INLINED { return kind.inside(size, p); });
}

// ---- at a site
// -------------------------------------------------------------------------------------------

template <class M, class S, class D, class Out>
PLIANT_HD void sense_magnetometer(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, transposed_times(mat3(d.site_xmat, m.sensor_objid[i]), vec3(m.opt.magnetic, 0)));
}

/// Pixel coordinates of a site in a camera's image, origin at the upper left. With p the site in
/// camera axes (the camera looks along -z, y up), f the focal lengths and c the image's middle
/// [pixels]:
///   x = (c_x p_z - f_x p_x) / p_z,  y = (c_y p_z + f_y p_y) / p_z.
template <class M, class S, class D, class Out>
PLIANT_HD void sense_camera_projection(const M& m, const S&, const D& d, int i, Out& out) {
  using R = typename D::Real;
  const int cam = m.sensor_refid[i];
  const R width = m.cam_resolution[2 * cam], height = m.cam_resolution[2 * cam + 1];
  R fx, fy;
  if (m.cam_sensorsize[2 * cam] && m.cam_sensorsize[2 * cam + 1]) {
    // single precision, as these fields are
    fx = m.cam_intrinsic[4 * cam] / m.cam_sensorsize[2 * cam] * m.cam_resolution[2 * cam];
    fy = m.cam_intrinsic[4 * cam + 1] / m.cam_sensorsize[2 * cam + 1] * m.cam_resolution[2 * cam + 1];
  } else {
    fx = fy = R(0.5) / std::tan(m.cam_fovy[cam] * R(kPi) / 360) * height;
  }
  const auto camera = sensor_reference(m, d, i);
  const Vec3T<R> p = transposed_times(camera.axes, vec3(d.site_xpos, m.sensor_objid[i]) - camera.pos);
  // In the plane of the camera there is no image; a tiny depth stands for none.
  const R depth = std::abs(p.z) < R(kTiny) ? (p.z < 0 ? -R(kTiny) : R(kTiny)) : p.z;
  out[0] = (width / 2 * p.z - fx * p.x) / depth;
  out[1] = (height / 2 * p.z + fy * p.y) / depth;
}

// ---- joints, tendons, actuators
// --------------------------------------------------------------------------

template <class M, class S, class D, class Out>
PLIANT_HD void sense_joint_pos(const M& m, const S& s, const D&, int i, Out& out) {
  out[0] = s.qpos[m.jnt_qposadr[m.sensor_objid[i]]];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_ball_quat(const M& m, const S& s, const D&, int i, Out& out) {
  const int adr = m.jnt_qposadr[m.sensor_objid[i]];
  put(out, normalized(QuatT<typename D::Real>{s.qpos[adr], s.qpos[adr + 1], s.qpos[adr + 2], s.qpos[adr + 3]}));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_tendon_pos(const M& m, const S&, const D& d, int i, Out& out) {
  out[0] = d.ten_length[m.sensor_objid[i]];
}

/// The outputs of an actuator in a field with one number per output.
template <class M, class F, class Out>
PLIANT_HD void actuator_outputs(const M& m, const F& field, int i, Out& out) {
  const int first = m.actuator_outadr[m.sensor_objid[i]];
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = field[first + k];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_actuator_pos(const M& m, const S&, const D& d, int i, Out& out) {
  actuator_outputs(m, d.actuator_length, i, out);
}

// ---- the whole system
// ------------------------------------------------------------------------------------

template <class M, class S, class D, class Out>
PLIANT_HD void sense_potential_energy(const M&, const S&, const D& d, int, Out& out) {
  out[0] = d.energy[0];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_kinetic_energy(const M&, const S&, const D& d, int, Out& out) {
  out[0] = d.energy[1];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_clock(const M&, const S& s, const D&, int, Out& out) {
  out[0] = s.time[0];
}

}  // namespace pliant
