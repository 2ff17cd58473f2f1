#pragma once
// Sensors of motion: frames, joints, tendons, actuators, subtrees.
//
// reads poses cvel ten_velocity actuator_velocity subtree_* qvel · writes the numbers of one sensor

#include "sensor/sensor_position_hd.h"

namespace pliant {

template <class M, class D>
PLIANT_HD auto site_velocity(const M& m, const D& d, int i) {
  const auto site = sensor_object(m, d, i);
  return in_axes(site.axes, velocity_at(m, d, site.body, site.pos));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_velocimeter(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, site_velocity(m, d, i).lin);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_gyro(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, site_velocity(m, d, i).ang);
}

/// Velocity of a frame; with a reference frame, as seen by somebody who moves and turns with it:
///   v = R' (v_object - v_reference - ω_reference × (x_object - x_reference)), ω = R' (ω_object -
///   ω_reference).
template <class M, class D>
PLIANT_HD auto frame_velocity(const M& m, const D& d, int i) {
  const auto object = sensor_object(m, d, i);
  const auto velocity = velocity_at(m, d, object.body, object.pos);
  if (m.sensor_refid[i] < 0) return velocity;
  const auto reference = sensor_reference(m, d, i);
  // what the reference's body would be doing at the place of the object
  return in_axes(reference.axes, velocity - velocity_at(m, d, reference.body, object.pos));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_lin_vel(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, frame_velocity(m, d, i).lin);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_ang_vel(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, frame_velocity(m, d, i).ang);
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_joint_vel(const M& m, const S& s, const D&, int i, Out& out) {
  out[0] = s.qvel[m.jnt_dofadr[m.sensor_objid[i]]];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_ball_ang_vel(const M& m, const S& s, const D&, int i, Out& out) {
  const int dof = m.jnt_dofadr[m.sensor_objid[i]];
  for (int k = 0; k < 3; ++k) out[k] = s.qvel[dof + k];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_tendon_vel(const M& m, const S&, const D& d, int i, Out& out) {
  out[0] = d.ten_velocity[m.sensor_objid[i]];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_actuator_vel(const M& m, const S&, const D& d, int i, Out& out) {
  actuator_outputs(m, d.actuator_velocity, i, out);
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_subtree_lin_vel(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, vec3(d.subtree_linvel, m.sensor_objid[i]));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_subtree_ang_mom(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, vec3(d.subtree_angmom, m.sensor_objid[i]));
}

}  // namespace pliant
