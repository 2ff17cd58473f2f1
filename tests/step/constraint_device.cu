// Rows, reference accelerations and Newton's method as device code for a warp per world, in single and in double
// precision: that it compiles is the test.

#include "constraint/constraint_stage_hd.h"
#include "cuda/teams.h"
#include "step/solver_stage_hd.h"

namespace pliant {

template <class R>
__global__ void constrained_world(const ModelView<R> m, const StateView<R> s, DataView<R> d, int* integers, R* numbers,
                                  const SolverWork<R> work, const DescentRules<R> rules, SolverReport* report) {
  const WarpTeam team;
  if (!constraint_stage(team, m, s, d, ReduceWork<R>(m, integers, numbers))) return;
  reference_stage(team, m, s, d);
  const SolverReport mine = solver_stage(team, m, s, d, work, rules);
  if (team.lane() == 0) *report = mine;
}

template __global__ void constrained_world<float>(ModelView<float>, StateView<float>, DataView<float>, int*, float*,
                                                  SolverWork<float>, DescentRules<float>, SolverReport*);
template __global__ void constrained_world<double>(ModelView<double>, StateView<double>, DataView<double>, int*,
                                                   double*, SolverWork<double>, DescentRules<double>, SolverReport*);

}  // namespace pliant
