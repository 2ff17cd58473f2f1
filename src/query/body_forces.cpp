// Accelerations and forces of bodies after the constraint solve.

#include "step/stages.h"

namespace pliant {

void run_body_forces(const Model&, const State&, Data&) {}

}  // namespace pliant
