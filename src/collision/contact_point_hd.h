#pragma once
// Functions that collide two shapes; what they write is state/contact_point.h.

#include "geom/shape_hd.h"
#include "state/contact_point.h"

namespace pliant {

/// A pair function: shapes in the order of GeomType, writes at most as many points as pairs.def says, returns how many.
/// `margin` is the distance up to which points count (margin + gap of the pair). Pair functions have no options:
/// accuracy does not depend on ccd_tolerance and ccd_iterations, and with the flag multiccd off the dispatcher takes
/// convex_single in place of convex_convex.
template <class R>
using PairFn = int (*)(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out);

}  // namespace pliant
