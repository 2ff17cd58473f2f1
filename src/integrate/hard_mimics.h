#pragma once
// Hard mimics under implicit damping.
//
// The solver gives a row of a hard mimic the acceleration it asks for, with M as the inertia. An integrator that takes
// damping at the end of the step then turns the same forces into other accelerations, inv(A) f with A = M + h D, and a
// follower with another damping than its leader leaves it: by some 1e-4 rad, where without damping it is 1e-9. So the
// rows' forces get what is missing,
//
//   (J inv(A) Jᵀ + R) Δf = J a - J a',    a' += inv(A) Jᵀ Δf
//
// (a the solver's acceleration, a' the integrator's): the rows move as the solver said. Other rows do not take part, as
// they do not in what the integrator does to their accelerations. Forces in Data stay those of the solver.
//
// Mimics of connected trees are solved together. Cost: a solve with A per row, a dense solve of as many unknowns.

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
