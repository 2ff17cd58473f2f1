// What is wrong with a GPU, in words.

#include "batch/gpu_messages.h"

#include <cstdio>

namespace pliant {
namespace {

std::string cuda_version(int number) {
  return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

std::string bytes_text(size_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB"};
  constexpr size_t kLast = std::size(kUnits) - 1;
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit < kLast; ++unit) value /= 1000;
  char text[40];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string gpu_message(GpuTrouble trouble, const GpuFacts& f) {
  switch (trouble) {
    case GpuTrouble::kNone:
      return "";
    case GpuTrouble::kNoDriver:
      return "there is no NVIDIA driver on this machine";
    case GpuTrouble::kOldDriver:
      return "the NVIDIA driver is too old: it knows " + cuda_version(f.driver_cuda) +
             ", and this build of Pliant was made with " + cuda_version(f.built_cuda) +
             "; install a newer driver, or build Pliant with the older CUDA";
    case GpuTrouble::kNoDevice:
      return "the NVIDIA driver shows no GPU" +
             (f.restricted ? " (CUDA_VISIBLE_DEVICES is \"" + f.visible + "\")" : std::string());
    case GpuTrouble::kNoCode:
      return "this build of Pliant has no code for " + f.gpu + " (sm_" + std::to_string(f.major) +
             std::to_string(f.minor) + "), only for " + f.architectures +
             "; build it with -DPLIANT_CUDA_ARCH=" + std::to_string(f.major) + std::to_string(f.minor);
    case GpuTrouble::kOutOfMemory:
      return "the GPU is out of memory: " + bytes_text(f.wanted_bytes) + " are wanted for " + f.what + ", " +
             bytes_text(f.free_bytes) + " of " + bytes_text(f.total_bytes) +
             " are free; use fewer worlds, or precision float32";
    case GpuTrouble::kOther:
      break;
  }
  return f.what + ": " + f.cuda_text;
}

}  // namespace pliant
