#pragma once
// PNG images. The only place that sees libpng.

#include <cstdint>
#include <string>
#include <vector>

namespace pliant {

struct Image {
  int width = 0, height = 0, channels = 0;
  bool srgb = false;  ///< the file says its colours are sRGB
  std::vector<uint8_t> data;
};

/// Decodes to 8 bits and 1 (red or grey), 3 (RGB) or 4 (RGBA) channels; alpha is dropped, not blended.
/// On failure false, and `problem` says why.
bool decode_png(const std::string& bytes, int channels, Image& image, std::string& problem);

}  // namespace pliant
