#pragma once
// The kernel of the solver. Each of its two shapes has a file of its own: compilers take minutes for one.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

template <SolverShape shape>
struct Solve {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    stages.reference();
    stages.template solve<shape>();
    if (stages.team.lane() == 0) *mine.solver = stages.report.solver;
  }
};

template <SolverShape shape, class R, bool parameters>
__global__ void __launch_bounds__(32 * kWarpsPerBlock) solver_kernel(const __grid_constant__ BatchArgs<R> a) {
  with_world<Solve<shape>, parameters>(a, a.solver_memory ? 0 : a.solver_bytes);
}

}  // namespace

template <SolverShape shape, class R>
const char* launch_solver(const BatchArgs<R>& a, void* stream) {
  return launch_warps(a, a.parameters ? solver_kernel<shape, R, true> : solver_kernel<shape, R, false>,
                      a.solver_memory ? 0 : a.solver_bytes, stream);
}

}  // namespace pliant
