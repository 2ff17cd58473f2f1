#pragma once
// The implementations of BatchWorker.

#include "pliant/batch.h"

namespace pliant {

std::unique_ptr<BatchWorker> make_cpu_worker(const Model& model, int nworld, const BatchOptions& options);
/// In src/cuda, or in no_cuda.cpp where the library is built without.
std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options);

}  // namespace pliant
