#pragma once
// The camera of a picture: rays through its pixels, and what a rectangle of pixels can see.

#include <cmath>

#include "geom/ray_hd.h"
#include "pliant/render.h"

namespace pliant::render {

using Ray = RayT<double>;

/// Rays are p + x v where p lies on the near end of the view and v advances by 1 along the camera's axis: x plus the
/// distance of the near end is the depth of a picture.
struct View {
  Vec3 eye, forward, right, up;
  double left, width, top, height;  // of the window at distance 1 (orthographic: everywhere), from the axis
  double near, far;
  bool orthographic;
  int columns, rows;

  View(const ViewCamera* eyes, int width, int height);

  /// Of a pixel or half of one at the given distance along the axis.
  double pixel_width(double depth) const { return height / rows * (orthographic ? 1 : depth); }

  /// Through a point of the picture, in pixels from the top left.
  Ray ray(double column, double row) const {
    const double a = left + width * column / columns, b = top - height * row / rows;
    if (orthographic) return {fused(near, forward, fused(a, right, fused(b, up, eye))), forward};
    const Vec3 v = fused(a, right, fused(b, up, forward));
    return {fused(near, v, eye), v};
  }
  /// Coordinates along right, up and forward, from the eye.
  Vec3 seen(Vec3 point) const {
    const Vec3 q = point - eye;
    return {dot(q, right), dot(q, up), dot(q, forward)};
  }
  /// Where a point (View::seen) is in the picture, in pixels from the top left. Its depth must be above 0.
  void place(Vec3 q, double& column, double& row) const {
    const double shrink = orthographic ? 1 : 1 / q.z;
    column = (q.x * shrink - left) / width * columns, row = (top - q.y * shrink) / height * rows;
  }
};

/// A rectangle of pixels: planes that bound what its rays can meet.
class Beam {
 public:
  Beam(const View& view, int column0, int column1, int row0, int row1);
  /// Whether a sphere at `q` (View::seen) may be in it; a radius below 0 is endless.
  bool meets(Vec3 q, double radius) const {
    if (radius < 0) return true;
    if (q.z + radius < near_ || q.z - radius > far_) return false;
    const double z = slanted_ ? q.z : 1;
    return q.x - low_x_ * z >= -radius * grow_low_x_ && high_x_ * z - q.x >= -radius * grow_high_x_ &&
           q.y - low_y_ * z >= -radius * grow_low_y_ && high_y_ * z - q.y >= -radius * grow_high_y_;
  }

 private:
  double low_x_, high_x_, low_y_, high_y_, near_, far_;
  double grow_low_x_, grow_high_x_, grow_low_y_, grow_high_y_;  // length of each plane's normal
  bool slanted_;
};

inline View::View(const ViewCamera* eyes, int columns_wanted, int rows_wanted)
    : columns(columns_wanted), rows(rows_wanted) {
  const ViewCamera &a = eyes[0], &b = eyes[1];
  const auto middle = [](const double* x, const double* y) {
    return Vec3{0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2])};
  };
  eye = middle(a.pos, b.pos);
  forward = normalized(middle(a.forward, b.forward));
  up = middle(a.up, b.up);
  up = normalized(up - dot(up, forward) * forward);
  right = cross(forward, up);
  near = a.frustum_near, far = a.frustum_far;
  orthographic = a.orthographic;
  const double at_one = orthographic ? 1 : 1 / near;
  height = (a.frustum_top - a.frustum_bottom) * at_one;
  top = a.frustum_top * at_one;
  const double half = a.frustum_width > 0 ? a.frustum_width * at_one : 0.5 * height * columns / rows;
  const double center = 0.5 * (a.frustum_center + b.frustum_center) * at_one;
  left = center - half, width = 2 * half;
}

inline Beam::Beam(const View& view, int column0, int column1, int row0, int row1)
    : low_x_(view.left + view.width * column0 / view.columns),
      high_x_(view.left + view.width * column1 / view.columns),
      low_y_(view.top - view.height * row1 / view.rows),
      high_y_(view.top - view.height * row0 / view.rows),
      near_(view.near),
      far_(view.far),
      slanted_(!view.orthographic) {
  const auto grow = [this](double slope) { return (slanted_ ? std::sqrt(1 + slope * slope) : 1) * 1.000001; };
  grow_low_x_ = grow(low_x_), grow_high_x_ = grow(high_x_), grow_low_y_ = grow(low_y_), grow_high_y_ = grow(high_y_);
}

}  // namespace pliant::render
