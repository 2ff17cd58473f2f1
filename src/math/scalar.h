#pragma once
// Small functions of one number.

#include "base/hd.h"

namespace pliant {

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
