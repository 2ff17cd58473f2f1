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

/// A slope is small that is smaller than this part of the one at the start: in single precision more of it is rounding.
template <class R>
inline constexpr R kSmallSlope = sizeof(R) == 8 ? R(0) : R(1e-4);

namespace detail {
/// An end moves to the candidate on its side that is nearest to the minimum, if one is nearer than it.
template <class R>
PLIANT_HD bool move_end(LinePointT<R>& end, const LinePointT<R>& a, const LinePointT<R>& b, const LinePointT<R>& c) {
  const R before = end.slope;
  const auto try_point = [&](const LinePointT<R>& p) {
    const bool nearer =
        (end.slope < 0 && p.slope < 0 && end.slope < p.slope) || (end.slope > 0 && p.slope > 0 && end.slope > p.slope);
    if (nearer) end = p;
  };
  try_point(a), try_point(b), try_point(c);
  return end.slope != before;
}

/// Which point is evaluated.
enum class LinePlace : int {
  kFirst,    // Newton's step from the start
  kOneSide,  // one more, before the minimum
  kNext1,    // Newton's step from p1: the first of the search from both sides
  kMiddle,
  kEnd1,  // Newton's step from p1 after it moved
  kEnd2   // the same from p2
};
}  // namespace detail

/// The best point; `start` (alpha 0) if nothing is better. evaluate(alpha) gives a point, `evaluations()` how many
/// there are. `noise`: rounding of the cost. (All points are evaluated in one place of the code: a device loads it
/// once.)
template <class R, class Evaluate, class Count>
PLIANT_HD LinePointT<R> search_line(const LinePointT<R>& start, Evaluate&& evaluate, Count&& evaluations, R tolerance,
                                    int most_evaluations, R noise) {
  using Point = LinePointT<R>;
  using detail::LinePlace;
  const auto newton_step = [](const Point& from) PLIANT_INLINED { return from.alpha - from.slope / from.curvature; };
  const auto flat = [&](const Point& p) PLIANT_INLINED { return std::fabs(p.slope) < tolerance; };
  // Near the minimum a gain drowns in the rounding of the cost; the slope still tells: on the near side of the minimum
  // it proves the gain, as phi is convex.
  const auto gains = [&](const Point& p) PLIANT_INLINED {
    if (p.cost < 0) return true;
    const bool near_side = p.slope * start.slope >= 0;
    return (near_side || p.cost <= noise) && std::fabs(p.slope) < R(0.1) * std::fabs(start.slope);
  };

  Point p1 = start, p2 = start, p1next = start, p2next = start;
  R direction = 1, alpha = newton_step(start);
  bool one_sided = false, moved2 = false;
  LinePlace place = LinePlace::kFirst;
  PLIANT_ROLLED
  for (;;) {
    const Point p = evaluate(alpha);
    if (place <= LinePlace::kOneSide) {
      if (place == LinePlace::kFirst) {
        if (flat(start)) return start;
        if constexpr (kSmallSlope<R> > 0) {
          const R small = kSmallSlope<R> * R(std::fabs(start.slope));
          tolerance = tolerance > small ? tolerance : small;
        }
      }
      p2 = p1;
      p1 = p;
      if (flat(p1) && gains(p1)) return p1;
      // from one side, unless the first step went beyond: then start and p1 have the minimum between them
      if (place == LinePlace::kFirst) {
        one_sided = gains(p1);
        direction = p1.slope < 0 ? R(1) : R(-1);
      }
      place = LinePlace::kNext1;
      if (one_sided) {
        if (p1.slope * direction <= -tolerance && evaluations() < most_evaluations) {
          place = LinePlace::kOneSide;
        } else if (evaluations() >= most_evaluations) {
          return gains(p1) ? p1 : start;
        }
      }
      p2next = p1;
      alpha = newton_step(p1);
      continue;
    }
    // from both
    if (place == LinePlace::kMiddle) {
      // (no addresses of points: a device keeps them in registers)
      Point best = p1next;
      bool found = flat(p1next);
      const auto consider = [&](const Point& c) PLIANT_INLINED {
        if (flat(c) && (!found || c.cost < best.cost)) best = c, found = true;
      };
      consider(p2next), consider(p);
      if (found) return best;
      const bool moved1 = detail::move_end(p1, p1next, p2next, p);
      moved2 = detail::move_end(p2, p1next, p2next, p);
      if (!moved1 && !moved2) return gains(p) ? p : gains(p1) ? p1 : gains(p2) ? p2 : start;
      place = moved1 ? LinePlace::kEnd1 : LinePlace::kEnd2;
      alpha = moved1 ? newton_step(p1) : newton_step(p2);
      continue;
    }
    if (place == LinePlace::kEnd2) {
      p2next = p;
    } else {
      p1next = p;
    }
    if (place == LinePlace::kEnd1 && moved2) {
      place = LinePlace::kEnd2;
      alpha = newton_step(p2);
      continue;
    }
    if (evaluations() >= most_evaluations) break;
    place = LinePlace::kMiddle;
    alpha = R(0.5) * (p1.alpha + p2.alpha);
  }
  const Point better = p1.cost <= p2.cost ? p1 : p2;
  return gains(better) ? better : start;
}

}  // namespace pliant
