// Contacts of worlds from their points, and rows.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

/// fast: there may be motions of fast geoms.
template <bool fast>
struct Run {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    using R = typename Stages::R;
    if constexpr (fast) {
      stages.contacts(gathered_motions(stages.m, stages.d));
    } else {
      stages.contacts(NoMotions<R>());
    }
    if (stages.team.lane() == 0) {
      const CollisionReport& report = stages.report.collision;
      mine.counts->wanted_contacts = report.contacts;
      mine.counts->bad_points = report.bad_points;
      mine.counts->raised = report.raised;
    }
    stages.constraint();
    if (stages.team.lane() == 0) mine.counts->parts = stages.report.parts;
  }
};

/// It waits for memory: more worlds at a time are worth a few registers in it.
template <class R>
inline constexpr int kBlocksAtATime = sizeof(R) == 4 ? 4 : 2;

template <class R, bool parameters, bool fast>
__global__ void __launch_bounds__(32 * kTeamsPerBlock, kBlocksAtATime<R>)
    constraint_kernel(const __grid_constant__ BatchArgs<R> a) {
  with_world<Run<fast>, WarpTeam, parameters>(a);
}

}  // namespace

template <class R>
const char* launch_constraint(const BatchArgs<R>& a, void* stream) {
  const auto kernel = a.parameters         ? constraint_kernel<R, true, true>
                      : wants_motions(a.m) ? constraint_kernel<R, false, true>
                                           : constraint_kernel<R, false, false>;
  return launch_teams<WarpTeam>(a, kernel, kTeamsPerBlock, 0, stream);
}
template const char* launch_constraint<float>(const BatchArgs<float>&, void*);
template const char* launch_constraint<double>(const BatchArgs<double>&, void*);

}  // namespace pliant
