#pragma once
// Which pairs of geoms may touch: the reference's rules, in its arithmetic.
//
// Bodies of one rigid group (body_weldid) never touch, nor do two groups without dofs, nor, unless the flag
// filterparent is off, a group and the group that carries it; children of the world collide with it. Then come bits
// (contype against conaffinity), <exclude>, spheres around the geoms. Explicit <pair>s skip all but the spheres.

#include "math/vec3.h"
#include "pliant/types.h"
#include "state/view.h"

namespace pliant {

/// Two bodies as one number that sorts like (lower, higher). As pair_signature and exclude_signature.
PLIANT_HD uint32_t body_signature(int low, int high) {
  return (static_cast<uint32_t>(low) << 16) + static_cast<uint32_t>(high);
}

/// Whether the joints between two bodies let them collide.
template <class M> PLIANT_HD bool joints_allow(const M& m, int body1, int body2, bool filter_parent) {
  const int group1 = m.body_weldid[body1], group2 = m.body_weldid[body2];
  if (group1 == group2 || (m.body_dofnum[group1] == 0 && m.body_dofnum[group2] == 0)) return false;
  if (!filter_parent || group1 == 0 || group2 == 0) return true;
  return group1 != m.body_weldid[m.body_parentid[group2]] && group2 != m.body_weldid[m.body_parentid[group1]];
}

PLIANT_HD bool bits_meet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}
/// Bits of two bodies and of one geom of each. Those of bodies are the union at load, or what the user wrote.
template <class M> PLIANT_HD bool bits_allow(const M& m, int body1, int body2, int geom1, int geom2) {
  return bits_meet(m.geom_contype[geom1], m.geom_conaffinity[geom1], m.geom_contype[geom2],
                   m.geom_conaffinity[geom2]) &&
         bits_meet(m.body_contype[body1], m.body_conaffinity[body1], m.body_contype[body2],
                   m.body_conaffinity[body2]);
}

/// Place of the first entry that is not below `signature`, in a sorted list of signatures.
PLIANT_HD int first_signature(const int* list, int n, uint32_t signature) {
  int low = 0;
  while (n > 0) {
    const int half = n / 2;
    if (static_cast<uint32_t>(list[low + half]) < signature) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}
template <class M> PLIANT_HD bool is_excluded(const M& m, uint32_t signature) {
  const int at = first_signature(m.exclude_signature, m.nexclude, signature);
  return at < m.nexclude && static_cast<uint32_t>(m.exclude_signature[at]) == signature;
}
/// Whether an explicit pair speaks for these two geoms.
template <class M> PLIANT_HD bool has_explicit_pair(const M& m, uint32_t signature, int geom1, int geom2) {
  int at = first_signature(m.pair_signature, m.npair, signature);
  for (; at < m.npair && static_cast<uint32_t>(m.pair_signature[at]) == signature; ++at) {
    const int a = m.pair_geom1[at], b = m.pair_geom2[at];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

/// Whether the spheres around two geoms come within `margin`; a plane has none, the distance of the other's centre
/// counts. NaN is no contact.
template <class M, class D, class R> PLIANT_HD bool spheres_meet(const M& m, const D& d, int geom1, int geom2, R margin) {
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

/// Whether the boxes around two geoms (geom_aabb) come within `margin`, looked at along their six face normals.
/// Separated there, they are farther apart than the margin.
template <class M, class D, class R>
PLIANT_HD bool boxes_meet(const M& m, const D& d, int geom1, int geom2, R margin) {
  const Mat3T<R> mat1 = mat3(d.geom_xmat, geom1), mat2 = mat3(d.geom_xmat, geom2);
  const Vec3T<R> half1 = vec3(m.geom_aabb, 2 * geom1 + 1), half2 = vec3(m.geom_aabb, 2 * geom2 + 1);
  const Vec3T<R> center1 = times_plus(mat1, vec3(m.geom_aabb, 2 * geom1), vec3(d.geom_xpos, geom1));
  const Vec3T<R> center2 = times_plus(mat2, vec3(m.geom_aabb, 2 * geom2), vec3(d.geom_xpos, geom2));
  const Vec3T<R> along1 = transposed_times(mat1, center2 - center1);
  const Vec3T<R> along2 = transposed_times(mat2, center2 - center1);
  // |axes of one along axes of the other|, then reach along each axis
  R reach1[3], reach2[3] = {half2.x, half2.y, half2.z};
  for (int i = 0; i < 3; ++i) {
    const Vec3T<R> axis = mat1.column(i);
    const R x = std::abs(dot(axis, mat2.column(0))), y = std::abs(dot(axis, mat2.column(1))),
            z = std::abs(dot(axis, mat2.column(2)));
    reach1[i] = half1[i] + mul_add(half2.z, z, mul_add(half2.y, y, half2.x * x));
    reach2[0] = mul_add(half1[i], x, reach2[0]);
    reach2[1] = mul_add(half1[i], y, reach2[1]);
    reach2[2] = mul_add(half1[i], z, reach2[2]);
  }
  for (int i = 0; i < 3; ++i) {
    // a few roundings are forgiven: flush boxes touch
    const R slack = margin + R(1e-12) * (reach1[i] + reach2[i]);
    if (reach1[i] + slack < std::abs(along1[i]) || reach2[i] + slack < std::abs(along2[i])) return false;
  }
  return true;
}

}  // namespace pliant
