#pragma once
// Spinning bodies that keep their momentum and energy (option spin="conserving").
//
// With explicit gyroscopic torques a tumbling body gains energy, with implicit ones it loses some. Here a body that is
// a tree of its own (a free joint; or a ball joint on something fixed) turns by the midpoint rule on its momentum. With
// Π the angular momentum in the body's axes (about its centre of mass; of a ball joint about its anchor), I the
// inertia, and Π* = Π + h τ after the torques of the step:
//
//   I Ω = ½ (Π' + Π*),   Π' = cay(h Ω)ᵀ Π*,   R' = R cay(h Ω)
//
// (A. Lewis, J. Simo, Conserving algorithms for the dynamics of Hamiltonian systems on Lie groups, 1994). R' Π' = R Π*:
// what no torque acts on keeps its angular momentum; and Ω·(Π' - Π*) = 0: it keeps its energy. Both to rounding, at any
// timestep. The centre of mass moves by semi-implicit Euler.
//
// Left to the integrator: joints with damping or armature, models with a fluid, RK4 and discrete. The integrator
// midpoint has these bodies fly freely for half a step, takes the forces of the middle, and has them fly on (fly): of
// second order, and symmetric in time.

#include "pliant/state.h"

namespace pliant {

/// next_qpos and next_qvel of such bodies, from qacc. reads M qacc · Those whose equation was not solved (several
/// radians a step) stay as the integrator left them, and are counted (gyroscopic_explicit).
void conserve_spins(const Model& m, const State& s, Data& d);

/// Whether a joint moves such a body.
bool spins_alone(const Model& m, int joint);
/// Its motion without forces for a time, in the joint's numbers of qpos and qvel; false (and nothing is changed): not
/// solved.
bool fly(const Model& m, int joint, double time, double* qpos, double* qvel);
/// qvel += time times the forces behind qacc, without turning the body: of angular velocities what torques do to them.
void push_flying(const Model& m, int joint, double time, const double* qpos, const double* qacc, double* qvel);

}  // namespace pliant
