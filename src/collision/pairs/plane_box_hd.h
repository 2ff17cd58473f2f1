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
  constexpr int kMost = 4;
  constexpr R kSlack = sizeof(R) == 8 ? R(1e-14) : R(1e-5);  // rounding, in sums of half sizes
  const Vec3T<R> n = plane.mat.column(2);
  const R height = unfused_dot(box.pos - plane.pos, n);

  // rise[i]: how much the half edge along axis i climbs
  const Vec3T<R> up = unfused_transposed_times(box.mat, n);
  const R rise[3] = {up.x * box.size.x, up.y * box.size.y, up.z * box.size.z};
  const R slack = kSlack * (box.size.x + box.size.y + box.size.z);
  if (height - (std::abs(rise[0]) + std::abs(rise[1]) + std::abs(rise[2])) > margin + slack) return 0;

  // corners below the middle and within the margin: the sum of climbs says which can be, their place which are
  int count = 0;
  for (int i = 0; i < 8; ++i) {
    const R about = (i & 1 ? rise[0] : -rise[0]) + (i & 2 ? rise[1] : -rise[1]) + (i & 4 ? rise[2] : -rise[2]);
    if (height + about > margin + slack || about > slack) continue;
    const Vec3T<R> local = {i & 1 ? box.size.x : -box.size.x, i & 2 ? box.size.y : -box.size.y,
                            i & 4 ? box.size.z : -box.size.z};
    const Vec3T<R> corner = unfused_times_plus(box.mat, local, Vec3T<R>{});
    const R climb = unfused_dot(n, corner), dist = height + climb;
    if (dist > margin || climb > 0) continue;

    // one too many: the highest goes, of equal ones the last
    if (count == kMost) {
      int highest = 0;
      for (int k = 1; k < kMost; ++k) highest = out[k].dist >= out[highest].dist ? k : highest;
      if (dist >= out[highest].dist) continue;
      --count;
      for (int k = highest; k < count; ++k) out[k] = out[k + 1];
    }
    out[count++] = {dist, unfused_sum(-dist / 2, n, corner + box.pos), n, {}};
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
