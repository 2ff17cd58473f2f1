// The stage tendons.

#include "kinematics/tendons.h"

#include "step/stages.h"

namespace pliant {

void run_tendons(const Model&, const State&, Data&) {}
void add_tendon_armature(const Model&, Data&) {}
void add_tendon_bias(const Model&, const State&, Data&) {}

}  // namespace pliant
