#pragma once
// The last digits of the depth or distance of round shapes: Newton's method on f(n) = h_A(n) +
// h_B(-n), the depth in direction n. Its least value over all n is the depth, or minus the distance.
//
// EPA approximates curved surfaces by triangles and needs four times as many for each digit of the
// normal. Where f is smooth, its gradient across n is the part of the support point w across n, and
// its curvature H_A + H_B - f, with
//   H = (Q - (Q n)(Q n)' / h^2) / h,  Q = diag(size^2),  h = sqrt(n' Q n)   of an ellipsoid (own
//   frame), H = (r / rho) t t',  rho: length of n across the axis, t: along the rim of a cylinder,
// and zero of polytopes. Where the other shape has an edge k, f has a kink at n . k = 0, and often
// its least value there: the search then stays across k, and at the normal of a face it has nothing
// to search. Steps that do not lower f are not taken, but for a last one that is so short that f cannot tell: near its
// least value f is flat, and its digits end where the normal has only half of its own. The touching point is that of
// the shape which has a single one. Cost: 40 to 60 ns per step, two or three steps, as much again for each edge.

#include <type_traits>

#include "collision/epa_hd.h"

namespace pliant {

/// (H u) . v of the core of c, own frame.
template <class R>
PLIANT_HD R support_curvature(const ConvexT<R>& c, Vec3T<R> n, Vec3T<R> u, Vec3T<R> v) {
  if (c.type == GeomType::kEllipsoid) {
    const Vec3T<R> q{c.size.x * c.size.x, c.size.y * c.size.y, c.size.z * c.size.z};
    const Vec3T<R> qn{q.x * n.x, q.y * n.y, q.z * n.z}, qu{q.x * u.x, q.y * u.y, q.z * u.z};
    const R h2 = dot(qn, n), h = std::sqrt(h2);
    return h > 0 ? (dot(qu, v) - dot(qn, u) * dot(qn, v) / h2) / h : R(0);
  }
  if (c.type == GeomType::kCylinder) {
    const R rho2 = mul_add(n.x, n.x, n.y * n.y);
    if (!(rho2 > R(kTiny))) return 0;
    const R tu = n.x * u.y - n.y * u.x, tv = n.x * v.y - n.y * v.x;
    return c.size.x * tu * tv / (rho2 * std::sqrt(rho2));
  }
  return 0;
}

template <class R>
inline constexpr int kPolishSteps = 4;
/// Longer steps leave the region where the second derivative tells anything [rad].
template <class R>
inline constexpr R kLongestStep = R(0.2);

/// Steps no longer than this are the last: the depth cannot tell whether they lower it [rad].
template <class R>
inline constexpr R kLastStep = std::is_same_v<R, float> ? R(1e-3) : R(1e-7);

template <class R>
PLIANT_HD Vec3T<R> polytope_corner(const ConvexT<R>& c, int corner) {
  if (c.type == GeomType::kHfield) return c.prism[corner];
  const float* v = c.mesh->vert + 3 * corner;
  return {R(v[0]), R(v[1]), R(v[2])};
}

/// Normals nearer than this to a right angle with an edge are tried across it [rad].
template <class R>
inline constexpr R kNearEdge = R(5e-3);

/// Whether the core of c has a single farthest point in direction n (own frame), away from its edges.
template <class R>
PLIANT_HD bool has_single_point(const ConvexT<R>& c, Vec3T<R> n) {
  if (c.type == GeomType::kEllipsoid) return true;
  constexpr R kFar = 2 * kNearEdge<R>;
  return c.type == GeomType::kCylinder && std::fabs(n.z) > kFar && n.x * n.x + n.y * n.y > kFar * kFar;
}

/// The touching point for the normal of o, whose support point is c: it stays if neither shape has a single one.
template <class R>
PLIANT_HD void set_point(const DifferenceT<R>& d, OverlapT<R>& o, const CornerT<R>& c) {
  if (has_single_point(d.a, o.normal)) {
    o.point_a = c.a;
  } else if (has_single_point(d.b, transposed_times(d.turn, o.normal))) {
    o.point_a = fused(o.depth, o.normal, c.a - c.w);
  }
}

/// Takes a new normal if it lowers the depth, or `anyway`. Returns whether it did.
template <class R>
PLIANT_HD bool lower_depth(DifferenceT<R>& d, OverlapT<R>& o, Vec3T<R> normal, CornerT<R>& c, bool anyway = false) {
  const CornerT<R> there = support_call(d, normal);
  const R depth = dot(normal, there.w);
  if (!(depth < o.depth) && !anyway) return false;
  o.depth = depth, o.normal = normal, c = there;
  set_point(d, o, c);
  return true;
}

/// Up to two directions of edges of c nearly across n, own frame. `corner`: those of a polytope that
/// EPA found; edges lie between two of them.
template <class R>
PLIANT_HD int edges_across(const ConvexT<R>& c, Vec3T<R> n, const int corner[3], Vec3T<R> edge[2]) {
  int count = 0;
  auto consider = [&](Vec3T<R> k) {
    if (count < 2 && std::fabs(dot(k, n)) < kNearEdge<R>) edge[count++] = k;
  };
  switch (c.type) {
    case GeomType::kBox:
    case GeomType::kCylinder:
      // the flat end of a cylinder has edges all around: two of them tell its normal
      if (c.type == GeomType::kBox || mul_add(n.x, n.x, n.y * n.y) < kNearEdge<R> * kNearEdge<R>) {
        consider({1, 0, 0});
        consider({0, 1, 0});
      }
      consider({0, 0, 1});
      break;
    case GeomType::kCapsule:
      consider({0, 0, 1});
      break;
    case GeomType::kMesh:
    case GeomType::kHfield:
      for (int i = 0; i < 3; ++i) {
        const int from = corner[i], to = corner[(i + 1) % 3];
        if (from < 0 || to < 0 || from == to) continue;
        const Vec3T<R> k = polytope_corner(c, to) - polytope_corner(c, from);
        if (dot(k, k) > 0) consider(normalized(k));
      }
      break;
    default:
      break;
  }
  return count;
}

/// Searches across an edge (unit): the normal turns about it.
template <class R>
PLIANT_HD void polish_across(DifferenceT<R>& d, OverlapT<R>& o, Vec3T<R> edge) {
  OverlapT<R> best = o;
  best.normal = normalized(o.normal - edge * dot(edge, o.normal));
  CornerT<R> c = support_call(d, best.normal);
  best.depth = dot(best.normal, c.w);
  set_point(d, best, c);
  for (int step = 0; step < kPolishSteps<R>; ++step) {
    const Vec3T<R> n = best.normal, t = cross(edge, n);
    const Vec3T<R> nb = -transposed_times(d.turn, n), tb = transposed_times(d.turn, t);
    const R curvature = support_curvature(d.a, n, t, t) + support_curvature(d.b, nb, tb, tb) - best.depth;
    const R turn = -dot(t, c.w) / curvature;
    if (!(curvature > 0) || !(std::fabs(turn) < kLongestStep<R>)) break;
    const bool last = std::fabs(turn) < kLastStep<R>;
    if (!lower_depth(d, best, normalized(fused(turn, t, n)), c, last) || last) break;
  }
  if (best.depth < o.depth) o.depth = best.depth, o.normal = best.normal, o.point_a = best.point_a;
}

/// Searches where edges of either shape make kinks.
template <class R>
PLIANT_HD_NOINLINE void polish_at_edges(DifferenceT<R>& d, OverlapT<R>& o) {
  Vec3T<R> edge[4];
  const Vec3T<R> n = o.normal;
  const int corner_a[3] = {o.corner[0].corner_a, o.corner[1].corner_a, o.corner[2].corner_a};
  const int corner_b[3] = {o.corner[0].corner_b, o.corner[1].corner_b, o.corner[2].corner_b};
  int count = edges_across(d.a, n, corner_a, edge);
  const int more = edges_across(d.b, transposed_times(d.turn, n), corner_b, edge + count);
  for (int i = count; i < count + more; ++i) edge[i] = d.turn * edge[i];
  count += more;
  CornerT<R> c;
  for (int i = 0; i < count; ++i) {
    polish_across(d, o, edge[i]);
    for (int j = 0; j < i; ++j) {
      const Vec3T<R> face = cross(edge[i], edge[j]);
      const R length = norm(face);
      if (length > R(0.1)) lower_depth(d, o, face * ((dot(face, n) < 0 ? -1 : 1) / length), c);
    }
  }
}

/// Lowers the depth of an overlap, or finds the distance, by moving the normal.
template <class R>
PLIANT_HD_NOINLINE void polish(DifferenceT<R>& d, OverlapT<R>& o) {
  CornerT<R> c = support_call(d, o.normal);
  o.depth = dot(o.normal, c.w);
  for (int step = 0; step < kPolishSteps<R>; ++step) {
    const Vec3T<R> n = o.normal, u = across(n), v = cross(n, u);
    const R gu = dot(u, c.w), gv = dot(v, c.w);
    const Vec3T<R> nb = -transposed_times(d.turn, n), ub = transposed_times(d.turn, u),
                   vb = transposed_times(d.turn, v);
    const R uu = support_curvature(d.a, n, u, u) + support_curvature(d.b, nb, ub, ub) - o.depth;
    const R uv = support_curvature(d.a, n, u, v) + support_curvature(d.b, nb, ub, vb);
    const R vv = support_curvature(d.a, n, v, v) + support_curvature(d.b, nb, vb, vb) - o.depth;
    const R det = uu * vv - uv * uv;
    if (!(uu > 0) || !(det > 0)) break;
    const R su = (uv * gv - vv * gu) / det, sv = (uv * gu - uu * gv) / det;
    const R length2 = su * su + sv * sv;
    if (!(length2 < kLongestStep<R> * kLongestStep<R>)) break;
    const bool last = length2 < kLastStep<R> * kLastStep<R>;
    if (!lower_depth(d, o, normalized(fused(su, u, fused(sv, v, n))), c, last) || last) break;
  }
  polish_at_edges(d, o);
}

}  // namespace pliant
