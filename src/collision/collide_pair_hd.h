#pragma once
// All pair functions in one place, and the call that chooses among them: for devices and for pair_table.cpp. Others
// include pair_table.h, which is lighter.

#include <type_traits>

#include "collision/convex_hd.h"
#include "collision/hfield_hd.h"
#include "collision/pair_table.h"
#include "collision/pairs/box_box_hd.h"
#include "collision/pairs/capsule_box_hd.h"
#include "collision/pairs/capsule_capsule_hd.h"
#include "collision/pairs/plane_box_hd.h"
#include "collision/pairs/plane_capsule_hd.h"
#include "collision/pairs/plane_cylinder_hd.h"
#include "collision/pairs/plane_ellipsoid_hd.h"
#include "collision/pairs/plane_mesh_hd.h"
#include "collision/pairs/plane_sphere_hd.h"
#include "collision/pairs/sphere_box_hd.h"
#include "collision/pairs/sphere_capsule_hd.h"
#include "collision/pairs/sphere_cylinder_hd.h"
#include "collision/pairs/sphere_sphere_hd.h"
#include "collision/portal_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// The function of a pair as a type, to tell functions apart while compiling.
template <class R, PairFn<R>>
struct PairMethod {};

template <class R, PairFn<R> function>
PLIANT_HD int collide_by(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules,
                         ContactPointT<R>* out) {
  using Method = PairMethod<R, function>;
  if constexpr (std::is_same_v<Method, PairMethod<R, &convex_convex<R>>>) {
    if (rules.portals) return portal_convex(a, b, margin, rules, out);
    if (rules.single) return convex_single(a, b, margin, out);
  }
  if constexpr (std::is_same_v<Method, PairMethod<R, &hfield_convex<R>>>) {
    if (rules.portals) return portal_hfield(a, b, margin, rules, out);
  }
  return function(a, b, margin, out);
}

/// Points at which two shapes touch, a.type <= b.type: calls that the compiler sees, no addresses.
template <class R>
PLIANT_HD_NOINLINE int collide_pair(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules,
                                    ContactPointT<R>* out) {
  switch (pair_key(a.type, b.type)) {
#define PAIR(a_, b_, function, count)              \
  case pair_key(GeomType::k##a_, GeomType::k##b_): \
    return collide_by<R, &function<R>>(a, b, margin, rules, out);
#include "collision/pairs.def"
#undef PAIR
    default:
      return 0;
  }
}

/// With the exact searches, for several points.
template <class R>
PLIANT_HD int collide_pair(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  return collide_pair(a, b, margin, PairRules<R>{}, out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
