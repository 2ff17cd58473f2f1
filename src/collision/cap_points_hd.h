#pragma once
// Points of two cylinders that stand on each other: caps that face each other touch on the common part of two discs.
//
// Searches for a deepest point find any point of that region, another one after every tiny tilt, so that contacts would
// wander along the rims. Four points are placed instead, from the geometry alone: the ends of the lens that two discs
// make, along the line of their centres and across it; if one disc lies inside the other or nearly does, four points of
// its rim that turn with the cylinder. Each has the distance between the caps at its place. Cost: 100 ns.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Axes within 0.6 degrees of the normal make caps that face each other (cosine).
template <class R>
inline constexpr R kCapsFace = R(1 - 5e-5);
/// Discs whose centres are nearer than this times the smaller radius beyond its being inside lie inside.
template <class R>
inline constexpr R kNearlyInside = R(0.05);

/// What is deeper below the margin than this times the smaller radius does not rest: there it matters less which points
/// there are than that they are MuJoCo's.
template <class R>
inline constexpr R kDeepestRest = R(0.01);

/// The cap of a cylinder that looks along `way` (unit).
template <class R>
struct CapT {
  Vec3T<R> centre, out;  // out: unit normal
  R radius;
};
template <class R>
PLIANT_HD CapT<R> facing_cap(const ShapeT<R>& cylinder, Vec3T<R> way) {
  const Vec3T<R> axis = cylinder.mat.column(2), out = unfused_dot(axis, way) < 0 ? -axis : axis;
  return {unfused_sum(cylinder.size.y, out, cylinder.pos), out, cylinder.size.x};
}

/// How far along n, from p, the plane of a cap is.
template <class R>
PLIANT_HD R height_of(const CapT<R>& cap, Vec3T<R> p, Vec3T<R> n) {
  return unfused_dot(cap.out, cap.centre - p) / unfused_dot(cap.out, n);
}

/// Four places where the discs a and b, seen along n, overlap most widely; false if they do not. `x`: an axis across
/// the smaller one that turns with it.
template <class R>
PLIANT_HD bool lens_corners(const CapT<R>& a, const CapT<R>& b, Vec3T<R> x, Vec3T<R> n, Vec3T<R> place[4]) {
  const Vec3T<R> between = b.centre - a.centre, shift = between - n * unfused_dot(n, between);
  const R apart = unfused_norm(shift), least = a.radius < b.radius ? a.radius : b.radius;
  if (!(apart < a.radius + b.radius)) return false;
  if (apart < std::fabs(a.radius - b.radius) + kNearlyInside<R> * least) {
    // the largest circle in both, about the middle of what they share along the line of centres
    const R inside = (a.radius + b.radius - apart) / 2, radius = inside < least ? inside : least;
    const R end = a.radius < apart + b.radius ? a.radius : apart + b.radius;      // far end along the line, from a
    const R begin = apart - b.radius > -a.radius ? apart - b.radius : -a.radius;  // near end
    const Vec3T<R> middle = apart > 0 ? unfused_sum((begin + end) / (2 * apart), shift, a.centre) : a.centre;
    const Vec3T<R> u = unfused_normalized(x - n * unfused_dot(n, x)), v = unfused_cross(n, u);
    place[0] = unfused_sum(radius, u, middle), place[1] = unfused_sum(radius, v, middle);
    place[2] = unfused_sum(-radius, u, middle), place[3] = unfused_sum(-radius, v, middle);
    return true;
  }
  // where the rims cross: at `along` from a's centre, `across` to both sides
  const Vec3T<R> u = shift * (1 / apart), v = unfused_cross(n, u);
  const R along = (apart * apart + (a.radius - b.radius) * (a.radius + b.radius)) / (2 * apart);
  const R across2 = a.radius * a.radius - along * along, across = across2 > 0 ? std::sqrt(across2) : 0;
  const Vec3T<R> crossing = unfused_sum(along, u, a.centre);
  place[0] = unfused_sum(a.radius, u, a.centre), place[1] = unfused_sum(across, v, crossing);
  place[2] = unfused_sum(apart - b.radius, u, a.centre), place[3] = unfused_sum(-across, v, crossing);
  return true;
}

/// Replaces out[0], the deepest point of two cylinders, by those of their caps. 0 if it is not caps that touch, fewer
/// than three points do, or the overlap is deep.
template <class R>
PLIANT_HD_NOINLINE int cap_points(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  const Vec3T<R> n = out[0].normal;
  const R radius = a.size.x < b.size.x ? a.size.x : b.size.x;
  if (out[0].dist < margin - kDeepestRest<R> * radius) return 0;
  const CapT<R> cap_a = facing_cap(a, n), cap_b = facing_cap(b, -n);
  if (!(unfused_dot(cap_a.out, n) > kCapsFace<R> && unfused_dot(cap_b.out, n) < -kCapsFace<R>)) return 0;
  Vec3T<R> place[4];
  const Vec3T<R> x = cap_b.radius < cap_a.radius ? b.mat.column(0) : a.mat.column(0);
  if (!lens_corners(cap_a, cap_b, x, n, place)) return 0;
  ContactPointT<R> found[4];
  int count = 0;
  for (const Vec3T<R>& p : place) {
    const R on_a = height_of(cap_a, p, n), on_b = height_of(cap_b, p, n);
    if (on_b - on_a < margin) found[count++] = {on_b - on_a, unfused_sum((on_a + on_b) / 2, n, p), n, {}};
  }
  if (count < 3) return 0;
  for (int i = 0; i < count; ++i) out[i] = found[i];
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
