#pragma once
// Actuators on sites: a force and a torque at the site, in its own axes (no length), or against a
// reference site, in the axes of that (length: its position and rotation vector seen from there,
// times gear).
//
// As in the reference the moment against a reference site leaves out that its axes turn: the length is then not the
// integral of the moment.
//
// reads site_xpos site_xmat xquat cdof subtree_com

#include "force/moment_row_hd.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

/// Rotation vector of a site against another, in the axes of that.
template <class M, class D>
PLIANT_HD auto site_rotation_from(const M& m, const D& d, int site, int reference) {
  return difference(quat(d.xquat, m.site_bodyid[site]) * quat(m.site_quat, site),
                    quat(d.xquat, m.site_bodyid[reference]) * quat(m.site_quat, reference));
}

template <class M, class D>
PLIANT_HD void site_transmission(const M& m, int actuator, MomentRow<D>& row) {
  using R = typename D::Real;
  const D& d = row.d;
  const int site = m.actuator_trnid[2 * actuator], reference = m.actuator_trnid[2 * actuator + 1];
  const int output = m.actuator_outadr[actuator], body = m.site_bodyid[site];
  const Mat3T<R> axes = mat3(d.site_xmat, reference < 0 ? site : reference);
  const Vec3T<R> linear = linear_gear(m, output), angular = angular_gear(m, output);
  const Vec3T<R> force = axes * linear, torque = axes * angular;
  const Vec3T<R> pos = vec3(d.site_xpos, site);

  // Without reference site the other body is the world, which no dof moves.
  R length = 0;
  int other = 0;
  SpatialT<R> reaction{};
  if (reference >= 0) {
    const Vec3T<R> origin = vec3(d.site_xpos, reference);
    other = m.site_bodyid[reference];
    reaction = wrench_at(m, d, other, origin, -force, -torque);
    length = dot(transposed_times(axes, pos - origin), linear);
    if (dot(angular, angular) != 0) length += dot(site_rotation_from(m, d, site, reference), angular);
  }
  relative_row(m, d, other, reaction, body, wrench_at(m, d, body, pos, force, torque),
               [&](int dof, R value) { row.put_nonzero(dof, value); });
  row.reverse();
  row.finish(output, length);
}

}  // namespace pliant
