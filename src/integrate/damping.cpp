// Damping of a dof as the integrators see it.

#include <cmath>

#include "force/polynomial_hd.h"
#include "integrate/integrate.h"

namespace pliant {

double damping_slope(const Model& m, int dof, double velocity) {
  const DampingLaw<double> law = joint_damping(m, dof);
  return law.linear + 2 * law.quadratic * std::abs(velocity) + 3 * law.cubic * velocity * velocity;
}

}  // namespace pliant
