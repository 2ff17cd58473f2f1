#pragma once
// Further points of shapes that touch: what appears when they are turned a little. For models that switch the flag
// nativeccd off (portal_hd.h); others clip faces (multicontact_hd.h).
//
// Both shapes are turned by a milliradian, against each other, about two axes across the normal of the first point, to
// both sides, and searched again; a point that moves far is one of several. The method is MuJoCo's. Points keep the
// depth of the first one. Cost: four searches.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Each shape is turned by a milliradian: cosine and sine of half of it, for the quaternion.
template <class R>
inline constexpr R kTurnCos = R(0.9999998750000026);
template <class R>
inline constexpr R kTurnSin = R(0.0004999999791666669);
/// Points nearer than this times the smaller shape's radius are one.
template <class R>
inline constexpr R kDistinct = R(1e-3);

/// Rotation matrix of a unit quaternion, by squares.
template <class R>
PLIANT_HD Mat3T<R> unfused_matrix(R w, Vec3T<R> v) {
  const R ww = w * w, xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z;
  const R wx = w * v.x, wy = w * v.y, wz = w * v.z, xy = v.x * v.y, xz = v.x * v.z, yz = v.y * v.z;
  return {{ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy),  //
           2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx),  //
           2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz}};
}

/// A shape turned about a point.
template <class R>
PLIANT_HD ShapeT<R> turned(const ShapeT<R>& shape, const Mat3T<R>& turn, Vec3T<R> about) {
  ShapeT<R> s = shape;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s.mat(i, j) = unfused_dot(turn.row(i), shape.mat.column(j));
  }
  const Vec3T<R> arm = about - shape.pos;
  s.pos = shape.pos - (unfused_times_plus(turn, arm, Vec3T<R>{}) - arm);
  return s;
}

/// Adds points after out[0], the deepest, which a search found at `pos` with `normal`; returns how many there are.
/// search(a, b, point) finds a point of turned shapes.
template <class R, class Search>
PLIANT_HD_NOINLINE int turned_points(const ShapeT<R>& a, const ShapeT<R>& b, Vec3T<R> pos, Vec3T<R> normal,
                                     ContactPointT<R>* out, Search&& search) {
  // two directions across the normal, as the frame of the contact has them
  const Vec3T<R> n = unfused_normalized(normal);
  const Vec3T<R> hint = n.y < R(0.5) && n.y > R(-0.5) ? Vec3T<R>{0, 1, 0} : Vec3T<R>{0, 0, 1};
  const Vec3T<R> across_n = unfused_normalized(hint - n * unfused_dot(n, hint));
  const Vec3T<R> axes[2] = {across_n, unfused_cross(n, across_n)};
  const R apart = kDistinct<R> * (a.rbound < b.rbound ? a.rbound : b.rbound);
  int count = 1;
  for (const Vec3T<R>& axis : axes) {
    for (int side = 0; side < 2; ++side) {
      const R s = side == 0 ? -kTurnSin<R> : kTurnSin<R>;
      const Mat3T<R> turn = unfused_matrix(kTurnCos<R>, axis * s);
      const ShapeT<R> ta = turned(a, turn, pos), tb = turned(b, transpose(turn), pos);
      ContactPointT<R>& point = out[count];
      if (!search(ta, tb, point)) continue;
      bool distinct = unfused_norm(pos - point.pos) > apart;
      for (int i = 1; i < count; ++i) distinct = distinct && unfused_norm(out[i].pos - point.pos) > apart;
      if (!distinct) continue;
      point.dist = out[0].dist;
      point.tangent = {};
      ++count;
    }
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
