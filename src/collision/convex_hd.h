#pragma once
// Points at which two convex shapes touch, by their support functions: the general route for all pairs without a file of
// their own.
//
// The nearest points of the cores come from GJK, if they overlap from EPA; a coat (sphere, capsule) only shifts them, since
// it adds the same to the support function in every direction. A margin is a cutoff of the distance, not a coat: depths and
// normals do not depend on it. Boxes and meshes without margin then get the points of clipped faces (multicontact_hd.h);
// other shapes with edges are turned by a milliradian four times and searched again, as in MuJoCo: a point that moves far
// when the shapes turn a little is one of several.
// Cost: 0.1 to 0.3 us if they are apart, about 1 us for the first point, as much for each further search.

#include "collision/contact_point_hd.h"
#include "collision/multicontact_hd.h"

namespace pliant {

/// The most points of a convex pair.
inline constexpr int kMaxConvexPoints = 5;

/// Where two shapes touch or are nearest, in the frame of A.
template <class R>
struct TouchT {
  bool found = false;
  R dist = 0;
  Vec3T<R> normal;   // unit, from A to B
  Vec3T<R> point_a;  // on the surface of A; on B: point_a + dist * normal
  OverlapT<R> overlap;
};

/// The nearest points, if their distance is below `margin`.
template <class R> PLIANT_HD_NOINLINE TouchT<R> touch(DifferenceT<R>& d, R margin) {
  TouchT<R> t;
  SimplexT<R> s;
  const R coat = d.a.coat + d.b.coat;
  switch (gjk(d, margin + coat, s)) {
    case Nearness::kApart: return t;
    case Nearness::kNear: {
      const R length = norm(s.nearest);
      t.normal = s.nearest * (-1 / length);
      t.dist = length - coat;
      for (int i = 0; i < s.count; ++i) t.point_a = fused(s.weight[i], s.corner[i].a, t.point_a);
      break;
    }
    case Nearness::kOverlap: {
      t.overlap = epa(d, s);
      if (!t.overlap.found) return t;
      t.normal = t.overlap.normal;
      t.dist = -t.overlap.depth - coat;
      t.point_a = t.overlap.point_a;
      break;
    }
  }
  t.point_a = fused(d.a.coat, t.normal, t.point_a);
  t.found = t.dist < margin;
  return t;
}

/// In the frame of A, given by its place and turn.
template <class R>
PLIANT_HD ContactPointT<R> contact_point(Vec3T<R> place, const Mat3T<R>& turn, Vec3T<R> pos, Vec3T<R> normal, R dist) {
  ContactPointT<R> c;
  c.dist = dist;
  c.pos = times_plus(turn, pos, place);
  c.normal = turn * normal;
  return c;
}
template <class R> PLIANT_HD ContactPointT<R> contact_point(const ShapeT<R>& a, const TouchT<R>& t) {
  return contact_point(a.pos, a.mat, fused(t.dist / 2, t.normal, t.point_a), t.normal, t.dist);
}

/// Pair function: one point, the deepest. What the dispatcher takes in place of convex_convex if the flag multiccd is off.
template <class R>
PLIANT_HD_NOINLINE int convex_single(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  if (t.found) out[0] = contact_point(a, t);
  return t.found;
}

/// A shape turned about a point.
template <class R> PLIANT_HD ShapeT<R> turned(const ShapeT<R>& shape, const Mat3T<R>& turn, Vec3T<R> about) {
  ShapeT<R> s = shape;
  s.mat = turn * shape.mat;
  s.pos = times_plus(turn, shape.pos - about, about);
  return s;
}

/// Each shape is turned by a milliradian: cosine and sine of half of it, for the quaternion.
template <class R> inline constexpr R kTurnCos = R(0.99999987500000260416);
template <class R> inline constexpr R kTurnSin = R(4.9999997916666692708e-4);
/// Points nearer than this times the smaller shape's radius are one.
template <class R> inline constexpr R kDistinct = R(1e-3);

/// Adds the points that appear when the shapes are turned against each other about two axes across the normal of out[0].
template <class R>
PLIANT_HD_NOINLINE int add_turned_points(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  // two directions across the normal, as the frame of the contact has them
  const Vec3T<R> n = out[0].normal;
  const Vec3T<R> hint = std::fabs(n.y) < R(0.5) ? Vec3T<R>{0, 1, 0} : Vec3T<R>{0, 0, 1};
  const Vec3T<R> first = normalized(fused(-dot(n, hint), n, hint));
  const Vec3T<R> axes[2] = {first, cross(n, first)};
  const R apart = kDistinct<R> * (a.rbound < b.rbound ? a.rbound : b.rbound);
  int count = 1;
  for (const Vec3T<R>& axis : axes) {
    for (int side = 0; side < 2; ++side) {
      const R s = side == 0 ? -kTurnSin<R> : kTurnSin<R>;
      const Mat3T<R> turn = matrix(QuatT<R>{kTurnCos<R>, s * axis.x, s * axis.y, s * axis.z});
      const ShapeT<R> ta = turned(a, turn, out[0].pos), tb = turned(b, transpose(turn), out[0].pos);
      if (convex_single(ta, tb, margin, out + count) == 0) continue;
      bool distinct = true;
      for (int i = 0; i < count; ++i) distinct = distinct && norm(out[i].pos - out[count].pos) > apart;
      if (!distinct) continue;
      out[count].dist = out[0].dist;
      ++count;
    }
  }
  return count;
}

/// Pair function: up to kMaxConvexPoints points.
template <class R>
PLIANT_HD_NOINLINE int convex_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  if (!t.found) return 0;
  out[0] = contact_point(a, t);
  const auto is_flat = [](GeomType type) { return type == GeomType::kBox || type == GeomType::kMesh; };
  const auto is_round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kEllipsoid; };
  if (margin <= 0 && is_flat(a.type) && is_flat(b.type)) {
    if (!t.overlap.found || !can_clip(d.a) || !can_clip(d.b)) return 1;
    const ManifoldT<R> m = clip_features(d, t.overlap);
    for (int i = 0; i < m.count; ++i) out[i] = contact_point(a.pos, a.mat, m.pos[i], m.normal, m.dist[i]);
    return m.count > 0 ? m.count : 1;
  }
  if (is_round(a.type) || is_round(b.type)) return 1;
  return add_turned_points(a, b, margin, out);
}

}  // namespace pliant
