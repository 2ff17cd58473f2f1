#pragma once
// Products of a few rows of equal length, one behind the other, with a vector.

#include "math/short_rows.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// out[k] += Σ_c x_k[c] y[c], where row x_k begins at x + k stride; with `edges` x_k is row 2k less row 2k + 1.
template <int n, bool edges, class F, class G, class R>
PLIANT_HD void add_row_speeds(F x, int stride, G y, int length, R (&out)[n]) {
  for (int k = 0; k < n; ++k) {
    const F row = x + (edges ? 2 * k : k) * stride;
    for (int c = 0; c < length; ++c) out[k] = mul_add(edges ? row[c] - row[stride + c] : row[c], y[c], out[k]);
  }
}

#ifdef PLIANT_SHORT_ROWS_AVX

template <int n, bool edges>
inline __attribute__((always_inline)) void add_row_speeds(const double* x, int stride, const double* y, int length,
                                                          double (&out)[n]) {
  const double* row[n];
  const size_t apart = static_cast<size_t>(stride);
  for (size_t k = 0; k < n; ++k) row[k] = x + (edges ? 2 * k : k) * apart;
  __m256d sum[n];
  for (__m256d& s : sum) s = _mm256_setzero_pd();
  // columns c … of all rows; `load` takes as many as there are, and zeros
  const auto add = [&](size_t c, auto load) __attribute__((always_inline)) {
    const __m256d speed = load(y + c);
    for (int k = 0; k < n; ++k) {
      __m256d part = load(row[k] + c);
      if constexpr (edges) part = _mm256_sub_pd(part, load(row[k] + apart + c));
      sum[k] = _mm256_fmadd_pd(part, speed, sum[k]);
    }
  };
  const size_t end = static_cast<size_t>(length);
  size_t c = 0;
  for (; c + 4 <= end; c += 4) add(c, [](const double* p) { return _mm256_loadu_pd(p); });
  if (end & 2) {
    add(c, [](const double* p) { return _mm256_zextpd128_pd256(_mm_loadu_pd(p)); });
    c += 2;
  }
  if (end & 1) add(c, [](const double* p) { return _mm256_zextpd128_pd256(_mm_load_sd(p)); });
  for (int k = 0; k < n; ++k) out[k] += sum_of_four(sum[k]);
}

#endif

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
