#pragma once
// The kernel of the solver, with a team per block, or four small ones. Each of its shapes and sizes of teams has a file
// of its own: compilers take minutes for one.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

template <SolverShape shape, bool parts>
struct Solve {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    stages.reference();
    stages.template solve<shape, parts>();
    if (stages.team.lane() == 0) *mine.solver = stages.report.solver;
  }
};

template <int members>
struct TeamOf {
  using Type = BlockTeam<members / 32>;
};
template <>
struct TeamOf<8> {
  using Type = EightTeam;
};
template <>
struct TeamOf<32> {
  using Type = WarpTeam;
};
template <int members>
using SolverTeam = typename TeamOf<members>::Type;

constexpr int threads_of_solver(int members) { return members < 32 ? 32 : members; }

template <SolverShape shape, bool parts, int members, class R, bool parameters, bool in_shared>
__global__ void __launch_bounds__(threads_of_solver(members), 32 * kSolverWarps<R> / threads_of_solver(members))
    solver_kernel(const __grid_constant__ BatchArgs<R> a, SolverBin bin) {
  with_world<Solve<shape, parts>, SolverTeam<members>, parameters, in_shared>(a, bin);
}

}  // namespace

template <SolverShape shape, bool parts, int members, class R>
auto solver_kernel_for(const BatchArgs<R>& a) {
  if (a.solver_memory) {
    return a.parameters ? solver_kernel<shape, parts, members, R, true, false>
                        : solver_kernel<shape, parts, members, R, false, false>;
  }
  return a.parameters ? solver_kernel<shape, parts, members, R, true, true>
                      : solver_kernel<shape, parts, members, R, false, true>;
}

template <SolverShape shape, int members, class R>
const char* launch_solver(const BatchArgs<R>& a, const SolverBin& bin, void* stream) {
  auto kernel = solver_kernel_for<shape, false, members>(a);
  if constexpr (shape != SolverShape::kGrouped) {
    if (has_parts(a.m)) kernel = solver_kernel_for<shape, true, members>(a);
  }
  return launch_teams<SolverTeam<members>>(a, kernel, threads_of_solver(members) / members, bin.bytes, stream, bin);
}

/// The file of a shape and size of teams says this once.
#define PLIANT_LAUNCH_SOLVER(shape, members)                                                            \
  template const char* launch_solver<shape, members>(const BatchArgs<float>&, const SolverBin&, void*); \
  template const char* launch_solver<shape, members>(const BatchArgs<double>&, const SolverBin&, void*)

}  // namespace pliant
