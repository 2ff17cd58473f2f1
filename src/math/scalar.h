#pragma once
// Small functions of one number.

#include <cmath>

#include "base/hd.h"
#include "math/rounding.h"

namespace pliant {

// Formulas call these without their namespace, so that number types of our own bring theirs (lanes.h).
using std::abs;
using std::asin;
using std::atan2;
using std::cos;
using std::exp;
using std::floor;
using std::round;
using std::sin;
using std::sqrt;

inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD R select(bool condition, R a, R b) {
  return condition ? a : b;
}
// Of worlds in lanes: whether all of them say so, and what at least one says.
PLIANT_HD bool all(bool x) { return x; }
PLIANT_HD bool either(bool a, bool b) { return a || b; }
template <class R>
PLIANT_HD bool is_zero(R x) {
  return x == 0;
}
}  // namespace PLIANT_ROUNDING

/// Both let NaN through: it must not disappear into a bound.
template <class R>
PLIANT_HD R at_least(R bound, R x) {
  return bound >= x ? bound : x;
}
template <class R>
PLIANT_HD R clamped(R x, R low, R high) {
  return x < low ? low : x > high ? high : x;
}

}  // namespace pliant
