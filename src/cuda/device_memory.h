#pragma once
// Memory of a GPU, and errors of CUDA as exceptions with words.

#include <cuda_runtime.h>

#include <string>
#include <utility>

namespace pliant {

/// Throws std::runtime_error that says what is wrong and what helps. `what` is what was to be done.
void check(cudaError_t error, const char* what);

/// A block of device memory, all zeros. Throws std::runtime_error that names `what` it is for, and how much is free.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  explicit DeviceBlock(size_t bytes, const char* what = "worlds");
  DeviceBlock(DeviceBlock&& other) noexcept { swap(other); }
  DeviceBlock& operator=(DeviceBlock other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBlock() { cudaFree(memory_); }
  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  size_t bytes() const { return bytes_; }

 private:
  void swap(DeviceBlock& other) {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }
  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace pliant
