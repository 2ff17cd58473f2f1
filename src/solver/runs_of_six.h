#pragma once
// Rows that act on one or two free bodies: one or two runs of six dofs. Products of such rows with w, which sweeps are
// made of, without loops over columns and without copies of w.

#include <cstring>

#include "math/four.h"

namespace pliant {

/// Six numbers: four and two.
struct Six {
  using Two = double __attribute__((vector_size(16)));
  Four four;
  Two two;

  [[gnu::always_inline]] static Six load(const double* p) {
    Six s;
    s.four = Four::load(p);
    std::memcpy(&s.two, p + 4, sizeof s.two);
    return s;
  }
  [[gnu::always_inline]] void store(double* p) const {
    four.store(p);
    std::memcpy(p + 4, &two, sizeof two);
  }
  [[gnu::always_inline]] void add(const Six& y, double f) {
    four = mul_add(y.four, Four(f), four);
    two += y.two * f;
  }
};

/// out[r] = Y_r w for kRows rows, each of kRuns runs of six that lie one behind the other.
template <int kRuns, int kRows>
[[gnu::always_inline]] inline void sixes_times(const double* Y, const double* const* w, double* out) {
  Six at[kRuns];
  for (int s = 0; s < kRuns; ++s) at[s] = Six::load(w[s]);
  Four four[kRows];
  double two[kRows];
  for (int r = 0; r < kRows; ++r) {
    const double* y = Y + r * 6 * kRuns;
    Six product = Six::load(y);
    product.four = product.four * at[0].four;
    product.two *= at[0].two;
    for (int s = 1; s < kRuns; ++s) {
      const Six more = Six::load(y + 6 * s);
      product.four = mul_add(more.four, at[s].four, product.four);
      product.two += more.two * at[s].two;
    }
    four[r] = product.four;
    two[r] = product.two[0] + product.two[1];
  }
  if constexpr (kRows == 4) {
    sums(four[0], four[1], four[2], four[3]).store(out);
    for (int r = 0; r < kRows; ++r) out[r] += two[r];
  } else {
    for (int r = 0; r < kRows; ++r) out[r] = sum(four[r]) + two[r];
  }
}

/// w += Y' change.
template <int kRuns, int kRows>
[[gnu::always_inline]] inline void add_sixes(const double* Y, const double* change, double* const* w) {
  for (int s = 0; s < kRuns; ++s) {
    Six at = Six::load(w[s]);
    for (int r = 0; r < kRows; ++r) at.add(Six::load(Y + (r * kRuns + s) * 6), change[r]);
    at.store(w[s]);
  }
}

}  // namespace pliant
