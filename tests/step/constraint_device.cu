// Rows, reference accelerations, solvers, the metric and the implicit integrators as device code for a warp per world,
// in single and in double precision: that it compiles is the test.

#include "batch/world_step_hd.h"
#include "cuda/teams.h"

namespace pliant {

template <class R>
__global__ void constrained_world(const ModelView<R> m, StateView<R> s, DataView<R> d, const WorldWork<R> work,
                                  WorldReport* report) {
  const WarpTeam team;
  WorldReport mine;
  WorldStages<WarpTeam, ModelView<R>, StateView<R>, DataView<R>> stages{team, m, s, d, work, mine};
  stages.constraint();
  stages.reference();
  stages.metric();
  stages.template after<SmoothStage::acceleration>();
  stages.solver();
  implicit_stage(team, m, s, d, mine.status);
  if (team.lane() == 0) *report = mine;
}

template __global__ void constrained_world<float>(ModelView<float>, StateView<float>, DataView<float>, WorldWork<float>,
                                                  WorldReport*);
template __global__ void constrained_world<double>(ModelView<double>, StateView<double>, DataView<double>,
                                                   WorldWork<double>, WorldReport*);

}  // namespace pliant
