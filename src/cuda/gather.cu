// Copies of arrays with worlds innermost, one world after the other: for kernels in which a warp works on one world.

#include <cuda_runtime.h>

#include "cuda/teams.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

constexpr int kTileRows = 8;  // threads; a tile is 32 worlds by 32 numbers

template <class R>
__global__ void __launch_bounds__(32 * kTileRows)
    gather_kernel(const GatherTable<R> table, const int* list, const int* listed, int places) {
  if (listed && static_cast<int>(blockIdx.y) * 32 >= *listed) return;
  __shared__ R tile[32][33];  // (one more: columns then lie in different banks)
  const auto world_of = [&](int i) {
    const int place = blockIdx.y * 32 + i;
    return static_cast<ptrdiff_t>(list ? list[place] : place);
  };
  const GatherChunk chunk = table.chunk[blockIdx.x];
  const GatherItem<R> item = table.item[chunk.item];
  const ptrdiff_t my_world = world_of(threadIdx.x);
  for (int y = threadIdx.y; y < 32; y += kTileRows) {
    const int i = chunk.first + y;
    if (i < item.count) tile[y][threadIdx.x] = item.from[static_cast<ptrdiff_t>(i) * places + my_world];
  }
  __syncthreads();
  const int i = chunk.first + static_cast<int>(threadIdx.x);
  if (i >= item.count) return;
  for (int y = threadIdx.y; y < 32; y += kTileRows) item.to[world_of(y) * item.count + i] = tile[threadIdx.x][y];
}

}  // namespace

template <class R>
const char* launch_gather(const BatchArgs<R>& a, const GatherTable<R>& table, void* stream) {
  if (table.chunks == 0) return nullptr;
  const dim3 grid(table.chunks, a.count / 32), block(32, kTileRows);
  gather_kernel<R><<<grid, block, 0, static_cast<cudaStream_t>(stream)>>>(table, a.list, a.listed, a.layout.places);
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}
template const char* launch_gather<float>(const BatchArgs<float>&, const GatherTable<float>&, void*);
template const char* launch_gather<double>(const BatchArgs<double>&, const GatherTable<double>&, void*);

}  // namespace pliant
