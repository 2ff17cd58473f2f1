#pragma once
// The last digits of the depth of ellipsoids: Newton's method on f(n) = h_A(n) + h_B(-n), the depth in direction n.
//
// EPA approximates curved surfaces by triangles and needs four times as many for each digit of the normal. Where f is smooth,
// its gradient across n is the part of the support point w across n, and its curvature H_A + H_B - f, with
//   H = (Q - (Q n)(Q n)' / h^2) / h,  Q = diag(size^2),  h = sqrt(n' Q n)   of an ellipsoid (own frame),
//   H = (r / rho) t t',  rho: length of n across the axis, t: along the rim of a cylinder,
// and zero of polytopes. Steps that do not lower f are not taken: at edges and corners the answer stays as it was.
// Cost: 40 to 60 ns per step, two or three steps.

#include "collision/epa_hd.h"

namespace pliant {

/// (H u) . v of the core of c, own frame.
template <class R> PLIANT_HD R support_curvature(const ConvexT<R>& c, Vec3T<R> n, Vec3T<R> u, Vec3T<R> v) {
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

template <class R> inline constexpr int kPolishSteps = 4;
/// Longer steps leave the region where the second derivative tells anything [rad].
template <class R> inline constexpr R kLongestStep = R(0.2);

/// Lowers the depth of an overlap by moving its normal.
template <class R> PLIANT_HD_NOINLINE void polish(DifferenceT<R>& d, OverlapT<R>& o) {
  CornerT<R> c = support_call(d, o.normal);
  for (int step = 0; step < kPolishSteps<R>; ++step) {
    const Vec3T<R> n = o.normal, u = across(n), v = cross(n, u);
    const R gu = dot(u, c.w), gv = dot(v, c.w);
    const Vec3T<R> nb = -transposed_times(d.turn, n), ub = transposed_times(d.turn, u), vb = transposed_times(d.turn, v);
    const R uu = support_curvature(d.a, n, u, u) + support_curvature(d.b, nb, ub, ub) - o.depth;
    const R uv = support_curvature(d.a, n, u, v) + support_curvature(d.b, nb, ub, vb);
    const R vv = support_curvature(d.a, n, v, v) + support_curvature(d.b, nb, vb, vb) - o.depth;
    const R det = uu * vv - uv * uv;
    if (!(uu > 0) || !(det > 0)) return;
    const R su = (uv * gv - vv * gu) / det, sv = (uv * gu - uu * gv) / det;
    if (!(su * su + sv * sv < kLongestStep<R> * kLongestStep<R>)) return;
    const Vec3T<R> next = normalized(fused(su, u, fused(sv, v, n)));
    const CornerT<R> there = support_call(d, next);
    const R depth = dot(next, there.w);
    if (!(depth < o.depth)) return;
    o.depth = depth, o.normal = next, c = there;
    // both are single points here: the touching point is where the support points are
    o.point_a = d.a.type == GeomType::kEllipsoid ? c.a : (c.a - c.w) + next * depth;
  }
}

}  // namespace pliant
