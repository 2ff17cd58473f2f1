#pragma once
// Teams of threads on a GPU.

#include "base/team.h"
#include "cuda/launch.h"

namespace pliant {

/// One or a few threads per world: a block is 32 worlds wide and as many threads deep as a team has members.
struct TileTeam {
  static constexpr bool kSerial = false;
  __device__ int lane() const { return threadIdx.y; }
  __device__ int size() const { return blockDim.y; }
  __device__ void sync() const { __syncthreads(); }
  __device__ bool any(bool x) const {
    __shared__ int flags[kWorldsPerTile];
    if (threadIdx.y == 0) flags[threadIdx.x] = 0;
    __syncthreads();
    if (x) atomicOr(&flags[threadIdx.x], 1);
    __syncthreads();
    const bool result = flags[threadIdx.x];
    __syncthreads();  // before somebody clears it again
    return result;
  }
};

/// A warp per world.
struct WarpTeam {
  static constexpr bool kSerial = false;
  __device__ int lane() const { return threadIdx.x & 31; }
  __device__ int size() const { return 32; }
  __device__ void sync() const { __syncwarp(); }
  __device__ bool any(bool x) const { return __any_sync(0xffffffffu, x); }
};

}  // namespace pliant
