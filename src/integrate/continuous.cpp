// Continuous acceleration from a discrete one: what qacc must have been before an integrator's
// implicit terms, so that (v(t+h) - v(t))/h is the given one. M qacc = (M - h D) qacc_discrete with
// the D of the integrator.

#include "force/polynomial_hd.h"
#include "inertia/inertia.h"
#include "integrate/free_body_hd.h"
#include "integrate/integrate.h"
#include "integrate/smooth_derivative.h"
#include "joint/followers_hd.h"
#include "math/tree_lu.h"
#include "math/tree_matrix.h"

namespace pliant {
namespace {

// qfrc = (M + h B) x.
void multiply_euler(const Model& m, const State& s, const Data& d, const double* x, double* qfrc) {
  multiply_mass(m, d, x, qfrc);
  clear_followers(m, s, qfrc);
  for (int i = 0; i < m.nv; ++i) qfrc[i] += m.opt.timestep * joint_damping(m, i).slope(s.qvel[i]) * x[i];
  reduce_force(m, s, qfrc);
}

void multiply_implicit(const Model& m, const State& s, Data& d, const double* x, double* qfrc) {
  compute_smooth_derivative(m, s, d, SmoothDerivative::kFull);
  multiply_mass(m, d, x, qfrc);
  add_tree_product(derivative_pattern(m), d.qDeriv, -m.opt.timestep, x, qfrc);
}

void multiply_implicitfast(const Model& m, const State& s, Data& d, const double* x, double* qfrc) {
  assemble_implicitfast(m, s, d);
  multiply_tree(mass_pattern(m), d.qH, x, qfrc);
  for (int j = 0; j < m.njnt; ++j) {
    if (!is_free_body(m, j)) continue;
    const int first = m.jnt_dofadr[j];
    const Mat6T<double> a = free_body_matrix(m, s, d, j, m.opt.timestep);
    for (int r = 0; r < 6; ++r) {
      qfrc[first + r] = 0;
      for (int c = 0; c < 6; ++c) qfrc[first + r] += a(r, c) * x[first + c];
    }
  }
}

}  // namespace

bool continuous_acceleration(const Model& m, const State& s, Data& d, const double* qacc_discrete, double* qacc) {
  switch (m.opt.integrator) {
    case Integrator::kEuler:
      if (has_implicit_damping(m)) {
        multiply_euler(m, s, d, qacc_discrete, qacc);
        break;
      }
      for (int i = 0; i < m.nv; ++i) qacc[i] = qacc_discrete[i];
      return true;
    case Integrator::kImplicit:
      multiply_implicit(m, s, d, qacc_discrete, qacc);
      break;
    case Integrator::kImplicitFast:
      multiply_implicitfast(m, s, d, qacc_discrete, qacc);
      break;
    case Integrator::kDiscrete:  // qacc is that of the step: inverse dynamics takes it as it is
      for (int i = 0; i < m.nv; ++i) qacc[i] = qacc_discrete[i];
      return true;
    case Integrator::kMidpoint:  // its forces are those of another state
    case Integrator::kRk4:
      for (int i = 0; i < m.nv; ++i) qacc[i] = qacc_discrete[i];
      return false;
  }
  clear_followers(m, s, qacc);
  solve_mass(m, d, qacc);
  fill_followers(m, s, qacc);
  return true;
}

}  // namespace pliant
