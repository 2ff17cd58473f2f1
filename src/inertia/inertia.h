#pragma once
// The mass matrix for others: products, solves, Newton-Euler with accelerations.

#include "pliant/state.h"

namespace pliant {

/// The factors qLD and qLDiagInv of M as it is.
void factor_mass(const Model& m, const State& s, Data& d);
/// x becomes M⁻¹ x, with the factors of the current pose.
void solve_mass(const Model& m, const Data& d, double* x);
/// y = M x.
void multiply_mass(const Model& m, const Data& d, const double* x, double* y);
/// Forces that qacc (nullptr: none) needs in the free system; armature is not included. Uses bias_acc and
/// bias_force as working memory.
void newton_euler(const Model& m, const State& s, Data& d, const double* qacc, double* qfrc);

}  // namespace pliant
