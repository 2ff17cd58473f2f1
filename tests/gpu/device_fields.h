#pragma once
// Arrays of worlds on a GPU as doubles of the host, and results of checks.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "batch/workers.h"

namespace pliant {

inline int failures = 0;
inline void expect(bool ok, const std::string& what) {
  std::printf("  %-4s %s\n", ok ? "ok" : "FAIL", what.c_str());
  failures += !ok;
}
inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", x);
  return text;
}

// ---- copies between worlds of the host and of the device ------------------------------------------------

/// All numbers of a field, [world][number], as doubles.
inline std::vector<double> download(BatchWorker& worker, const char* name) {
  worker.wait();
  const BatchField f = worker.field(name);
  const size_t size = scalar_bytes(f.scalar);
  const int64_t last = (f.nworld - 1) * f.world_stride + (f.count - 1) * f.element_stride;
  std::vector<double> out(static_cast<size_t>(f.nworld) * f.count);
  if (f.count == 0) return out;
  std::vector<std::byte> raw(size * (last + 1));
  if (cudaMemcpy(raw.data(), f.data, raw.size(), cudaMemcpyDeviceToHost) != cudaSuccess) std::abort();
  for (int w = 0; w < f.nworld; ++w) {
    for (int i = 0; i < f.count; ++i) {
      const std::byte* p = raw.data() + size * (w * f.world_stride + i * f.element_stride);
      double& to = out[static_cast<size_t>(w) * f.count + i];
      if (f.scalar == Scalar::real) std::memcpy(&to, p, 8);
      if (f.scalar == Scalar::f32) to = *reinterpret_cast<const float*>(p);
      if (f.scalar == Scalar::i32) to = *reinterpret_cast<const int*>(p);
    }
  }
  return out;
}

inline void upload(BatchWorker& worker, const char* name, const std::vector<double>& values) {
  worker.wait();
  const BatchField f = worker.field(name);
  if (f.count == 0) return;
  const size_t size = scalar_bytes(f.scalar);
  const int64_t last = (f.nworld - 1) * f.world_stride + (f.count - 1) * f.element_stride;
  std::vector<std::byte> raw(size * (last + 1));
  if (cudaMemcpy(raw.data(), f.data, raw.size(), cudaMemcpyDeviceToHost) != cudaSuccess) std::abort();
  for (int w = 0; w < f.nworld; ++w) {
    for (int i = 0; i < f.count; ++i) {
      std::byte* p = raw.data() + size * (w * f.world_stride + i * f.element_stride);
      const double from = values[static_cast<size_t>(w) * f.count + i];
      const float single = static_cast<float>(from);
      if (f.scalar == Scalar::real) std::memcpy(p, &from, 8);
      if (f.scalar == Scalar::f32) std::memcpy(p, &single, 4);
    }
  }
  if (cudaMemcpy(f.data, raw.data(), raw.size(), cudaMemcpyHostToDevice) != cudaSuccess) std::abort();
}

}  // namespace pliant
