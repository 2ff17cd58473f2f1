#pragma once
// The kernels of a batch: the stages of smooth_step_hd.h for a tile of threads.

#include <cuda_runtime.h>

#include "cuda/launch.h"
#include "cuda/teams.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

/// One stage of every world. Rounded up, the last block works on places that are no world: they hold a copy of the
/// start state, and their threads wait at the same barriers.
template <class R, SmoothStage stage>
__global__ void __launch_bounds__(kWorldsPerTile* kMostLanes) stage_kernel(const __grid_constant__ BatchArgs<R> a) {
  const int world = world_at(a, blockIdx.x * kWorldsPerTile + threadIdx.x);
  const ModelView<R> m = of_world(a.m, world);
  StateView<R> s = state_of_world(a.s, m, world, a.layout);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  if (a.memory.counts) use_memory_of(a, m, world, d);
  const TileTeam team;
  const int before = stage == SmoothStage::check ? 0 : a.status[world];
  int status = before;
  smooth_stage<stage>(team, m, s, d, status);
  if (team.lane() != 0) return;
  // (contacts and rows go on beside stages that find no faults)
  if (stage == SmoothStage::check || status != before) a.status[world] = status;
  if (stage == SmoothStage::integrate && !(status & kLacksMemory)) ++a.done[world];
}

}  // namespace

/// One of the stages of `part`.
template <LaunchPart part, class R>
const char* launch_part(const BatchArgs<R>& a, const LaunchPlan& plan, SmoothStage stage, void* stream) {
  const dim3 grid(a.count / kWorldsPerTile), block(kWorldsPerTile, plan.lanes);
  const auto q = static_cast<cudaStream_t>(stream);
#define PLIANT_LAUNCH(name)                                                                                         \
  case SmoothStage::name:                                                                                           \
    if constexpr (part_of(SmoothStage::name) == part) stage_kernel<R, SmoothStage::name><<<grid, block, 0, q>>>(a); \
    break;
#define TEAM_STAGE(name, title, phase, condition, writes, reads) PLIANT_LAUNCH(name)
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
  switch (stage) {
    PLIANT_LAUNCH(check)
#include "pliant/stages.def"
    PLIANT_LAUNCH(implicit)
    PLIANT_LAUNCH(measure)
    PLIANT_LAUNCH(integrate)
  }
#undef TEAM_STAGE
#undef WORLD_STAGE
#undef PLIANT_LAUNCH
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

/// The file of a part says this once.
#define PLIANT_LAUNCH_PART(part)                                                                                 \
  template const char* launch_part<part, float>(const BatchArgs<float>&, const LaunchPlan&, SmoothStage, void*); \
  template const char* launch_part<part, double>(const BatchArgs<double>&, const LaunchPlan&, SmoothStage, void*)

}  // namespace pliant
