#pragma once
// Work that may crash or never end, in a process of its own.

#include <functional>
#include <string>

namespace pliant {

struct ApartLimits {
  size_t bytes = size_t(2) << 30;  ///< of memory beyond what the process has already
  unsigned seconds = 5;            ///< of processor time
};

/// Runs `work` in a copy of this process and returns what it returned. Throws std::runtime_error when the copy crashes or exceeds
/// a limit. Nothing else that `work` does is seen here: it must return everything, and throw nothing.
std::string run_apart(const std::function<std::string()>& work, const ApartLimits& limits = {});

}  // namespace pliant
