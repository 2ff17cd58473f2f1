#pragma once
// The table of primitives: primitives.def. A shape is a struct of static functions of its sizes, in its own frame:
//
//   kSizes        how many sizes it has
//   ray           where a ray meets it (ray_round_hd.h)
//   inside        whether a point is inside
//   half          half edges of a box around it; semi-axes of the ellipsoid that a fluid sees
//   radius2       square of the radius of a sphere around it; below 0: there is none
//   radius        the radius, as the Model has it (host only, as all that follows)
//   volume        or the area of its shell
//   inertia       about its axes, of a body or shell of this mass
//   like_inertia  sizes with which it has the inertia of a box with these half edges; what it does not use stays
//   around        sizes with which it is about as large as that box
// Support points are in support_hd.h: in the innermost loop of collisions they are chosen with the core of the shape.

#include "geom/box_hd.h"
#include "geom/capsule_hd.h"
#include "geom/cylinder_hd.h"
#include "geom/ellipsoid_hd.h"
#include "geom/plane_hd.h"
#include "geom/sphere_hd.h"
#include "pliant/types.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Calls f with the struct of a shape; meshes, height fields and the like give `otherwise`.
template <class T, class F>
PLIANT_HD T with_primitive(GeomType type, T otherwise, F&& f) {
  switch (type) {
#define PRIMITIVE(name, file) \
  case GeomType::k##name:     \
    return f(name##Primitive{});
#include "geom/primitives.def"
#undef PRIMITIVE
    default:
      return otherwise;
  }
}

/// How many sizes a shape has; 0: they come from somewhere else.
PLIANT_HD int size_count(GeomType type) {
  return with_primitive(type, 0, [](auto shape) PLIANT_INLINED { return shape.kSizes; });
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
