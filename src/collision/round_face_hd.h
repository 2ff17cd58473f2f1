#pragma once
// Round faces: more corners than two squares can have in common, and many equally good choices of the few that carry.
// Where one lies flat, neither rounding nor which corner happens to be lowest must choose, or what stands there hums.

#include "base/hd.h"

namespace pliant {

inline constexpr int kFewCorners = 8;

/// Flat: sloped by less than this.
template <class R>
inline constexpr R kFlatSlope = R(1e-3);

}  // namespace pliant
