// What a library without CUDA answers.

#include <stdexcept>

#include "batch/workers.h"

namespace pliant {

std::string cuda_unavailable() {
  return "this build of Pliant has no CUDA part (nvcc was not found when it was built)";
}

std::unique_ptr<BatchWorker> make_cuda_worker(const Model&, int, const BatchOptions&) {
  throw std::runtime_error("device \"cuda\": " + cuda_unavailable() + "; device \"cpu\" works everywhere");
}

}  // namespace pliant
