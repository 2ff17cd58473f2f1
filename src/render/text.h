#pragma once
// Text in pictures: labels of a scene, and lines that users write.

#include <string_view>

#include "render/view.h"

namespace pliant::render {

/// A picture to draw into: three bytes per pixel, row by row from the top left.
struct Canvas {
  unsigned char* pixels;
  int width, height;
};

/// Pixels of a line of text whose letters are drawn `scale` times as large as they are stored.
int text_width(std::string_view text, int scale);
int text_height(int scale);

/// Draws a line of text (UTF-8; letters beyond ASCII are boxes), white with a dark rim, from (x, y), the lower left end
/// of its line, on. What is beyond the picture is left out.
void draw_text(const Canvas& canvas, int x, int y, std::string_view text, int scale);

/// The labels of a scene's geoms, each where its geom is, the nearest on top. Nothing hides them.
void draw_labels(const Canvas& canvas, const VisualScene& scene, const View& view, int scale);

}  // namespace pliant::render
