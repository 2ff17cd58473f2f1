#pragma once
// The point of a simplex nearest to the origin, as weights of its corners: by signed volumes
// (Montanari, Petrinic, Barbieri, Improving the GJK algorithm, 2017).
//
// The origin is projected on the space that the corners span; where the areas or volumes that the
// projection makes with the sides have the sign of the whole, they are the weights, otherwise the
// nearest of the failing sides has it. For searches whose result is decided by rounding: products
// are rounded one by one, and signs, order and ties are the reference's. Cost: 10 to 60 ns.

#include <limits>

#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Foot of the origin on the plane through three points; false if they lie on a line. The formula
/// can start from each of them; where one is lost in rounding the next is taken.
template <class R>
PLIANT_HD_NOINLINE bool foot_on_plane(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c, Vec3T<R>& foot) {
  const Vec3T<R> ab = b - a, ac = c - a, bc = c - b;
  for (int start = 0; start < 3; ++start) {
    const Vec3T<R> n = start == 0 ? unfused_cross(bc, ab) : start == 1 ? unfused_cross(ab, ac) : unfused_cross(ac, bc);
    const R height = unfused_dot(n, start == 0 ? b : start == 1 ? a : c);
    const R square = unfused_dot(n, n);
    if (!(square > 0)) return false;
    if (start == 2 || (height != 0 && square > R(kTiny))) {
      foot = n * (height / square);
      return true;
    }
  }
  return false;
}

/// The coordinate plane on which a triangle casts its largest shadow, and that signed area (twice).
template <class R>
struct Shadow {
  int x = 1, y = 2;
  R area = 0;
};
template <class R>
PLIANT_HD Shadow<R> largest_shadow(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c) {
  const auto area = [&](int x, int y) {
    return b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
  };
  const R yz = area(1, 2), xz = area(0, 2), xy = area(0, 1);
  const R most = std::fabs(xz) >= std::fabs(xy) ? std::fabs(xz) : std::fabs(xy);
  if (std::fabs(yz) >= most) return {1, 2, yz};
  return std::fabs(xz) >= std::fabs(xy) ? Shadow<R>{0, 2, xz} : Shadow<R>{0, 1, xy};
}

/// Shadows of the triangles that a point of its plane makes with the sides of the triangle a b c.
template <class R>
PLIANT_HD void side_shadows(const Shadow<R>& s, Vec3T<R> a, Vec3T<R> b, Vec3T<R> c, Vec3T<R> point, R part[3]) {
  const auto area = [&](Vec3T<R> u, Vec3T<R> v) {
    return point[s.x] * u[s.y] + point[s.y] * v[s.x] + u[s.x] * v[s.y] - point[s.x] * v[s.y] - point[s.y] * u[s.x] -
           v[s.x] * u[s.y];
  };
  part[0] = area(b, c), part[1] = area(c, a), part[2] = area(a, b);
}

template <class R>
PLIANT_HD bool same_sign(R a, R b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

/// Weights of the corners of a segment; beyond both ends the second, which GJK found last.
template <class R>
PLIANT_HD_NOINLINE void segment_weights(Vec3T<R> a, Vec3T<R> b, R weight[2]) {
  const Vec3T<R> ab = b - a;
  const Vec3T<R> foot = unfused_sum(-(unfused_dot(b, ab) / unfused_dot(ab, ab)), ab, b);
  int axis = 0;
  R most = a.x - b.x;
  for (int i = 1; i < 3; ++i) {
    const R length = a[i] - b[i];
    if (std::fabs(length) >= std::fabs(most)) most = length, axis = i;
  }
  const R part_a = foot[axis] - b[axis], part_b = a[axis] - foot[axis];
  const bool inside = same_sign(most, part_a) && same_sign(most, part_b);
  weight[0] = inside ? part_a / most : 0;
  weight[1] = inside ? part_b / most : 1;
}

/// Of a triangle.
template <class R>
PLIANT_HD_NOINLINE void triangle_weights(const Vec3T<R> w[3], R weight[3]) {
  Vec3T<R> foot;
  if (!foot_on_plane(w[0], w[1], w[2], foot)) {
    segment_weights(w[0], w[1], weight);
    weight[2] = 0;
    return;
  }
  const Shadow<R> shadow = largest_shadow(w[0], w[1], w[2]);
  R part[3];
  side_shadows(shadow, w[0], w[1], w[2], foot, part);
  bool beyond[3];
  for (int k = 0; k < 3; ++k) beyond[k] = !same_sign(shadow.area, part[k]);
  if (!beyond[0] && !beyond[1] && !beyond[2]) {
    for (int k = 0; k < 3; ++k) weight[k] = part[k] / shadow.area;
    return;
  }
  R least = std::numeric_limits<R>::max();
  for (int k = 0; k < 3; ++k) {
    if (!beyond[k]) continue;
    const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    R side[2];
    segment_weights(w[i], w[j], side);
    const Vec3T<R> x = unfused_sum(side[1], w[j], w[i] * side[0]);
    const R distance2 = unfused_dot(x, x);
    if (!(distance2 < least)) continue;
    least = distance2;
    weight[k] = 0, weight[i] = side[0], weight[j] = side[1];
  }
}

template <class R>
PLIANT_HD R determinant(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c) {
  return unfused_dot(a, unfused_cross(b, c));
}

/// Of a tetrahedron.
template <class R>
PLIANT_HD_NOINLINE void tetrahedron_weights(const Vec3T<R> w[4], R weight[4]) {
  const R part[4] = {-determinant(w[1], w[2], w[3]), determinant(w[0], w[2], w[3]), -determinant(w[0], w[1], w[3]),
                     determinant(w[0], w[1], w[2])};
  const R whole = part[0] + part[1] + part[2] + part[3];
  bool inside = true;
  for (int k = 0; k < 4; ++k) inside = inside && same_sign(whole, part[k]);
  if (inside) {
    for (int k = 0; k < 4; ++k) weight[k] = part[k] / whole;
    return;
  }
  R least = std::numeric_limits<R>::max();
  for (int k = 0; k < 4; ++k) {
    if (same_sign(whole, part[k])) continue;
    Vec3T<R> side[3];
    for (int i = 0; i < 3; ++i) side[i] = w[i < k ? i : i + 1];
    R side_weight[3];
    triangle_weights(side, side_weight);
    const Vec3T<R> x =
        unfused_sum(side_weight[2], side[2], unfused_sum(side_weight[1], side[1], side[0] * side_weight[0]));
    const R distance2 = unfused_dot(x, x);
    if (!(distance2 < least)) continue;
    least = distance2;
    for (int i = 0; i < 3; ++i) weight[i < k ? i : i + 1] = side_weight[i];
    weight[k] = 0;
  }
}

/// Of one to four corners; those that do not count have weight zero.
template <class R>
PLIANT_HD void nearest_weights(const Vec3T<R>* w, int count, R weight[4]) {
  for (int i = 0; i < 4; ++i) weight[i] = 0;
  if (count == 4) {
    tetrahedron_weights(w, weight);
  } else if (count == 3) {
    triangle_weights(w, weight);
  } else if (count == 2) {
    segment_weights(w[0], w[1], weight);
  } else {
    weight[0] = 1;
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
