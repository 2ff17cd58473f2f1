// What the rows of worlds ask for, and the accelerations that give most of it.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

struct Run {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    stages.reference();
    stages.solver();
    if (stages.team.lane() == 0) *mine.solver = stages.report.solver;
  }
};

template <class R, bool parameters>
__global__ void __launch_bounds__(32 * kWarpsPerBlock) solver_kernel(const __grid_constant__ BatchArgs<R> a) {
  with_world<Run, parameters>(a, a.solver_memory ? 0 : a.solver_bytes);
}

}  // namespace

template <class R>
const char* launch_solver(const BatchArgs<R>& a, void* stream) {
  return launch_warps(a, a.parameters ? solver_kernel<R, true> : solver_kernel<R, false>,
                      a.solver_memory ? 0 : a.solver_bytes, stream);
}
template const char* launch_solver<float>(const BatchArgs<float>&, void*);
template const char* launch_solver<double>(const BatchArgs<double>&, void*);

}  // namespace pliant
