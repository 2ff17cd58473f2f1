#pragma once
// Kernels of worlds with constraints: a warp per world, or a block of several.

#include <cuda_runtime.h>

#include "batch/world_memory_hd.h"
#include "cuda/teams.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

/// The Model of a world whose parameters are its own: its addresses, moved to the world, in shared memory. (There are
/// hundreds of them, too many for every thread to have.)
template <class Team, class R>
__device__ void copy_model(const Team& team, const ModelView<R>& from, int world, ModelView<R>& to) {
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

/// Whether a world is one of a bin's.
template <class M, class D>
__device__ bool is_in_bin(const M& m, const D& d, const WorldCounts& counts, const SolverBin& bin) {
  WorldParts largest{m.nv, d.rows.n};
  if (has_parts(m) && solver_shape(m) != SolverShape::kGrouped) largest = counts.parts;
  return largest.rows > bin.rows_above && largest.rows <= bin.rows && largest.dofs > bin.dofs_above &&
         largest.dofs <= bin.dofs;
}

/// Run::run(stages, memory of the world) for the world of this team, unless it has a fault already; then its contacts
/// and rows are none. bin: whose worlds alone, for solvers. in_shared: where their memory lies; the compiler must know,
/// or it computes with addresses of 64 bits. All of it is inlined: in a call, views of State and Data would have to lie
/// in memory.
template <class Run, class Team, bool parameters, bool in_shared = true, class R>
__device__ __forceinline__ void with_world(const BatchArgs<R>& a, const SolverBin& bin = {}) {
  extern __shared__ __align__(16) std::byte shared[];
  constexpr int kMembers = Team::kMembers;
  const int number = threadIdx.x / kMembers;  // of the team in its block
  const Team team;
  const int place = (blockIdx.x * blockDim.x + threadIdx.x) / kMembers;
  if (place >= a.count) return;  // whole teams: nobody waits for them
  const int world = world_at(a, place);
  auto* own = reinterpret_cast<ModelView<R>*>(shared + blockDim.x / kMembers * bin.bytes) + number;
  if constexpr (parameters) copy_model(team, a.m, world, *own);
  const ModelView<R>& m = choose<parameters>(*own, a.m);
  const StateView<R> s = state_of_world(a.s, m, world, a.layout);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  use_copies(a, m, world, d);
  const WorldArrays<R> mine = use_memory_of(a, m, world, d);
  if (!is_in_bin(m, d, *mine.counts, bin)) return;
  WorldReport report;
  report.status = a.status[world];
  if (report.status & ~bit(Fault::kSingularInertia)) {
    if (team.lane() == 0) mine.counts->contacts = mine.counts->rows = 0;
    return;
  }
  SolverArrays<R> solver;
  place_arrays(m, for_solver(a.memory.room, bin.rows, bin.dofs), solver,
               choose<in_shared>(shared + number * bin.bytes, a.solver_memory + a.solver_bytes * world));
  const WorldWork<R> work = world_work(m, mine, solver);
  WorldStages<Team, ModelView<R>, StateView<R>, DataView<R>> stages{team, m, s, d, work, report};
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

/// Launches a kernel with so many teams per block; solver_bytes: shared memory of each.
template <class Team, class R, class... Arguments>
const char* launch_teams(const BatchArgs<R>& a, void (*kernel)(BatchArgs<R>, Arguments...), int teams,
                         size_t solver_bytes, void* stream, const Arguments&... arguments) {
  const size_t bytes = teams * shared_bytes(a, solver_bytes);
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) return cudaGetErrorString(error);
  const int blocks = (a.count + teams - 1) / teams;
  kernel<<<blocks, Team::kMembers * teams, bytes, static_cast<cudaStream_t>(stream)>>>(a, arguments...);
  return launch_error();
}

}  // namespace
}  // namespace pliant
