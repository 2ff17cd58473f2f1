#pragma once
// Sines and cosines of many angles at once.
//
// The compiler turns the loop into vector instructions, which it cannot do with calls of the library. Angles are
// reduced by multiples of π/2 in two fused steps (Cody and Waite), then the polynomials of fdlibm
// (k_sin.c, k_cos.c; Sun Microsystems 1993) apply; errors stay within about one unit in the last place.
// Angles too large for that reduction are left to the library.

#include <bit>
#include <cmath>
#include <cstdint>

#include "math/rounding.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Beyond this the two-step reduction loses digits [rad].
inline constexpr double kLargestReducedAngle = 1e4;

inline void sincos_reduced(double x, double& sine, double& cosine) {
  constexpr double kTwoOverPi = 6.36619772367581382433e-01, kHalfPi = 1.57079632679489655800e+00,
                   kHalfPiRest = 6.12323399573676603587e-17;
  // Adding and subtracting 1.5 · 2^52 rounds to a whole number, whose last bits are the quadrant.
  constexpr double kRound = 6755399441055744.0;
  const double shifted = mul_add(x, kTwoOverPi, kRound);
  const double turns = shifted - kRound;
  const double r = mul_add(-turns, kHalfPiRest, mul_add(-turns, kHalfPi, x)), z = r * r;
  double p = 1.58969099521155010221e-10;
  p = mul_add(p, z, -2.50507602534068634195e-08);
  p = mul_add(p, z, 2.75573137070700676789e-06);
  p = mul_add(p, z, -1.98412698298579493134e-04);
  p = mul_add(p, z, 8.33333333332248946124e-03);
  p = mul_add(p, z, -1.66666666666666324348e-01);
  const double s = mul_add(p * z, r, r);
  double q = -1.13596475577881948265e-11;
  q = mul_add(q, z, 2.08757232129817482790e-09);
  q = mul_add(q, z, -2.75573143513906633035e-07);
  q = mul_add(q, z, 2.48015872894767294178e-05);
  q = mul_add(q, z, -1.38888888888741095749e-03);
  q = mul_add(q, z, 4.16666666666666019037e-02);
  const double c = mul_add(q * z, z, mul_add(-0.5, z, 1.0));
  // Quadrants 1 and 3 exchange sine and cosine; signs follow.
  const int64_t quadrant = std::bit_cast<int64_t>(shifted);
  const double first = quadrant & 1 ? c : s, second = quadrant & 1 ? s : c;
  const int64_t sign = int64_t{1} << 63;
  sine = std::bit_cast<double>(std::bit_cast<int64_t>(first) ^ ((quadrant << 62) & sign));
  cosine = std::bit_cast<double>(std::bit_cast<int64_t>(second) ^ (((quadrant + 1) << 62) & sign));
}

/// sine[i] holds angle i on entry.
inline void sincos_many(double* __restrict sine, double* __restrict cosine, int n) {
  int64_t large = 0;
  for (int i = 0; i < n; ++i) large += !(std::abs(sine[i]) <= kLargestReducedAngle);
  if (large) {
    for (int i = 0; i < n; ++i) {
      const double x = sine[i];
      sine[i] = std::sin(x);
      cosine[i] = std::cos(x);
    }
    return;
  }
  for (int i = 0; i < n; ++i) sincos_reduced(sine[i], sine[i], cosine[i]);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
