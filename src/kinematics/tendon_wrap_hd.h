#pragma once
// The shortest path of a tendon around a sphere or an endless cylinder, between two sites.
//
// Seen in a plane (the plane of the centre and both sites for a sphere, the cross-section for a
// cylinder) the geom is a circle of radius r. Without a side site, or with one outside the geom,
// the path lies around the circle: a tangent from each site and the arc between them. With a side
// site inside the geom the path stays within: it touches the circle in one point, where both pieces
// make the same angle with the radius. A cylinder is then unrolled: height grows in proportion to
// the length travelled.
//
// Choices between two sides, tolerances and starting values are the reference's, as they decide the
// result.

#include <cmath>

#include "math/mat3.h"

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
  return std::sqrt(dot(a, a));
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

/// Whether the pieces a0–a1 and b0–b1 cross.
template <class R>
PLIANT_HD bool cross_each_other(Point2<R> a0, Point2<R> a1, Point2<R> b0, Point2<R> b1) {
  const Point2<R> a = a1 - a0, b = b1 - b0, between = b0 - a0;
  const R det = cross(a, b);
  if (std::abs(det) < R(kTiny)) return false;
  const R along_a = cross(between, b) / det, along_b = cross(between, a) / det;
  return along_a >= 0 && along_a <= 1 && along_b >= 0 && along_b <= 1;
}

/// Where the two tangents from a point e outside the circle touch it:
///   t = (r² e ± r √(|e|² − r²) e⊥) / |e|²,  e⊥ = e turned clockwise by 90°.
template <class R>
struct Tangents {
  Point2<R> middle, side;

  PLIANT_HD Tangents(Point2<R> end, R square, R radius) {
    middle = end * (radius * radius / square);
    side = Point2<R>{end.y, -end.x} * (radius * std::sqrt(square - radius * radius) / square);
  }
  /// turn: +1 for the point clockwise of e, -1 for the other.
  PLIANT_HD Point2<R> point(R turn) const { return middle + side * turn; }
};

/// Path around the circle (centre at the origin). `side` is nullptr, or the point of the circle
/// nearest to the side site.
template <class R>
PLIANT_HD CircleWrap<R> wrap_outside(Point2<R> end0, Point2<R> end1, const Point2<R>* side, R radius) {
  const R square = radius * radius, square0 = dot(end0, end0), square1 = dot(end1, end1);
  if (radius < R(kTiny) || square0 < square || square1 < square) return {};
  const Point2<R> span = end1 - end0;
  const R span_square = dot(span, span);
  if (span_square < R(kTiny)) return {};

  // The straight line stays if it misses the circle on the right side.
  R along = -dot(span, end0) / span_square;
  along = along < 0 ? R(0) : along > 1 ? R(1) : along;
  const Point2<R> nearest = end0 + span * along;
  if (dot(nearest, nearest) > square && (!side || dot(*side, nearest) >= 0)) return {};

  // Two ways around: nearer to the side site is better, or the shorter one without; never a knot.
  constexpr R kKnot = -10000;
  const Tangents<R> from0(end0, square0, radius), from1(end1, square1, radius);
  CircleWrap<R> best;
  R best_score = 0, best_turn = 1;
  bool best_knotted = false;
  for (int way = 0; way < 2; ++way) {
    const R turn = way == 0 ? R(1) : R(-1);
    const Point2<R> first = from0.point(turn), second = from1.point(-turn);
    const Point2<R> apart = first - second;
    const bool knotted = cross_each_other(end0, first, end1, second);
    const R score = knotted ? kKnot : side ? dot(normalized(first + second), *side) : -dot(apart, apart);
    if (way == 0 || !(best_score > score)) {
      best = {true, 0, first, second};
      best_score = score, best_turn = turn, best_knotted = knotted;
    }
  }
  if (best_knotted) return {};

  // Arc from first to second in the sense of the chosen way, between 0 and 2π.
  R angle = std::atan2(-best_turn * cross(best.first, best.second), dot(best.first, best.second));
  if (angle < 0) angle += 2 * R(kPi);
  best.arc = radius * angle;
  return best;
}

/// Path inside the circle, touching it in one point; straight where it crosses the circle anyway.
template <class R>
PLIANT_HD CircleWrap<R> wrap_inside(Point2<R> end0, Point2<R> end1, R radius) {
  constexpr int kMaxIterations = 20;
  constexpr R kStart = R(1 - 1e-7), kTolerance = R(1e-6);
  const R length0 = norm(end0), length1 = norm(end1);
  if (radius < R(kTiny) || length0 <= radius || length1 <= radius) return {};
  const Point2<R> span = end1 - end0;
  const R span_square = dot(span, span);
  if (span_square > R(kTiny)) {
    const R along = -dot(span, end0) / span_square;
    if (along > R(0) && along < R(1) && norm(end0 + span * along) <= radius) return {};
  }

  // What is used wherever the search fails: halfway between the ends.
  const Point2<R> middle = normalized((end0 + end1) * R(0.5)) * radius;
  const CircleWrap<R> fallback{true, 0, middle, middle};

  // z = sine of the angle between radius and path at the touching point solves
  //   asin(a z) + asin(b z) − 2 asin(z) + γ = 0,  a = r/|e0|, b = r/|e1|, γ = angle between the
  //   ends.
  const R a = radius / length0, b = radius / length1;
  const R cos_gamma = (length0 * length0 + length1 * length1 - span_square) / (2 * length0 * length1);
  if (cos_gamma < -1 + R(kTiny)) return {};
  if (cos_gamma > 1 - R(kTiny)) return fallback;
  const R gamma = std::acos(cos_gamma);
  const auto residual = [&](R z) { return std::asin(a * z) + std::asin(b * z) - 2 * std::asin(z) + gamma; };
  const auto slope_of_asin = [](R factor, R z) {
    const R root = std::sqrt(1 - z * z * factor * factor);
    return factor / (root > R(kTiny) ? root : R(kTiny));
  };
  R z = kStart, f = residual(z);
  if (f > 0) return fallback;
  int iteration = 0;
  for (; iteration < kMaxIterations && std::abs(f) > kTolerance; ++iteration) {
    const R slope = slope_of_asin(a, z) + slope_of_asin(b, z) - 2 * slope_of_asin(R(1), z);
    if (slope > -R(kTiny)) return fallback;
    const R next = z - f / slope;
    if (next > z) return fallback;
    z = next;
    f = residual(z);
    if (f > kTolerance) return fallback;
  }
  if (iteration == kMaxIterations) return fallback;

  // The point lies counter-clockwise of the end from which the other is reached counter-clockwise.
  const bool from0 = cross(end0, end1) > 0;
  const Point2<R> from = normalized(from0 ? end0 : end1);
  const R angle = std::asin(z) - std::asin((from0 ? a : b) * z);
  const R c = std::cos(angle), s = std::sin(angle);
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
    const R ax = std::abs(x.x), ay = std::abs(x.y), az = std::abs(x.z);
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
    wrap.length = std::sqrt(circle.arc * circle.arc + height * height);
  }
  wrap.first = axes * wrap.first + centre;
  wrap.second = axes * wrap.second + centre;
  return wrap;
}

}  // namespace pliant
