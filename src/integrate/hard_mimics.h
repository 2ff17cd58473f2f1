#pragma once
// Hard mimics under implicit damping on the CPU: hard_mimics_hd.h, and where it stands in a step.

#include "pliant/state.h"

namespace pliant {

/// Whether this step has rows of hard mimics.
bool has_hard_mimics(const Model& m, const Data& d);

/// What turns a force into the acceleration that the integrator gives to it, in place.
struct ImplicitSolve {
  void (*solve)(const Model& m, const State& s, Data& d, double* x);
};

/// `advanced` (a') moves hard mimics as `solved` (a) does.
void hold_hard_mimics(const Model& m, const State& s, Data& d, ImplicitSolve integrator, const double* solved,
                      double* advanced);

/// The end of an implicit step: advance_state by qacc_advance (and, where the solver took the step in parts, their mean
/// velocity), hard mimics held.
void advance_implicitly(const Model& m, const State& s, Data& d, ImplicitSolve integrator);

}  // namespace pliant
