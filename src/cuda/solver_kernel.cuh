#pragma once
// The kernel of the solver, with a team per block. Each of its shapes and sizes of teams has a file of its own:
// compilers take minutes for one.

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

template <int warps>
using SolverTeam = std::conditional_t<warps == 1, WarpTeam, BlockTeam<warps>>;

template <SolverShape shape, int warps, class R, bool parameters, bool in_shared>
__global__ void __launch_bounds__(32 * warps, kSolverWarps<R> / warps)
    solver_kernel(const __grid_constant__ BatchArgs<R> a, SolverBin bin) {
  with_world<Solve<shape>, SolverTeam<warps>, parameters, in_shared>(a, bin);
}

}  // namespace

template <SolverShape shape, int warps, class R>
const char* launch_solver(const BatchArgs<R>& a, const SolverBin& bin, void* stream) {
  const auto kernel = a.solver_memory ? a.parameters ? solver_kernel<shape, warps, R, true, false>
                                                     : solver_kernel<shape, warps, R, false, false>
                      : a.parameters  ? solver_kernel<shape, warps, R, true, true>
                                      : solver_kernel<shape, warps, R, false, true>;
  return launch_teams<SolverTeam<warps>>(a, kernel, 1, bin.bytes, stream, bin);
}

/// The file of a shape and size of teams says this once.
#define PLIANT_LAUNCH_SOLVER(shape, warps)                                                            \
  template const char* launch_solver<shape, warps>(const BatchArgs<float>&, const SolverBin&, void*); \
  template const char* launch_solver<shape, warps>(const BatchArgs<double>&, const SolverBin&, void*)

}  // namespace pliant
