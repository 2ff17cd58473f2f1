#pragma once
// One point at which two shapes touch: what a pair function (collision/contact_point_hd.h) writes.

#include "math/vec3.h"

namespace pliant {

template <class R>
struct ContactPointT {
  R dist = 0;          // negative: they overlap
  Vec3T<R> pos;        // midway between the surfaces
  Vec3T<R> normal;     // unit, from the first shape to the second
  Vec3T<R> tangent{};  // first tangent if the pair knows a good one; zero: none
};
using ContactPoint = ContactPointT<double>;

}  // namespace pliant
