#pragma once
// Points at which a height field and a convex shape touch.
// (Signatures first; the bodies are under way.)

#include "collision/convex_hd.h"

namespace pliant {

inline constexpr int kMaxHfieldPoints = 50;

/// Pair function: `a` is the height field.
template <class R>
PLIANT_HD_NOINLINE int hfield_convex(const ShapeT<R>&, const ShapeT<R>&, R, ContactPointT<R>*) {
  return 0;
}

}  // namespace pliant
