#pragma once
// Box and box: separating axes, then either one point between two edges or the part of a face of one box that lies over
// a face of the other (1 to 8 points).
//
// Axes are tried in the order faces of the first box, faces of the second, crosses of edges; the one with the largest
// separation wins, of equal ones the first. Faces are preferred: they give several points. An edge must be better by
// 1e-6 of the separation, and if it is within 8° of the best face, by 5 %. Method: the reference's of 3.12 (order, ties
// and constants are the same); face clipping after Sutherland and Hodgman.
//
// Corners that are beyond an edge of the face by less than a millionth of its size lie on it. Where two edges coincide
// but for rounding, the exact intersection has one vertex more in the middle of the edge whenever the last bit says
// so; with it come other forces, which turn the box by as much again: stacks of equal boxes hummed. (In the reference
// they do.)
// Cost: a few products if a face separates the boxes, about twice a sphere pair per point otherwise.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"
#include "math/scalar.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class R>
struct BoxPair {
  Vec3T<R> size[2];    // of the first and of the second box
  Vec3T<R> centre[2];  // of the other box, in the axes of the first and of the second
  Mat3T<R> turn;       // columns: the axes of the second box in those of the first
};

/// What counts as rounding, in either precision.
template <class R>
struct BoxTolerance {
  static constexpr bool kDouble = sizeof(R) == 8;
  static constexpr R kApart = kDouble ? R(1e-13) : R(1e-6);     // of separations, in sums of half sizes
  static constexpr R kParallel = kDouble ? R(1e-16) : R(1e-7);  // of sin² of the angle between edges
  static constexpr R kSign = kDouble ? R(1e-9) : R(1e-5);       // of components of a unit vector
  static constexpr R kSame = kDouble ? R(1e-14) : R(1e-10);     // of squared distances, in squared half sizes
  static constexpr R kOnEdge = kDouble ? R(1e-6) : R(1e-5);  // of distances from an edge of a face, in its half sizes
};

/// Edge i of the first box across edge j of the second, in the axes of the first; not normalised.
template <class R>
PLIANT_HD Vec3T<R> edge_cross(const BoxPair<R>& g, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  Vec3T<R> d{};
  d[i1] = -g.turn(i2, j), d[i2] = g.turn(i1, j);
  return d;
}

/// Separation along the cross of edges i and j; false if they are parallel, or if it is certainly below `floor`, which
/// is not above 0.
template <class R>
PLIANT_HD bool edge_separation(const BoxPair<R>& g, int i, int j, R floor, R& separation) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  R d1 = -g.turn(i2, j), d2 = g.turn(i1, j);

  // the cross is at most 1 long: without normalising it a negative separation comes out too large, never too small
  auto along = [&] {
    const R first = g.size[0][i1] * std::abs(d1) + g.size[0][i2] * std::abs(d2);
    const R e1 = d1 * g.turn(i1, j1) + d2 * g.turn(i2, j1), e2 = d1 * g.turn(i1, j2) + d2 * g.turn(i2, j2);
    const R second = g.size[1][j1] * std::abs(e1) + g.size[1][j2] * std::abs(e2);
    return std::abs(d1 * g.centre[0][i1] + d2 * g.centre[0][i2]) - first - second;
  };
  if (along() < floor) return false;

  const R square = d1 * d1 + d2 * d2;
  if (square < BoxTolerance<R>::kParallel) return false;
  const R scale = 1 / std::sqrt(square);
  d1 *= scale, d2 *= scale;
  separation = along();
  return true;
}

/// Faces are preferred to edges that are nearly across them.
template <class R>
PLIANT_HD bool face_does(const BoxPair<R>& g, int face, R face_best, int edge, R edge_best) {
  constexpr R kSameDirection = R(0.99), kBetter = R(0.05);
  if (!(edge_best < face_best + kBetter * std::abs(face_best) + R(kTiny))) return false;
  const Vec3T<R> axis = unfused_normalized(edge_cross(g, (edge - 6) / 3, (edge - 6) % 3));
  const R along = face < 3 ? axis[face] : unfused_dot(axis, g.turn.column(face - 3));
  return std::abs(along) > kSameDirection;
}

/// The axis of largest separation: 0 … 2 faces of the first box, 3 … 5 of the second, 6 + 3 i + j the cross of edge i
/// of the first and j of the second; -1 if some separation is beyond `margin`, rounding (`slack`) allowed for.
template <class R>
PLIANT_HD int best_axis(const BoxPair<R>& g, R margin, R slack) {
  const R reach = margin + slack;
  constexpr R kEdgeBias = R(1e-6);
  int face = 0;
  R face_best = 0;
  for (int i = 0; i < 3; ++i) {
    const R other = std::abs(g.turn(i, 0)) * g.size[1].x + std::abs(g.turn(i, 1)) * g.size[1].y +
                    std::abs(g.turn(i, 2)) * g.size[1].z;
    const R separation = std::abs(g.centre[0][i]) - g.size[0][i] - other;
    if (separation > reach) return -1;
    if (i == 0 || separation > face_best) face_best = separation, face = i;
  }
  for (int j = 0; j < 3; ++j) {
    const R other = std::abs(g.turn(0, j)) * g.size[0].x + std::abs(g.turn(1, j)) * g.size[0].y +
                    std::abs(g.turn(2, j)) * g.size[0].z;
    const R separation = std::abs(g.centre[1][j]) - g.size[1][j] - other;
    if (separation > reach) return -1;
    if (separation > face_best) face_best = separation, face = 3 + j;
  }

  // edges that are neither better nor separate the boxes need not be looked at closely
  int code = face;
  R best = face_best;
  auto least = [](R x, R y) { return y < x ? y : x; };
  const R most = least(R(0), margin);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R separation;
      if (!edge_separation(g, i, j, least(best, most) - slack, separation)) continue;
      if (separation > reach) return -1;
      if (separation - kEdgeBias * std::abs(separation) > best && separation > face_best) {
        best = separation, code = 6 + 3 * i + j;
      }
    }
  }
  if (code >= 6 && face_does(g, face, face_best, code, best)) code = face;
  return code;
}

/// Nearest points of edge i of the first box through `first` and edge j of the second through `second`, both in the
/// axes of the first box; the points replace them.
template <class R>
PLIANT_HD void nearest_on_edges(const BoxPair<R>& g, int i, int j, Vec3T<R>& first, Vec3T<R>& second) {
  const Vec3T<R> direction = g.turn.column(j), apart = second - first;
  const R b = direction[i], det = 1 - b * b, e1 = apart[i], e2 = unfused_dot(direction, apart);
  const R reach1 = g.size[0][i], reach2 = g.size[1][j];
  R s = det < R(kTiny) ? R(0) : (e1 - b * e2) / det;
  s = clamped(s, -reach1, reach1);
  const R t = clamped(b * s - e2, -reach2, reach2);
  s = clamped(e1 + b * t, -reach1, reach1);
  first[i] += s;
  second = unfused_sum(t, direction, second);
}

/// One point between two edges. Where a component of the axis is nearly 0, two edges of a box are equally far out: both
/// are tried and the nearest points kept. `frame` is the first box.
template <class R>
PLIANT_HD_NOINLINE int box_edges(const BoxPair<R>& g, int i, int j, R reach, const ShapeT<R>& frame,
                                 ContactPointT<R>* out) {
  constexpr R kSign = BoxTolerance<R>::kSign;
  Vec3T<R> axis = unfused_normalized(edge_cross(g, i, j));
  if (unfused_dot(axis, g.centre[0]) < 0) axis = -axis;
  const Vec3T<R> axis2 = unfused_transposed_times(g.turn, axis);
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const int doubt1 = std::abs(axis[i1]) < kSign ? i1 : std::abs(axis[i2]) < kSign ? i2 : -1;
  const int doubt2 = std::abs(axis2[j1]) < kSign ? j1 : std::abs(axis2[j2]) < kSign ? j2 : -1;

  Vec3T<R> w1{}, w2{};
  R least = -1;
  for (int flip1 = 0; flip1 < (doubt1 < 0 ? 1 : 2); ++flip1) {
    for (int flip2 = 0; flip2 < (doubt2 < 0 ? 1 : 2); ++flip2) {
      Vec3T<R> first{}, corner{};
      first[i1] = axis[i1] >= 0 ? g.size[0][i1] : -g.size[0][i1];
      first[i2] = axis[i2] >= 0 ? g.size[0][i2] : -g.size[0][i2];
      corner[j1] = axis2[j1] >= 0 ? -g.size[1][j1] : g.size[1][j1];
      corner[j2] = axis2[j2] >= 0 ? -g.size[1][j2] : g.size[1][j2];
      if (flip1) first[doubt1] = -first[doubt1];
      if (flip2) corner[doubt2] = -corner[doubt2];
      Vec3T<R> second = unfused_times_plus(g.turn, corner, g.centre[0]);
      nearest_on_edges(g, i, j, first, second);
      const Vec3T<R> gap = second - first;
      const R square = unfused_dot(gap, gap);
      if (least < 0 || square < least) least = square, w1 = first, w2 = second;
    }
  }
  const R dist = unfused_dot(axis, w2 - w1);
  if (dist > reach) return 0;
  *out = {dist, unfused_times_plus(frame.mat, (w1 + w2) * R(0.5), frame.pos), frame.mat * axis, {}};
  return 1;
}

/// A polygon over a face: coordinates 0 and 1 in the face, 2 above it.
template <class R>
struct FacePolygon {
  static constexpr int kMost = 12;  // four corners and at most one more per clip; the rest is room for rounding
  R at[3][kMost];
  int count = 0;
  PLIANT_HD void add(R x, R y, R z) {
    if (count < kMost) at[0][count] = x, at[1][count] = y, at[2][count++] = z;
  }
};

/// The part of the polygon with side · coordinate <= limit, in `rest`; false if that is all of it. What is within
/// `near` of the limit is on it.
template <class R>
PLIANT_HD bool clip_polygon(const FacePolygon<R>& polygon, int coordinate, R side, R limit, R near,
                            FacePolygon<R>& rest) {
  const int count = polygon.count;
  R beyond[FacePolygon<R>::kMost];
  bool inside = true;
  for (int k = 0; k < count; ++k) {
    beyond[k] = side * polygon.at[coordinate][k] - limit;
    if (std::abs(beyond[k]) <= near) beyond[k] = 0;
    inside = inside && beyond[k] <= 0;
  }
  if (inside) return false;
  rest.count = 0;
  for (int k = 0; k < count; ++k) {
    const int next = k + 1 == count ? 0 : k + 1;
    const R x = polygon.at[0][k], y = polygon.at[1][k], z = polygon.at[2][k], here = beyond[k], there = beyond[next];
    if (here <= 0) rest.add(x, y, z);
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      const R t = here / (here - there);
      rest.add(t * (polygon.at[0][next] - x) + x, t * (polygon.at[1][next] - y) + y, t * (polygon.at[2][next] - z) + z);
    }
  }
  return true;
}

/// Points over face `a` of box `owner` (0 or 1), which is `frame`.
template <class R>
PLIANT_HD_NOINLINE int box_face(const BoxPair<R>& g, int owner, int a, R margin, const ShapeT<R>& frame,
                                ContactPointT<R>* out) {
  constexpr int kMost = 8;
  const Mat3T<R> turn = owner == 0 ? g.turn : transpose(g.turn);
  const Vec3T<R> size = g.size[owner], other = g.size[1 - owner], centre = g.centre[owner];
  const R side = centre[a] >= 0 ? 1 : -1;

  // the face of the other box that looks most towards it
  int b = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(turn(a, k)) > std::abs(turn(a, b))) b = k;
  }
  const R towards = side * turn(a, b) > 0 ? -1 : 1;

  // its corners, x and y along the face and z above it
  const int ax = (a + 1) % 3, ay = (a + 2) % 3, bu = (b + 1) % 3, bv = (b + 2) % 3;
  auto on_face = [&](Vec3T<R> v) { return Vec3T<R>{v[ax], v[ay], side * v[a]}; };
  Vec3T<R> middle = on_face(unfused_sum(towards * other[b], turn.column(b), centre));
  middle.z -= size[a];
  const Vec3T<R> u = on_face(turn.column(bu) * other[bu]), v = on_face(turn.column(bv) * other[bv]);
  FacePolygon<R> polygons[2];
  FacePolygon<R>*polygon = &polygons[0], *rest = &polygons[1];
  auto add = [&](Vec3T<R> p) { polygon->add(p.x, p.y, p.z); };
  add(middle + u + v);
  add(middle - u + v);
  add(middle - u - v);
  add(middle + u - v);
  auto clip = [&](int coordinate, R to, R limit) {
    if (!clip_polygon(*polygon, coordinate, to, limit, BoxTolerance<R>::kOnEdge * limit, *rest)) return;
    FacePolygon<R>* swap = polygon;
    polygon = rest, rest = swap;
  };
  clip(0, R(1), size[ax]);
  clip(0, R(-1), size[ax]);
  clip(1, R(1), size[ay]);
  clip(1, R(-1), size[ay]);

  const Vec3T<R> outward = frame.mat.column(a), normal = (owner == 0) == (side > 0) ? outward : -outward;

  // vertices within the margin; clipping at a corner can make the same one twice
  const R same = BoxTolerance<R>::kSame * (size[ax] * size[ax] + size[ay] * size[ay]);
  R kept[2][kMost];
  int count = 0;
  for (int k = 0; k < polygon->count && count < kMost; ++k) {
    const R x = polygon->at[0][k], y = polygon->at[1][k], z = polygon->at[2][k];
    bool is_new = z <= margin;
    for (int i = 0; is_new && i < count; ++i) {
      const R dx = kept[0][i] - x, dy = kept[1][i] - y;
      is_new = !(dx * dx + dy * dy < same);
    }
    if (!is_new) continue;
    Vec3T<R> pos{};
    pos[ax] = x, pos[ay] = y, pos[a] = side * (size[a] + z / 2);
    kept[0][count] = x, kept[1][count] = y;
    out[count++] = {z, unfused_times_plus(frame.mat, pos, frame.pos), normal, {}};
  }
  return count;
}

template <class R>
PLIANT_HD_NOINLINE int box_box(const ShapeT<R>& first, const ShapeT<R>& second, R margin, ContactPointT<R>* out) {
  BoxPair<R> g;
  g.size[0] = first.size, g.size[1] = second.size;
  g.centre[0] = unfused_transposed_times(first.mat, second.pos - first.pos);
  g.centre[1] = unfused_transposed_times(second.mat, first.pos - second.pos);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) g.turn(i, j) = unfused_dot(first.mat.column(i), second.mat.column(j));
  }

  // boxes that overlap by less than the rounding of their sizes must not pass through each other: tests allow for it
  const R extent = first.size.x + first.size.y + first.size.z + second.size.x + second.size.y + second.size.z;
  const R slack = BoxTolerance<R>::kApart * extent;
  const int code = best_axis(g, margin, slack);
  if (code < 0) return 0;

  if (code < 3) return box_face(g, 0, code, margin, first, out);
  if (code < 6) return box_face(g, 1, code - 3, margin, second, out);
  return box_edges(g, (code - 6) / 3, (code - 6) % 3, margin + slack, first, out);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
