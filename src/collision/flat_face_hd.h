#pragma once
// Faces that lie flat: of many corners that are about equally low a few must carry. Neither rounding nor which corner
// happens to be lowest may choose them, or what stands there hums.

#include "base/hd.h"

namespace pliant {

/// Flat: sloped by less than this.
template <class R>
inline constexpr R kFlatSlope = R(1e-3);

}  // namespace pliant
