#pragma once
// Numbers for people: four digits, and words for what has no end.

#include <cmath>
#include <cstdio>
#include <string>

namespace pliant {

inline std::string short_text(double x) {
  if (std::isnan(x)) return "unknown";
  if (std::isinf(x)) return "unlimited";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

}  // namespace pliant
