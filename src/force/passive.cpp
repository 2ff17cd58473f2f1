// The stage passive: springs, dampers, fluid, gravity compensation.

#include "step/stages.h"

namespace pliant {

void run_passive(const Model&, const State&, Data&) {}

}  // namespace pliant
