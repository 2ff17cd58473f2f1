#pragma once
// Sums over short rows: lengths of one to a few dozen, where the cost of a loop itself counts.
//
// The general forms are for any field and device. On processors with AVX2 and FMA the same operations run four
// at a time, then two, then one; element by element they are the same, so updates give the same bits. Sums of
// products have an order of their own.

#include <cmath>

#include "base/hd.h"
#include "math/rounding.h"

#if defined(__FMA__) && defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#define PLIANT_SHORT_ROWS_AVX 1
#endif

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// to -= f x, n numbers that do not overlap.
template <class F, class G, class R>
PLIANT_HD void subtract_scaled(F to, G x, R f, int n) {
  for (int c = 0; c < n; ++c) to[c] = mul_add(-f, x[c], to[c]);
}

/// to = x and to += x, n numbers that do not overlap.
template <class R>
PLIANT_HD void copy_short(R* to, const R* x, int n) {
  for (int c = 0; c < n; ++c) to[c] = x[c];
}
template <class R>
PLIANT_HD void add_short(R* to, const R* x, int n) {
  for (int c = 0; c < n; ++c) to[c] += x[c];
}

/// to -= f x + g y, first f, then g.
template <class F, class G, class R>
PLIANT_HD void subtract_two(F to, G x, R f, G y, R g, int n) {
  for (int c = 0; c < n; ++c) to[c] = mul_add(-g, y[c], mul_add(-f, x[c], to[c]));
}

/// Σ x y.
template <class F, class G>
PLIANT_HD auto sum_products(F x, G y, int n) {
  auto sum = 0 * x[0];
  for (int c = 0; c < n; ++c) sum = mul_add(x[c], y[c], sum);
  return sum;
}

/// out[k] = Σ of six products x[6 k + c] y[c], for n rows of six.
template <class F, class G, class H>
PLIANT_HD void rows_of_six_times(F x, const G& y, H out, int n) {
  for (int k = 0; k < n; ++k) {
    auto sum = x[6 * k] * y[0];
    for (int c = 1; c < 6; ++c) sum = mul_add(x[6 * k + c], y[c], sum);
    out[k] = sum;
  }
}

/// a -= Σ x z and b -= Σ y z.
template <class F, class G, class R>
PLIANT_HD void subtract_products(F x, F y, G z, int n, R& a, R& b) {
  a -= sum_products(x, z, n);
  b -= sum_products(y, z, n);
}

#ifdef PLIANT_SHORT_ROWS_AVX

inline void subtract_scaled(double* to, const double* x, double f, int n) {
  const __m256d factor = _mm256_set1_pd(f);
  int c = 0;
  for (; c + 4 <= n; c += 4) {
    _mm256_storeu_pd(to + c, _mm256_fnmadd_pd(factor, _mm256_loadu_pd(x + c), _mm256_loadu_pd(to + c)));
  }
  if (n & 2) {
    const __m128d two = _mm256_castpd256_pd128(factor);
    _mm_storeu_pd(to + c, _mm_fnmadd_pd(two, _mm_loadu_pd(x + c), _mm_loadu_pd(to + c)));
    c += 2;
  }
  if (n & 1) to[c] = mul_add(-f, x[c], to[c]);
}
inline void subtract_scaled(double* to, double* x, double f, int n) {
  subtract_scaled(to, static_cast<const double*>(x), f, n);
}

inline void copy_short(double* to, const double* x, int n) {
  int c = 0;
  for (; c + 4 <= n; c += 4) _mm256_storeu_pd(to + c, _mm256_loadu_pd(x + c));
  if (n & 2) {
    _mm_storeu_pd(to + c, _mm_loadu_pd(x + c));
    c += 2;
  }
  if (n & 1) to[c] = x[c];
}

inline void add_short(double* to, const double* x, int n) {
  int c = 0;
  for (; c + 4 <= n; c += 4) _mm256_storeu_pd(to + c, _mm256_add_pd(_mm256_loadu_pd(to + c), _mm256_loadu_pd(x + c)));
  if (n & 2) {
    _mm_storeu_pd(to + c, _mm_add_pd(_mm_loadu_pd(to + c), _mm_loadu_pd(x + c)));
    c += 2;
  }
  if (n & 1) to[c] += x[c];
}

inline void subtract_two(double* to, const double* x, double f, const double* y, double g, int n) {
  const __m256d first = _mm256_set1_pd(f), second = _mm256_set1_pd(g);
  int c = 0;
  for (; c + 4 <= n; c += 4) {
    const __m256d t = _mm256_fnmadd_pd(first, _mm256_loadu_pd(x + c), _mm256_loadu_pd(to + c));
    _mm256_storeu_pd(to + c, _mm256_fnmadd_pd(second, _mm256_loadu_pd(y + c), t));
  }
  if (n & 2) {
    const __m128d t = _mm_fnmadd_pd(_mm256_castpd256_pd128(first), _mm_loadu_pd(x + c), _mm_loadu_pd(to + c));
    _mm_storeu_pd(to + c, _mm_fnmadd_pd(_mm256_castpd256_pd128(second), _mm_loadu_pd(y + c), t));
    c += 2;
  }
  if (n & 1) to[c] = mul_add(-g, y[c], mul_add(-f, x[c], to[c]));
}

inline void subtract_two(double* to, double* x, double f, double* y, double g, int n) {
  subtract_two(to, static_cast<const double*>(x), f, static_cast<const double*>(y), g, n);
}

inline double sum_of_four(__m256d four) {
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

inline double sum_products(const double* x, const double* y, int n) {
  double sum = 0;
  int c = 0;
  if (n >= 4) {
    __m256d four = _mm256_mul_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y));
    for (c = 4; c + 4 <= n; c += 4) four = _mm256_fmadd_pd(_mm256_loadu_pd(x + c), _mm256_loadu_pd(y + c), four);
    sum = sum_of_four(four);
  }
  for (; c < n; ++c) sum = mul_add(x[c], y[c], sum);
  return sum;
}

inline void rows_of_six_times(const double* x, const double (&y)[6], double* out, int n) {
  // (set, not loaded: a load of numbers that were stored one by one waits for all of them)
  const __m256d four = _mm256_set_pd(y[3], y[2], y[1], y[0]);
  const __m128d two = _mm_set_pd(y[5], y[4]);
  for (int k = 0; k < n; ++k) {
    const __m256d a = _mm256_mul_pd(_mm256_loadu_pd(x + 6 * k), four);
    const __m128d b = _mm_fmadd_pd(_mm_loadu_pd(x + 6 * k + 4), two, _mm256_castpd256_pd128(a));
    const __m128d sum = _mm_add_pd(b, _mm256_extractf128_pd(a, 1));
    out[k] = _mm_cvtsd_f64(_mm_add_sd(sum, _mm_unpackhi_pd(sum, sum)));
  }
}
inline void rows_of_six_times(double* x, const double (&y)[6], double* out, int n) {
  rows_of_six_times(static_cast<const double*>(x), y, out, n);
}

inline void subtract_products(const double* x, const double* y, const double* z, int n, double& a, double& b) {
  double first = 0, second = 0;
  int c = 0;
  if (n >= 4) {
    __m256d four = _mm256_loadu_pd(z);
    __m256d xz = _mm256_mul_pd(_mm256_loadu_pd(x), four), yz = _mm256_mul_pd(_mm256_loadu_pd(y), four);
    for (c = 4; c + 4 <= n; c += 4) {
      four = _mm256_loadu_pd(z + c);
      xz = _mm256_fmadd_pd(_mm256_loadu_pd(x + c), four, xz);
      yz = _mm256_fmadd_pd(_mm256_loadu_pd(y + c), four, yz);
    }
    first = sum_of_four(xz);
    second = sum_of_four(yz);
  }
  for (; c < n; ++c) {
    first = mul_add(x[c], z[c], first);
    second = mul_add(y[c], z[c], second);
  }
  a -= first;
  b -= second;
}

inline void subtract_products(double* x, double* y, double* z, int n, double& a, double& b) {
  subtract_products(static_cast<const double*>(x), static_cast<const double*>(y), static_cast<const double*>(z), n, a,
                    b);
}
inline void subtract_products(const double* x, const double* y, double* z, int n, double& a, double& b) {
  subtract_products(x, y, static_cast<const double*>(z), n, a, b);
}

#endif

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
