#pragma once
// Plane and box: the corners on the lower half of the box that are within the margin, at most four, in the order of
// their numbers (bits 0, 1, 2: positive x, y, z). A box that balances on an edge with its middle below the surface has
// more than four; the deepest four are taken (the reference takes the first four and can lose the deepest edge).

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
PLIANT_HD_NOINLINE int plane_box(const ShapeT<R>& plane, const ShapeT<R>& box, R margin, ContactPointT<R>* out) {
  const Vec3T<R> n = plane.mat.column(2);
  const R height = unfused_dot(box.pos - plane.pos, n);

  // rise[i]: how much the half edge along axis i climbs
  const Vec3T<R> up = unfused_transposed_times(box.mat, n);
  const R rise[3] = {up.x * box.size.x, up.y * box.size.y, up.z * box.size.z};
  if (height - (std::abs(rise[0]) + std::abs(rise[1]) + std::abs(rise[2])) > margin) return 0;

  // corners below the middle and within the margin
  int corners[8], count = 0;
  R rises[8];
  for (int i = 0; i < 8; ++i) {
    const R corner = (i & 1 ? rise[0] : -rise[0]) + (i & 2 ? rise[1] : -rise[1]) + (i & 4 ? rise[2] : -rise[2]);
    if (height + corner > margin || corner > 0) continue;
    corners[count] = i;
    rises[count++] = corner;
  }

  // too many: give up the highest, of equal ones the last
  while (count > 4) {
    int highest = 0;
    for (int k = 1; k < count; ++k) highest = rises[k] >= rises[highest] ? k : highest;
    --count;
    for (int k = highest; k < count; ++k) corners[k] = corners[k + 1], rises[k] = rises[k + 1];
  }

  for (int k = 0; k < count; ++k) {
    const int i = corners[k];
    const Vec3T<R> local = {i & 1 ? box.size.x : -box.size.x, i & 2 ? box.size.y : -box.size.y,
                            i & 4 ? box.size.z : -box.size.z};
    const R dist = height + rises[k];
    out[k] = {dist, fused(-dist / 2, n, times_plus(box.mat, local, box.pos)), n, {}};
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
