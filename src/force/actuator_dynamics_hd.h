#pragma once
// Activation dynamics of the simple laws.

#include "math/constants.h"
#include "math/scalar.h"

namespace pliant {

/// Linear filter with time constant tau [s].
template <class R>
PLIANT_HD R filter_rate(R ctrl, R act, R tau) {
  return (ctrl - act) / at_least(R(kTiny), tau);
}
/// What the filter reaches after `step` with a constant control.
template <class R>
PLIANT_HD R filter_exact_next(R act, R rate, R tau, R step) {
  tau = at_least(R(kTiny), tau);
  return act + rate * tau * (1 - std::exp(-step / tau));
}

}  // namespace pliant
