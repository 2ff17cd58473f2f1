// Linear velocity and angular momentum of subtrees: loops around the kernels.

#include "pliant/query.h"
#include "query/subtree_hd.h"
#include "step/stages.h"

namespace pliant {

void run_subtree(const Model& m, const State&, Data& d) {
  for (int b = 0; b < m.nbody; ++b) body_momentum(m, d, b);
  for (int b = m.nbody - 1; b >= 0; --b) gather_momentum(m, d, b);
  for (int b = m.nbody - 1; b >= 0; --b) gather_angular_momentum(m, d, b);
  d.done.subtree = true;
}

void subtree_velocity(const Model& m, const State& s, Data& d) { run_subtree(m, s, d); }

}  // namespace pliant
