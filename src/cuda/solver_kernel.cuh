#pragma once
// The kernel of the solver, with a warp per block. Each of its shapes has a file of its own: compilers take minutes for
// one.

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
__global__ void __launch_bounds__(32, kSolversPerProcessor<R>)
    solver_kernel(const __grid_constant__ BatchArgs<R> a, SolverBin bin) {
  with_world<Solve<shape>, parameters>(a, bin);
}

}  // namespace

template <SolverShape shape, class R>
const char* launch_solver(const BatchArgs<R>& a, void* stream) {
  const auto kernel = a.parameters ? solver_kernel<shape, R, true> : solver_kernel<shape, R, false>;
  for (int i = 0; i < a.solver_bins; ++i) {
    const SolverBin& bin = a.solver_bin[i];
    if (const char* error = launch_warps(a, kernel, 1, bin.bytes, stream, bin)) return error;
  }
  return nullptr;
}

}  // namespace pliant
