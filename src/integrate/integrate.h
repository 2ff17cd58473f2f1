#pragma once
// Integrators: the only code that writes State during a step.

#include "pliant/state.h"

namespace pliant {

// One integrator each; the table is in integrate.cpp, with `advance` (pliant/step.h) that calls them.
void advance_euler(const Model& m, State& s, Data& d);         // euler.cpp
void advance_rk4(const Model& m, State& s, Data& d);           // rk4.cpp
void advance_implicit(const Model& m, State& s, Data& d);      // implicit.cpp
void advance_implicitfast(const Model& m, State& s, Data& d);  // implicit.cpp

/// What all integrators end in: history, activations, velocities, positions, time, warm start.
/// `qvel` moves positions; nullptr: the new velocity does.
void advance_state(const Model& m, State& s, Data& d, const double* act_dot, const double* qacc, const double* qvel);

/// Puts exact followers where their leaders put them: qpos and qvel.
void follow(const Model& m, State& s);

/// qpos after time h with velocity qvel, joint by joint.
void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);
/// The velocity that leads from qpos_b to qpos_a in time h.
void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos_b, const double* qpos_a);

/// Whether Euler takes joint damping at the end of the step: one damped dof makes the whole step implicit.
bool has_implicit_damping(const Model& m);
/// qDeriv and qH = M - h qDeriv of implicitfast, not yet factored. Rows of free bodies that carry nothing hold M.
void assemble_implicitfast(const Model& m, const State& s, Data& d);

/// The acceleration that the integrator of the model's options would turn into qacc_discrete = (v(t+h) - v(t))/h. Needs
/// what forward leaves in Data. False for Runge-Kutta, which has no such answer: qacc is then qacc_discrete.
/// The arrays must not overlap.
bool continuous_acceleration(const Model& m, const State& s, Data& d, const double* qacc_discrete, double* qacc);

}  // namespace pliant
