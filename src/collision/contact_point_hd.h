#pragma once
// What a pair function writes: one point at which two shapes touch.

#include "geom/shape_hd.h"

namespace pliant {

template <class R>
struct ContactPointT {
  R dist = 0;          // negative: they overlap
  Vec3T<R> pos;        // midway between the surfaces
  Vec3T<R> normal;     // unit, from the first shape to the second
  Vec3T<R> tangent{};  // first tangent if the pair knows a good one; zero: none
};
using ContactPoint = ContactPointT<double>;

/// A pair function: shapes in the order of GeomType, writes at most as many points as pairs.def says, returns how many.
/// `margin` is the distance up to which points count (margin + gap of the pair). Pair functions have no options:
/// accuracy does not depend on ccd_tolerance and ccd_iterations, and with the flag multiccd off the dispatcher takes
/// convex_single in place of convex_convex.
template <class R>
using PairFn = int (*)(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out);

}  // namespace pliant
