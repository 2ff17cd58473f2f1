#pragma once
// Which pairs of geoms may touch where they are: spheres in the reference's arithmetic, then boxes. Rules that do not
// depend on places come before: model/contact_rules_hd.h. Explicit <pair>s skip all but the spheres.

#include "math/field_values.h"
#include "math/vec3.h"
#include "model/contact_rules_hd.h"
#include "pliant/types.h"

namespace pliant {

/// Whether the spheres around two geoms come within `margin`; a plane has none, the distance of the other's centre
/// counts. NaN is no contact.
template <class M, class D, class R>
PLIANT_HD bool spheres_meet(const M& m, const D& d, int geom1, int geom2, R margin) {
  const R radius1 = m.geom_rbound[geom1], radius2 = m.geom_rbound[geom2];
  const Vec3T<R> away = vec3(d.geom_xpos, geom1) - vec3(d.geom_xpos, geom2);
  if (radius1 > 0 && radius2 > 0) {
    const R reach = radius1 + radius2 + margin;
    return away.x * away.x + away.y * away.y + away.z * away.z <= reach * reach;
  }
  const auto above = [&](int plane, R side) {
    const auto& mat = d.geom_xmat;
    return side * (away.x * mat[9 * plane + 2] + away.y * mat[9 * plane + 5] + away.z * mat[9 * plane + 8]);
  };
  if (m.geom_type[geom1] == static_cast<int>(GeomType::kPlane) && radius2 > 0) {
    return above(geom1, R(-1)) <= margin + radius2;
  }
  if (m.geom_type[geom2] == static_cast<int>(GeomType::kPlane) && radius1 > 0) {
    return above(geom2, R(1)) <= margin + radius1;
  }
  return true;
}

/// Roundings that a comparison of boxes forgives, relative to their sizes: 4500 of double, 8 of float. Boxes that lie
/// flush must count as touching; more only costs a search.
template <class R>
inline constexpr R kBoxSlack = sizeof(R) == 8 ? R(1e-12) : R(1e-6);

/// Whether the boxes around two geoms (geom_aabb) come within `margin`, looked at along their six face normals.
/// Separated there, they are farther apart than the margin. Cheap tests first: the ball around one box against the
/// other box.
template <class M, class D, class R>
PLIANT_HD bool boxes_meet(const M& m, const D& d, int geom1, int geom2, R margin) {
  const Mat3T<R> mat1 = mat3(d.geom_xmat, geom1), mat2 = mat3(d.geom_xmat, geom2);
  const Vec3T<R> half1 = vec3(m.geom_aabb, 2 * geom1 + 1), half2 = vec3(m.geom_aabb, 2 * geom2 + 1);
  const Vec3T<R> away = times_plus(mat2, vec3(m.geom_aabb, 2 * geom2), vec3(d.geom_xpos, geom2)) -
                        times_plus(mat1, vec3(m.geom_aabb, 2 * geom1), vec3(d.geom_xpos, geom1));
  // a few roundings are forgiven: flush boxes touch
  const R size1 = norm(half1), size2 = norm(half2), slack = margin + kBoxSlack<R> * (size1 + size2);
  const auto outside = [](Vec3T<R> along, Vec3T<R> half, R reach) {
    return std::abs(along.x) > half.x + reach || std::abs(along.y) > half.y + reach ||
           std::abs(along.z) > half.z + reach;
  };
  const Vec3T<R> along1 = transposed_times(mat1, away);
  if (outside(along1, half1, size2 + slack)) return false;
  const Vec3T<R> along2 = transposed_times(mat2, away);
  if (outside(along2, half2, size1 + slack)) return false;
  // |axes of one along axes of the other|: reach of each box along the other's axes
  Vec3T<R> reach1 = half1, reach2 = half2;
  for (int i = 0; i < 3; ++i) {
    const Vec3T<R> axis = mat1.column(i);
    const R x = std::abs(dot(axis, mat2.column(0))), y = std::abs(dot(axis, mat2.column(1))),
            z = std::abs(dot(axis, mat2.column(2)));
    reach1[i] += mul_add(half2.z, z, mul_add(half2.y, y, half2.x * x));
    reach2.x = mul_add(half1[i], x, reach2.x);
    reach2.y = mul_add(half1[i], y, reach2.y);
    reach2.z = mul_add(half1[i], z, reach2.z);
  }
  return !outside(along1, reach1, slack) && !outside(along2, reach2, slack);
}

/// Whether the box around a geom comes within `margin` of a plane, from above.
template <class M, class D, class R>
PLIANT_HD bool box_meets_plane(const M& m, const D& d, int plane, int geom, R margin) {
  const Vec3T<R> normal = mat3(d.geom_xmat, plane).column(2), half = vec3(m.geom_aabb, 2 * geom + 1);
  const Mat3T<R> mat = mat3(d.geom_xmat, geom);
  const Vec3T<R> center = times_plus(mat, vec3(m.geom_aabb, 2 * geom), vec3(d.geom_xpos, geom));
  const Vec3T<R> tilt = transposed_times(mat, normal);
  const R reach = half.x * std::abs(tilt.x) + half.y * std::abs(tilt.y) + half.z * std::abs(tilt.z);
  return dot(normal, center - vec3(d.geom_xpos, plane)) <= reach * (1 + kBoxSlack<R>)+margin;
}

/// Whether two spheres or capsules come within `margin`, looked at along the line of their centres: there they reach
/// from these as far as their axes do, and their radii. No root and no division: what is apart there, most pairs whose
/// spheres meet, costs a tenth of a comparison of shapes.
template <class M, class D, class R>
PLIANT_HD bool round_shapes_may_meet(const M& m, const D& d, int geom1, int geom2, R margin) {
  const Vec3T<R> away = vec3(d.geom_xpos, geom1) - vec3(d.geom_xpos, geom2);
  const auto along_axis = [&](int geom) {
    if (m.geom_type[geom] != static_cast<int>(GeomType::kCapsule)) return R(0);
    const auto& mat = d.geom_xmat;
    const R along = away.x * mat[9 * geom + 2] + away.y * mat[9 * geom + 5] + away.z * mat[9 * geom + 8];
    return std::abs(along) * m.geom_size[3 * geom + 1];
  };
  // all times the distance of the centres
  const R square = dot(away, away), axes = along_axis(geom1) + along_axis(geom2);
  const R reach = m.geom_size[3 * geom1] + m.geom_size[3 * geom2] + margin;
  const R apart = square - axes - kBoxSlack<R> * (square + axes);
  return !(reach >= 0 && apart > 0 && apart * apart > reach * reach * square * (1 + kBoxSlack<R>));
}

/// Whether boxes are worth a look before the shapes, and if so, whether they come within `margin`; type1 <= type2.
template <class M, class D, class R>
PLIANT_HD_FREE bool boxes_may_meet(const M& m, const D& d, int geom1, int geom2, GeomType type1, GeomType type2,
                                   R margin) {
  // shapes whose own tests cost less than those of their boxes
  const auto round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kCapsule; };
  if (type1 == GeomType::kPlane) return type2 != GeomType::kMesh || box_meets_plane(m, d, geom1, geom2, margin);
  if (round(type1) && round(type2)) return round_shapes_may_meet(m, d, geom1, geom2, margin);
  return boxes_meet(m, d, geom1, geom2, margin);
}

}  // namespace pliant
