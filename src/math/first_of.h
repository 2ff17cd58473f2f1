#pragma once
// Searches through a few numbers: where the least is, and which of some points lies farthest in a
// direction. Of equals the first counts, so the answer does not depend on how many numbers are
// looked at at once.
//
// Arrays have room for a multiple of four. On the host doubles go four at a time: the extreme
// first, then where it is; which one it is cannot be predicted, so nothing branches on it. Cost:
// about one cycle per number and 15 on top.

#include <bit>

#include "math/four.h"
#include "math/vec3.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

#ifdef PLIANT_FOUR_AVX
[[gnu::always_inline]] inline unsigned equal_bits(Four a, Four b) {
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)));
}
/// The largest of four in all places.
[[gnu::always_inline]] inline Four largest(Four a) {
  a = larger(a, _mm256_permute2f128_pd(a.v, a.v, 1));
  return larger(a, _mm256_permute_pd(a.v, 5));
}
[[gnu::always_inline]] inline Four smallest(Four a) {
  a = smaller(a, _mm256_permute2f128_pd(a.v, a.v, 1));
  return smaller(a, _mm256_permute_pd(a.v, 5));
}
#endif

/// Place of the least of x[0] … x[n - 1], or -1 if none is below `least`, which it replaces. Up to
/// the next multiple of four x has numbers that are not below `least`.
template <class R>
PLIANT_HD int first_least(const R* x, int n, R& least) {
#ifdef PLIANT_FOUR_AVX
  if constexpr (sizeof(R) == sizeof(double)) {
    Four low(least);
    for (int i = 0; i < n; i += 4) low = smaller(Four::load(x + i), low);
    low = smallest(low);
    const double found = _mm256_cvtsd_f64(low.v);
    if (!(found < least)) return -1;
    least = found;
    for (int i = 0; i < n; i += 4) {
      if (const unsigned bits = equal_bits(Four::load(x + i), low)) return i + std::countr_zero(bits);
    }
    return -1;
  }
#endif
  int place = -1;
  for (int i = 0; i < n; ++i) {
    place = x[i] < least ? i : place;
    least = x[i] < least ? x[i] : least;
  }
  return place;
}

/// Points by coordinates: all x, all y, all z. At most kMaxPacked; the places after the last are
/// filled with the first point.
inline constexpr int kMaxPacked = 32;

/// Which of n points lies farthest in direction d.
template <class R>
PLIANT_HD int first_farthest(const R* point, int n, Vec3T<R> d) {
  const R *x = point, *y = point + kMaxPacked, *z = point + 2 * kMaxPacked;
#ifdef PLIANT_FOUR_AVX
  if constexpr (sizeof(R) == sizeof(double)) {
    const Four dx(d.x), dy(d.y), dz(d.z);
    Four far[kMaxPacked / 4], most;
    const auto along = [&](int i) {
      return mul_add(dz, Four::load(z + i), mul_add(dy, Four::load(y + i), dx * Four::load(x + i)));
    };
    most = far[0] = along(0);
    for (int i = 4; i < n; i += 4) most = larger(most, far[i / 4] = along(i));
    most = largest(most);
    unsigned bits = 0;
    for (int i = 0; i < n; i += 4) bits |= equal_bits(far[i / 4], most) << i;
    return bits ? std::countr_zero(bits) : 0;  // 0: d is not a number
  }
#endif
  int best = 0;
  R most = mul_add(d.z, z[0], mul_add(d.y, y[0], d.x * x[0]));
  for (int i = 1; i < n; ++i) {
    const R far = mul_add(d.z, z[i], mul_add(d.y, y[i], d.x * x[i]));
    best = far > most ? i : best;
    most = far > most ? far : most;
  }
  return best;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
