// What worlds on a GPU cannot do.

#include "batch/gpu_support.h"

#include "integrate/integrate.h"
#include "pliant/step.h"

namespace pliant {

bool has_constraints(const Model& m) { return !(m.opt.disableflags & kDisableConstraint); }

std::string not_on_gpu(const Model& m) {
  const Integrator integrator = m.opt.integrator;
  if (integrator != Integrator::kEuler && !is_implicit(integrator)) {
    return "of the integrators Euler, implicit and implicitfast run on a GPU; set opt.integrator";
  }
  if (m.opt.spin == SpinLaw::kConserving) {
    return "conserving spins are not computed on a GPU; set opt.spin to plain (0)";
  }
  if (!has_constraints(m)) return "";
  if (m.opt.resolution == Resolution::kSignorini) {
    return "Signorini's resolution of contacts does not run on a GPU; set opt.resolution to convex (0)";
  }
  if (has_anchors(m)) {
    return "anchored friction does not run on a GPU; set opt.friction to regularized (0), and geom_frictionlaw and "
           "pair_frictionlaw to 0";
  }
  if (m.opt.enableflags & kEnableDiagStack) {
    return "the flag diagstack does not run on a GPU; disable it in opt.enableflags";
  }
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_trntype[i] == static_cast<int>(TransmissionType::kBody)) {
      return "actuators of adhesion (transmission body) do not run on a GPU; use the adhesion of geoms, or the CPU";
    }
  }
  if (m.opt.solver != SolverType::kNewton && m.opt.solver != SolverType::kCg) {
    return std::string("the solver ") + traits(m.opt.solver).keyword +
           " does not run on a GPU; set opt.solver to Newton or CG";
  }
  return "";
}

}  // namespace pliant
