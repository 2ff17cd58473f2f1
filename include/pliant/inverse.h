#pragma once
// Inverse dynamics: forces from accelerations.

#include "pliant/step.h"

namespace pliant {

/// The force that, beside passive and constraint forces, causes the accelerations in Data::qacc,
/// into Data::qfrc_inverse; everything else that follows from the state is computed on the way.
/// With the flag invdiscrete the accelerations are those of the integrator's step.
StepStatus inverse(const Model& m, const State& s, Data& d);
/// How well `inverse` gives back what `forward` was given, at the state of the last forward: the
/// norm of the difference of constraint forces, and of all other forces; also in
/// Data::solver_fwdinv. The flag fwdinv asks every step for it. Forward accelerations are those of
/// the equations of motion, whatever invdiscrete says.
struct ForwardInverse {
  double constraint = 0, applied = 0;
};
ForwardInverse compare_forward_inverse(const Model& m, const State& s, Data& d);

}  // namespace pliant
