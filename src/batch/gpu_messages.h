#pragma once
// What is wrong with a GPU, in words. No CUDA types: texts are tested where there is no GPU.

#include <cstddef>
#include <string>

namespace pliant {

enum class GpuTrouble {
  kNone,
  kNoDriver,     ///< there is no driver
  kOldDriver,    ///< it does not know the CUDA that this build was made with
  kNoDevice,     ///< it shows no GPU
  kNoCode,       ///< this build has no kernels for the GPU
  kOutOfMemory,  ///< memory of the GPU
  kOther,        ///< the text of CUDA is all there is
};

struct GpuFacts {
  std::string gpu;            ///< its name
  int major = 0, minor = 0;   ///< its compute capability
  std::string architectures;  ///< that this build has kernels for
  int driver_cuda = 0;        ///< the newest CUDA that the driver knows: 1000 major + 10 minor
  int built_cuda = 0;         ///< the one this build was made with
  std::string visible;        ///< CUDA_VISIBLE_DEVICES, if it is set
  bool restricted = false;    ///< whether it is
  size_t free_bytes = 0, total_bytes = 0;
  size_t wanted_bytes = 0;
  std::string what;       ///< what was to be done, or wanted the memory
  std::string cuda_text;  ///< what CUDA says
};

/// What is wrong and what helps, as the end of a sentence.
std::string gpu_message(GpuTrouble trouble, const GpuFacts& facts);

/// "1.2 GB"
std::string bytes_text(size_t bytes);

}  // namespace pliant
