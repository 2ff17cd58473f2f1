#pragma once
// Points at which two convex shapes touch, by their support functions: the general route for all
// pairs without a file of their own.
//
// The nearest points of the cores come from GJK, if they overlap from EPA; a coat (sphere, capsule)
// only shifts them, since it adds the same to the support function in every direction. A margin is
// a cutoff of the distance, not a coat: depths and normals do not depend on it. Boxes and meshes
// without margin then get the points of clipped faces (multicontact_hd.h); other shapes with edges
// are turned by a milliradian four times and searched again, as in MuJoCo: a point that moves far
// when the shapes turn a little is one of several.
// Cost: 0.1 to 0.3 us if they are apart, about 1 us for the first point, as much for each further
// search.

#include "collision/contact_point_hd.h"
#include "collision/multicontact_hd.h"
#include "collision/polish_hd.h"

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

/// Result from the normal and the touching point on the core of A.
template <class R>
PLIANT_HD void set_touch(TouchT<R>& t, const DifferenceT<R>& d, R core_dist, Vec3T<R> normal,
                         Vec3T<R> core_a, R margin) {
  t.normal = normal;
  t.dist = core_dist - (d.a.coat + d.b.coat);
  t.point_a = fused(d.a.coat, normal, core_a);
  t.found = t.dist < margin;
}

template <class R>
PLIANT_HD bool has_ellipsoid(const DifferenceT<R>& d) {
  return d.a.type == GeomType::kEllipsoid || d.b.type == GeomType::kEllipsoid;
}

/// How exact a depth must be before it is polished, if it is.
template <class R>
PLIANT_HD R depth_goal(const DifferenceT<R>& d) {
  using Tol = ConvexTolerance<R>;
  if (d.a.type == GeomType::kEllipsoid && d.b.type == GeomType::kEllipsoid)
    return 4 * Tol::kRoughDepth * d.size;
  return d.size * (d.ends ? Tol::kNoise : has_ellipsoid(d) ? Tol::kRoughDepth : Tol::kSmoothDepth);
}

/// The nearest points, if their distance is below `margin`. `early`: what was found on the way, if
/// the goal asks for it.
template <class R>
PLIANT_HD_NOINLINE TouchT<R> touch(DifferenceT<R>& d, R margin, const OverlapGoal<R>& goal,
                                   TouchT<R>& early) {
  TouchT<R> t;
  SimplexT<R> s;
  switch (gjk(d, margin + (d.a.coat + d.b.coat), s)) {
    case Nearness::kApart:
      break;
    case Nearness::kNear: {
      const R length = norm(s.nearest);
      Vec3T<R> core_a{};
      for (int i = 0; i < s.count; ++i) core_a = fused(s.weight[i], s.corner[i].a, core_a);
      set_touch(t, d, length, s.nearest * (-1 / length), core_a, margin);
      early = t;
      break;
    }
    case Nearness::kOverlap: {
      OverlapT<R> first;
      epa(d, s, goal, t.overlap, first);
      if (!t.overlap.found) return t;
      if (has_ellipsoid(d)) polish(d, t.overlap);
      set_touch(t, d, -t.overlap.depth, t.overlap.normal, t.overlap.point_a, margin);
      set_touch(early, d, -first.depth, first.normal, first.point_a, margin);
      break;
    }
  }
  return t;
}

/// The same without stops on the way.
template <class R>
PLIANT_HD TouchT<R> touch(DifferenceT<R>& d, R margin) {
  TouchT<R> early;
  return touch(d, margin, OverlapGoal<R>{depth_goal(d), R(0), false}, early);
}

/// In the frame of A, given by its place and turn.
template <class R>
PLIANT_HD ContactPointT<R> contact_point(Vec3T<R> place, const Mat3T<R>& turn, Vec3T<R> pos,
                                         Vec3T<R> normal, R dist) {
  ContactPointT<R> c;
  c.dist = dist;
  c.pos = times_plus(turn, pos, place);
  c.normal = turn * normal;
  return c;
}
template <class R>
PLIANT_HD ContactPointT<R> contact_point(const ShapeT<R>& a, const TouchT<R>& t) {
  return contact_point(a.pos, a.mat, fused(t.dist / 2, t.normal, t.point_a), t.normal, t.dist);
}

/// Pair function: one point, the deepest. What the dispatcher takes in place of convex_convex if
/// the flag multiccd is off.
template <class R>
PLIANT_HD_NOINLINE int convex_single(const ShapeT<R>& a, const ShapeT<R>& b, R margin,
                                     ContactPointT<R>* out) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  if (t.found) out[0] = contact_point(a, t);
  return t.found;
}

/// A shape turned about a point.
template <class R>
PLIANT_HD ShapeT<R> turned(const ShapeT<R>& shape, const Mat3T<R>& turn, Vec3T<R> about) {
  ShapeT<R> s = shape;
  s.mat = turn * shape.mat;
  s.pos = times_plus(turn, shape.pos - about, about);
  return s;
}

/// Each shape is turned by a milliradian: cosine and sine of half of it, for the quaternion.
template <class R>
inline constexpr R kTurnCos = R(0.99999987500000260416);
template <class R>
inline constexpr R kTurnSin = R(4.9999997916666692708e-4);
/// Points nearer than this times the smaller shape's radius are one.
template <class R>
inline constexpr R kDistinct = R(1e-3);

/// Where a search for further points stops: MuJoCo's tolerance, less for tiny shapes.
template <class R>
PLIANT_HD R early_goal(R size) {
  const R relative = R(1e-4) * size;
  return relative < R(1e-6) ? relative : R(1e-6);
}

/// Adds the points that appear when the shapes are turned against each other about two axes across
/// the normal of `first`, which is out[0] as a search with that tolerance finds it. Smooth edges
/// leave it open by a few 1e-4 of the size where that is, more than what makes points distinct: how
/// many there are depends on where the search stops.
template <class R>
PLIANT_HD_NOINLINE int add_turned_points(const ShapeT<R>& a, const ShapeT<R>& b, R margin,
                                         const ContactPointT<R>& first, ContactPointT<R>* out) {
  // two directions across the normal, as the frame of the contact has them
  const Vec3T<R> n = first.normal;
  const Vec3T<R> hint = std::fabs(n.y) < R(0.5) ? Vec3T<R>{0, 1, 0} : Vec3T<R>{0, 0, 1};
  const Vec3T<R> across_n = normalized(fused(-dot(n, hint), n, hint));
  const Vec3T<R> axes[2] = {across_n, cross(n, across_n)};
  const R apart = kDistinct<R> * (a.rbound < b.rbound ? a.rbound : b.rbound);
  const OverlapGoal<R> goal{R(0), early_goal(a.rbound + b.rbound), true};
  int count = 1;
  for (const Vec3T<R>& axis : axes) {
    for (int side = 0; side < 2; ++side) {
      const R s = side == 0 ? -kTurnSin<R> : kTurnSin<R>;
      const Mat3T<R> turn = matrix(QuatT<R>{kTurnCos<R>, s * axis.x, s * axis.y, s * axis.z});
      const ShapeT<R> ta = turned(a, turn, first.pos), tb = turned(b, transpose(turn), first.pos);
      DifferenceT<R> d = difference(ta, tb);
      TouchT<R> t;
      touch(d, margin, goal, t);
      if (!t.found) continue;
      out[count] = contact_point(ta, t);
      bool distinct = norm(first.pos - out[count].pos) > apart;
      for (int i = 1; i < count; ++i)
        distinct = distinct && norm(out[i].pos - out[count].pos) > apart;
      if (!distinct) continue;
      out[count].dist = out[0].dist;
      ++count;
    }
  }
  return count;
}

/// Pair function: up to kMaxConvexPoints points.
template <class R>
PLIANT_HD_NOINLINE int convex_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin,
                                     ContactPointT<R>* out) {
  const auto is_flat = [](GeomType type) {
    return type == GeomType::kBox || type == GeomType::kMesh;
  };
  const auto is_round = [](GeomType type) {
    return type == GeomType::kSphere || type == GeomType::kEllipsoid;
  };
  const bool clips = margin <= 0 && is_flat(a.type) && is_flat(b.type);
  if (!clips && (is_round(a.type) || is_round(b.type))) return convex_single(a, b, margin, out);

  DifferenceT<R> d = difference(a, b);
  TouchT<R> early;
  const OverlapGoal<R> goal{depth_goal(d), clips ? R(0) : early_goal(d.size), false};
  const TouchT<R> t = touch(d, margin, goal, early);
  if (!t.found) return 0;
  out[0] = contact_point(a, t);
  if (!clips) return add_turned_points(a, b, margin, contact_point(a, early), out);
  if (!t.overlap.found || !can_clip(d.a) || !can_clip(d.b)) return 1;
  const ManifoldT<R> m = clip_features(a, b, d, t.overlap);
  for (int i = 0; i < m.count; ++i) out[i] = {m.dist[i], m.pos[i], m.normal, {}};
  return m.count > 0 ? m.count : 1;
}

}  // namespace pliant
