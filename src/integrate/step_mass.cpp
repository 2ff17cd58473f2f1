// The matrix an integrator solves with, as a product: (M - h D) x, D the derivative of the forces
// that it takes at the end of the step. Inverse dynamics uses it to undo a step.

#include "inertia/inertia.h"
#include "integrate/integrate.h"

namespace pliant {

void multiply_step_mass(const Model& m, const State& s, Data& d, const double* x, double* y) {
  multiply_mass(m, d, x, y);
  // implicit and implicitfast: their own derivatives belong here once they have them
  if (m.opt.integrator == Integrator::kRk4 || !has_implicit_damping(m)) return;
  for (int i = 0; i < m.nv; ++i) y[i] += m.opt.timestep * damping_slope(m, i, s.qvel[i]) * x[i];
}

}  // namespace pliant
