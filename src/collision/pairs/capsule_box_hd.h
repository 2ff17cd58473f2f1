#pragma once
// Capsule and box: the point of the capsule's axis nearest to the box and, where the axis runs along a face or an edge,
// a second point as far from it as the box reaches; a sphere at each is tested against the box.
//
// Everything happens in the box's axes. Points of the axis are p + t H, t in [-1, 1]. The nearest point is an end of
// the axis over a face, or lies across one of the twelve edges. Method: the reference's (candidates, order and ties are
// the same) with two differences. An axis that enters the box has no nearest point, and what is found for it can be
// nothing, two points with opposite normals, or a push along the rod: unless the points lead out, the direction of
// least penetration decides. So it does where all of a rod that lies over a face is inside the box and one point was
// found: pushed at one end only, the rod would turn about it and pass through. And no bound on sizes: the reference
// compares squares with lengths and loses contacts of capsules thicker than a few metres.
// Cost: about 20 divisions; a few comparisons if a face of the box separates them.

#include "collision/pairs/sphere_box_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A capsule in the axes of a box.
template <class R>
struct CapsuleInBox {
  Vec3T<R> p, axis, half;  // centre, unit axis, half axis H
  R r, h;                  // radius, half length
  Vec3T<R> size;           // of the box
};

template <class R>
PLIANT_HD Vec3T<R> point_at(const CapsuleInBox<R>& g, R t) {
  return unfused_sum(t, g.half, g.p);
}

/// The corner whose bits 0, 1, 2 say on which side of x, y, z.
template <class R>
PLIANT_HD Vec3T<R> box_corner(Vec3T<R> size, int corner) {
  return {corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y, corner & 4 ? size.z : -size.z};
}

/// Where an axis is nearest to a box.
template <class R>
struct NearestOnAxis {
  enum class Kind { kNone, kFace, kEdge, kCorner };
  Kind kind = Kind::kNone;
  R square = 0;    // of the distance
  R t = 0;         // where on the axis
  int face = -1;   // kFace: the end is outside along this axis; -1: inside
  int corner = 0;  // kCorner: which; kEdge: the lower one of the edge
  int edge = 0;    // kEdge, kCorner: the edge's direction
  R along = 0;     // kEdge: place on the edge, in [-1, 1]
};

/// Ends of the axis that are over a face (or inside).
template <class R>
PLIANT_HD void nearest_end(const CapsuleInBox<R>& g, NearestOnAxis<R>& best) {
  using Kind = typename NearestOnAxis<R>::Kind;
  for (int end = -1; end <= 1; end += 2) {
    const Vec3T<R> q = point_at(g, R(end));
    int outside = 0, face = -1;
    R square = 0;
    for (int i = 0; i < 3; ++i) {
      const R off = std::abs(q[i]) - g.size[i];
      if (off > 0) ++outside, face = i, square = off * off;
    }
    if (outside > 1) continue;
    if (best.kind == Kind::kNone || square < best.square) {
      best = {Kind::kFace, square, R(end), face, 0, 0, 0};
    }
  }
}

/// Edges of direction j. The nearest points of edge and axis, x on the edge and t on the axis, solve
///   [A B; B C] (x, t) = (u, v)   A = s_j², B = -s_j H_j, C = h²
template <class R>
PLIANT_HD void nearest_edge(const CapsuleInBox<R>& g, int j, NearestOnAxis<R>& best) {
  using Kind = typename NearestOnAxis<R>::Kind;
  const R s = g.size[j];
  const R a = s * s, b = -s * g.half[j], c = g.h * g.h, det = a * c - b * b;
  // an edge along the axis has no one nearest point; the ends of the others do for it
  if (std::abs(det) < R(kTiny) && det < R(1e-4) * (a * c)) return;
  if (det == 0) return;
  const R inverse = 1 / det, inverse_a = 1 / a, inverse_c = 1 / c;
  const R u = s * g.p[j];
  // how much nearer a later edge must be, as a square; less for tiny capsules
  const R slack = R(kTiny) < R(1e-9) * c ? R(kTiny) : R(1e-9) * c;
  for (int corner = 0; corner < 8; ++corner) {
    if (corner & (1 << j)) continue;
    Vec3T<R> from = box_corner(g.size, corner);
    from[j] = 0;
    Vec3T<R> apart = from - g.p;
    const R v = unfused_dot(g.half, apart);

    // at: -1, 0, 1 = at the lower end of the edge, between, at the upper end
    R x = (c * u - b * v) * inverse, t = (a * v - b * u) * inverse;
    int at = 0;
    if (x > 1) {
      x = 1, at = 1, t = (v - b) * inverse_c;
    } else if (x < -1) {
      x = -1, at = -1, t = (v + b) * inverse_c;
    }
    if (t > 1 || t < -1) {
      x = (t > 1 ? u - b : u + b) * inverse_a;
      t = t > 1 ? R(1) : R(-1);
      if (x > 1) {
        x = 1, at = 1;
      } else if (x < -1) {
        x = -1, at = -1;
      }
    }

    apart = unfused_sum(-t, g.half, apart);
    apart[j] += s * x;
    const R square = unfused_dot(apart, apart);
    if (best.kind == Kind::kNone || square < best.square - slack) {
      best = {at == 0 ? Kind::kEdge : Kind::kCorner, square, t, -1, at > 0 ? corner | (1 << j) : corner, j, x};
    }
  }
}

/// No second point: farther than any step along the axis.
template <class R>
inline constexpr R kNoStep = R(4);

/// From the nearest point to the second one, along t. It may be 0: the same point twice.
template <class R>
PLIANT_HD R to_second_point(const CapsuleInBox<R>& g, const NearestOnAxis<R>& nearest) {
  using Kind = typename NearestOnAxis<R>::Kind;
  auto least = [](R x, R y) { return y < x ? y : x; };
  // how far t goes while the axis crosses the whole box along i
  auto crossing = [&](int i) { return 2 * g.size[i] / std::abs(g.half[i]); };
  const int signs = (g.half.x > 0 ? 1 : 0) | (g.half.y > 0 ? 2 : 0) | (g.half.z > 0 ? 4 : 0);
  const R t = nearest.t;

  if (nearest.kind == Kind::kFace) {
    // from the end above the face inwards, until the axis leaves the prism over the face
    if (nearest.face < 0) return kNoStep<R>;
    const R way = -t;
    const Vec3T<R> end = point_at(g, t);
    R step = 2;
    for (int i = 0; i < 3; ++i) {
      if (i == nearest.face) continue;
      const R upper = (g.size[i] - end[i]) / g.half[i] * way, lower = (-g.size[i] - end[i]) / g.half[i] * way;
      if (upper > 0 && upper < step) step = upper;
      if (lower > 0 && lower < step) step = lower;
    }
    return way * step;
  }

  if (nearest.kind == Kind::kCorner) {
    // the axis points towards the corner or away from it: no second point
    int c = signs ^ nearest.corner;
    if (c == 0 || c == 7) return kNoStep<R>;
    // one direction differs from the other two: the axis runs along it, or along the face across it
    const bool one = c == 1 || c == 2 || c == 4;
    if (!one) c = 7 - c;
    const R way = one ? 1 : -1;
    const int i = c >> 1;  // 1, 2, 4 → 0, 1, 2
    if (g.axis[i] * g.axis[i] > R(0.5)) return way * least(1 - way * t, crossing(i));
    return -way * least(least(1 + way * t, crossing((i + 1) % 3)), crossing((i + 2) % 3));
  }

  // edge: towards the face with which the axis has the smaller angle; the axis must cross the edge from one face to
  // the other
  const int edge = nearest.edge, c = (signs ^ nearest.corner) & (7 - (1 << edge));
  if (c != 1 && c != 2 && c != 4) return kNoStep<R>;
  const int i1 = (edge + 1) % 3, i2 = (edge + 2) % 3;
  const int across = std::abs(g.axis[i1]) > std::abs(g.axis[i2]) ? i1 : i2;
  const bool up = c & (1 << across);
  const R way = up ? 1 : -1;
  const bool towards_upper = bool(signs & (1 << edge)) == up;
  const R room = towards_upper ? 1 - nearest.along : 1 + nearest.along;
  return way * least(least(1 - way * t, crossing(across)), g.size[edge] * room / std::abs(g.half[edge]));
}

// ---- axes that enter the box ---------------------------------------------------------------------

/// The part of the axis between the two planes of the box across i: low … high becomes smaller.
template <class R>
PLIANT_HD void clip_axis(const CapsuleInBox<R>& g, int i, R& low, R& high) {
  const R p = g.p[i], s = g.size[i], slope = g.half[i];
  if (slope == 0) {
    if (std::abs(p) >= s) high = low - 1;
    return;
  }
  const R in = (slope > 0 ? -s - p : s - p) / slope, out = (slope > 0 ? s - p : -s - p) / slope;
  if (in > low) low = in;
  if (out < high) high = out;
}

template <class R>
PLIANT_HD bool axis_enters(const CapsuleInBox<R>& g) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(g.p[i]) - std::abs(g.half[i]) >= g.size[i]) return false;
  }
  R low = -1, high = 1;
  for (int i = 0; i < 3; ++i) clip_axis(g, i, low, high);
  return low < high;
}

/// Out through the face across i: points at both ends of the part of the axis over that face, the deeper one first.
template <class R>
PLIANT_HD int out_through_face(const CapsuleInBox<R>& g, int i, R margin, ContactPointT<R>* out) {
  const R side = g.p[i] >= 0 ? 1 : -1;
  R low = -1, high = 1;
  clip_axis(g, (i + 1) % 3, low, high);
  clip_axis(g, (i + 2) % 3, low, high);
  const bool high_is_deeper = side * g.half[i] < 0;
  const R places[2] = {high_is_deeper ? high : low, high_is_deeper ? low : high};
  constexpr R kApart = R(1e-6);  // of the half length: nearer ones are one point
  Vec3T<R> normal{};
  normal[i] = -side;
  int count = 0;
  for (int k = 0; k < (high - low > kApart ? 2 : 1); ++k) {
    Vec3T<R> q = point_at(g, places[k]);
    const R dist = side * q[i] - g.size[i] - g.r;
    if (dist > margin) continue;
    q[i] = side * (g.size[i] + dist / 2);
    out[count++] = {dist, q, normal, {}};
  }
  return count;
}

/// Whether the axis is inside the box wherever it is over the face across i.
template <class R>
PLIANT_HD bool lies_below_face(const CapsuleInBox<R>& g, int i) {
  const R side = g.p[i] >= 0 ? 1 : -1;
  R low = -1, high = 1;
  clip_axis(g, (i + 1) % 3, low, high);
  clip_axis(g, (i + 2) % 3, low, high);
  const R at_low = side * point_at(g, low)[i], at_high = side * point_at(g, high)[i];
  return low < high && at_low < g.size[i] && at_high < g.size[i];
}

/// Out across an edge of direction j; `away` is the unit direction from the box, across axis and edge.
template <class R>
PLIANT_HD int out_across_edge(const CapsuleInBox<R>& g, int j, Vec3T<R> away, R depth, R margin,
                              ContactPointT<R>* out) {
  const R dist = -depth - g.r;
  if (dist > margin) return 0;
  // the edge farthest out, and the place where the axis crosses it: apart + t H = x e_j + (…) away
  Vec3T<R> edge = {away.x >= 0 ? g.size.x : -g.size.x, away.y >= 0 ? g.size.y : -g.size.y,
                   away.z >= 0 ? g.size.z : -g.size.z};
  edge[j] = 0;
  const Vec3T<R> apart = g.p - edge;
  const R c = g.axis[j], along = unfused_dot(g.axis, apart);
  edge[j] = clamped((apart[j] - c * along) / (1 - c * c), -g.size[j], g.size[j]);
  // midway between the edge and the capsule's surface, which is `dist` inwards of it
  *out = {dist, unfused_sum(dist / 2, away, edge), -away, {}};
  return 1;
}

/// The direction of least penetration, of the faces and of the crosses of the axis with the edges.
template <class R>
struct WayOut {
  int face = 0, edge = -1;  // out across an edge of this direction; -1: through the face
  Vec3T<R> away{};          // edge: unit direction out of the box
  R depth = 0;              // of the axis
};

/// Two points on a face are better than one on an edge, so that an edge must be better by a little.
template <class R>
PLIANT_HD WayOut<R> least_way_out(const CapsuleInBox<R>& g) {
  WayOut<R> way;
  R least = 0;
  for (int i = 0; i < 3; ++i) {
    const R depth = g.size[i] + std::abs(g.half[i]) - std::abs(g.p[i]);
    if (i == 0 || depth < least) least = depth, way.face = i;
  }
  way.depth = least;
  constexpr R kEdgeBias = R(1e-6), kAlong = sizeof(R) == 8 ? R(1e-12) : R(1e-6);  // the latter: sin² of an angle
  least *= 1 - kEdgeBias;
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    const R square = g.axis[k] * g.axis[k] + g.axis[l] * g.axis[l];
    if (square < kAlong) continue;
    Vec3T<R> d{};
    d[k] = -g.axis[l] / std::sqrt(square), d[l] = g.axis[k] / std::sqrt(square);
    const R centre = d[k] * g.p[k] + d[l] * g.p[l];
    const R depth = g.size[k] * std::abs(d[k]) + g.size[l] * std::abs(d[l]) - std::abs(centre);
    if (depth < least) least = way.depth = depth, way.edge = j, way.away = centre >= 0 ? d : -d;
  }
  return way;
}

/// Whether the points (in the world) lead out: along none of their normals is the way out more than twice the least
/// one, and the deepest is at least an eighth of that deep.
template <class R>
PLIANT_HD bool leads_out(const CapsuleInBox<R>& g, const WayOut<R>& way, const Mat3T<R>& box, int count,
                         const ContactPointT<R>* points) {
  const R least = way.depth + g.r;
  R deepest = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3T<R> n = transposed_times(box, points[k].normal);
    const R axis_reach = dot(n, g.p) + std::abs(dot(n, g.half));
    const R box_reach = g.size.x * std::abs(n.x) + g.size.y * std::abs(n.y) + g.size.z * std::abs(n.z);
    if (axis_reach + box_reach + g.r > 2 * least) return false;
    deepest = -points[k].dist > deepest ? -points[k].dist : deepest;
  }
  return 8 * deepest >= least;
}

// ---- the pair ------------------------------------------------------------------------------------

template <class R>
PLIANT_HD_NOINLINE int capsule_box(const ShapeT<R>& capsule, const ShapeT<R>& box, R margin, ContactPointT<R>* out) {
  CapsuleInBox<R> g;
  g.p = unfused_transposed_times(box.mat, capsule.pos - box.pos);
  g.axis = unfused_transposed_times(box.mat, capsule.mat.column(2));
  g.r = capsule.size.x, g.h = capsule.size.y, g.size = box.size;
  g.half = g.axis * g.h;

  // a face separates them
  for (int i = 0; i < 3; ++i) {
    if (std::abs(g.p[i]) - std::abs(g.half[i]) - g.size[i] > g.r + margin) return 0;
  }

  NearestOnAxis<R> nearest;
  nearest_end(g, nearest);
  for (int j = 0; j < 3; ++j) nearest_edge(g, j, nearest);
  auto touch = [&](R t, ContactPointT<R>& to) {
    return sphere_and_turned_box(unfused_times_plus(box.mat, point_at(g, t), box.pos), g.r, box, margin, to);
  };
  int count = touch(nearest.t, out[0]);
  // nothing is nearest to an axis without length: its centre was tested
  if (nearest.kind == NearestOnAxis<R>::Kind::kNone) return count;
  const R step = to_second_point(g, nearest);
  if (step != kNoStep<R>) count += touch(nearest.t + step, out[count]);
  if (!axis_enters(g)) return count;

  const WayOut<R> way = least_way_out(g);
  const bool lies = count < 2 && way.edge < 0 && lies_below_face(g, way.face);
  if (!lies && leads_out(g, way, box.mat, count, out)) return count;
  count = way.edge < 0 ? out_through_face(g, way.face, margin, out)
                       : out_across_edge(g, way.edge, way.away, way.depth, margin, out);
  for (int k = 0; k < count; ++k) to_world(box.mat, box.pos, out[k]);
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
