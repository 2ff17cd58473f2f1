#pragma once
// How the smooth forces change with velocity, as the implicit integrators need it.

#include "pliant/state.h"

namespace pliant {

enum class SmoothDerivative {
  kSymmetric,  ///< without the bias force; of fluid forces the symmetric part
  kFull,
  kForces,  ///< without the bias force
};

/// qDeriv = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d(qvel), as far as the tree pattern has entries.
void compute_smooth_derivative(const Model& m, const State& s, Data& d, SmoothDerivative kind);

}  // namespace pliant
