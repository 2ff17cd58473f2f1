#pragma once
// Gravity compensation: an upward force of gravcomp times its weight at the body's centre of mass.
//
// reads xipos cdof subtree_com · writes qfrc_gravcomp
// Where a joint has actgravcomp, the stage passive leaves its share to the stage actuation.

#include "kinematics/jacobian_hd.h"

namespace pliant {

template <class M>
PLIANT_HD bool has_gravity(const M& m) {
  const auto& g = m.opt.gravity;
  return !(m.opt.disableflags & kDisableGravity) && (g[0] != 0 || g[1] != 0 || g[2] != 0);
}

template <class M, class D>
PLIANT_HD void compensate_gravity(const M& m, D& d, int body) {
  using R = typename D::Real;
  const R factor = -(m.body_mass[body] * m.body_gravcomp[body]);
  const Vec3T<R> force{R(m.opt.gravity[0]) * factor, R(m.opt.gravity[1]) * factor, R(m.opt.gravity[2]) * factor};
  add_force_at(m, d, body, vec3(d.xipos, body), force, Vec3T<R>{}, d.qfrc_gravcomp);
}

}  // namespace pliant
