// Activations and histories at the end of a step.

#include "force/activation.h"

namespace pliant {

void advance_activations(const Model&, State&, const Data&, const double*) {}
void push_history(const Model&, State&, const Data&) {}

}  // namespace pliant
