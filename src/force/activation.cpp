// Activations and histories of controls at the end of a step, on the CPU.

#include "force/activation.h"

#include "force/activation_hd.h"

namespace pliant {

void advance_activations(const Model& m, const State& s, Data& d, const double* act_dot) {
  advance_activations(SerialTeam{}, m, s, d, act_dot);
}

void push_controls(const Model& m, State& s) { push_controls(SerialTeam{}, m, s, true); }

}  // namespace pliant
