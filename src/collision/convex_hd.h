#pragma once
// Points at which two convex shapes touch, by their support functions.
// (Signatures first; the bodies are under way.)

#include "collision/contact_point_hd.h"

namespace pliant {

/// The most points of a convex pair.
inline constexpr int kMaxConvexPoints = 5;

/// Pair function: one point, the deepest. What the dispatcher takes in place of convex_convex if the flag multiccd is off.
template <class R>
PLIANT_HD_NOINLINE int convex_single(const ShapeT<R>&, const ShapeT<R>&, R, ContactPointT<R>*) {
  return 0;
}

/// Pair function: up to kMaxConvexPoints points.
template <class R>
PLIANT_HD_NOINLINE int convex_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  return convex_single(a, b, margin, out);
}

}  // namespace pliant
