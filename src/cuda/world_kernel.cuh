#pragma once
// Kernels of worlds with constraints: a warp per world.

#include <cuda_runtime.h>

#include "batch/world_memory_hd.h"
#include "cuda/teams.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

/// The Model of a world whose parameters are its own: its addresses, moved to the world, in shared memory. (There are
/// hundreds of them, too many for every thread to have.)
template <class R>
__device__ void copy_model(const WarpTeam& team, const ModelView<R>& from, int world, ModelView<R>& to) {
  static_assert(sizeof(ModelView<R>) % sizeof(int) == 0);
  const int* words = reinterpret_cast<const int*>(&from);
  for (int i = team.lane(); i < static_cast<int>(sizeof(ModelView<R>) / sizeof(int)); i += team.size()) {
    reinterpret_cast<int*>(&to)[i] = words[i];
  }
  team.sync();
  if (team.lane() == 0) {
#define FIELD(type, name, count, width, cls, unit, meaning) detail::to_world(to.name, world);
#include "pliant/model_fields.def"
#undef FIELD
  }
  team.sync();
}

template <bool first, class T>
__device__ const T& choose(const T& a, const T& b) {
  if constexpr (first) return a;
  return b;
}

/// Run::run(stages, memory of the world) for the world of this warp, unless it has a fault already; then its contacts
/// and rows are none. bin: whose worlds alone, for solvers. All of it is inlined: in a call, views of State and Data
/// would have to lie in memory.
template <class Run, bool parameters, class R>
__device__ __forceinline__ void with_world(const BatchArgs<R>& a, const SolverBin& bin = {}) {
  extern __shared__ __align__(16) std::byte shared[];
  const int warp = threadIdx.x / 32;
  const WarpTeam team;
  const int place = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (place >= a.count) return;  // whole warps: nobody waits for them
  const int world = world_at(a, place);
  auto* own = reinterpret_cast<ModelView<R>*>(shared + blockDim.x / 32 * bin.bytes) + warp;
  if constexpr (parameters) copy_model(team, a.m, world, *own);
  const ModelView<R>& m = choose<parameters>(*own, a.m);
  const StateView<R> s = state_of_world(a.s, m, world, a.layout);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  use_copies(a, m, world, d);
  const WorldArrays<R> mine = use_memory_of(a, m, world, d);
  if (d.rows.n <= bin.above || d.rows.n > bin.rows) return;
  WorldReport report;
  report.status = a.status[world];
  if (report.status & ~bit(Fault::kSingularInertia)) {
    if (team.lane() == 0) mine.counts->contacts = mine.counts->rows = 0;
    return;
  }
  SolverArrays<R> solver;
  place_arrays(m, with_rows(a.memory.room, bin.rows), solver,
               a.solver_memory ? a.solver_memory + a.solver_bytes * world : shared + warp * bin.bytes);
  const WorldWork<R> work = world_work(m, mine, solver);
  WorldStages<WarpTeam, ModelView<R>, StateView<R>, DataView<R>> stages{team, m, s, d, work, report};
  Run::run(stages, mine);
  if (team.lane() != 0) return;
  keep_counts(d, *mine.counts);
  a.status[world] = report.status;
  if (report.status & kLacksMemory) *a.lacks_memory = 1;
}

inline const char* launch_error() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

/// Launches a kernel with so many warps per block; solver_bytes: shared memory of each.
template <class R, class... Arguments>
const char* launch_warps(const BatchArgs<R>& a, void (*kernel)(BatchArgs<R>, Arguments...), int warps,
                         size_t solver_bytes, void* stream, const Arguments&... arguments) {
  const size_t bytes = warps * shared_bytes(a, solver_bytes);
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) return cudaGetErrorString(error);
  const int blocks = (a.count + warps - 1) / warps;
  kernel<<<blocks, 32 * warps, bytes, static_cast<cudaStream_t>(stream)>>>(a, arguments...);
  return launch_error();
}

}  // namespace
}  // namespace pliant
