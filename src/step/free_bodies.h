#pragma once
// Gyroscopic terms of free bodies under the integrator discrete.

#include "pliant/state.h"

namespace pliant {

/// qacc of free bodies with the derivative of their gyroscopic forces, which no symmetric metric can hold: those that
/// no row and no term of tendons or actuators touches, as in the reference; with the option discrete_full also those
/// that rows touch, with the forces that the solver found. Whatever spins and is left out is counted.
void turn_free_bodies(const Model& m, const State& s, Data& d);

/// qfrc = (metric + gyroscopic terms) x on the dofs of such bodies; others are left alone.
void multiply_free_bodies(const Model& m, const State& s, Data& d, const double* x, double* qfrc);

}  // namespace pliant
