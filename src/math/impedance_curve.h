#pragma once
// How impedance depends on the violation of a row (solimp): for rows (constraint/impedance_hd.h), and for a solver that
// moves them within the step (solver/tgs.cpp).

#include <cmath>

#include "base/hd.h"
#include "math/constants.h"

namespace pliant {

template <class R>
struct Solimp {
  R d0, dwidth, width, midpoint, power;
};

/// x^p for p ≥ 1; the default 2 without pow.
template <class R>
PLIANT_HD R sigmoid_power(R x, R p) {
  return p == 2 ? x * x : std::pow(x, p);
}

template <class R>
struct Impedance {
  R d;      ///< impedance
  R slope;  ///< its derivative with respect to the violation
};

/// d(r): from d0 at r = 0 to dwidth at |r| ≥ width along a sigmoid y(x), x = |r| / width:
/// y = x^p / mid^(p-1) up to the midpoint, 1 - (1-x)^p / (1-mid)^(p-1) beyond it. A width of zero means the mean.
template <class R>
PLIANT_HD Impedance<R> impedance_at(const Solimp<R>& s, R violation) {
  if (s.d0 == s.dwidth || s.width <= R(kTiny)) return {R(0.5) * (s.d0 + s.dwidth), 0};
  const R x = std::abs(violation) / s.width;
  if (x >= 1) return {s.dwidth, 0};
  if (x == 0) return {s.d0, 0};
  R y = x, slope = 1;
  if (s.power != 1) {
    const bool low = x <= s.midpoint;
    const R reach = low ? x : 1 - x, middle = low ? s.midpoint : 1 - s.midpoint;
    const R scale = 1 / (s.power == 2 ? middle : std::pow(middle, s.power - 1));
    const R part = scale * sigmoid_power(reach, s.power);
    y = low ? part : 1 - part;
    slope = s.power * scale * (s.power == 2 ? reach : std::pow(reach, s.power - 1));
  }
  const R range = s.dwidth - s.d0;
  return {s.d0 + y * range, slope * (violation < 0 ? R(-1) : R(1)) * range / s.width};
}

}  // namespace pliant
