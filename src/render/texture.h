#pragma once
// Textures of a Model as renderers read them: each in all sizes down to one pixel, so that a pixel of a picture reads
// few pixels of a texture, however far away it is.

#include <vector>

#include "math/vec3.h"
#include "pliant/model.h"

namespace pliant::render {

using Color = Vec3T<float>;

class Texture {
 public:
  /// A cube whose six faces are one above the other; or one face for all six.
  Texture(const Model& m, int texture);

  bool is_cube() const { return cube_; }
  /// Whether one cannot see through it anywhere.
  bool is_opaque() const { return opaque_; }
  int width() const { return levels_[0].width; }
  int height() const { return levels_[0].height; }

  /// Colour at (s, t), which repeat every 1; t = 0 is the first row. `texels`: how wide the place is, in pixels of the
  /// texture. Colours have four components: the last is opacity, 1 where the texture has none.
  struct Sample {
    Color color;
    float alpha;
  };
  Sample at(double s, double t, double texels) const;
  /// Colour of a cube in this direction; `angle`: how wide the place is, as a part of a face.
  Sample toward(Vec3 direction, double angle) const;

 private:
  struct Level {
    int width, height;                  // of one face
    std::vector<unsigned char> pixels;  // 4 per pixel, faces one after the other
  };
  Sample in_level(size_t level, int face, double s, double t, bool repeat) const;
  Sample between_levels(int face, double s, double t, double texels, bool repeat) const;

  bool cube_ = false, opaque_ = true;
  int faces_ = 1;
  std::vector<Level> levels_;
};

}  // namespace pliant::render
