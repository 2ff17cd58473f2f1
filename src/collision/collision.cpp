// The stage collision.

#include "step/stages.h"

namespace pliant {

void run_collision(const Model&, const State&, Data& d) {
  d.arena.reset();
  d.ncon = 0;
  d.contact = nullptr;
}

}  // namespace pliant
