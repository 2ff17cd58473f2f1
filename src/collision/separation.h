#pragma once
// Convex pairs with a memory of the direction that kept them apart (pliant/separations.h).

#include <algorithm>

#include "collision/convex_hd.h"
#include "pliant/separations.h"

namespace pliant {

/// Whether the remembered direction shows that two shapes are apart by more than `margin`, and by so much more that
/// no search would say otherwise.
template <class R>
bool keeps_apart(const ShapeT<R>& a, const ShapeT<R>& b, R margin, Separation& s) {
  const ConvexT<R> core_a = convex_of(a), core_b = convex_of(b);
  const Vec3T<R> n{R(s.direction[0]), R(s.direction[1]), R(s.direction[2])}, world = a.mat * n,
                                                                             n_b = transposed_times(b.mat, world);
  // anybody may have written another mesh since
  const auto start = [](const ConvexT<R>& c, int vertex) {
    return c.mesh && c.mesh->graph && vertex < c.mesh->graph[0] ? vertex : -1;
  };
  SupportMemory memory_a{start(core_a, s.vertex1)}, memory_b{start(core_b, s.vertex2)};
  const Vec3T<R> on_a = support_point(core_a, n, memory_a), on_b = support_point(core_b, -n_b, memory_b);
  s.vertex1 = memory_a.start, s.vertex2 = memory_b.start;
  const R gap = dot(world, b.pos - a.pos) + dot(n_b, on_b) - dot(n, on_a);
  // a search takes shapes that are nearer than kTouch for overlapping ones; the direction has the length 1 in float
  constexpr R kDoubt = 10 * ConvexTolerance<R>::kTouch, kLength = 1 + R(1e-6);
  const R cutoff = std::max(margin + core_a.coat + core_b.coat, R(0));
  return gap > kLength * (cutoff + kDoubt * (a.rbound + b.rbound));
}

/// convex_convex, or with `single` convex_single, of a pair whose separation is remembered.
template <class R>
int convex_remembering(const ShapeT<R>& a, const ShapeT<R>& b, R margin, bool single, ContactPointT<R>* out,
                       Separation& s) {
  if (s.is_known() && keeps_apart(a, b, margin, s)) return 0;
  DifferenceT<R> d = difference(a, b);
  const TouchT<R> t = touch(d, margin);
  if (t.found) {
    s.forget();
    return single ? write_point(a, t, out) : write_points(a, b, t, margin, out);
  }
  s.direction[0] = static_cast<float>(t.normal.x);
  s.direction[1] = static_cast<float>(t.normal.y);
  s.direction[2] = static_cast<float>(t.normal.z);
  s.vertex1 = d.memory_a.start, s.vertex2 = d.memory_b.start;
  return 0;
}

}  // namespace pliant
