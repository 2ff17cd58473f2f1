#pragma once
// How far apart two convex shapes are: GJK.
//
// The difference A - B of two sets is the set of all a - b; the shapes overlap if it contains the
// origin, and their distance is the distance of the origin from it. GJK walks towards the origin on
// simplices whose corners are support points of the difference; the nearest point of a simplex is
// found by its Voronoi regions (Ericson, Real-Time Collision Detection, 2004, ch. 5 and 9).
// Everything is in the frame of A and measured in units of the shapes: far from the world's origin
// and in single precision nothing is lost, and no tolerance is a length. Cost: 1 to 3 rounds if the
// shapes are apart, about 4 if they overlap.

#include <limits>

#include "geom/support_hd.h"

namespace pliant {

/// A corner of a simplex or polytope: w = a - b.
template <class R>
struct CornerT {
  Vec3T<R> w, a;  // frame of A
  int corner_a = -1, corner_b = -1;
};

/// The difference of two shapes, in the frame of A.
template <class R>
struct DifferenceT {
  ConvexT<R> a, b;
  Mat3T<R> turn;      // from the frame of B
  Vec3T<R> place;     // origin of B
  Vec3T<R> start;     // a point inside the difference, or near it
  R size = 0;         // no core reaches farther than this from the other's, if they overlap
  bool ends = false;  // both cores are polytopes
  SupportMemory memory_a, memory_b;
  Vec3T<R> apart{};  // from B to A, of any length: what showed that they are farther apart than asked for
};

/// Lengths relative to the size of the shapes.
template <class R>
struct ConvexTolerance {
  static constexpr R kEps = std::numeric_limits<R>::epsilon();
  static constexpr R kNoise = 16 * kEps;                                   // of a coordinate
  static constexpr R kTouch = sizeof(R) == 8 ? R(1e-8) : R(1e-4);          // below: a distance has no direction
  static constexpr R kSmooth = sizeof(R) == 8 ? R(1e-10) : 32 * kEps;      // distance of smooth shapes
  static constexpr R kSmoothDepth = sizeof(R) == 8 ? R(1e-8) : 32 * kEps;  // their depth
  static constexpr R kRoughDepth = sizeof(R) == 8 ? R(1e-6) : 32 * kEps;   // the same before it is polished
  static constexpr R kFlat = sizeof(R) == 8 ? R(1e-10) : R(1e-5);          // height of a tetrahedron without volume
};

/// GJK rounds; 35 have never been seen with sane shapes.
inline constexpr int kMaxGjkRounds = 100;

template <class R>
PLIANT_HD DifferenceT<R> difference(const ShapeT<R>& a, const ShapeT<R>& b) {
  const ConvexT<R> ca = convex_of(a), cb = convex_of(b);
  Mat3T<R> turn;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) turn(i, j) = dot(a.mat.column(i), b.mat.column(j));
  }
  const Vec3T<R> place = transposed_times(a.mat, b.pos - a.pos);
  const bool ends = is_polytope(ca) && is_polytope(cb);
  return {ca, cb, turn, place, -place, a.rbound + b.rbound, ends, {}, {}, {}};
}

/// Corner of the difference farthest in direction n (of any length).
template <class R>
PLIANT_HD_HOT CornerT<R> support(DifferenceT<R>& d, Vec3T<R> n) {
  CornerT<R> c;
  c.a = support_point(d.a, n, d.memory_a);
  const Vec3T<R> b = times_plus(d.turn, support_point(d.b, -transposed_times(d.turn, n), d.memory_b), d.place);
  c.w = c.a - b;
  c.corner_a = d.memory_a.corner;
  c.corner_b = d.memory_b.corner;
  return c;
}

/// The same where speed does not matter.
template <class R>
PLIANT_HD_NOINLINE CornerT<R> support_call(DifferenceT<R>& d, Vec3T<R> n) {
  return support(d, n);
}

template <class R>
struct SimplexT {
  PLIANT_HD SimplexT() {}  // corners are set before they are used
  union {
    CornerT<R> corner[4];
  };
  R weight[4] = {};  // nearest = sum of weight times w
  int count = 0;
  Vec3T<R> nearest;  // point of the simplex nearest to the origin
};

/// Nearest points of parts of a simplex. `use` lists the corners that carry it, with their weights.
template <class R>
struct NearestT {
  Vec3T<R> x;
  R weight[3];
  int use[3] = {};
  int count = 0;
};

template <class R>
PLIANT_HD NearestT<R> nearest_on_corner(const CornerT<R>* v, int i) {
  NearestT<R> r;
  r.x = v[i].w, r.weight[0] = 1, r.use[0] = i, r.count = 1;
  return r;
}

/// Inside the segment i j, at fraction t.
template <class R>
PLIANT_HD NearestT<R> nearest_inside_edge(const CornerT<R>* v, int i, int j, R t) {
  NearestT<R> r;
  r.x = fused(t, v[j].w - v[i].w, v[i].w);
  r.weight[0] = 1 - t, r.weight[1] = t, r.use[0] = i, r.use[1] = j, r.count = 2;
  return r;
}

template <class R>
PLIANT_HD NearestT<R> nearest_on_edge(const CornerT<R>* v, int i, int j) {
  const Vec3T<R> d = v[j].w - v[i].w;
  const R down = -dot(v[i].w, d), length2 = dot(d, d);
  if (!(down > 0)) return nearest_on_corner(v, i);
  if (down >= length2) return nearest_on_corner(v, j);
  return nearest_inside_edge(v, i, j, down / length2);
}

template <class R>
PLIANT_HD NearestT<R> nearest_on_triangle(const CornerT<R>* v, int i, int j, int k) {
  const Vec3T<R> a = v[i].w, b = v[j].w, c = v[k].w, ab = b - a, ac = c - a;
  // beside corners
  const R d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return nearest_on_corner(v, i);
  const R d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return nearest_on_corner(v, j);
  const R d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return nearest_on_corner(v, k);
  // beside edges
  const R vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return nearest_inside_edge(v, i, j, d1 / (d1 - d3));
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return nearest_inside_edge(v, i, k, d2 / (d2 - d6));
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    return nearest_inside_edge(v, j, k, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  // inside: the foot of the normal, which is more exact than the weighted sum
  const R sum = va + vb + vc;
  const Vec3T<R> n = cross(ab, ac);
  const R n2 = dot(n, n);
  if (!(n2 > 0) || !(sum > 0)) return nearest_on_edge(v, j, k);
  NearestT<R> r;
  r.x = n * (dot(n, a) / n2);
  r.weight[0] = va / sum, r.weight[1] = vb / sum, r.weight[2] = vc / sum;
  r.use[0] = i, r.use[1] = j, r.use[2] = k, r.count = 3;
  return r;
}

/// Nearest point of the simplex to the origin; keeps the corners that carry it. Four are left: the
/// origin is inside.
template <class R>
PLIANT_HD_HOT void reduce_simplex(SimplexT<R>& s, R size) {
  CornerT<R>* v = s.corner;
  NearestT<R> best;
  if (s.count == 1) {
    best = nearest_on_corner(v, 0);
  } else if (s.count == 2) {
    best = nearest_on_edge(v, 0, 1);
  } else if (s.count == 3) {
    best = nearest_on_triangle(v, 0, 1, 2);
  } else {
    // the origin lies on the side of the newest corner: only the three faces at that corner can
    // hide it
    const Vec3T<R> base = cross(v[1].w - v[0].w, v[2].w - v[0].w);
    const R height = dot(v[3].w - v[0].w, base);
    const R side = height > 0 ? 1 : -1;
    const bool flat = !(height * side > ConvexTolerance<R>::kNoise * size * norm(base));
    R least = std::numeric_limits<R>::max();
    for (int i = 0; i < 3; ++i) {
      const int j = i == 2 ? 0 : i + 1;
      const Vec3T<R> outward = cross(v[j].w - v[i].w, v[3].w - v[i].w) * side;
      if (!flat && dot(outward, v[3].w) >= 0) continue;
      const NearestT<R> face = nearest_on_triangle(v, i, j, 3);
      const R distance2 = dot(face.x, face.x);
      if (distance2 < least) least = distance2, best = face;
    }
    if (best.count == 0) {  // inside
      s.nearest = {};
      return;
    }
  }
  // always three of them: what is beyond the count is not looked at
  const CornerT<R> first = v[best.use[0]], second = v[best.use[1]], third = v[best.use[2]];
  v[0] = first, v[1] = second, v[2] = third;
  for (int i = 0; i < 3; ++i) s.weight[i] = best.weight[i];
  s.count = best.count;
  s.nearest = best.x;
}

/// Moves a tetrahedron until it contains the origin: the corner opposite to the face that hides it
/// most is replaced by the support point beyond that face. MuJoCo does the same at this point, and
/// where a smooth edge meets a flat face the tetrahedron decides which of many deepest points is
/// found first. False: a direction keeps the shapes apart. True can also mean that it is too close
/// to call.
template <class R>
PLIANT_HD_NOINLINE bool enclose_origin(DifferenceT<R>& d, SimplexT<R>& s) {
  constexpr int kFace[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  int at[4] = {0, 1, 2, 3};
  for (int round = 0; round < kMaxGjkRounds; ++round) {
    // the face with the origin farthest outside: least offset / |n|, compared by squares that keep
    // the sign
    Vec3T<R> normal;
    R least = 0;
    int worst = -1;
    for (int f = 0; f < 4; ++f) {
      const Vec3T<R> p = s.corner[at[kFace[f][0]]].w;
      const Vec3T<R> n = cross(s.corner[at[kFace[f][2]]].w - p, s.corner[at[kFace[f][1]]].w - p);
      const R offset = dot(n, p), outside = offset * std::fabs(offset) / dot(n, n);
      if (!(offset > 0) && !(offset < 0)) return true;
      const bool more = outside < least;
      normal.x = more ? n.x : normal.x, normal.y = more ? n.y : normal.y, normal.z = more ? n.z : normal.z;
      worst = more ? f : worst;
      least = more ? outside : least;
    }
    if (worst < 0) return true;
    const CornerT<R> c = support(d, normal);
    if (dot(normal, c.w) < 0) {
      d.apart = -normal;
      return false;
    }
    s.corner[at[worst]] = c;
    // keep the winding
    const int i = (worst + 1) & 3, j = (worst + 2) & 3, k = at[i];
    at[i] = at[j], at[j] = k;
  }
  return true;
}

enum class Nearness {
  kApart,    // farther than asked for
  kNear,     // apart; the simplex carries the nearest point
  kOverlap,  // they overlap, or are so near that the direction between them is lost in rounding
};

template <class R>
PLIANT_HD bool has_corner(const SimplexT<R>& s, const CornerT<R>& c) {
  for (int i = 0; i < s.count; ++i) {
    if (s.corner[i].corner_a == c.corner_a && s.corner[i].corner_b == c.corner_b) return true;
  }
  return false;
}

/// Distance of the two cores, if it is below `cutoff`.
template <class R>
PLIANT_HD_NOINLINE Nearness gjk(DifferenceT<R>& d, R cutoff, SimplexT<R>& s) {
  using Tol = ConvexTolerance<R>;
  const R touch = Tol::kTouch * d.size;
  s.count = 0;
  Vec3T<R> x = d.start;
  if (!(dot(x, x) > touch * touch)) x = {1, 0, 0};  // the same place: any direction will do
  const R tolerance = (d.ends ? Tol::kNoise : Tol::kSmooth) * d.size;
  R length2 = dot(x, x);
  for (int round = 0; round < kMaxGjkRounds; ++round) {
    const CornerT<R> c = support(d, -x);
    // no point of the difference is nearer than along / |x|
    const R along = dot(x, c.w);
    if (along > 0 && along * along > cutoff * cutoff * length2) {
      d.apart = x;
      return Nearness::kApart;
    }
    if (s.count > 0) {
      if (length2 - along <= tolerance * std::sqrt(length2)) return Nearness::kNear;
      if (d.ends && has_corner(s, c)) return Nearness::kNear;
    }
    s.corner[s.count++] = c;
    // only whether they overlap is asked for: no need to stay near the origin
    if (s.count == 4 && cutoff <= 0) return enclose_origin(d, s) ? Nearness::kOverlap : Nearness::kApart;
    reduce_simplex(s, d.size);
    if (s.count == 4) return Nearness::kOverlap;
    x = s.nearest;
    const R before = length2;
    length2 = dot(x, x);
    if (!(length2 > touch * touch)) return Nearness::kOverlap;
    // no progress any more: rounding. Unless a direction keeps them apart, they count as
    // overlapping
    if (!(length2 < before) && round > 0) return along > 0 ? Nearness::kNear : Nearness::kOverlap;
  }
  return Nearness::kNear;
}

}  // namespace pliant
