#pragma once
// Numbers of four worlds that are computed with at once: one formula, the same operations as for a single world, so
// that every world has the bits it has alone. A type for templates over reals.
//
// A comparison that decides where the program goes has one answer for all four. Where worlds do not agree it says yes,
// and notes it (LaneSplit): what is computed from then on has no meaning, and each world must be computed by itself.
// What worlds commonly disagree about (bounds of controls and forces) is written with functions that choose per world.
//
// Only where the compiler has AVX2 and fused multiply-add (PLIANT_LANES); elsewhere worlds are moved one by one.

#include <cmath>

#include "math/mat3.h"
#include "math/mat6.h"
#include "math/quat.h"
#include "math/rounding.h"
#include "math/scalar.h"
#include "math/short_rows.h"
#include "math/sincos.h"

#ifdef PLIANT_SHORT_ROWS_AVX
#define PLIANT_LANES 1

namespace pliant {

inline constexpr int kLanes = 4;
inline constexpr int kAllLanes = (1 << kLanes) - 1;

/// Whether worlds have disagreed since it was made or cleared.
class LaneSplit {
 public:
  static void clear() { met_ = false; }
  static bool met() { return met_; }
  [[gnu::noinline, gnu::cold]] static void note() { met_ = true; }

 private:
  static inline thread_local bool met_ = false;
};

/// Answers of four worlds to one question.
struct LaneMask {
  using Four = double __attribute__((vector_size(32)));
  using Bits = decltype(Four{} < Four{});
  Bits v;
  [[gnu::always_inline]] int bits() const { return _mm256_movemask_pd(reinterpret_cast<__m256d>(v)); }
  // NOLINTNEXTLINE(google-explicit-constructor): conditions of formulas
  [[gnu::always_inline]] operator bool() const {
    const int said = bits();
    if (said == 0) return false;
    if (said != kAllLanes) [[unlikely]]
      LaneSplit::note();
    return true;
  }
};

struct Lanes {
  // (an extension of GCC and Clang: the four are one register)
  using Four = double __attribute__((vector_size(32)));
  Four v = {0, 0, 0, 0};

  constexpr Lanes() = default;
  constexpr Lanes(double all) : v{all, all, all, all} {}  // NOLINT(google-explicit-constructor): numbers of formulas
  constexpr Lanes(double a, double b, double c, double d) : v{a, b, c, d} {}
  constexpr explicit Lanes(Four lanes) : v(lanes) {}
  double operator[](int i) const { return v[i]; }
  /// For numbers that are the same in all worlds: objects of a Model among its numbers.
  explicit operator int() const {
    if (v[1] != v[0] || v[2] != v[0] || v[3] != v[0]) LaneSplit::note();
    return static_cast<int>(v[0]);
  }

  Lanes& operator+=(Lanes b) { return v += b.v, *this; }
  Lanes& operator-=(Lanes b) { return v -= b.v, *this; }
  Lanes& operator*=(Lanes b) { return v *= b.v, *this; }
  Lanes& operator/=(Lanes b) { return v /= b.v, *this; }
};

PLIANT_HD Lanes operator+(Lanes a, Lanes b) { return Lanes{a.v + b.v}; }
PLIANT_HD Lanes operator-(Lanes a, Lanes b) { return Lanes{a.v - b.v}; }
PLIANT_HD Lanes operator-(Lanes a) { return Lanes{-a.v}; }
PLIANT_HD Lanes operator*(Lanes a, Lanes b) { return Lanes{a.v * b.v}; }
PLIANT_HD Lanes operator/(Lanes a, Lanes b) { return Lanes{a.v / b.v}; }
PLIANT_HD LaneMask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
PLIANT_HD LaneMask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
PLIANT_HD LaneMask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
PLIANT_HD LaneMask operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
PLIANT_HD LaneMask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }
PLIANT_HD LaneMask operator!=(Lanes a, Lanes b) { return {a.v != b.v}; }

PLIANT_HD Lanes select(LaneMask m, Lanes yes, Lanes no) {
  return Lanes{Lanes::Four(_mm256_blendv_pd(no.v, yes.v, reinterpret_cast<__m256d>(m.v)))};
}

/// f of every world by itself: functions of the C library.
template <class F>
PLIANT_HD Lanes lane_by_lane(Lanes x, F&& f) {
  return {f(x[0]), f(x[1]), f(x[2]), f(x[3])};
}
PLIANT_HD Lanes sqrt(Lanes x) { return Lanes{Lanes::Four(_mm256_sqrt_pd(x.v))}; }
PLIANT_HD Lanes abs(Lanes x) { return Lanes{Lanes::Four(_mm256_andnot_pd(_mm256_set1_pd(-0.0), x.v))}; }
PLIANT_HD Lanes floor(Lanes x) { return Lanes{Lanes::Four(_mm256_floor_pd(x.v))}; }
inline Lanes sin(Lanes x) {
  return lane_by_lane(x, [](double y) { return std::sin(y); });
}
inline Lanes cos(Lanes x) {
  return lane_by_lane(x, [](double y) { return std::cos(y); });
}
inline Lanes exp(Lanes x) {
  return lane_by_lane(x, [](double y) { return std::exp(y); });
}
inline Lanes asin(Lanes x) {
  return lane_by_lane(x, [](double y) { return std::asin(y); });
}
PLIANT_HD Lanes round(Lanes x) {
  return lane_by_lane(x, [](double y) { return std::round(y); });
}
inline Lanes atan2(Lanes y, Lanes x) {
  return {std::atan2(y[0], x[0]), std::atan2(y[1], x[1]), std::atan2(y[2], x[2]), std::atan2(y[3], x[3])};
}

// ---- what worlds may disagree about ----------------------------------------------------------------

PLIANT_HD Lanes at_least(Lanes bound, Lanes x) { return select(bound >= x, bound, x); }
PLIANT_HD Lanes clamped(Lanes x, Lanes low, Lanes high) { return select(x < low, low, select(x > high, high, x)); }

PLIANT_HD bool is_zero(Lanes x) { return (x == Lanes(0)).bits() == kAllLanes; }
PLIANT_HD LaneMask either(LaneMask a, LaneMask b) { return {a.v | b.v}; }
/// Whether all of them say so; worlds may differ.
PLIANT_HD bool all(LaneMask m) { return m.bits() == kAllLanes; }

inline namespace PLIANT_ROUNDING {

PLIANT_HD Lanes mul_add(Lanes a, Lanes b, Lanes c) { return Lanes{Lanes::Four(_mm256_fmadd_pd(a.v, b.v, c.v))}; }

PLIANT_HD Vec3T<Lanes> select(LaneMask m, Vec3T<Lanes> yes, Vec3T<Lanes> no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
PLIANT_HD QuatT<Lanes> select(LaneMask m, QuatT<Lanes> yes, QuatT<Lanes> no) {
  return {select(m, yes.w, no.w), select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
PLIANT_HD Mat3T<Lanes> select(LaneMask m, const Mat3T<Lanes>& yes, const Mat3T<Lanes>& no) {
  Mat3T<Lanes> r;
  for (int k = 0; k < 9; ++k) r.m[k] = select(m, yes.m[k], no.m[k]);
  return r;
}

PLIANT_HD Vec3T<Lanes> normalized(Vec3T<Lanes> a, Lanes& length) {
  length = norm(a);
  const Lanes s = 1 / length;
  return select(length < Lanes(kTiny), Vec3T<Lanes>{1, 0, 0}, a * s);
}
PLIANT_HD QuatT<Lanes> normalized(QuatT<Lanes> q) {
  const Lanes n = norm(q), s = 1 / n;
  const QuatT<Lanes> unit = select(abs(n - 1) <= Lanes(kTiny), q, QuatT<Lanes>{q.w * s, q.x * s, q.y * s, q.z * s});
  return select(n < Lanes(kTiny), QuatT<Lanes>{}, unit);
}
inline QuatT<Lanes> axis_angle(Vec3T<Lanes> axis, Lanes angle) {
  const Lanes half = angle * Lanes(0.5), s = sin(half);
  return select(angle == Lanes(0), QuatT<Lanes>{}, QuatT<Lanes>{cos(half), axis.x * s, axis.y * s, axis.z * s});
}

// ---- sums in the order of short_rows.h, for the arguments that it has them for
// ---------------------------------------------------------------

inline Lanes sum_products(const Lanes* x, const Lanes* y, int n) {
  Lanes sum = 0;
  int c = 0;
  if (n >= 4) {
    Lanes a = x[0] * y[0], b = x[1] * y[1], e = x[2] * y[2], f = x[3] * y[3];
    for (c = 4; c + 4 <= n; c += 4) {
      a = mul_add(x[c], y[c], a), b = mul_add(x[c + 1], y[c + 1], b);
      e = mul_add(x[c + 2], y[c + 2], e), f = mul_add(x[c + 3], y[c + 3], f);
    }
    sum = (a + e) + (b + f);
  }
  for (; c < n; ++c) sum = mul_add(x[c], y[c], sum);
  return sum;
}

inline void subtract_products(const Lanes* x, const Lanes* y, const Lanes* z, int n, Lanes& a, Lanes& b) {
  a -= sum_products(x, z, n);
  b -= sum_products(y, z, n);
}
inline void subtract_products(Lanes* x, Lanes* y, Lanes* z, int n, Lanes& a, Lanes& b) {
  subtract_products(static_cast<const Lanes*>(x), static_cast<const Lanes*>(y), static_cast<const Lanes*>(z), n, a, b);
}
inline void subtract_products(const Lanes* x, const Lanes* y, Lanes* z, int n, Lanes& a, Lanes& b) {
  subtract_products(x, y, static_cast<const Lanes*>(z), n, a, b);
}

inline void rows_of_six_times(const Lanes* x, const Lanes (&y)[6], Lanes* out, int n) {
  for (int k = 0; k < n; ++k) {
    const Lanes* row = x + 6 * k;
    const Lanes even = mul_add(row[4], y[4], row[0] * y[0]) + row[2] * y[2];
    const Lanes odd = mul_add(row[5], y[5], row[1] * y[1]) + row[3] * y[3];
    out[k] = even + odd;
  }
}

inline void rows_of_six_times(Lanes* x, const Lanes (&y)[6], Lanes* out, int n) {
  rows_of_six_times(static_cast<const Lanes*>(x), y, out, n);
}

// ---- sines and cosines as sincos.h has them ----------------------------------------------------------

/// sine[i] holds angle i on entry. A world with one large angle takes all of its own from the library.
inline void sincos_many(Lanes* sine, Lanes* cosine, int n) {
  for (int i = 0; i < n; ++i) {
    if (!(abs(sine[i]) <= Lanes(kLargestReducedAngle))) return LaneSplit::note();
  }
  auto* s = reinterpret_cast<double*>(sine);
  auto* c = reinterpret_cast<double*>(cosine);
  for (int i = 0; i < kLanes * n; ++i) sincos_reduced(s[i], s[i], c[i]);
}

// ---- what goes another way in every world ------------------------------------------------------------

/// Rows are exchanged as each world's numbers say.
inline bool solve_lu(Mat6T<Lanes>& a, Lanes (&x)[6]) {
  LaneMask solved{};
  for (int k = 0; k < kLanes; ++k) {
    Mat6T<double> own;
    double y[6];
    for (int i = 0; i < 36; ++i) own.m[i] = a.m[i][k];
    for (int i = 0; i < 6; ++i) y[i] = x[i][k];
    solved.v[k] = solve_lu(own, y) ? -1 : 0;
    for (int i = 0; i < 6; ++i) x[i].v[k] = y[i];
  }
  return solved;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant

#endif
