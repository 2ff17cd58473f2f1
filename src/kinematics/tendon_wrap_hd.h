#pragma once
// The shortest path of a tendon around a sphere or an endless cylinder, between two sites.
//
// Seen in a plane (the plane of the centre and both sites for a sphere, the cross-section for a
// cylinder) the geom is a circle of radius r. Without a side site, or with one outside the geom,
// the path lies around the circle: a tangent from each site and the arc between them. It goes round
// as the way from the first site over the side site to the second does, by more than half a turn if
// need be: the shortest path that this way can be pulled into without crossing the circle. With a
// side site inside the geom the path stays within: it touches the circle in one point, where both
// pieces make the same angle with the radius. A cylinder is then unrolled: height grows in
// proportion to the length travelled.
//
// Tolerances and starting values are the reference's, as they decide the result.

#include <cmath>

#include "math/mat3.h"
#include "math/scalar.h"

namespace pliant {

template <class R>
struct Point2 {
  R x = 0, y = 0;
};
template <class R>
PLIANT_HD Point2<R> operator+(Point2<R> a, Point2<R> b) {
  return {a.x + b.x, a.y + b.y};
}
template <class R>
PLIANT_HD Point2<R> operator-(Point2<R> a, Point2<R> b) {
  return {a.x - b.x, a.y - b.y};
}
template <class R>
PLIANT_HD Point2<R> operator*(Point2<R> a, R s) {
  return {a.x * s, a.y * s};
}
template <class R>
PLIANT_HD R dot(Point2<R> a, Point2<R> b) {
  return a.x * b.x + a.y * b.y;
}
template <class R>
PLIANT_HD R cross(Point2<R> a, Point2<R> b) {
  return a.x * b.y - a.y * b.x;
}
template <class R>
PLIANT_HD R norm(Point2<R> a) {
  return sqrt(dot(a, a));
}
template <class R>
PLIANT_HD Point2<R> normalized(Point2<R> a) {
  const R length = norm(a);
  return length < R(kTiny) ? Point2<R>{1, 0} : a * (1 / length);
}

/// Points where the path meets and leaves the circle, and the length of arc between them.
template <class R>
struct CircleWrap {
  bool wraps = false;
  R arc = 0;
  Point2<R> first, second;
};

/// The angle from a to b, between −π and π. Straight back is either, as the zero's sign has it.
template <class R>
PLIANT_HD R turn_between(Point2<R> a, Point2<R> b) {
  return atan2(cross(a, b), dot(a, b));
}

/// Whether the line from a to b comes as close to the origin as `radius`, between its ends.
template <class R>
PLIANT_HD bool meets_circle(Point2<R> a, Point2<R> b, R radius) {
  const Point2<R> span = b - a;
  const R square = dot(span, span);
  if (!(square > R(kTiny))) return false;
  const R along = -dot(span, a) / square;
  if (!(along > 0)) return false;
  return along < 1 && norm(a + span * along) <= radius;
}

/// Where the two tangents from a point e outside the circle touch it:
///   t = (r² e ± r √(|e|² − r²) e⊥) / |e|²,  e⊥ = e turned clockwise by 90°.
template <class R>
struct Tangents {
  Point2<R> middle, side;

  PLIANT_HD Tangents(Point2<R> end, R square, R radius) {
    middle = end * (radius * radius / square);
    side = Point2<R>{end.y, -end.x} * (radius * sqrt(at_least(R(0), square - radius * radius)) / square);
  }
  /// turn: +1 for the point clockwise of e, -1 for the other.
  PLIANT_HD Point2<R> point(R turn) const { return middle + side * turn; }
};

/// Path around the circle (centre at the origin). `side` is nullptr, or the point of the circle
/// nearest to the side site. An end on the circle is outside it, whatever rounding says: of a site on the rim of its
/// pulley the path would else change between arc and chord from step to step, as it does in the reference.
template <class R>
PLIANT_HD CircleWrap<R> wrap_outside(Point2<R> end0, Point2<R> end1, const Point2<R>* side, R radius) {
  constexpr R kRounding = sizeof(R) == 8 ? R(1e-12) : R(1e-5);
  const R square = radius * radius, square0 = dot(end0, end0), square1 = dot(end1, end1);
  const R inside = square * (1 - kRounding);
  if (radius < R(kTiny) || square0 < inside || square1 < inside) return {};
  const Point2<R> span = end1 - end0;
  if (dot(span, span) < R(kTiny)) return {};

  // What is left of the turn when both tangents have been taken off is the arc. The straight line stays if it goes the
  // same way and clear of the circle: of an arc of nearly nothing the line tells best whether there is one.
  const R turn = side ? turn_between(end0, *side) + turn_between(*side, end1) : turn_between(end0, end1);
  if (abs(turn) < R(kPi) && !meets_circle(end0, end1, radius)) return {};
  const auto tangent = [&](R to_end) { return atan2(sqrt(at_least(R(0), to_end - square)), radius); };
  const R angle = at_least(R(0), abs(turn) - tangent(square0) - tangent(square1));
  // halfway round is as far either way: counter-clockwise then
  const bool halfway = !side && cross(end0, end1) == 0;
  const R clockwise = turn < 0 && !halfway ? R(1) : R(-1);
  return {true, radius * angle, Tangents<R>(end0, square0, radius).point(clockwise),
          Tangents<R>(end1, square1, radius).point(-clockwise)};
}

/// Path inside the circle, touching it in one point; straight where it crosses the circle anyway.
template <class R>
PLIANT_HD CircleWrap<R> wrap_inside(Point2<R> end0, Point2<R> end1, R radius) {
  constexpr int kMaxIterations = 20;
  constexpr R kTolerance = R(1e-6);
  const R length0 = norm(end0), length1 = norm(end1);
  if (radius < R(kTiny) || length0 <= radius || length1 <= radius) return {};
  if (meets_circle(end0, end1, radius)) return {};

  // What is used wherever the search fails: halfway between the ends.
  const Point2<R> middle = normalized((end0 + end1) * R(0.5)) * radius;
  const CircleWrap<R> fallback{true, 0, middle, middle};

  // t = angle between radius and path at the touching point solves
  //   asin(a sin t) + asin(b sin t) − 2 t + γ = 0,  a = r/|e0|, b = r/|e1|, γ = angle between the
  //   ends.
  const R a = radius / length0, b = radius / length1;
  const R gamma = abs(turn_between(end0, end1));
  const R cos_gamma = cos(gamma);
  if (cos_gamma < -1 + R(kTiny)) return {};
  if (cos_gamma > 1 - R(kTiny)) return fallback;
  const auto residual = [&](R t) { return asin(a * sin(t)) + asin(b * sin(t)) - 2 * t + gamma; };
  const auto slope_of_asin = [](R factor, R t) {
    const R sine = factor * sin(t), root = sqrt(1 - sine * sine);
    return factor * cos(t) / (root > R(kTiny) ? root : R(kTiny));
  };
  R t = R(kPi) / 2, f = residual(t);
  if (f > 0) return fallback;
  int iteration = 0;
  for (; iteration < kMaxIterations && abs(f) > kTolerance; ++iteration) {
    const R slope = slope_of_asin(a, t) + slope_of_asin(b, t) - 2;
    if (slope > -R(kTiny)) return fallback;
    const R next = t - f / slope;
    if (next > t) return fallback;
    t = next;
    f = residual(t);
    if (f > kTolerance) return fallback;
  }
  if (iteration == kMaxIterations) return fallback;

  // The point lies counter-clockwise of the end from which the other is reached counter-clockwise.
  const bool from0 = cross(end0, end1) > 0;
  const Point2<R> from = normalized(from0 ? end0 : end1);
  const R angle = t - asin((from0 ? a : b) * sin(t));
  const R c = cos(angle), s = sin(angle);
  const Point2<R> touch = Point2<R>{c * from.x - s * from.y, s * from.x + c * from.y} * radius;
  return {true, 0, touch, touch};
}

/// Two directions that span the plane of the origin and two points (of any plane through them if
/// they lie on one line), the first towards p.
template <class R>
PLIANT_HD void plane_of(Vec3T<R> p, Vec3T<R> q, Vec3T<R>& x, Vec3T<R>& y) {
  x = normalized(p);
  R sine;
  Vec3T<R> normal = normalized(cross(p, q), sine);
  if (sine < R(kTiny)) {
    const R ax = abs(x.x), ay = abs(x.y), az = abs(x.z);
    const int largest = az > ax && az > ay ? 2 : ay > ax && ay > az ? 1 : 0;
    Vec3T<R> other{1, 1, 1};
    other[largest] = 0;
    normal = normalized(cross(x, other));
  }
  y = normalized(cross(normal, x));
}

/// Points where a path meets and leaves the geom, and the length between them on the geom.
template <class R>
struct GeomWrap {
  bool wraps = false;
  R length = 0;
  Vec3T<R> first, second;
};

/// Path between two sites around a geom at `centre` with axes `axes` (a cylinder's along z); `side`
/// is the position of the side site, nullptr if there is none.
template <class R>
PLIANT_HD GeomWrap<R> wrap_geom(Vec3T<R> from, Vec3T<R> to, Vec3T<R> centre, const Mat3T<R>& axes, R radius,
                                bool cylinder, const Vec3T<R>* side) {
  const Vec3T<R> p0 = transposed_times(axes, from - centre), p1 = transposed_times(axes, to - centre);
  if (norm(p0) < R(kTiny) || norm(p1) < R(kTiny)) return {};

  // Down to two dimensions.
  Vec3T<R> x{1, 0, 0}, y{0, 1, 0};
  if (!cylinder) plane_of(p0, p1, x, y);
  const auto flat = [&](Vec3T<R> p) { return Point2<R>{dot(p, x), dot(p, y)}; };
  CircleWrap<R> circle;
  if (side) {
    const Vec3T<R> s = transposed_times(axes, *side - centre);
    const Point2<R> rim = normalized(flat(s)) * radius;
    circle =
        norm(s) < radius ? wrap_inside(flat(p0), flat(p1), radius) : wrap_outside(flat(p0), flat(p1), &rim, radius);
  } else {
    circle = wrap_outside<R>(flat(p0), flat(p1), nullptr, radius);
  }
  if (!circle.wraps) return {};

  // And back up.
  GeomWrap<R> wrap{true, circle.arc, x * circle.first.x + y * circle.first.y,
                   x * circle.second.x + y * circle.second.y};
  if (cylinder) {
    const R before = norm(flat(p0) - circle.first), after = norm(flat(p1) - circle.second);
    const R climb = (p1.z - p0.z) / (before + circle.arc + after);
    wrap.first.z = p0.z + climb * before;
    wrap.second.z = p0.z + climb * (before + circle.arc);
    const R height = wrap.second.z - wrap.first.z;
    wrap.length = sqrt(circle.arc * circle.arc + height * height);
  }
  wrap.first = axes * wrap.first + centre;
  wrap.second = axes * wrap.second + centre;
  return wrap;
}

}  // namespace pliant
