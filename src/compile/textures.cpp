// Pixels of built-in textures: gradient, checker or flat, with optional marks.
//
// Reads Spec::textures; writes Work::textures. Rows run top to bottom; a cube is six square faces
// one below the other: right, left, up, down, front, back. Pixels are three bytes whatever nchannel
// says; the rest of a wider texture stays zero (as in the reference, whose bytes these are, one by
// one).
//
// A sky of 512 × 512 × 6 pixels used to be most of the time it takes to load a small model: its
// gradient needs an arcsine and an arccosine per pixel. Both are functions of one smooth variable,
// so colours are read from a table. Where its interpolated value is too close to a step between two
// byte values to be trusted, the pixel is computed exactly; that is about one in a thousand.

#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <random>

#include "base/text.h"
#include "compile/compile.h"

namespace pliant {
namespace {

using Color = std::array<uint8_t, 3>;
constexpr int kPixelBytes = 3;
constexpr int kFaces = 6;
// Addresses are 32 bits wide.
constexpr int64_t kMaxTextureBytes = std::numeric_limits<int32_t>::max();
// A built-in pattern costs its author a few characters whatever its size.
constexpr int64_t kMaxBuiltinBytes = int64_t{96} << 20;
constexpr uint64_t kRandomSeed = 42;  // the reference's, so that dots fall on the same pixels

// Truncation of what fits an int; everything else is 0.
uint8_t to_byte(double value) {
  if (!(std::abs(value) < 2147483648.0)) return 0;
  return static_cast<uint8_t>(static_cast<int>(value));
}

Color to_color(const Reals<3>& rgb) { return {to_byte(255 * rgb[0]), to_byte(255 * rgb[1]), to_byte(255 * rgb[2])}; }

struct Canvas {
  uint8_t* data;
  int width, height;
  void set(int row, int column, const Color& color) const {
    std::memcpy(data + kPixelBytes * (static_cast<size_t>(row) * width + column), color.data(), kPixelBytes);
  }
  size_t row_bytes() const { return static_cast<size_t>(kPixelBytes) * width; }
  size_t bytes() const { return row_bytes() * height; }
  uint8_t* row(int r) const { return data + row_bytes() * r; }
};

// ---- gradient
// --------------------------------------------------------------------------------------

// Weight of the first colour at a position in [-1, 1] between the two; steepest in the middle.
double blend_weight(double position) {
  const double correction = 1.0 / std::sqrt(2.0);
  const double weight = 0.5 * (1 + position / std::sqrt(1 + position * position) / correction);
  if (weight < 0) return 0;
  return weight > 1 ? 1 : weight;
}

Color blend(const Reals<3>& first, const Reals<3>& second, double position) {
  const double weight = blend_weight(position);
  Color color;
  for (int k = 0; k < 3; ++k) {
    color[k] = to_byte(255 * (weight * first[k] + (1 - weight) * second[k]));
  }
  return color;
}

// Coordinate of a pixel in [-1, 1]; NaN for a width of one, which ends as black.
double across(int column, int width) { return 2 * column / static_cast<double>(width - 1) - 1; }
double upward(int row, int height) { return 1 - 2 * row / static_cast<double>(height - 1); }

// Elevation of the direction through a pixel, in right angles: on a side face, and on the upper
// one.
double side_elevation(double x, double y) { return std::asin(y / std::sqrt(1 + x * x + y * y)) / (0.5 * kPi); }
double up_elevation(double x, double y) { return 1 - std::acos(1.0 / std::sqrt(1 + x * x + y * y)) / (0.5 * kPi); }

void paint_gradient_2d(const Canvas& canvas, const TextureSpec& texture) {
  for (int r = 0; r < canvas.height; ++r) {
    const double y = upward(r, canvas.height);
    for (int c = 0; c < canvas.width; ++c) {
      const double x = across(c, canvas.width);
      const double position = 2 * std::sqrt(x * x + y * y) - 1;
      canvas.set(r, c, blend(texture.rgb2, texture.rgb1, position));
    }
  }
}

// Colour from an approximate weight; says when a byte could be off by one.
class QuickBlend {
 public:
  // Largest error of a weight: step² / 8 · |second derivative| with a step of 3.7e-4 (see Ramp) and
  // a derivative below 1, times three for safety.
  static constexpr double kWeightError = 5e-8;

  QuickBlend(const Reals<3>& first, const Reals<3>& second) {
    for (int k = 0; k < 3; ++k) {
      slope_[k] = 255 * (first[k] - second[k]);
      base_[k] = 255 * second[k];
      // A constant channel rounds the same way everywhere when it is 0 or 1: w + (1 - w) is
      // exactly 1. Other constants may flicker between two bytes, which only exact arithmetic can
      // tell.
      const bool steady = first[k] == second[k] && (first[k] == 0 || first[k] == 1);
      if (steady) base_[k] = 255 * first[k] + 0.5;
      usable_ &= std::min(first[k], second[k]) >= 0 && std::max(first[k], second[k]) <= 1;
      if (slope_[k] == 0) usable_ &= is_clear(base_[k]);
    }
  }
  bool usable() const { return usable_; }
  bool operator()(double weight, Color& color) const {
    bool clear = true;
    for (int k = 0; k < 3; ++k) {
      const double value = base_[k] + weight * slope_[k];
      color[k] = static_cast<uint8_t>(static_cast<int>(value));
      clear &= is_clear(value);
    }
    return clear;
  }

 private:
  static bool is_clear(double value) {
    constexpr double kMargin = 10 * 255 * kWeightError;
    const double fraction = value - static_cast<int>(value);
    return fraction > kMargin && fraction < 1 - kMargin;
  }
  double base_[3], slope_[3];
  bool usable_ = true;
};

// Colour as a function of the tangent of an angle: side faces use y / sqrt(1 + x²), the upper and
// lower face sqrt(x² + y²). Between two nodes the weight is interpolated; where both ends have the
// same bytes nothing needs computing, since every channel is monotone.
class Ramp {
 public:
  // `position` maps the angle, in right angles, to the place between the two colours.
  template <class Position>
  Ramp(const QuickBlend& quick, Position position) : quick_(quick), node_(kIntervals + 1) {
    std::vector<Color> color(kIntervals + 1);
    std::vector<bool> clear(kIntervals + 1);
    for (int i = 0; i <= kIntervals; ++i) {
      const double angle = std::atan(i * (kEnd / kIntervals)) / (0.5 * kPi);
      node_[i] = blend_weight(position(angle));
      clear[i] = quick_(node_[i], color[i]);
    }
    interval_.resize(kIntervals);
    for (int i = 0; i < kIntervals; ++i) {
      interval_[i] = {color[i], clear[i] && clear[i + 1] && color[i] == color[i + 1]};
    }
  }
  // False when the table cannot tell.
  bool operator()(double tangent, Color& color) const {
    const double place = tangent * (kIntervals / kEnd);
    const int i = static_cast<int>(place);
    color = interval_[i].color;
    if (interval_[i].constant) return true;
    return quick_(node_[i] + (place - i) * (node_[i + 1] - node_[i]), color);
  }

 private:
  static constexpr int kIntervals = 4096;
  static constexpr double kEnd = 1.5;  // tangents reach sqrt(2), at the corner of the upper face
  struct Interval {
    Color color;
    bool constant;
  };
  const QuickBlend& quick_;
  std::vector<double> node_;
  std::vector<Interval> interval_;
};

// Faces 0 (a side), 2 (up) and 3 (down), every pixel exactly.
void paint_gradient_exactly(const Canvas (&face)[kFaces], const TextureSpec& texture) {
  const int width = face[0].width;
  for (int r = 0; r < width; ++r) {
    const double y = upward(r, width);
    for (int c = 0; c < width; ++c) {
      const double x = across(c, width), up = up_elevation(x, y);
      face[0].set(r, c, blend(texture.rgb1, texture.rgb2, side_elevation(x, y)));
      face[2].set(r, c, blend(texture.rgb1, texture.rgb2, up));
      face[3].set(r, c, blend(texture.rgb1, texture.rgb2, -up));
    }
  }
}

// A side face is symmetric left to right; its lower half has the opposite elevations.
void paint_side_quickly(const Canvas& face, const TextureSpec& texture, const QuickBlend& quick) {
  const int width = face.width;
  const Ramp upper(quick, [](double angle) { return angle; });
  const Ramp lower(quick, [](double angle) { return -angle; });
  std::vector<double> inverse(width);
  for (int c = 0; c < width; ++c) {
    const double x = across(c, width);
    inverse[c] = 1 / std::sqrt(1 + x * x);
  }
  for (int r = 0; r < width; ++r) {
    const double y = upward(r, width);
    const Ramp& ramp = y < 0 ? lower : upper;
    for (int c = 0; c < (width + 1) / 2; ++c) {
      Color color;
      const bool sure = ramp(std::abs(y) * inverse[c], color);
      for (int column : {c, width - 1 - c}) {
        if (!sure) {
          color = blend(texture.rgb1, texture.rgb2, side_elevation(across(column, width), y));
        }
        face.set(r, column, color);
      }
    }
  }
}

// The upper and the lower face are symmetric both ways: a quarter is computed. `sign` is -1 for the
// lower one, whose elevations are the opposite.
void paint_cap_quickly(const Canvas& face, const TextureSpec& texture, const QuickBlend& quick, int sign) {
  const int width = face.width;
  const Ramp ramp(quick, [sign](double angle) { return sign * (1 - angle); });
  std::vector<double> square(width);
  for (int c = 0; c < width; ++c) square[c] = across(c, width) * across(c, width);
  for (int r = 0; r < (width + 1) / 2; ++r) {
    for (int c = 0; c < (width + 1) / 2; ++c) {
      Color color;
      const bool sure = ramp(std::sqrt(square[r] + square[c]), color);
      for (int row : {r, width - 1 - r}) {
        for (int column : {c, width - 1 - c}) {
          if (!sure) {
            const double elevation = up_elevation(across(column, width), upward(row, width));
            color = blend(texture.rgb1, texture.rgb2, sign * elevation);
          }
          face.set(row, column, color);
        }
      }
    }
  }
}

// ---- other patterns
// --------------------------------------------------------------------------------

void fill(const Canvas& canvas, const Color& color) {
  if (canvas.height < 1) return;
  for (int c = 0; c < canvas.width; ++c) canvas.set(0, c, color);
  for (int r = 1; r < canvas.height; ++r) std::memcpy(canvas.row(r), canvas.row(0), canvas.row_bytes());
}

// Four fields, equal colours on the diagonal.
void paint_checker(const Canvas& canvas, const Color& first, const Color& second) {
  const int half = canvas.height / 2;
  for (int r = 0; r < canvas.height; ++r) {
    if (r != 0 && r != half) {
      std::memcpy(canvas.row(r), canvas.row(r - 1), canvas.row_bytes());
      continue;
    }
    for (int c = 0; c < canvas.width; ++c) {
      canvas.set(r, c, (r < half) == (c < canvas.width / 2) ? first : second);
    }
  }
}

void paint_edge(const Canvas& canvas, const Color& color) {
  for (int r = 0; r < canvas.height; ++r) {
    canvas.set(r, 0, color);
    canvas.set(r, canvas.width - 1, color);
  }
  for (int c = 0; c < canvas.width; ++c) {
    canvas.set(0, c, color);
    canvas.set(canvas.height - 1, c, color);
  }
}

void paint_cross(const Canvas& canvas, const Color& color) {
  for (int r = 0; r < canvas.height; ++r) canvas.set(r, canvas.width / 2, color);
  for (int c = 0; c < canvas.width; ++c) canvas.set(canvas.height / 2, c, color);
}

void paint_dots(const Canvas& canvas, const Color& color, double probability) {
  std::mt19937_64 generator(kRandomSeed);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int r = 0; r < canvas.height; ++r) {
    for (int c = 0; c < canvas.width; ++c) {
      if (uniform(generator) < probability) canvas.set(r, c, color);
    }
  }
}

// ---- whole textures
// --------------------------------------------------------------------------------

void paint_2d(const Canvas& canvas, const TextureSpec& texture) {
  switch (texture.builtin) {
    case TextureBuiltin::kGradient:
      paint_gradient_2d(canvas, texture);
      break;
    case TextureBuiltin::kChecker:
      paint_checker(canvas, to_color(texture.rgb1), to_color(texture.rgb2));
      break;
    case TextureBuiltin::kFlat:
      fill(canvas, to_color(texture.rgb1));
      break;
    case TextureBuiltin::kNone:
      break;
  }
}

void paint_cube(const Canvas (&face)[kFaces], const TextureSpec& texture) {
  const Color first = to_color(texture.rgb1), second = to_color(texture.rgb2);
  const auto copy = [&](int from, std::initializer_list<int> to) {
    for (int f : to) std::memcpy(face[f].data, face[from].data, face[from].bytes());
  };
  switch (texture.builtin) {
    case TextureBuiltin::kGradient: {
      const QuickBlend quick(texture.rgb1, texture.rgb2);
      if (quick.usable() && face[0].width > 1) {
        paint_side_quickly(face[0], texture, quick);
        paint_cap_quickly(face[2], texture, quick, 1);
        paint_cap_quickly(face[3], texture, quick, -1);
      } else {
        paint_gradient_exactly(face, texture);
      }
      copy(0, {1, 4, 5});
      break;
    }
    case TextureBuiltin::kChecker:
      paint_checker(face[0], first, second);
      paint_checker(face[4], second, first);
      copy(0, {1, 2, 3});
      copy(4, {5});
      break;
    case TextureBuiltin::kFlat:
      fill(face[0], first);
      fill(face[3], second);
      copy(0, {1, 2, 4, 5});
      break;
    case TextureBuiltin::kNone:
      break;
  }
}

void paint(const TextureSpec& texture, TextureWork& out) {
  const Canvas whole{out.data.data(), out.width, out.height};
  Canvas face[kFaces];
  const int faces = texture.type == TextureType::k2d ? 1 : kFaces;
  for (int f = 0; f < faces; ++f) {
    const int height = out.height / faces;
    face[f] = {whole.row(f * height), out.width, height};
  }
  if (faces == 1) {
    paint_2d(whole, texture);
  } else {
    paint_cube(face, texture);
  }
  const Color mark = to_color(texture.markrgb);
  for (int f = 0; f < faces; ++f) {
    if (texture.mark == TextureMark::kEdge) paint_edge(face[f], mark);
    if (texture.mark == TextureMark::kCross) paint_cross(face[f], mark);
  }
  // the dots of a cube come from one sequence over all faces
  if (texture.mark == TextureMark::kRandom && texture.random > 0) {
    paint_dots(whole, mark, texture.random);
  }
}

// ---- checks
// ----------------------------------------------------------------------------------------

bool has_cubefiles(const TextureSpec& texture) {
  for (const std::string& file : texture.cubefiles) {
    if (!file.empty()) return true;
  }
  return false;
}

/// Whether its files can be looked for.
bool check_file_texture(Work& work, const TextureSpec& texture) {
  const bool single = !texture.file.empty();
  if (texture.type == TextureType::k2d && !single) {
    work.error(Code::kBadAsset, texture, "type",
               has_cubefiles(texture) ? "a 2d texture cannot be made of separate face files"
                                      : "has neither 'builtin' nor 'file'");
    return false;
  }
  if (!single && !has_cubefiles(texture)) {
    work.error(Code::kBadAsset, texture, "type", "has neither 'builtin' nor 'file' nor one of the six face files");
    return false;
  }
  if (texture.nchannel != 1 && texture.nchannel != 3 && texture.nchannel != 4) {
    work.error(Code::kBadAsset, texture, "nchannel",
               "an image has 1, 3 or 4 channels, not " + std::to_string(texture.nchannel));
    return false;
  }
  const auto [rows, columns] = texture.gridsize;
  if (single && texture.type != TextureType::k2d) {
    if (rows < 1 || columns < 1 || rows > 12 || columns > 12 || rows * columns > 12) {
      work.error(Code::kBadAsset, texture, "gridsize", "the grid must have 1 to 12 squares");
      return false;
    } else if (rows * columns > 1 && texture.gridlayout.find_first_not_of(".RLUDFB") != std::string::npos) {
      work.error(Code::kBadAsset, texture, "gridlayout",
                 "the layout " + quote(texture.gridlayout) + " may contain only the letters .RLUDFB");
      return false;
    }
  }
  return true;
}

// Bytes of a built-in texture, 0 when its size is no size (reported).
int64_t builtin_bytes(Work& work, const TextureSpec& texture) {
  const bool flat = texture.type == TextureType::k2d;
  if (texture.width < 1) {
    work.error(Code::kBadAsset, texture, "width",
               "a built-in texture needs a positive width, not " + std::to_string(texture.width));
    return 0;
  }
  if (flat && texture.height < 1) {
    work.error(Code::kBadAsset, texture, "height",
               "a built-in 2d texture needs a positive height, not " + std::to_string(texture.height));
    return 0;
  }
  if (texture.nchannel != kPixelBytes) {
    work.error(Code::kBadAsset, texture, "nchannel",
               "a built-in texture has 3 channels, not " + std::to_string(texture.nchannel));
    return 0;
  }
  const int64_t width = texture.width, height = flat ? texture.height : kFaces * width;
  if (height > kMaxBuiltinBytes / width / texture.nchannel) {
    work.error(Code::kBadAsset, texture, "width", "the texture is larger than 96 MiB");
    return 0;
  }
  return width * height * texture.nchannel;
}

void compile_builtin(Work& work, const TextureSpec& texture, int64_t& bytes_left, TextureWork& out) {
  const int64_t bytes = builtin_bytes(work, texture);
  if (bytes == 0) return;
  bytes_left -= bytes;
  if (bytes_left < 0) {
    work.error(Code::kBadAsset, texture, "width", "the built-in textures together are larger than 96 MiB");
    return;
  }
  out.data.assign(bytes, 0);
  out.width = texture.width;
  out.height = texture.type == TextureType::k2d ? texture.height : kFaces * texture.width;
  paint(texture, out);
}

/// Pixels that a program has given.
void take_pixels(Work& work, const TextureSpec& texture, TextureWork& out) {
  const int64_t wanted = int64_t{texture.width} * texture.height * texture.nchannel;
  if (texture.width < 1 || texture.height < 1 || texture.nchannel < 1 ||
      wanted != static_cast<int64_t>(texture.pixels.size())) {
    work.error(Code::kBadAsset, texture, "width",
               "has " + std::to_string(texture.pixels.size()) + " bytes of data where width × height × nchannel is " +
                   std::to_string(texture.width) + " × " + std::to_string(texture.height) + " × " +
                   std::to_string(texture.nchannel));
    return;
  }
  out.width = texture.width;
  out.height = texture.height;
  out.data = texture.pixels;
}

}  // namespace

void compile_textures(Work& work) {
  work.textures.assign(work.spec.textures.size(), {});
  int64_t total = 0, builtin_left = kMaxBuiltinBytes;
  for (size_t i = 0; i < work.textures.size(); ++i) {
    const TextureSpec& texture = work.spec.textures[i];
    TextureWork& out = work.textures[i];
    out.colorspace = texture.colorspace;
    out.by_reference = texture.pixels.empty() && stays_in_file(work, texture);
    if (!texture.pixels.empty()) {
      take_pixels(work, texture, out);
    } else if (out.by_reference) {
      check_file_texture(work, texture);
    } else if (texture.builtin != TextureBuiltin::kNone) {
      compile_builtin(work, texture, builtin_left, out);
    } else if (check_file_texture(work, texture)) {
      load_texture_files(work, texture, out);
    }
    total += static_cast<int64_t>(out.data.size());
    if (total > kMaxTextureBytes) {
      work.error(Code::kBadAsset, texture, "file", "the textures together are larger than 2 GiB");
      break;
    }
  }
  // a texture without pixels (said above) cannot be drawn with
  for (auto& roles : work.material_textures) {
    for (int& id : roles) {
      if (id >= 0 && work.textures[id].data.empty() && !work.textures[id].by_reference) id = -1;
    }
  }
}

}  // namespace pliant
