// The stage collision as device code for a warp per world, in single and in double precision: that it compiles is the
// test.

#include "collision/collision_stage_hd.h"
#include "cuda/teams.h"

namespace pliant {

template <class R>
__global__ void colliding_world(const ModelView<R> m, const StateView<R> s, DataView<R> d, CollisionReport* report,
                                int* ncon) {
  const WarpTeam team;
  const CollisionReport mine = collision_stage(team, m, s, d);
  if (team.lane() == 0) *report = mine, *ncon = d.ncon;
}

template __global__ void colliding_world<float>(ModelView<float>, StateView<float>, DataView<float>, CollisionReport*,
                                                int*);
template __global__ void colliding_world<double>(ModelView<double>, StateView<double>, DataView<double>,
                                                 CollisionReport*, int*);

}  // namespace pliant
