#pragma once
// From two types of geoms to the function that collides them. The table itself is pairs.def.

#include "collision/contact_point_hd.h"
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

// The general routes are under way: until they are here their pairs have no points.
#if __has_include("collision/convex_hd.h")
#include "collision/convex_hd.h"
#else
namespace pliant {
inline namespace PLIANT_ROUNDING {
template <class R> PLIANT_HD int convex_convex(const ShapeT<R>&, const ShapeT<R>&, R, ContactPointT<R>*) { return 0; }
}  // namespace PLIANT_ROUNDING
}  // namespace pliant
#endif
#if __has_include("collision/hfield_hd.h")
#include "collision/hfield_hd.h"
#else
namespace pliant {
inline namespace PLIANT_ROUNDING {
template <class R> PLIANT_HD int hfield_convex(const ShapeT<R>&, const ShapeT<R>&, R, ContactPointT<R>*) { return 0; }
}  // namespace PLIANT_ROUNDING
}  // namespace pliant
#endif

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// The most points any pair can have.
inline constexpr int kMaxPairPoints = 50;

/// Place of a pair in a switch; the order of the two counts.
PLIANT_HD constexpr int pair_key(GeomType a, GeomType b) { return 16 * static_cast<int>(a) + static_cast<int>(b); }

/// The most points a pair can have, a.type <= b.type; 0: such shapes never collide.
PLIANT_HD constexpr int max_pair_points(GeomType a, GeomType b) {
  switch (pair_key(a, b)) {
#define PAIR(a, b, function, count) \
  case pair_key(GeomType::k##a, GeomType::k##b): return count;
#include "collision/pairs.def"
#undef PAIR
    default: return 0;
  }
}

/// The function of a pair, a.type <= b.type; nullptr: such shapes never collide.
template <class R> PLIANT_HD PairFn<R> pair_function(GeomType a, GeomType b) {
  switch (pair_key(a, b)) {
#define PAIR(a, b, function, count) \
  case pair_key(GeomType::k##a, GeomType::k##b): return &function<R>;
#include "collision/pairs.def"
#undef PAIR
    default: return nullptr;
  }
}

/// Points at which two shapes touch, a.type <= b.type. On a device: calls that the compiler sees, no addresses.
template <class R>
PLIANT_HD_NOINLINE int collide_pair(const ShapeT<R>& a, const ShapeT<R>& b, R margin, ContactPointT<R>* out) {
  switch (pair_key(a.type, b.type)) {
#define PAIR(a_, b_, function, count) \
  case pair_key(GeomType::k##a_, GeomType::k##b_): return function<R>(a, b, margin, out);
#include "collision/pairs.def"
#undef PAIR
    default: return 0;
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
