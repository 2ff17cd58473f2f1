// The stage transmission.

#include "step/stages.h"

namespace pliant {

void run_transmission(const Model&, const State&, Data&) {}

}  // namespace pliant
