// Memory of a GPU; why there is no GPU to work on, in words.

#include "cuda/device_memory.h"

#include <cstdlib>
#include <stdexcept>

#include "batch/gpu_messages.h"
#include "batch/workers.h"

namespace pliant {
namespace {

__global__ void any_kernel() {}

GpuTrouble kind_of(cudaError_t error, int driver) {
  switch (error) {
    case cudaSuccess:
      return GpuTrouble::kNone;
    case cudaErrorInsufficientDriver:
      return driver == 0 ? GpuTrouble::kNoDriver : GpuTrouble::kOldDriver;
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorCompatNotSupportedOnDevice:
      return GpuTrouble::kOldDriver;
    case cudaErrorNoDevice:
      return GpuTrouble::kNoDevice;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return GpuTrouble::kNoCode;
    case cudaErrorMemoryAllocation:
      return GpuTrouble::kOutOfMemory;
    default:
      return GpuTrouble::kOther;
  }
}

std::string message(cudaError_t error, const char* what, size_t wanted) {
  GpuFacts facts;
  cudaDriverGetVersion(&facts.driver_cuda);
  cudaRuntimeGetVersion(&facts.built_cuda);
  const GpuTrouble trouble = kind_of(error, facts.driver_cuda);
  facts.what = what;
  facts.wanted_bytes = wanted;
  facts.cuda_text = cudaGetErrorString(error);
  facts.architectures = PLIANT_CUDA_ARCHITECTURES;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) facts.restricted = true, facts.visible = visible;
  int device = 0;
  cudaDeviceProp properties;
  const bool usable = trouble == GpuTrouble::kNoCode || trouble == GpuTrouble::kOutOfMemory;
  if (usable && cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
    facts.gpu = properties.name, facts.major = properties.major, facts.minor = properties.minor;
    cudaMemGetInfo(&facts.free_bytes, &facts.total_bytes);
  }
  cudaGetLastError();  // what is not sticky is dealt with
  return gpu_message(trouble, facts);
}

}  // namespace

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error("device \"cuda\": " + message(error, what, 0));
}

DeviceBlock::DeviceBlock(size_t bytes, const char* what) {
  if (bytes == 0) return;
  if (const cudaError_t error = cudaMalloc(&memory_, bytes); error != cudaSuccess) {
    memory_ = nullptr;
    throw std::runtime_error("device \"cuda\": " + message(error, what, bytes));
  }
  bytes_ = bytes;
  check(cudaMemset(memory_, 0, bytes), what);
  // work on other streams may begin before this is done, as far as CUDA knows
  check(cudaStreamSynchronize(nullptr), what);
}

std::string cuda_unavailable() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    return message(error, "looking for GPUs", 0);
  }
  if (count == 0) return message(cudaErrorNoDevice, "looking for GPUs", 0);
  // whether there is code for it
  cudaFuncAttributes attributes;
  return message(cudaFuncGetAttributes(&attributes, any_kernel), "looking for code", 0);
}

}  // namespace pliant
