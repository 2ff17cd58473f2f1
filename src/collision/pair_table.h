#pragma once
// From two types of geoms to the function that collides them. The table itself is pairs.def.

#include "collision/contact_point_hd.h"

namespace pliant {

class Separations;

/// The most points any pair can have.
inline constexpr int kMaxPairPoints = 50;

/// Place of a pair in a switch; the order of the two counts.
PLIANT_HD constexpr int pair_key(GeomType a, GeomType b) { return 16 * static_cast<int>(a) + static_cast<int>(b); }

/// The most points a pair can have, a <= b; 0: such shapes never collide.
PLIANT_HD constexpr int max_pair_points(GeomType a, GeomType b) {
  switch (pair_key(a, b)) {
#define PAIR(a, b, function, count)              \
  case pair_key(GeomType::k##a, GeomType::k##b): \
    return count;
#include "collision/pairs.def"
#undef PAIR
    default:
      return 0;
  }
}

/// The function of a pair, a <= b; nullptr: such shapes never collide. For float and double. `single`: without the
/// search for several points that the flag multiccd switches off.
template <class R>
PairFn<R> pair_function(GeomType a, GeomType b, bool single = false);

/// Options of pairs.
template <class R>
struct PairRules {
  R tolerance;           // of portals: one that can move by less has arrived [m]
  int rounds;            // moves of a portal around the origin
  bool single;           // one point per pair of convex shapes
  bool portals = false;  // such pairs, and those with height fields, are searched by portals (portal_hd.h)
  Separations* separations = nullptr;  // of convex pairs, on the CPU
};
template <class R, class O>
PLIANT_HD PairRules<R> pair_rules(const O& o) {
  return {R(o.ccd_tolerance), o.ccd_iterations, (o.disableflags & kDisableMultiCcd) != 0,
          (o.disableflags & kDisableNativeCcd) != 0};
}

/// The points of a pair, a.type <= b.type; for float and double. The flag nativeccd decides whether convex pairs are
/// searched by portals: the only search that depends on ccd_tolerance and ccd_iterations. On a device it is
/// collide_pair (collide_pair_hd.h). `geom1` and `geom2` are who they are, where rules.separations remembers them.
template <class R>
int collide_shapes(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules, ContactPointT<R>* out,
                   int geom1 = -1, int geom2 = -1);

}  // namespace pliant
