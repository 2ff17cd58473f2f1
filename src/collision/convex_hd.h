#pragma once
// Points at which two convex shapes touch, by their support functions: the general route for all
// pairs without a file of their own.
//
// The nearest points of the cores come from GJK, if they overlap from EPA; a coat (sphere, capsule)
// only shifts them, since it adds the same to the support function in every direction. A margin is
// a cutoff of the distance, not a coat: depths and normals do not depend on it. Shapes with faces or
// straight lines then get the points of clipped faces and lines (multicontact_hd.h).
// Cost: 0.1 to 0.3 us if they are apart, about 1 us for the first point, 0.1 to 0.4 us for the others.

#include "collision/contact_point_hd.h"
#include "collision/multicontact_hd.h"
#include "collision/polish_hd.h"

namespace pliant {

/// The most points of a convex pair.
inline constexpr int kMaxConvexPoints = kMaxClippedPoints;

/// Where two shapes touch or are nearest, in the frame of A.
template <class R>
struct TouchT {
  bool found = false;
  R dist = 0;
  Vec3T<R> normal{};    // unit, from A to B; if they do not touch, along which they are apart, zero if not known
  Vec3T<R> point_a;     // on the surface of A; on B: point_a + dist * normal
  OverlapT<R> overlap;  // of the cores, if they do; its corners are those between which the points lie in any case
};

/// Result from the normal and the touching point on the core of A.
template <class R>
PLIANT_HD void set_touch(TouchT<R>& t, const DifferenceT<R>& d, R core_dist, Vec3T<R> normal, Vec3T<R> core_a,
                         R margin) {
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
  if (d.a.type == GeomType::kEllipsoid && d.b.type == GeomType::kEllipsoid) return 4 * Tol::kRoughDepth * d.size;
  return d.size * (d.ends ? Tol::kNoise : has_ellipsoid(d) ? Tol::kRoughDepth : Tol::kSmoothDepth);
}

/// Whether one of the shapes touches with a single point, so that moving the normal moves it.
template <class R>
PLIANT_HD bool can_polish(const DifferenceT<R>& d, Vec3T<R> n) {
  return has_single_point(d.a, n) || has_single_point(d.b, transposed_times(d.turn, n));
}

/// The nearest points, if their distance is below `margin`.
template <class R>
PLIANT_HD_NOINLINE TouchT<R> touch(DifferenceT<R>& d, R margin) {
  TouchT<R> t;
  SimplexT<R> s;
  switch (gjk(d, margin + (d.a.coat + d.b.coat), s)) {
    case Nearness::kApart:
      t.normal = d.apart * (-1 / norm(d.apart));
      break;
    case Nearness::kNear: {
      const R length = norm(s.nearest);
      Vec3T<R> core_a{};
      for (int i = 0; i < s.count; ++i) core_a = fused(s.weight[i], s.corner[i].a, core_a);
      const Vec3T<R> normal = s.nearest * (-1 / length);
      for (int i = 0; i < 3; ++i) t.overlap.corner[i] = s.corner[i < s.count ? i : 0];
      if (can_polish(d, normal)) {
        OverlapT<R> o = t.overlap;
        o.depth = -length, o.normal = normal, o.point_a = core_a;
        polish(d, o);
        set_touch(t, d, -o.depth, o.normal, o.point_a, margin);
      } else {
        set_touch(t, d, length, normal, core_a, margin);
      }
      break;
    }
    case Nearness::kOverlap: {
      epa(d, s, depth_goal(d), t.overlap);
      if (!t.overlap.found) return t;
      if (can_polish(d, t.overlap.normal)) polish(d, t.overlap);
      set_touch(t, d, -t.overlap.depth, t.overlap.normal, t.overlap.point_a, margin);
      // a round shape that touches without depth does not touch, as in MuJoCo
      if (!d.ends && t.dist > margin - ConvexTolerance<R>::kNoise * d.size) t.found = false;
      break;
    }
  }
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
template <class R>
PLIANT_HD ContactPointT<R> contact_point(const ShapeT<R>& a, const TouchT<R>& t) {
  return contact_point(a.pos, a.mat, fused(t.dist / 2, t.normal, t.point_a), t.normal, t.dist);
}

/// The deepest point of shapes that touch.
template <class R>
PLIANT_HD int write_point(const ShapeT<R>& a, const TouchT<R>& t, ContactPointT<R>* out) {
  out[0] = contact_point(a, t);
  return 1;
}

/// One point, the two of a line or up to four of a face.
template <class R>
PLIANT_HD int write_points(const ShapeT<R>& a, const ShapeT<R>& b, const TouchT<R>& t, R margin,
                           ContactPointT<R>* out) {
  out[0] = contact_point(a, t);
  if (!can_clip(a) || !can_clip(b)) return 1;
  const Vec3T<R> n = out[0].normal, half = n * (t.dist / 2);
  const ManifoldT<R> m =
      clip_features(a, b, t.overlap.corner, n, out[0].pos - half, out[0].pos + half, margin > 0 ? margin : R(0));
  for (int i = 0; i < m.count; ++i) out[i] = {m.dist[i], m.pos[i], m.normal, {}};
  return m.count > 0 ? m.count : 1;
}

/// Pair function: one point, the deepest. What the dispatcher takes in place of convex_convex if
/// the flag multiccd is off.
template <class R>
PLIANT_HD_NOINLINE int convex_single(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  return t.found ? write_point(a, t, out) : 0;
}

/// Pair function: one point, the two of a line or up to four of a face.
template <class R>
PLIANT_HD_NOINLINE int convex_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  return t.found ? write_points(a, b, t, margin, out) : 0;
}

}  // namespace pliant
