// Work on arrays of all worlds: copies between precisions, fresh worlds, lists of worlds.

#include "cuda/array_kernels.h"

#include <cuda_runtime.h>

#include "batch/smooth_step_hd.h"
#include "cuda/worlds.cuh"

namespace pliant {
namespace {

constexpr int kColumns = 32, kRows = 8;  // of a block: neighbouring threads work on neighbouring worlds

const char* launch_error() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

int tiles_of(int n, int size) { return (n + size - 1) / size; }

__device__ double number_at(const std::byte* data, Scalar scalar, int64_t i) {
  switch (scalar) {
    case Scalar::real:
      return reinterpret_cast<const double*>(data)[i];
    case Scalar::f32:
      return reinterpret_cast<const float*>(data)[i];
    case Scalar::i32:
      return reinterpret_cast<const int32_t*>(data)[i];
    case Scalar::i64:
      return static_cast<double>(reinterpret_cast<const int64_t*>(data)[i]);
    default:
      return static_cast<double>(reinterpret_cast<const uint8_t*>(data)[i]);
  }
}

__device__ void set_number(std::byte* data, Scalar scalar, int64_t i, double x) {
  switch (scalar) {
    case Scalar::real:
      reinterpret_cast<double*>(data)[i] = x;
      break;
    case Scalar::f32:
      reinterpret_cast<float*>(data)[i] = static_cast<float>(x);
      break;
    case Scalar::i32:
      reinterpret_cast<int32_t*>(data)[i] = static_cast<int32_t>(x);
      break;
    case Scalar::i64:
      reinterpret_cast<int64_t*>(data)[i] = static_cast<int64_t>(x);
      break;
    case Scalar::boolean:
      reinterpret_cast<uint8_t*>(data)[i] = x != 0;
      break;
    default:
      reinterpret_cast<uint8_t*>(data)[i] = static_cast<uint8_t>(x);
  }
}

__global__ void copy_kernel(const DeviceNumbers to, const DeviceNumbers from, int nworld, CopyFor worlds,
                            const int* status) {
  const int world = blockIdx.x * kColumns + threadIdx.x;
  if (world >= nworld) return;
  if (worlds != CopyFor::kAll && (status[world] == 0) != (worlds == CopyFor::kSound)) return;
  for (int i = blockIdx.y * kRows + threadIdx.y; i < to.count; i += gridDim.y * kRows) {
    const double x = number_at(from.data, from.scalar, world * from.world_stride + i * from.element_stride);
    set_number(to.data, to.scalar, world * to.world_stride + i * to.element_stride, x);
  }
}

__global__ void reset_kernel(const ResetTable table, const uint8_t* mask, int key, const int* keys, int* status,
                             int nworld) {
  const int world = blockIdx.x * kColumns + threadIdx.x;
  if (world >= nworld || (mask && !mask[world])) return;
  if (blockIdx.y == 0 && threadIdx.y == 0) status[world] = 0;
  const int64_t start = 1 + static_cast<int64_t>(keys ? keys[world] : key);
  const ResetItem item = table.item[blockIdx.y];
  for (int i = threadIdx.y; i < item.to.count; i += kRows) {
    const double x = item.from ? item.from[start * table.row + i] : 0;
    set_number(item.to.data, item.to.scalar, world * item.to.world_stride + i * item.to.element_stride, x);
  }
}

constexpr int kSelectThreads = 1024;

/// One block: each round counts the chosen among as many worlds as there are threads.
__global__ void __launch_bounds__(kSelectThreads) select_kernel(const Selection s) {
  constexpr int kWarps = kSelectThreads / 32;
  __shared__ int before[kWarps + 1];  // chosen worlds before those of a warp
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int total = 0;
  for (int first = 0; first < s.nworld; first += kSelectThreads) {
    const int world = first + threadIdx.x;
    const bool chosen = world < s.nworld && (!s.mask || s.mask[world]) && (!s.sound || s.sound[world] == 0);
    if (s.done && world < s.nworld && !chosen) ++s.done[world];
    const unsigned votes = __ballot_sync(0xffffffffu, chosen);
    if (lane == 0) before[warp + 1] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
      before[0] = total;
      for (int i = 0; i < kWarps; ++i) before[i + 1] += before[i];
    }
    __syncthreads();
    if (chosen) s.list[before[warp] + __popc(votes & ((1u << lane) - 1u))] = world;
    total = before[kWarps];
    __syncthreads();
  }
  const int whole = (total + kWorldsPerTile - 1) / kWorldsPerTile * kWorldsPerTile;
  const int place = total + static_cast<int>(threadIdx.x);
  if (place < whole) s.list[place] = s.spare + static_cast<int>(threadIdx.x);
  if (threadIdx.x == 0) *s.listed = whole;
}

template <class R>
__global__ void check_results_kernel(const __grid_constant__ BatchArgs<R> a) {
  const int world = world_at(a, blockIdx.x * blockDim.x + threadIdx.x);
  const ModelView<R> m = of_world(a.m, world);
  DataView<R> d = data_of_world(a.d, m, world, a.layout);
  int status = a.status[world];
  add_result_fault(any_bad(SerialTeam{}, d.qacc, m.nv), Fault::kBadAcceleration, status);
  if (m.nsensor && !(m.opt.disableflags & kDisableSensor)) {
    add_result_fault(first_bad_reading(SerialTeam{}, m, d) >= 0, Fault::kBadReading, status);
  }
  a.status[world] = status;
}

}  // namespace

const char* launch_copy(const DeviceNumbers& to, const DeviceNumbers& from, int nworld, CopyFor worlds,
                        const int* status, void* stream) {
  constexpr int kMostRounds = 1024;
  if (to.count == 0) return nullptr;
  const dim3 grid(tiles_of(nworld, kColumns), std::min(kMostRounds, tiles_of(to.count, kRows)));
  copy_kernel<<<grid, dim3(kColumns, kRows), 0, static_cast<cudaStream_t>(stream)>>>(to, from, nworld, worlds, status);
  return launch_error();
}

const char* launch_reset(const ResetTable& table, const uint8_t* mask, int key, const int* keys, int* status,
                         int nworld, void* stream) {
  const dim3 grid(tiles_of(nworld, kColumns), table.items);
  reset_kernel<<<grid, dim3(kColumns, kRows), 0, static_cast<cudaStream_t>(stream)>>>(table, mask, key, keys, status,
                                                                                      nworld);
  return launch_error();
}

const char* launch_select(const Selection& selection, void* stream) {
  select_kernel<<<1, kSelectThreads, 0, static_cast<cudaStream_t>(stream)>>>(selection);
  return launch_error();
}

template <class R>
const char* launch_check_results(const BatchArgs<R>& a, void* stream) {
  check_results_kernel<R><<<a.count / kWorldsPerTile, kWorldsPerTile, 0, static_cast<cudaStream_t>(stream)>>>(a);
  return launch_error();
}
template const char* launch_check_results<float>(const BatchArgs<float>&, void*);
template const char* launch_check_results<double>(const BatchArgs<double>&, void*);

}  // namespace pliant
