#pragma once
// Sensors of accelerations and forces.
//
// reads poses cvel cacc cfrc_int actuator_force qfrc_actuator · writes the numbers of one sensor

#include "sensor/sensor_velocity_hd.h"

namespace pliant {

/// In the site's axes; at rest it reads gravity, upwards.
template <class M, class S, class D, class Out>
PLIANT_HD void sense_accelerometer(const M& m, const S&, const D& d, int i, Out& out) {
  const auto site = sensor_object(m, d, i);
  put(out, transposed_times(site.axes, acceleration_at(m, d, site.body, site.pos).lin));
}

template <class M, class D>
PLIANT_HD auto frame_acceleration(const M& m, const D& d, int i) {
  const auto object = sensor_object(m, d, i);
  return acceleration_at(m, d, object.body, object.pos);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_lin_acc(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, frame_acceleration(m, d, i).lin);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_frame_ang_acc(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, frame_acceleration(m, d, i).ang);
}

/// What the parent does to the site's body, about the site and in its axes.
template <class M, class D>
PLIANT_HD auto site_wrench(const M& m, const D& d, int i) {
  const auto site = sensor_object(m, d, i);
  return in_axes(site.axes, moved_force(spatial(d.cfrc_int, site.body), offset_in_tree(m, d, site.body, site.pos)));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_force(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, site_wrench(m, d, i).lin);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_torque(const M& m, const S&, const D& d, int i, Out& out) {
  put(out, site_wrench(m, d, i).ang);
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_actuator_force(const M& m, const S&, const D& d, int i, Out& out) {
  actuator_outputs(m, d.actuator_force, i, out);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_joint_actuator_force(const M& m, const S&, const D& d, int i, Out& out) {
  out[0] = d.qfrc_actuator[m.jnt_dofadr[m.sensor_objid[i]]];
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_tendon_actuator_force(const M& m, const S&, const D& d, int i, Out& out) {
  typename D::Real sum = 0;
  for (int a = 0; a < m.nactuator; ++a) {
    const bool pulls = m.actuator_trntype[a] == static_cast<int>(TransmissionType::kTendon) &&
                       m.actuator_trnid[2 * a] == m.sensor_objid[i];
    if (pulls) sum += d.actuator_force[m.actuator_outadr[a]];
  }
  out[0] = sum;
}

}  // namespace pliant
