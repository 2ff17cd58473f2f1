#pragma once
// Products and sums: fused in the step and on devices, rounded one by one in the loader.
//
// The step and the kernels of a device use fused multiply-add wherever mul_add stands and nowhere else, so one
// formula gives the same bits in all of them. The loader must not: numbers of meshes decide integers (which
// box is split where), and those must equal the reference's, which rounds every operation. Source files choose
// by their compiler flags (-mfma); functions live in a namespace named after the choice, so that the two kinds
// never meet under one name.

#include <cmath>

#include "base/hd.h"

#if defined(__FMA__) || defined(__CUDACC__)
#define PLIANT_ROUNDING fused_rounding
#else
#define PLIANT_ROUNDING separate_rounding
#endif

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// a b + c.
template <class R>
PLIANT_HD R mul_add(R a, R b, R c) {
#if defined(__FMA__) || defined(__CUDACC__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
