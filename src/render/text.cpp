// Letters pixel by pixel.

#include "render/text.h"

#include <algorithm>
#include <vector>

#include "render/font.h"

namespace pliant::render {
namespace {

constexpr int kAdvance = kGlyphWidth + 1;
constexpr unsigned char kInk = 255, kRim = 20;

/// The letter at `at`, which moves to the next one; bytes of one letter of UTF-8 are one letter.
const Glyph& next_glyph(std::string_view text, size_t& at) {
  const char c = text[at++];
  if (c >= kFirstGlyph && c <= kLastGlyph) return kGlyphs[c - kFirstGlyph];
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
  while (at < text.size() && continues(text[at])) ++at;
  return kStranger;
}

void fill(const Canvas& canvas, int x0, int x1, int y0, int y1, unsigned char shade) {
  x0 = std::max(x0, 0), x1 = std::min(x1, canvas.width), y0 = std::max(y0, 0), y1 = std::min(y1, canvas.height);
  for (int y = y0; y < y1; ++y) {
    unsigned char* row = canvas.pixels + 3 * static_cast<size_t>(y) * static_cast<size_t>(canvas.width);
    if (x0 < x1) std::fill(row + 3 * x0, row + 3 * x1, shade);
  }
}

}  // namespace

int text_width(std::string_view text, int scale) {
  int letters = 0;
  for (size_t at = 0; at < text.size(); ++letters) next_glyph(text, at);
  return kAdvance * scale * letters;
}

int text_height(int scale) { return (kGlyphRows + 1) * scale; }

void draw_text(const Canvas& canvas, int x, int y, std::string_view text, int scale) {
  // first all rims, so that no letter's rim covers its neighbour
  for (const int rim : {1, 0}) {
    int left = x;
    for (size_t at = 0; at < text.size() && left < canvas.width; left += kAdvance * scale) {
      const Glyph& glyph = next_glyph(text, at);
      for (int row = 0; row < kGlyphRows; ++row) {
        for (int column = 0; column < kGlyphWidth; ++column) {
          if (!(glyph[static_cast<size_t>(row)] >> (kGlyphWidth - 1 - column) & 1)) continue;
          const int px = left + column * scale, py = y + (row - kGlyphAbove) * scale;
          fill(canvas, px - rim, px + scale + rim, py - rim, py + scale + rim, rim ? kRim : kInk);
        }
      }
    }
  }
}

void draw_labels(const Canvas& canvas, const VisualScene& scene, const View& view, int scale) {
  struct Label {
    double depth;
    int x, y;
    const std::string* text;
  };
  std::vector<Label> labels;
  for (int i = 0; i < scene.ngeom; ++i) {
    const VisualGeom& geom = scene.geoms[static_cast<size_t>(i)];
    if (geom.label.empty()) continue;
    const Vec3 seen = view.seen({geom.pos[0], geom.pos[1], geom.pos[2]});
    if (!(seen.z > view.near && seen.z < view.far)) continue;
    double column, row;
    view.place(seen, column, row);
    // a label may begin beside the picture and reach into it, but not from anywhere
    constexpr double kBeside = 1e4;
    if (!(std::abs(column) < kBeside + canvas.width && std::abs(row) < kBeside + canvas.height)) continue;
    labels.push_back({seen.z, static_cast<int>(std::floor(column)), static_cast<int>(std::floor(row)), &geom.label});
  }
  std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.depth > b.depth; });
  for (const Label& label : labels) draw_text(canvas, label.x, label.y, *label.text, scale);
}

}  // namespace pliant::render

namespace pliant {

void write_text(unsigned char* pixels, int width, int height, int x, int y, const std::string& text, int scale) {
  render::draw_text({pixels, width, height}, x, y, text, scale);
}

std::array<int, 2> text_size(const std::string& text, int scale) {
  return {render::text_width(text, scale), render::text_height(scale)};
}

}  // namespace pliant
