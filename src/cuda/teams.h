#pragma once
// Teams of threads on a GPU.

#include "base/team.h"
#include "cuda/launch.h"

namespace pliant {

/// One or a few threads per world: a block is 32 worlds wide and as many threads deep as a team has members.
struct TileTeam {
  static constexpr bool kSerial = false;
  static constexpr int kMembers = 0;
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
  static constexpr int kMembers = 32;
  __device__ int lane() const { return threadIdx.x & 31; }
  __device__ int size() const { return 32; }
  __device__ void sync() const { __syncwarp(); }
  __device__ bool any(bool x) const { return __any_sync(kAll, x); }
  __device__ int max(int x) const { return __reduce_max_sync(kAll, x); }
  __device__ int scan(int x, int& total) const {
    int sum = x;
    for (int reach = 1; reach < 32; reach *= 2) {
      const int before = __shfl_up_sync(kAll, sum, reach);
      if (lane() >= reach) sum += before;
    }
    total = __shfl_sync(kAll, sum, 31);
    return sum - x;
  }
  template <class T>
  __device__ T across(T x, int n) const {
    return __shfl_xor_sync(kAll, x, n);
  }
  template <class T>
  __device__ T first(T x) const {
    return __shfl_sync(kAll, x, 0);
  }
  template <class T>
  __device__ T of(T x, int member) const {
    return __shfl_sync(kAll, x, member);
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
};

}  // namespace pliant
