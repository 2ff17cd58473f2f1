// Damping of a dof as the integrators see it.

#include <cmath>

#include "force/polynomial_hd.h"
#include "integrate/integrate.h"

namespace pliant {

bool has_implicit_damping(const Model& m) {
  if (m.opt.disableflags & (kDisableEulerDamp | kDisableDamper)) return false;
  for (int i = 0; i < m.nv; ++i) {
    if (m.dof_damping[i] > 0 || m.dof_dampingpoly[2 * i] != 0 || m.dof_dampingpoly[2 * i + 1] != 0 ||
        m.jnt_actuatorid[m.dof_jntid[i]] != -1) {
      return true;
    }
  }
  return false;
}

double damping_slope(const Model& m, int dof, double velocity) {
  const DampingLaw<double> law = joint_damping(m, dof);
  return law.linear + 2 * law.quadratic * std::abs(velocity) + 3 * law.cubic * velocity * velocity;
}

}  // namespace pliant
