// Bounds of shapes from their sizes, and boxes of bodies anew: for Models that a Spec gave, and for those that a user
// changed.

#include "compile/bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compile/bvh_box.h"
#include "compile/compile.h"
#include "geom/primitive_hd.h"
#include "math/field_values.h"

namespace pliant {

GeomBounds shape_bounds(GeomType type, const double* sizes) {
  // (a plane has everything below its surface)
  if (type == GeomType::kPlane) return {{0, 0, -kMaxVal / 2, kMaxVal, kMaxVal, kMaxVal / 2}, 0};
  const Vec3 size{sizes[0], sizes[1], sizes[2]};
  const Vec3 half = with_primitive(type, size, [&](auto shape) { return shape.half(size); });
  const double radius = with_primitive(type, 0.0, [&](auto shape) { return shape.radius(size); });
  return {{0, 0, 0, half.x, half.y, half.z}, radius};
}

GeomBounds hfield_bounds(const double* s) {
  return {{0, 0, (s[2] - s[3]) / 2, s[0], s[1], (s[2] + s[3]) / 2},
          std::sqrt(s[0] * s[0] + s[1] * s[1] + std::max(s[2] * s[2], s[3] * s[3]))};
}

std::array<double, 3> hfield_geom_size(const double* s) { return {s[0], s[1], 0.25 * s[2] + 0.5 * s[3]}; }

void refit_bvh(Model& m) {
  std::vector<Box> boxes;
  for (int b = 0; b < m.nbody; ++b) {
    const int first = m.body_bvhadr[b];
    boxes.resize(static_cast<size_t>(m.body_bvhnum[b]));
    const Pose inertial{vec3(m.body_ipos, b), quat(m.body_iquat, b)};
    for (int i = m.body_bvhnum[b] - 1; i >= 0; --i) {  // children come after their parents
      const int node = first + i;
      if (const int g = m.bvh_nodeid[node]; g >= 0) {
        boxes[i] = inertial_box(m.geom_aabb + 6 * g, {vec3(m.geom_pos, g), quat(m.geom_quat, g)}, inertial);
      } else {
        boxes[i] = boxes[m.bvh_child[2 * node]];
        const Box& other = boxes[m.bvh_child[2 * node + 1]];
        grow(boxes[i].low, boxes[i].high, other.low, other.high);
      }
      const std::array<double, 6> aabb = centered(fatten(boxes[i]));
      std::copy(aabb.begin(), aabb.end(), m.bvh_aabb + 6 * node);
    }
  }
}

}  // namespace pliant
