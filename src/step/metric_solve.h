#pragma once
// Products and solves with the metric of a step.

#include "pliant/state.h"

namespace pliant {

/// x becomes M̂⁻¹ x, M̂ being M or what the stage metric has made. False if the arena is fixed and full: then terms
/// that reach beyond the pattern of M are left out. Where there are such terms, `within` becomes what x would without.
bool solve_metric(const Model& m, const State& s, Data& d, double* x, double* within = nullptr);
/// y = M̂ x.
void multiply_metric(const Model& m, const Data& d, const double* x, double* y);

}  // namespace pliant
