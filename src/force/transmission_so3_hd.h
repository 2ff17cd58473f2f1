#pragma once
// Orientation servos, three outputs: torques about the axes of a ball joint's body, or of a site
// against a reference site. Lengths: the rotation vector.
//
// reads qpos, site_xmat xquat cdof subtree_com

#include "force/transmission_site_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void so3_transmission(const M& m, const S& s, int actuator, MomentRow<D>& row) {
  using R = typename D::Real;
  const D& d = row.d;
  const int target = m.actuator_trnid[2 * actuator], reference = m.actuator_trnid[2 * actuator + 1];
  const int output = m.actuator_outadr[actuator];
  if (reference < 0) {
    const int adr = m.jnt_qposadr[target];
    const Vec3T<R> rotation =
        rotation_vector(normalized(QuatT<R>{s.qpos[adr], s.qpos[adr + 1], s.qpos[adr + 2], s.qpos[adr + 3]}));
    for (int k = 0; k < 3; ++k) {
      row.put(m.jnt_dofadr[target] + k, 1);
      row.finish(output + k, rotation[k]);
    }
    return;
  }
  const Vec3T<R> rotation = site_rotation_from(m, d, target, reference);
  const Mat3T<R> axes = mat3(d.site_xmat, target);
  for (int k = 0; k < 3; ++k) {
    const SpatialT<R> torque{axes.column(k), {}};
    relative_row(m, d, m.site_bodyid[reference], torque * R(-1), m.site_bodyid[target], torque,
                 [&](int dof, R value) { row.put_nonzero(dof, value); });
    row.reverse();
    row.finish(output + k, rotation[k]);
  }
}

}  // namespace pliant
