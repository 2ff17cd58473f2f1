#pragma once
// Contacts that the coming step will make: the flag speculative.
//
// What moves farther in a step than it is thick can be on one side of a plate before the step and on the other side
// after it, and collision at the ends sees nothing. So the motion of fast pairs over the step is followed, as if their
// velocities stayed as they are; where they would meet, a contact is made now whose distance makes the row take away so
// much of the approach that they touch at the end of the step. Rules and numbers: docs/physics.md. They are the
// reference's (4.0.1), and as there the motion is that of planes, spheres, capsules, ellipsoids, cylinders, boxes and
// hulls of meshes; height fields are not followed (compile says so).
//
// The time of impact t, as a part of the step, is found from the separated side: with n the direction between the
// nearest points, no two points come closer along n than by v = n · (move1 - move2) + spin1 + spin2 per step, so the
// time (distance - goal) / v is safe to pass. The goal lies 2 % of the way before the margin; within half of that, or
// after 16 such moves and one of Newton's, that is the answer. Constants, tests and their order are the reference's:
// t and with it the distance of the contact depend on where the search ends.
// Cost: 1 to 16 distances of the pair, and for every point three rays past all geoms.

#include "collision/convex_hd.h"
#include "collision/filter_hd.h"
#include "collision/motions_hd.h"
#include "geom/ray_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

inline constexpr double kImpactGoal = 0.02;     // of the way to the margin: where the search goes
inline constexpr double kNearImpactGoal = 0.5;  // of the goal's distance: where it ends
inline constexpr int kMaxImpactMoves = 16;      // of the search
inline constexpr double kSightEnds = 1e-5;      // of a line of sight: does not count at either end
inline constexpr int kMaxPredicted = 4;         // points of a pair; one more where its centre is held

// ---- distances ----------------------------------------------------------------------------------

template <class R>
struct NearestPoints {
  R dist = std::numeric_limits<R>::infinity();
  Vec3T<R> normal;            // from a to b
  Vec3T<R> point_a, point_b;  // on the surfaces
  CornerT<R> corner[3];       // of the difference, between which they lie; not of planes
};

/// The lowest point of a shape above a plane, and the number of its corner.
template <class R>
PLIANT_HD Vec3T<R> lowest_point(const ShapeT<R>& plane, const ShapeT<R>& b, SupportMemory& memory) {
  const Vec3T<R> n = plane.mat.column(2);
  const ConvexT<R> convex = convex_of(b);
  const Vec3T<R> core = times_plus(b.mat, support_point(convex, transposed_times(b.mat, -n), memory), b.pos);
  return fused(-convex.coat, n, core);
}

/// The direction between the nearest points counts as well as their distance, and is known to half as many digits only:
/// tolerances of smooth shapes are so much finer. In single precision they are at the last bits already.
template <class R>
inline constexpr R kFinerSearch = sizeof(R) == 8 ? R(1e-5) : R(1);

/// Nearest points of two shapes, a plane first if there is one; dist stays infinite if it is above `limit`.
template <class R>
PLIANT_HD_NOINLINE NearestPoints<R> nearest_points(const ShapeT<R>& a, const ShapeT<R>& b, R limit) {
  NearestPoints<R> out;
  if (a.type == GeomType::kPlane) {
    SupportMemory memory;
    out.normal = a.mat.column(2);
    out.point_b = lowest_point(a, b, memory);
    out.dist = dot(out.normal, out.point_b - a.pos);
    out.point_a = fused(-out.dist, out.normal, out.point_b);
    return out;
  }
  DifferenceT<R> d = difference(a, b);
  if (!d.ends && !has_ellipsoid(d)) d.size *= kFinerSearch<R>;  // ellipsoids are polished
  const TouchT<R> t = touch(d, limit);
  if (!t.found) return out;
  out.dist = t.dist;
  out.normal = a.mat * t.normal;
  out.point_a = times_plus(a.mat, t.point_a, a.pos);
  out.point_b = fused(t.dist, out.normal, out.point_a);
  for (int i = 0; i < 3; ++i) out.corner[i] = t.overlap.corner[i];
  return out;
}

template <class R>
PLIANT_HD void move_shape(const GeomMotionT<R>& motion, R time, ShapeT<R>& shape) {
  shape.pos = fused(time, motion.move, shape.pos);
  const R length = norm(motion.turn), angle = time * length;
  if (angle < R(kTiny)) return;
  const Vec3T<R> axis = motion.turn * (std::sin(R(0.5) * angle) / length);
  shape.mat = matrix(QuatT<R>{std::cos(R(0.5) * angle), axis.x, axis.y, axis.z}) * shape.mat;
}

/// A point of a shape that has moved, where it was before.
template <class R>
PLIANT_HD Vec3T<R> where_it_was(const ShapeT<R>& now, const ShapeT<R>& before, Vec3T<R> point) {
  return times_plus(before.mat, transposed_times(now.mat, point - now.pos), before.pos);
}

// ---- points -------------------------------------------------------------------------------------

template <class R>
struct PointPair {
  Vec3T<R> a, b;
};

/// The polygon or line with which a shape will come down on a plane: of a box or hull the face at its lowest corner
/// that looks at the plane best, of a cylinder a cap, or its side as of a capsule if it lies.
template <class R>
PLIANT_HD_NOINLINE void load_underside(const ShapeT<R>& plane, const ShapeT<R>& b, PolygonT<R>& out) {
  const Vec3T<R> n = plane.mat.column(2), axis = b.mat.column(2);
  SupportMemory memory;
  const Vec3T<R> lowest = lowest_point(plane, b, memory);
  out.count = 1;
  out.point[0] = lowest;
  const R tilt = dot(axis, n);
  int face = -1;
  if (b.type == GeomType::kCapsule) {
    if (std::fabs(tilt) >= kEdgeInFace<R>) return;
    for (int end = 0; end < 2; ++end) {
      out.point[end] = fused(-b.size.x, n, fused(end ? b.size.y : -b.size.y, axis, b.pos));
    }
    out.count = 2;
  } else if (b.type == GeomType::kCylinder && std::fabs(tilt) < kEdgeInFace<R>) {
    const Vec3T<R> across_axis = fused(-tilt, axis, n),
                   middle = fused(-b.size.x / norm(across_axis), across_axis, b.pos);
    for (int end = 0; end < 2; ++end) out.point[end] = fused(end ? b.size.y : -b.size.y, axis, middle);
    out.count = 2;
  } else if (b.type == GeomType::kCylinder) {
    face = tilt > 0;
  } else if (b.type == GeomType::kBox) {
    R best = 0;
    for (int k = 0; k < 3; ++k) {
      const R along = dot(b.mat.column(k), n);
      if (std::fabs(along) > best) best = std::fabs(along), face = 2 * k + (along > 0);
    }
  } else if (b.type == GeomType::kMesh && b.mesh.polynum > 0) {
    R best = 0;
    const int* faces = b.mesh.polymap + b.mesh.polymapadr[memory.corner];
    for (int i = 0; i < b.mesh.polymapnum[memory.corner]; ++i) {
      const R along = dot(face_normal(b, faces[i]), n);
      if (along < best) best = along, face = faces[i];
    }
  }
  if (face >= 0) load_face(b, face, out);
}

/// Points at which two shapes will touch, in their poses at that time; not farther apart than `limit`. The reference
/// looks for them on shapes with a coat of half the limit each, and takes the coats off along the normal of the nearest
/// points, not along that of the face, and off capsules by moving the line of their surface: where these directions
/// differ, its points lie beside the surfaces. `coats`: follow it.
template <class R>
PLIANT_HD_NOINLINE int touching_points(const ShapeT<R>& a, const ShapeT<R>& b, const NearestPoints<R>& near, R limit,
                                       bool single, bool coats, PointPair<R>* out) {
  const R coat = coats ? limit / 2 : R(0);
  const Vec3T<R> n = near.normal;
  const auto is_capsule = [](const ShapeT<R>& shape) { return shape.type == GeomType::kCapsule; };
  if (a.type == GeomType::kPlane) {
    PolygonT<R> polygon;
    load_underside(a, b, polygon);
    int below = 0;
    for (int i = 0; i < polygon.count; ++i) {
      if (dot(n, polygon.point[i] - a.pos) <= limit) polygon.point[below++] = polygon.point[i];
    }
    polygon.count = below;
    int use[kMaxPredicted] = {0, 1, 2, 3};
    if (polygon.count > kMaxPredicted) widest_quad(polygon, n, use);
    const int count = lesser(polygon.count, kMaxPredicted);
    const Vec3T<R> axis = b.mat.column(2);
    const Vec3T<R> aside = is_capsule(b) && count > 1 ? axis * ((coat + b.size.x) * dot(n, axis)) : Vec3T<R>{};
    for (int i = 0; i < count; ++i) {
      const Vec3T<R> point = polygon.point[use[i]] + aside;
      out[i] = {fused(-dot(n, point - a.pos), n, point), point};
    }
    return count;
  }
  out[0] = {near.point_a, near.point_b};
  if (single || !can_clip(a) || !can_clip(b)) return 1;
  const R coat_a = is_capsule(a) ? R(0) : coat, coat_b = is_capsule(b) ? R(0) : coat;
  const ManifoldT<R> m = clip_features(a, b, near.corner, n, fused(coat, n, near.point_a),
                                       fused(-coat, n, near.point_b), coats ? coat_a + coat_b : limit);
  const int count = lesser(m.count, kMaxPredicted);
  for (int i = 0; i < count; ++i) {
    const Vec3T<R> half = m.normal * (R(0.5) * m.dist[i]);
    out[i].a = fused(-coat, n, fused(coat_a, m.normal, m.pos[i] - half));
    out[i].b = fused(coat, n, fused(-coat_b, m.normal, m.pos[i] + half));
  }
  return greater(count, 1);
}

// ---- lines of sight -----------------------------------------------------------------------------

/// An explicit pair of two geoms; -1 if there is none.
template <class M>
PLIANT_HD int explicit_pair(const M& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return p;
  }
  return -1;
}

/// Whether a geom can come between `mover` and `other`: it collides with the mover and is no part of either.
template <class M>
PLIANT_HD bool can_hide(const M& m, int geom, const GeomTag& mover, const GeomTag& other, int& pair) {
  const GeomTag tag = geom_tag(m, geom);
  if (tag.group == mover.group || (other.group != 0 && tag.group == other.group)) return false;
  pair = explicit_pair(m, mover.geom, geom);
  if (pair >= 0) return true;
  if (!bits_meet(tag.contype, tag.conaffinity, mover.contype, mover.conaffinity)) return false;
  const int low = lesser(tag.body, mover.body), high = greater(tag.body, mover.body);
  if (is_excluded(m, body_signature(low, high))) return false;
  const bool filter_parent = !(m.opt.disableflags & kDisableFilterParent);
  return !filter_parent || tag.group == 0 || mover.group == 0 ||
         (mover.group != tag.carrier && tag.group != mover.carrier);
}

template <class M, class D, class R>
PLIANT_HD_NOINLINE bool sight_hits(const M& m, const D& d, int geom, Vec3T<R> from, Vec3T<R> way) {
  const Vec3T<R> pos = vec3(d.geom_xpos, geom);
  const Mat3T<R> mat = mat3(d.geom_xmat, geom);
  if (is_plane(m, geom)) {
    const Vec3T<R> n = mat.column(2);
    const R begin = dot(n, from - pos), end = begin + dot(n, way);
    return begin * end <= 0 && (std::fabs(begin) > R(kSightEnds) || std::fabs(end) > R(kSightEnds));
  }
  Vec3T<R> normal;
  const R x = ray_geom_local(m, geom, transposed_times(mat, fused(R(kSightEnds), way, from) - pos),
                             transposed_times(mat, way * (1 - 2 * R(kSightEnds))), R(1), normal);
  return x >= 0 && x <= 1;
}

/// Whether something stands between two points on the way of `mover` that it does not touch already.
template <class M, class D, class R>
PLIANT_HD_NOINLINE bool is_hidden(const M& m, const D& d, const MotionsT<R>& motions, int mover, int other,
                                  Vec3T<R> from, Vec3T<R> to) {
  const Vec3T<R> way = to - from, middle = fused(R(0.5), way, from);
  const R length2 = dot(way, way), half = R(0.5) * std::sqrt(length2);
  if (length2 < R(1e-30)) return false;
  const GeomTag tag1 = geom_tag(m, mover), tag2 = geom_tag(m, other);
  for (int g = 0; g < m.ngeom; ++g) {
    if (g == mover || g == other || !(is_plane(m, g) || is_convex(m, g))) continue;
    if (const R radius = m.geom_rbound[g]; radius > 0) {
      const Vec3T<R> away = vec3(d.geom_xpos, g) - middle;
      if (dot(away, away) > (radius + half) * (radius + half)) continue;
    }
    int pair = -1;
    if (!can_hide(m, g, tag1, tag2, pair) || !sight_hits(m, d, g, from, way)) continue;
    // what moves itself may be gone by then
    if (is_exact(m) && motions[g].reach > 0) continue;
    if (is_plane(m, g) && is_plane(m, mover)) return true;
    const R reach = pair_margin(m, mover, g, pair) + m.opt.ccd_tolerance;
    const int first = m.geom_type[mover] <= m.geom_type[g] ? mover : g, second = first == mover ? g : mover;
    const NearestPoints<R> near = nearest_points(geom_shape(m, d, first), geom_shape(m, d, second), reach);
    if (near.dist > reach) return true;
  }
  return false;
}

// ---- a pair -------------------------------------------------------------------------------------

/// What a fast pair will make: points at which it will touch, where they are now, with the distances their rows need.
/// With the flag speculative_exact their rows have their own law (use_own_law).
template <class R>
struct PredictionT {
  int count = 0;
  ContactPointT<R> point[kMaxPredicted + 1];
};

/// Flag speculative_exact: a corner that is held would let the rest go on, turning about it and through, and so would a
/// face beside the centre of mass: that of the faster body is held as well. `first` is one of the points, `approach`
/// that of the centre. False: there is nothing to hold.
template <class M, class D, class R>
PLIANT_HD bool hold_centre(const M& m, const D& d, int faster, R margin, const ContactPointT<R>& first, bool alone, R t,
                           R approach, ContactPointT<R>& out) {
  const Vec3T<R> pos = vec3(d.xipos, m.geom_bodyid[faster]);
  const bool held = alone && norm(cross(first.pos - pos, first.normal)) < R(1e-6) * m.geom_rbound[faster];
  if (held || !(approach > 0)) return false;
  out = {margin + own_distance(m.opt, t, approach), pos, first.normal, {}};
  return true;
}

/// Follows a fast pair, a and b as shapes of geom1 and geom2 where they are now.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void predict_contacts(const M& m, const D& d, const MotionsT<R>& motions, const ShapeT<R>& a,
                                         const ShapeT<R>& b, int geom1, int geom2, int pair, PredictionT<R>& out) {
  out.count = 0;
  const GeomMotionT<R>&motion1 = motions[geom1], &motion2 = motions[geom2];
  const R reach = motion1.reach + motion2.reach, margin = pair_margin(m, geom1, geom2, pair);
  if (reach < R(kTiny)) return;
  const R limit = margin + reach;
  NearestPoints<R> near = nearest_points(a, b, limit);
  const R start = near.dist;
  if (!(start > margin) || start - margin > reach) return;

  // when they meet
  const R goal = margin + R(kImpactGoal) * (start - margin);
  const R enough = greater(R(m.opt.ccd_tolerance), R(kNearImpactGoal) * (goal - margin));
  ShapeT<R> a_then = a, b_then = b;
  R time = 0;
  for (int i = 0; i < kMaxImpactMoves && near.dist - goal > enough; ++i) {
    const R closing = dot(near.normal, motion1.move - motion2.move) + motion1.spin + motion2.spin;
    if (closing <= R(kTiny)) return;
    const R dt = (near.dist - goal) / closing;
    time += dt;
    if (time >= 1) return;
    move_shape(motion1, dt, a_then);
    move_shape(motion2, dt, b_then);
    near = nearest_points(a_then, b_then, limit);
    if (!(near.dist - margin <= (1 - time) * reach)) return;
  }

  // how fast the nearest points approach each other, per step
  const Vec3T<R> speed1 = motion1.move + cross(motion1.turn, near.point_a - a_then.pos),
                 speed2 = motion2.move + cross(motion2.turn, near.point_b - b_then.pos);
  const R closing = dot(near.normal, speed1 - speed2);
  R impact = time;
  if (near.dist - goal > enough) {
    if (closing <= R(kTiny) || near.dist - margin > (1 - time) * closing) return;
    impact += (near.dist - goal) / closing;
  }
  const R approach = greater(closing, (start - near.dist) / greater(time, R(kTiny)));
  if (!(approach > 0)) return;

  // where
  const bool single = (m.opt.disableflags & kDisableMultiCcd) != 0;
  const R above = 2 * greater(near.dist, R(0)) + approach * (1 - impact) + m.opt.ccd_tolerance;
  PointPair<R> points[kMaxPredicted];
  const int count = touching_points(a_then, b_then, near, above, single, !is_exact(m), points);
  ContactT<R> common;
  set_parameters(m, geom1, geom2, pair, common);
  const bool exact = is_exact(m), first_is_faster = motion1.reach >= motion2.reach;
  const R dist = exact ? margin + own_distance(m.opt, impact, approach) : row_distance(m.opt, common, impact, approach);
  const int faster = first_is_faster ? geom1 : geom2, slower = first_is_faster ? geom2 : geom1;
  for (int i = 0; i < count; ++i) {
    const Vec3T<R> on_a = where_it_was(a_then, a, points[i].a), on_b = where_it_was(b_then, b, points[i].b);
    if (is_hidden(m, d, motions, geom1, geom2, on_a, points[i].a) ||
        is_hidden(m, d, motions, geom2, geom1, on_b, points[i].b) ||
        is_hidden(m, d, motions, faster, slower, points[i].a, points[i].b)) {
      continue;
    }
    const Vec3T<R> pos = on_a * (motion1.reach / reach) + on_b * (motion2.reach / reach);
    out.point[out.count++] = {dist, pos, near.normal, {}};
  }
  if (!exact || out.count == 0) return;
  out.count += hold_centre(m, d, faster, margin, out.point[0], out.count == 1, impact,
                           dot(near.normal, motion1.move - motion2.move), out.point[out.count]);
}

/// Flag speculative_exact: the same for contacts of a fast pair that are there already, as far as their own law could
/// not stop the approach before the pair is through. Of a contact at `pos`: the approach per step.
template <class R>
struct Brake {
  R fast = 0;  // an approach that the contact's own law could not stop
  GeomMotionT<R> motion1, motion2;
  Vec3T<R> place1, place2;
  PLIANT_HD R approach(Vec3T<R> n, Vec3T<R> pos) const {
    return dot(n, motion1.move + cross(motion1.turn, pos - place1)) -
           dot(n, motion2.move + cross(motion2.turn, pos - place2));
  }
};
template <class M, class D, class R>
PLIANT_HD Brake<R> brake_of(const M& m, const D& d, const MotionsT<R>& motions, int geom1, int geom2, int pair) {
  return {pair_thickness(m, geom1, geom2) / (1 + 2 * stopping_steps(m, geom1, geom2, pair)), motions[geom1],
          motions[geom2], vec3(d.geom_xpos, geom1), vec3(d.geom_xpos, geom2)};
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
