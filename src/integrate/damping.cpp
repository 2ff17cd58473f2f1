// Damping of dofs and tendons as the integrators see it.

#include <cmath>

#include "force/polynomial_hd.h"
#include "integrate/integrate.h"

namespace pliant {
namespace {

double slope_of(const DampingLaw<double>& law, double velocity) {
  return law.linear + 2 * law.quadratic * std::abs(velocity) + 3 * law.cubic * velocity * velocity;
}

}  // namespace

double damping_slope(const Model& m, int dof, double velocity) { return slope_of(joint_damping(m, dof), velocity); }

double tendon_damping_slope(const Model& m, int tendon, double velocity) {
  return slope_of(tendon_damping(m, tendon), velocity);
}

}  // namespace pliant
