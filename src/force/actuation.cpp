// The stage actuation: activation dynamics and forces of actuators.

#include "step/stages.h"

namespace pliant {

void run_actuation(const Model&, const State&, Data&) {}

}  // namespace pliant
