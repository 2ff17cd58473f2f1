// Contacts of worlds.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

struct Run {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    stages.collision();
    if (stages.team.lane() != 0) return;
    const CollisionReport& report = stages.report.collision;
    mine.counts->wanted_survivors = report.survivors;
    mine.counts->wanted_contacts = report.contacts;
    mine.counts->bad_points = report.bad_points;
    mine.counts->raised = report.raised;
  }
};

template <class R, bool parameters>
__global__ void __launch_bounds__(32 * kWarpsPerBlock) collision_kernel(const __grid_constant__ BatchArgs<R> a) {
  with_world<Run, parameters>(a, 0);
}

}  // namespace

template <class R>
const char* launch_collision(const BatchArgs<R>& a, void* stream) {
  return launch_warps(a, a.parameters ? collision_kernel<R, true> : collision_kernel<R, false>, 0, stream);
}
template const char* launch_collision<float>(const BatchArgs<float>&, void*);
template const char* launch_collision<double>(const BatchArgs<double>&, void*);

}  // namespace pliant
