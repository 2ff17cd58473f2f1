#pragma once
// The kernels of a batch: the stages of smooth_step_hd.h for a tile of threads or a warp per world.

#include <cuda_runtime.h>

#include "cuda/launch.h"
#include "cuda/teams.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

/// One stage of every world. Rounded up, the last block works on places that are no world: they hold a copy of the start
/// state, and their threads wait at the same barriers.
template <class R, SmoothStage stage>
__global__ void __launch_bounds__(kWorldsPerTile* kMostLanes) stage_kernel(const __grid_constant__ BatchArgs<R> a) {
  const int world = world_at(a, blockIdx.x * kWorldsPerTile + threadIdx.x);
  const ModelView<R> m = of_world(a.m, world);
  StateView<R> s = state_of_world(a.s, m, world, a.layout);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  if (a.memory.counts) use_memory_of(a, m, world, d);
  const TileTeam team;
  int status = stage == SmoothStage::check ? 0 : a.status[world];
  smooth_stage<stage>(team, m, s, d, status);
  if (team.lane() != 0) return;
  a.status[world] = status;
  if (stage == SmoothStage::integrate && !(status & kLacksMemory)) ++a.done[world];
}

template <class T, bool global> __device__ void move_to_shared(Strided<T>& field, std::byte* memory, int place) {
  if constexpr (!global) field = {reinterpret_cast<T*>(memory + place), 1};
}

/// The whole step, Data in shared memory.
template <class R>
__global__ void __launch_bounds__(32 * kWarpsPerBlock) warp_kernel(const __grid_constant__ BatchArgs<R> a) {
  extern __shared__ __align__(16) std::byte memory[];
  const int world = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (world >= a.count) return;  // whole warps: nobody waits for them
  const ModelView<R> m = of_world(a.m, world);
  StateView<R> s = state_of_world(a.s, m, world, a.layout);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  std::byte* mine = memory + (threadIdx.x / 32) * a.shared_bytes;
#define FIELD(owner, type, name, count, width, layout, unit, meaning)                                       \
  move_to_shared<typename Scalars<R>::type, stays_global(#name) || !is_on_device(#owner)>(d.name, mine, \
                                                                                              a.shared.name);
#include "pliant/data_fields.def"
#undef FIELD
  const WarpTeam team;
  const int status = smooth_step(team, m, s, d);
  if (team.lane() == 0) a.status[world] = status;
}

template <class R> void launch_stage(const BatchArgs<R>& a, int stage, dim3 grid, dim3 block, cudaStream_t q) {
#define PLIANT_LAUNCH(name) \
  case static_cast<int>(SmoothStage::name): stage_kernel<R, SmoothStage::name><<<grid, block, 0, q>>>(a); break;
#define TEAM_STAGE(name, title, phase, condition, writes, reads) PLIANT_LAUNCH(name)
#define HOST_STAGE(name, title, phase, condition, writes, reads)
  switch (stage) {
    PLIANT_LAUNCH(check)
#include "pliant/stages.def"
    PLIANT_LAUNCH(implicit)
    PLIANT_LAUNCH(measure)
    PLIANT_LAUNCH(integrate)
  }
#undef TEAM_STAGE
#undef HOST_STAGE
#undef PLIANT_LAUNCH
}

}  // namespace

template <class R> const char* launch(const BatchArgs<R>& a, const LaunchPlan& plan, int stage, void* stream) {
  const auto q = static_cast<cudaStream_t>(stream);
  if (plan.shape == KernelShape::kWarp) {
    const int bytes = a.shared_bytes * kWarpsPerBlock;
    const cudaError_t error =
        cudaFuncSetAttribute(warp_kernel<R>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error != cudaSuccess) return cudaGetErrorString(error);
    const int blocks = (a.count + kWarpsPerBlock - 1) / kWarpsPerBlock;
    warp_kernel<R><<<blocks, 32 * kWarpsPerBlock, bytes, q>>>(a);
  } else {
    const dim3 grid(a.count / kWorldsPerTile);
    launch_stage(a, stage, grid, dim3(kWorldsPerTile, plan.lanes), q);
  }
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace pliant
