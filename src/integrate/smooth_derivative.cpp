// How the smooth forces change with velocity, on the CPU.

#include "integrate/smooth_derivative_hd.h"

namespace pliant {

void compute_smooth_derivative(const Model& m, const State& s, Data& d, SmoothDerivative kind) {
  smooth_derivative(SerialTeam{}, m, s, d, kind);
}

}  // namespace pliant
