#pragma once
// Which pairs of geoms may touch: the reference's rules, in its arithmetic.
//
// Bodies of one rigid group (body_weldid) never touch, nor do two groups without dofs, nor, unless the flag
// filterparent is off, a group and the group that carries it; children of the world collide with it. Then come bits
// (contype against conaffinity), <exclude>, spheres around the geoms. Explicit <pair>s skip all but the spheres.

#include "math/vec3.h"
#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

/// Two bodies as one number that sorts like (lower, higher). As pair_signature and exclude_signature.
PLIANT_HD uint32_t body_signature(int low, int high) {
  return (static_cast<uint32_t>(low) << 16) + static_cast<uint32_t>(high);
}

/// What filters need to know of a geom, in one place.
struct GeomTag {
  int geom, type, contype, conaffinity;
  int body, body_contype, body_conaffinity;
  int group, carrier;  // rigid group of its body, and the group that carries that one
  bool moves;          // whether the group has dofs
  bool excludes;       // whether the body may be in the list of excluded pairs
};
/// The body's part of it.
template <class M>
PLIANT_HD GeomTag body_tag(const M& m, int body) {
  const int group = m.body_weldid[body];
  return {-1,
          0,
          0,
          0,
          body,
          m.body_contype[body],
          m.body_conaffinity[body],
          group,
          m.body_weldid[m.body_parentid[group]],
          m.body_dofnum[group] > 0,
          true};
}
template <class M>
PLIANT_HD void set_geom(const M& m, int geom, GeomTag& tag) {
  tag.geom = geom;
  tag.type = m.geom_type[geom];
  tag.contype = m.geom_contype[geom];
  tag.conaffinity = m.geom_conaffinity[geom];
}
template <class M>
PLIANT_HD GeomTag geom_tag(const M& m, int geom) {
  GeomTag tag = body_tag(m, m.geom_bodyid[geom]);
  set_geom(m, geom, tag);
  return tag;
}

/// Whether the joints between two bodies let them collide.
PLIANT_HD bool joints_allow(const GeomTag& a, const GeomTag& b, bool filter_parent) {
  if (a.group == b.group || !(a.moves || b.moves)) return false;
  return !filter_parent || a.group == 0 || b.group == 0 || (a.group != b.carrier && b.group != a.carrier);
}

PLIANT_HD bool bits_meet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}
/// Bits of two geoms and of their bodies. Those of bodies are the union at load, or what the user wrote.
PLIANT_HD bool bits_allow(const GeomTag& a, const GeomTag& b) {
  return bits_meet(a.contype, a.conaffinity, b.contype, b.conaffinity) &&
         bits_meet(a.body_contype, a.body_conaffinity, b.body_contype, b.body_conaffinity);
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
template <class M>
PLIANT_HD bool is_excluded(const M& m, uint32_t signature) {
  const int at = first_signature(m.exclude_signature, m.nexclude, signature);
  return at < m.nexclude && static_cast<uint32_t>(m.exclude_signature[at]) == signature;
}
/// Whether an explicit pair speaks for these two geoms.
template <class M>
PLIANT_HD bool has_explicit_pair(const M& m, uint32_t signature, int geom1, int geom2) {
  int at = first_signature(m.pair_signature, m.npair, signature);
  for (; at < m.npair && static_cast<uint32_t>(m.pair_signature[at]) == signature; ++at) {
    const int a = m.pair_geom1[at], b = m.pair_geom2[at];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

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
  const R size1 = norm(half1), size2 = norm(half2), slack = margin + R(1e-12) * (size1 + size2);
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
  return dot(normal, center - vec3(d.geom_xpos, plane)) <= reach * R(1 + 1e-12) + margin;
}

}  // namespace pliant
