#pragma once
// Four numbers that are worked on at once.
//
// With AVX2 and FMA they are one register; elsewhere four numbers in a row, with the same rounding.
// The functions exist for single numbers too, so that a formula written as a template serves one
// row, four rows and devices.

#include <cmath>

#include "base/hd.h"
#include "math/rounding.h"
#include "math/scalar.h"

#if defined(__FMA__) && defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#define PLIANT_FOUR_AVX 1
#endif

namespace pliant {
inline namespace PLIANT_ROUNDING {

// ---- one number --------------------------------------------------------------------------------

PLIANT_HD double smaller(double a, double b) { return a < b ? a : b; }
PLIANT_HD float smaller(float a, float b) { return a < b ? a : b; }
PLIANT_HD double larger(double a, double b) { return a > b ? a : b; }
PLIANT_HD float larger(float a, float b) { return a > b ? a : b; }

#ifdef PLIANT_FOUR_AVX

// ---- one register ------------------------------------------------------------------------------

struct Four {
  __m256d v;
  Four() = default;
  Four(__m256d x) : v(x) {}
  explicit Four(double x) : v(_mm256_set1_pd(x)) {}
  static Four load(const double* p) { return _mm256_loadu_pd(p); }
  /// The first `count` (1 to 4) of four, zero for the others, which are not read.
  static Four load_part(const double* p, int count) {
    alignas(32) static constexpr long long kMask[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const auto* mask = reinterpret_cast<const __m256i*>(kMask + 4 - count);
    return _mm256_maskload_pd(p, _mm256_loadu_si256(mask));
  }
  Four(double a, double b, double c, double d) : v(_mm256_set_pd(d, c, b, a)) {}
  /// Four numbers from four places.
  static Four gather(const double* a, const double* b, const double* c, const double* d) { return {*a, *b, *c, *d}; }
  void store(double* p) const { _mm256_storeu_pd(p, v); }
};
struct FourMask {
  __m256d v;
};

[[gnu::always_inline]] inline Four operator+(Four a, Four b) { return _mm256_add_pd(a.v, b.v); }
[[gnu::always_inline]] inline Four operator-(Four a, Four b) { return _mm256_sub_pd(a.v, b.v); }
[[gnu::always_inline]] inline Four operator*(Four a, Four b) { return _mm256_mul_pd(a.v, b.v); }
[[gnu::always_inline]] inline Four mul_add(Four a, Four b, Four c) { return _mm256_fmadd_pd(a.v, b.v, c.v); }
/// c - a b.
[[gnu::always_inline]] inline Four mul_subtract(Four a, Four b, Four c) { return _mm256_fnmadd_pd(a.v, b.v, c.v); }
[[gnu::always_inline]] inline Four operator/(Four a, Four b) { return _mm256_div_pd(a.v, b.v); }
[[gnu::always_inline]] inline Four square_root(Four a) { return _mm256_sqrt_pd(a.v); }
[[gnu::always_inline]] inline FourMask operator<(Four a, Four b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)}; }
[[gnu::always_inline]] inline FourMask operator<=(Four a, Four b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ)}; }
[[gnu::always_inline]] inline FourMask operator&(FourMask a, FourMask b) { return {_mm256_and_pd(a.v, b.v)}; }
/// a and not b.
[[gnu::always_inline]] inline FourMask without(FourMask a, FourMask b) { return {_mm256_andnot_pd(b.v, a.v)}; }
[[gnu::always_inline]] inline FourMask select(FourMask m, FourMask a, FourMask b) {
  return {_mm256_blendv_pd(b.v, a.v, m.v)};
}
[[gnu::always_inline]] inline Four select(FourMask m, Four a, Four b) { return _mm256_blendv_pd(b.v, a.v, m.v); }
/// As for single numbers: a < b ? a : b.
[[gnu::always_inline]] inline Four smaller(Four a, Four b) { return _mm256_min_pd(a.v, b.v); }
[[gnu::always_inline]] inline Four larger(Four a, Four b) { return _mm256_max_pd(a.v, b.v); }
[[gnu::always_inline]] inline int mask_bits(FourMask m) { return _mm256_movemask_pd(m.v); }
/// (a0 + a2) + (a1 + a3).
[[gnu::always_inline]] inline double sum(Four a) {
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(a.v), _mm256_extractf128_pd(a.v, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}
/// The sums of four fours: (a0 + a1) + (a2 + a3) each.
[[gnu::always_inline]] inline Four sums(Four a, Four b, Four c, Four d) {
  const __m256d ab = _mm256_hadd_pd(a.v, b.v), cd = _mm256_hadd_pd(c.v, d.v);
  return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

#else

// ---- four numbers ------------------------------------------------------------------------------

struct Four {
  double v[4];
  Four() = default;
  explicit Four(double x) : v{x, x, x, x} {}
  Four(double a, double b, double c, double d) : v{a, b, c, d} {}
  static Four load(const double* p) { return {p[0], p[1], p[2], p[3]}; }
  static Four load_part(const double* p, int count) {
    return {p[0], count > 1 ? p[1] : 0, count > 2 ? p[2] : 0, count > 3 ? p[3] : 0};
  }
  static Four gather(const double* a, const double* b, const double* c, const double* d) { return {*a, *b, *c, *d}; }
  void store(double* p) const {
    for (int i = 0; i < 4; ++i) p[i] = v[i];
  }
};
struct FourMask {
  bool v[4];
};

template <class F>
inline Four for_each_of(Four a, Four b, F f) {
  return {f(a.v[0], b.v[0]), f(a.v[1], b.v[1]), f(a.v[2], b.v[2]), f(a.v[3], b.v[3])};
}
inline Four operator+(Four a, Four b) {
  return for_each_of(a, b, [](double x, double y) { return x + y; });
}
inline Four operator-(Four a, Four b) {
  return for_each_of(a, b, [](double x, double y) { return x - y; });
}
inline Four operator*(Four a, Four b) {
  return for_each_of(a, b, [](double x, double y) { return x * y; });
}
inline Four mul_add(Four a, Four b, Four c) {
  for (int i = 0; i < 4; ++i) c.v[i] = mul_add(a.v[i], b.v[i], c.v[i]);
  return c;
}
inline Four mul_subtract(Four a, Four b, Four c) {
  for (int i = 0; i < 4; ++i) c.v[i] = mul_add(-a.v[i], b.v[i], c.v[i]);
  return c;
}
inline Four operator/(Four a, Four b) {
  return for_each_of(a, b, [](double x, double y) { return x / y; });
}
inline Four square_root(Four a) {
  for (double& x : a.v) x = std::sqrt(x);
  return a;
}
inline FourMask operator<=(Four a, Four b) {
  return {{a.v[0] <= b.v[0], a.v[1] <= b.v[1], a.v[2] <= b.v[2], a.v[3] <= b.v[3]}};
}
inline FourMask without(FourMask a, FourMask b) {
  for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] && !b.v[i];
  return a;
}
inline FourMask select(FourMask m, FourMask a, FourMask b) {
  for (int i = 0; i < 4; ++i) b.v[i] = m.v[i] ? a.v[i] : b.v[i];
  return b;
}
inline FourMask operator<(Four a, Four b) {
  return {{a.v[0] < b.v[0], a.v[1] < b.v[1], a.v[2] < b.v[2], a.v[3] < b.v[3]}};
}
inline FourMask operator&(FourMask a, FourMask b) {
  return {{a.v[0] && b.v[0], a.v[1] && b.v[1], a.v[2] && b.v[2], a.v[3] && b.v[3]}};
}
inline Four select(FourMask m, Four a, Four b) {
  for (int i = 0; i < 4; ++i) b.v[i] = m.v[i] ? a.v[i] : b.v[i];
  return b;
}
inline Four smaller(Four a, Four b) { return select(a < b, a, b); }
inline Four larger(Four a, Four b) { return select(b < a, a, b); }
inline int mask_bits(FourMask m) { return m.v[0] + 2 * m.v[1] + 4 * m.v[2] + 8 * m.v[3]; }
inline double sum(Four a) { return (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]); }
inline Four sums(Four a, Four b, Four c, Four d) {
  const auto one = [](Four x) { return (x.v[0] + x.v[1]) + (x.v[2] + x.v[3]); };
  return {one(a), one(b), one(c), one(d)};
}

#endif

inline Four& operator+=(Four& a, Four b) { return a = a + b; }

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
