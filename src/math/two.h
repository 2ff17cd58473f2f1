#pragma once
// Two numbers that are computed with at once: one formula for two states, in vector instructions where there are any.
// A type for templates over reals; comparisons are not among what it can do.

#include "math/quat.h"
#include "math/rounding.h"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace pliant {

struct Two {
  // (an extension of GCC and Clang: the pair is one register)
  using Lanes = double __attribute__((vector_size(16)));
  Lanes v = {0, 0};

  Two() = default;
  Two(double both) : v{both, both} {}  // NOLINT(google-explicit-constructor): numbers of formulas
  Two(double first, double second) : v{first, second} {}
  explicit Two(Lanes lanes) : v(lanes) {}
  double operator[](int i) const { return v[i]; }

  Two& operator+=(Two b) {
    v += b.v;
    return *this;
  }
  Two& operator-=(Two b) {
    v -= b.v;
    return *this;
  }
};

inline Two operator+(Two a, Two b) { return Two{a.v + b.v}; }
inline Two operator-(Two a, Two b) { return Two{a.v - b.v}; }
inline Two operator-(Two a) { return Two{-a.v}; }
inline Two operator*(Two a, Two b) { return Two{a.v * b.v}; }
inline Two operator/(Two a, Two b) { return Two{a.v / b.v}; }

inline namespace PLIANT_ROUNDING {

inline Two mul_add(Two a, Two b, Two c) {
#if defined(__FMA__)
  return Two{Two::Lanes(_mm_fmadd_pd(a.v, b.v, c.v))};
#else
  return a * b + c;
#endif
}

inline QuatT<Two> normalized(const QuatT<Two>& q) {
  const Quat a = normalized(Quat{q.w[0], q.x[0], q.y[0], q.z[0]}), b = normalized(Quat{q.w[1], q.x[1], q.y[1], q.z[1]});
  return {Two{a.w, b.w}, Two{a.x, b.x}, Two{a.y, b.y}, Two{a.z, b.z}};
}

}  // namespace PLIANT_ROUNDING

/// An array of numbers that both states share.
struct Shared {
  const double* values = nullptr;
  Two operator[](int i) const { return Two{values[i]}; }
};
/// Two arrays, one of each state.
struct Paired {
  const double *first = nullptr, *second = nullptr;
  Two operator[](int i) const { return {first[i], second[i]}; }
};

}  // namespace pliant
