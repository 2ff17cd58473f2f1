#pragma once
// Exact search along a direction: phi(alpha) = cost(a + alpha s) - cost(a) is convex with known derivatives.
//
// Newton steps from one side until the slope changes sign, then three candidates per round (Newton points of both
// ends, midpoint) until the slope is below `tolerance`. Rules and order of evaluations are MuJoCo's, so that counts
// compare. Whoever evaluates, one thread or a team, all of it sees the same numbers and takes the same way.

#include <cmath>

#include "base/hd.h"

namespace pliant {

template <class R>
struct LinePointT {
  R alpha = 0, cost = 0, slope = 0, curvature = 0;
};

namespace detail {
template <class R, class Evaluate>
PLIANT_HD bool move_end(LinePointT<R>& end, const LinePointT<R> (&candidates)[3], LinePointT<R>& next,
                        Evaluate&& newton_point) {
  bool moved = false;
  for (const LinePointT<R>& c : candidates) {
    if ((end.slope < 0 && c.slope < 0 && end.slope < c.slope) ||
        (end.slope > 0 && c.slope > 0 && end.slope > c.slope)) {
      end = c;
      moved = true;
    }
  }
  if (moved) next = newton_point(end);
  return moved;
}
}  // namespace detail

/// A slope is small that is smaller than this part of the one at the start: in single precision more of it is rounding.
template <class R>
inline constexpr R kSmallSlope = sizeof(R) == 8 ? R(0) : R(1e-4);

/// The best point; alpha 0 if nothing is better than the start. evaluate(alpha) gives a point, `evaluations()` how many
/// it gave. `noise`: rounding of the cost.
template <class R, class Evaluate, class Count>
PLIANT_HD LinePointT<R> search_line(Evaluate&& evaluate, Count&& evaluations, R tolerance, int most_evaluations,
                                    R noise) {
  using Point = LinePointT<R>;
  const auto newton_point = [&](const Point& from) { return evaluate(from.alpha - from.slope / from.curvature); };
  const Point start = evaluate(R(0));
  // Near the minimum a gain drowns in the rounding of the cost; the slope still tells: on the near side of the minimum
  // it proves the gain, as phi is convex.
  const auto gains = [&](const Point& p) {
    if (p.cost < 0) return true;
    const bool near_side = p.slope * start.slope >= 0;
    return (near_side || p.cost <= noise) && std::fabs(p.slope) < R(0.1) * std::fabs(start.slope);
  };
  Point p1 = newton_point(start);
  if (std::fabs(start.slope) < tolerance) return start;
  if constexpr (kSmallSlope<R> > 0) {
    const R small = kSmallSlope<R> * R(std::fabs(start.slope));
    tolerance = tolerance > small ? tolerance : small;
  }
  const auto flat = [&](const Point& p) { return std::fabs(p.slope) < tolerance; };
  if (flat(p1) && gains(p1)) return p1;
  // from one side, unless the first step went beyond: then start and p1 have the minimum between them
  Point p2 = start;
  if (gains(p1)) {
    const R direction = p1.slope < 0 ? R(1) : R(-1);
    while (p1.slope * direction <= -tolerance && evaluations() < most_evaluations) {
      p2 = p1;
      p1 = newton_point(p1);
      if (flat(p1) && gains(p1)) return p1;
    }
    if (evaluations() >= most_evaluations) return gains(p1) ? p1 : start;
  }
  // from both
  Point p2next = p1, p1next = newton_point(p1);
  while (evaluations() < most_evaluations) {
    const Point middle = evaluate(R(0.5) * (p1.alpha + p2.alpha));
    const Point candidates[3] = {p1next, p2next, middle};
    int best = -1;
    for (int i = 0; i < 3; ++i) {
      if (flat(candidates[i]) && (best < 0 || candidates[i].cost < candidates[best].cost)) best = i;
    }
    if (best >= 0) return candidates[best];
    const bool moved1 = detail::move_end(p1, candidates, p1next, newton_point);
    const bool moved2 = detail::move_end(p2, candidates, p2next, newton_point);
    if (!moved1 && !moved2) return gains(middle) ? middle : gains(p1) ? p1 : gains(p2) ? p2 : start;
  }
  const Point& better = p1.cost <= p2.cost ? p1 : p2;
  return gains(better) ? better : start;
}

}  // namespace pliant
