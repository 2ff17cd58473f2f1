// Textures: sizes halved by averages of four pixels, read between four pixels and two sizes.

#include "render/texture.h"

#include <algorithm>
#include <cmath>

namespace pliant::render {
namespace {

// the four channels of a pixel at once
using Lanes = float __attribute__((vector_size(16)));
using Bytes = unsigned char __attribute__((vector_size(4)));
Lanes all(float x) { return Lanes{x, x, x, x}; }

}  // namespace

Texture::Texture(const Model& m, int texture) {
  const int width = m.tex_width[texture], height = m.tex_height[texture], channels = m.tex_nchannel[texture];
  const auto type = static_cast<TextureType>(m.tex_type[texture]);
  cube_ = type != TextureType::k2d;
  faces_ = cube_ && height == 6 * width ? 6 : 1;
  Level first{width, height / faces_, {}};
  const unsigned char* from = m.tex_data + m.tex_adr[texture];
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  first.pixels.resize(4 * pixels);
  for (size_t i = 0; i < pixels; ++i) {
    for (int c = 0; c < 4; ++c) {
      // grey is the same in all colours, and what has no opacity is opaque
      const int source = channels >= 3 ? c : c == 3 ? (channels == 2 ? 1 : channels) : 0;
      first.pixels[4 * i + static_cast<size_t>(c)] =
          source < channels ? from[i * static_cast<size_t>(channels) + static_cast<size_t>(source)] : 255;
    }
  }
  for (size_t i = 0; i < pixels; ++i) opaque_ &= first.pixels[4 * i + 3] == 255;
  levels_.push_back(std::move(first));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& old = levels_.back();
    Level half{std::max(1, old.width / 2), std::max(1, old.height / 2), {}};
    half.pixels.resize(4 * static_cast<size_t>(half.width) * static_cast<size_t>(half.height) *
                       static_cast<size_t>(faces_));
    for (int f = 0; f < faces_; ++f) {
      for (int y = 0; y < half.height; ++y) {
        for (int x = 0; x < half.width; ++x) {
          const int x0 = std::min(2 * x, old.width - 1), x1 = std::min(2 * x + 1, old.width - 1);
          const int y0 = std::min(2 * y, old.height - 1), y1 = std::min(2 * y + 1, old.height - 1);
          const auto at = [&](int px, int py, int c) {
            const size_t row = static_cast<size_t>(f) * static_cast<size_t>(old.height) + static_cast<size_t>(py);
            return int{old.pixels[4 * (row * static_cast<size_t>(old.width) + static_cast<size_t>(px)) +
                                  static_cast<size_t>(c)]};
          };
          const size_t row = static_cast<size_t>(f) * static_cast<size_t>(half.height) + static_cast<size_t>(y);
          for (int c = 0; c < 4; ++c) {
            const int sum = at(x0, y0, c) + at(x1, y0, c) + at(x0, y1, c) + at(x1, y1, c);
            half.pixels[4 * (row * static_cast<size_t>(half.width) + static_cast<size_t>(x)) + static_cast<size_t>(c)] =
                static_cast<unsigned char>((sum + 2) / 4);
          }
        }
      }
    }
    levels_.push_back(std::move(half));
  }
}

Texture::Sample Texture::in_level(size_t index, int face, double s, double t, bool repeat) const {
  const Level& level = levels_[index];
  const double x = s * level.width - 0.5, y = t * level.height - 0.5;
  // coordinates are above -1 pixel: rounding toward zero of one more is rounding down
  int x0 = static_cast<int>(x + 1) - 1, y0 = static_cast<int>(y + 1) - 1;
  const Lanes part_x = all(static_cast<float>(x - x0)), part_y = all(static_cast<float>(y - y0));
  int x1 = x0 + 1, y1 = y0 + 1;
  if (repeat) {
    if (x0 < 0) x0 += level.width;
    if (x1 >= level.width) x1 -= level.width;
    if (y0 < 0) y0 += level.height;
    if (y1 >= level.height) y1 -= level.height;
  }
  x0 = std::clamp(x0, 0, level.width - 1), x1 = std::clamp(x1, 0, level.width - 1);
  y0 = std::clamp(y0, 0, level.height - 1), y1 = std::clamp(y1, 0, level.height - 1);
  const auto pixel = [&](int px, int py) {
    const size_t above = static_cast<size_t>(face) * static_cast<size_t>(level.height) + static_cast<size_t>(py);
    const size_t row = above * static_cast<size_t>(level.width);
    Bytes bytes;
    __builtin_memcpy(&bytes, level.pixels.data() + 4 * (row + static_cast<size_t>(px)), sizeof bytes);
    return __builtin_convertvector(bytes, Lanes);
  };
  const Lanes a = pixel(x0, y0), b = pixel(x1, y0), c = pixel(x0, y1), d = pixel(x1, y1);
  const Lanes upper = a + (b - a) * part_x, lower = c + (d - c) * part_x;
  const Lanes out = (upper + (lower - upper) * part_y) * all(1.f / 255);
  return {{out[0], out[1], out[2]}, out[3]};
}

Texture::Sample Texture::between_levels(int face, double s, double t, double texels, bool repeat) const {
  if (repeat) s -= std::floor(s), t -= std::floor(t);
  constexpr double kCoarsest = 1e9;
  if (!(texels > 1)) return in_level(0, face, s, t, repeat);
  if (!(texels < kCoarsest)) return in_level(levels_.size() - 1, face, s, t, repeat);
  // the logarithm to base 2, linear between powers of two
  int lower = 0;
  double rest = texels;
  while (rest >= 2) rest *= 0.5, ++lower;
  const auto level = static_cast<size_t>(lower);
  if (level + 1 >= levels_.size()) return in_level(levels_.size() - 1, face, s, t, repeat);
  const auto part = static_cast<float>(rest - 1);
  const Sample a = in_level(level, face, s, t, repeat), b = in_level(level + 1, face, s, t, repeat);
  return {a.color + (b.color - a.color) * part, a.alpha + (b.alpha - a.alpha) * part};
}

Texture::Sample Texture::at(double s, double t, double texels) const {
  constexpr double kFarthest = 1e12;  // beyond there are no digits left
  if (!(std::abs(s) < kFarthest) || !(std::abs(t) < kFarthest)) return {{1, 1, 1}, 1};
  return between_levels(0, s, t, texels, true);
}

/// Faces in the order +x, -x, +y, -y, +z, -z, and on each the directions of s and t: as OpenGL has cube maps.
Texture::Sample Texture::toward(Vec3 v, double angle) const {
  const double ax = std::abs(v.x), ay = std::abs(v.y), az = std::abs(v.z);
  int face;
  double s, t, m;
  if (ax >= ay && ax >= az) {
    face = v.x >= 0 ? 0 : 1, m = ax, s = v.x >= 0 ? -v.z : v.z, t = -v.y;
  } else if (ay >= az) {
    face = v.y >= 0 ? 2 : 3, m = ay, s = v.x, t = v.y >= 0 ? v.z : -v.z;
  } else {
    face = v.z >= 0 ? 4 : 5, m = az, s = v.z >= 0 ? v.x : -v.x, t = -v.y;
  }
  if (!(m > 0)) return {{1, 1, 1}, 1};
  return between_levels(faces_ == 6 ? face : 0, 0.5 * (s / m + 1), 0.5 * (t / m + 1), angle * width(), false);
}

}  // namespace pliant::render
