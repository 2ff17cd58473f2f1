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

/// Eight neighbouring threads of a warp: for worlds so small that a warp would idle.
struct EightTeam {
  static constexpr bool kSerial = false;
  static constexpr int kMembers = 8;
  __device__ int lane() const { return threadIdx.x & 7; }
  __device__ int size() const { return 8; }
  __device__ void sync() const { __syncwarp(mask()); }
  __device__ bool any(bool x) const { return __any_sync(mask(), x); }
  __device__ int scan(int x, int& total) const {
    int sum = x;
    for (int reach = 1; reach < 8; reach *= 2) {
      const int before = __shfl_up_sync(mask(), sum, reach, 8);
      if (lane() >= reach) sum += before;
    }
    total = __shfl_sync(mask(), sum, 7, 8);
    return sum - x;
  }
  template <class T>
  __device__ T across(T x, int n) const {
    return __shfl_xor_sync(mask(), x, n, 8);
  }
  template <class T>
  __device__ T first(T x) const {
    return __shfl_sync(mask(), x, 0, 8);
  }
  template <class T>
  __device__ T of(T x, int member) const {
    return __shfl_sync(mask(), x, member, 8);
  }

 private:
  __device__ unsigned mask() const { return 0xffu << (threadIdx.x & 24); }
};

/// What a member of a BlockTeam says to sum_of, at most.
inline constexpr size_t kMostSaid = 4 * sizeof(double);
/// Shared memory of a BlockTeam, a little more than it has.
constexpr size_t shared_bytes_of_block_team(int members) {
  return kMostSaid * (1 + static_cast<size_t>(members)) + 128;
}

/// Several warps per world: a block.
template <int warps>
struct BlockTeam {
  static constexpr bool kSerial = false;
  static constexpr int kMembers = 32 * warps;
  __device__ int lane() const { return threadIdx.x; }
  __device__ int size() const { return kMembers; }
  __device__ void sync() const { __syncthreads(); }
  __device__ bool any(bool x) const { return __syncthreads_or(x); }
  __device__ int scan(int x, int& total) const {
    __shared__ int totals[warps];
    const WarpTeam warp;
    int before = warp.scan(x, total);
    __syncthreads();  // everybody has read those of the call before
    if (warp.lane() == 0) totals[threadIdx.x / 32] = total;
    __syncthreads();
    total = 0;
    for (int w = 0; w < warps; ++w) {
      if (w == threadIdx.x / 32) before += total;
      total += totals[w];
    }
    return before;
  }
  /// Within a warp.
  template <class T>
  __device__ T across(T x, int n) const {
    return WarpTeam().across(x, n);
  }
  template <class T>
  __device__ T* said() const {
    static_assert(sizeof(T) <= kMostSaid);
    return reinterpret_cast<T*>(memory() + kMostSaid);
  }
  template <class T>
  __device__ T& agreed() const {
    return *reinterpret_cast<T*>(memory());
  }

 private:
  __device__ static char* memory() {
    __shared__ __align__(16) char all[kMostSaid * (1 + kMembers)];
    return all;
  }
};

}  // namespace pliant
