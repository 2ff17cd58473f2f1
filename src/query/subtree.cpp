// Linear velocity and angular momentum of subtrees.

#include "step/stages.h"

namespace pliant {

void run_subtree(const Model&, const State&, Data&) {}

}  // namespace pliant
