#pragma once
// Integrators: the only code that writes State during a step.

#include "pliant/state.h"

namespace pliant {

/// Moves the state by one timestep with what `forward` left in Data. If the new state is not finite, the old
/// one is restored and the faults are returned.
int advance(const Model& m, State& s, Data& d, Integrator integrator);

// One integrator each; the table is in integrate.cpp.
void advance_euler(const Model& m, State& s, Data& d);         // euler.cpp
void advance_rk4(const Model& m, State& s, Data& d);           // rk4.cpp
void advance_implicit(const Model& m, State& s, Data& d);      // implicit.cpp
void advance_implicitfast(const Model& m, State& s, Data& d);  // implicit.cpp

/// What all integrators end in: history, activations, velocities, positions, time, warm start.
/// `qvel` moves positions; nullptr: the new velocity does.
void advance_state(const Model& m, State& s, Data& d, const double* act_dot, const double* qacc, const double* qvel);

/// qpos after time h with velocity qvel, joint by joint.
void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);
/// The velocity that leads from qpos_b to qpos_a in time h.
void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos_b, const double* qpos_a);

/// Viscous damping of a dof, that of actuators included, and its derivative B = d(v b(v))/dv.
double damping_slope(const Model& m, int dof, double velocity);
/// Whether the Euler step takes joint damping at its end. One damped dof is enough; a constant negative damping
/// is not, as in the reference.
bool has_implicit_damping(const Model& m);
/// y = (M - h D) x, the matrix that the model's integrator solves with (step_mass.cpp).
void multiply_step_mass(const Model& m, const State& s, Data& d, const double* x, double* y);

}  // namespace pliant
