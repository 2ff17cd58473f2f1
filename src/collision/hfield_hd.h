#pragma once
// Points at which a height field and a convex shape touch.
//
// The ground under each cell of the grid is two triangular prisms, from the surface down to the base; the diagonal runs
// from (row, column) to (row + 1, column + 1). Each prism under the shape's box is collided on its own, in the order of
// the grid, and gives at most one point; there are at most 50. Prisms, their order and the limit are MuJoCo's, since
// they decide how many points there are. Distances are true ones: a margin is a cutoff, and does not shift the ground.
// Everything is in the axes of the field, around the centre of the shape. Cost: about 0.1 us per prism that is missed,
// 0.3 to 1 us per point.

#include "collision/convex_hd.h"

namespace pliant {

inline constexpr int kMaxHfieldPoints = 50;

/// The box around a shape with the rotation `turn`, about its centre.
template <class R>
PLIANT_HD void box_around(DifferenceT<R>& d, Vec3T<R>& low, Vec3T<R>& high) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3T<R> way = d.turn.row(axis);  // the field's axis in the frame of the shape
    high[axis] = dot(way, support_point(d.b, way, d.memory_b)) + d.b.coat;
    low[axis] = dot(way, support_point(d.b, -way, d.memory_b)) - d.b.coat;
  }
}

/// Rows or columns of the grid over [low, high], where the field reaches from -half to half.
template <class R>
PLIANT_HD void grid_range(R low, R high, R half, int count, int& first, int& last) {
  const R scale = R(count - 1) / (2 * half);
  const R f = std::floor((low + half) * scale), l = std::ceil((high + half) * scale);
  first = f > 0 ? (f < R(count - 1) ? int(f) : count - 1) : 0;
  last = l < R(count - 1) ? (l > 0 ? int(l) : 0) : count - 1;
}

/// Distance of a prism's corners from its centre, and that centre.
template <class R>
PLIANT_HD R prism_radius(const Vec3T<R>* prism, Vec3T<R>& centre) {
  centre = {};
  for (int i = 0; i < 6; ++i) centre = centre + prism[i] * R(1.0 / 6);
  R radius = 0;
  for (int i = 0; i < 6; ++i) {
    const R r = norm(prism[i] - centre);
    radius = r > radius ? r : radius;
  }
  return radius;
}

/// Calls visit(difference, centre of the shape) for every prism under the shape and within `margin`, as long as it
/// answers true; it may lower the margin. `a` is the height field. Everything is in its axes, prisms around its centre
/// or that of the shape (`around_shape`).
template <class R, class Visit>
PLIANT_HD void for_each_prism(const ShapeT<R>& a, const ShapeT<R>& b, const R& margin, bool around_shape,
                              Visit&& visit) {
  const HfieldShapeT<R>& field = a.hfield;
  const R half_x = field.size[0], half_y = field.size[1], top = field.size[2], base = field.size[3];
  if (field.nrow < 2 || field.ncol < 2) return;

  // the shape in the axes of the field, seen from its centre
  DifferenceT<R> d;
  d.b = convex_of(b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) d.turn(i, j) = dot(a.mat.column(i), b.mat.column(j));
  }
  const Vec3T<R> centre = transposed_times(a.mat, b.pos - a.pos);
  Vec3T<R> low, high;
  box_around(d, low, high);
  const Vec3T<R> from = centre + low, to = centre + high;
  if (!(from.x - margin <= half_x && to.x + margin >= -half_x && from.y - margin <= half_y &&
        to.y + margin >= -half_y && from.z - margin <= top && to.z + margin >= -base)) {
    return;
  }
  int c0, c1, r0, r1;
  grid_range(from.x - margin, to.x + margin, half_x, field.ncol, c0, c1);
  grid_range(from.y - margin, to.y + margin, half_y, field.nrow, r0, r1);

  Vec3T<R> prism[6];
  d.a.type = GeomType::kHfield;
  d.a.prism = prism;
  d.ends = is_polytope(d.b);
  const Vec3T<R> origin = around_shape ? centre : Vec3T<R>{};
  const R dx = 2 * half_x / R(field.ncol - 1), dy = 2 * half_y / R(field.nrow - 1);
  for (int r = r0; r < r1; ++r) {
    int corners = 0;
    for (int c = c0; c <= c1; ++c) {
      for (int i = 0; i < 2; ++i) {
        // a new corner on the right; the last three make a prism
        const int row = r + 1 - i;
        prism[0] = prism[1], prism[1] = prism[2], prism[3] = prism[4], prism[4] = prism[5];
        const R x = dx * R(c) - half_x - origin.x, y = dy * R(row) - half_y - origin.y;
        prism[2] = {x, y, -base - origin.z};
        prism[5] = {x, y, R(field.data[row * field.ncol + c]) * top - origin.z};
        if (++corners < 3) continue;
        const R least = low.z + (centre.z - origin.z) - margin;
        if (prism[3].z < least && prism[4].z < least && prism[5].z < least) continue;

        if (!visit(d, centre)) return;
      }
    }
  }
}

/// The point of every prism that is nearer than `margin`, one after the other, to take(point, margin): it may lower the
/// margin, and answers whether to go on. `a` is the height field.
template <class R, class Take>
PLIANT_HD void hfield_points(const ShapeT<R>& a, const ShapeT<R>& b, R margin, Take&& take) {
  for_each_prism(a, b, margin, true, [&](DifferenceT<R>& d, Vec3T<R> centre) {
    // start where a shape above the prism is seen at once to be apart: across its top
    const Vec3T<R>* prism = d.a.prism;
    Vec3T<R> middle;
    d.size = prism_radius(prism, middle) + b.rbound;
    const Vec3T<R> up = cross(prism[4] - prism[3], prism[5] - prism[3]);
    d.start = up.z > 0 ? -up : up;
    d.start = normalized(d.start) * d.size;
    const TouchT<R> t = touch(d, margin);
    if (!t.found) return true;
    const Vec3T<R> at = fused(t.dist / 2, t.normal, t.point_a) + centre;
    return take(contact_point(a.pos, a.mat, at, t.normal, t.dist), margin);
  });
}

/// Pair function: `a` is the height field.
template <class R>
PLIANT_HD_NOINLINE int hfield_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  int count = 0;
  hfield_points(a, b, margin, [&](const ContactPointT<R>& point, R&) {
    out[count++] = point;
    return count < kMaxHfieldPoints;
  });
  return count;
}

}  // namespace pliant
