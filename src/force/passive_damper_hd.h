#pragma once
// Dampers of dofs and tendons, with what actuators add to them.
//
// reads qvel ten_velocity · writes qfrc_damper

#include "force/polynomial_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void dof_damper(const M& m, const S& s, D& d, int dof) {
  d.qfrc_damper[dof] = joint_damping(m, dof).force(s.qvel[dof]);
}

/// Force along a tendon [N|N m].
template <class M, class D>
PLIANT_HD auto tendon_damper(const M& m, const D& d, int tendon) {
  return tendon_damping(m, tendon).force(d.ten_velocity[tendon]);
}

}  // namespace pliant
