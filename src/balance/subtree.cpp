// Linear velocity and angular momentum of subtrees: loops around the kernels.

#include "balance/subtree_hd.h"
#include "balance/balance.h"

namespace pliant {

void run_subtree(const Model& m, const State&, Data& d) {
  for (int b = 0; b < m.nbody; ++b) body_momentum(m, d, b);
  for (int b = m.nbody - 1; b >= 0; --b) gather_momentum(m, d, b);
  for (int b = m.nbody - 1; b >= 0; --b) gather_angular_momentum(m, d, b);
  d.done.subtree = true;
}

}  // namespace pliant
