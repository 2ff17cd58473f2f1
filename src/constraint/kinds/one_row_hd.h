#pragma once
// What kinds of equalities have in common.

#include <cmath>

#include "constraint/row_sink_hd.h"
#include "pliant/kinds.h"

namespace pliant {

/// Defaults for an equality with one row that pushes joints: see equality_kinds_hd.h.
struct OneRow {
  static constexpr int kRows = 1;
  template <class M, class D>
  PLIANT_HD static void subtract_bias(const M&, D&, int, int) {}
  template <class M, class D, class Push>
  PLIANT_HD static void body_forces(const M&, const D&, int, int, Push&&) {}
  template <class M>
  static double follower_at(const M&, int, double) {
    return NAN;
  }
  template <class M, class D>
  static void fit(M&, const D&, int) {}
};

}  // namespace pliant
