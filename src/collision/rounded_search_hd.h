#pragma once
// One touching point of two convex shapes, found with the reference's roundings.
//
// Where a round edge lies along a face or an edge, all points of a line touch equally deep, and
// rounding decides which one a search finds. How many points such a pair gets (turned_points_hd.h)
// depends on that. So this search goes the reference's way: GJK with signed volumes, a tetrahedron
// moved over the origin, an expanding polytope; in world axes, products rounded one by one, with
// its order of faces, tolerance and number of rounds. Whoever needs an exact depth or a normal to
// trust takes touch() of convex_hd.h. The answer may be none for shapes that touch. Cost: about 1
// us.

#include "collision/signed_volumes_hd.h"
#include "geom/support_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Rounds of each of the three loops.
inline constexpr int kRoundedRounds = 35;

/// A corner of the difference A - B: w = a - b, in world axes. Corners of polytopes have numbers.
template <class R>
struct RoundedCorner {
  Vec3T<R> w, a, b;
  int corner_a = -1, corner_b = -1;
};

/// One of the shapes: everything within `coat` of it is searched.
template <class R>
struct RoundedShape {
  const ShapeT<R>* shape;
  R coat = 0;
  bool core = false;  // a capsule stands for its axis
  SupportMemory memory;
};

/// Farthest point in direction n (unit).
template <class R>
PLIANT_HD_NOINLINE Vec3T<R> rounded_support(RoundedShape<R>& s, Vec3T<R> n) {
  const ShapeT<R>& shape = *s.shape;
  const Vec3T<R> d = unfused_transposed_times(shape.mat, n), size = shape.size;
  Vec3T<R> local;
  switch (shape.type) {
    case GeomType::kCylinder: {
      const R across2 = d.x * d.x + d.y * d.y;
      const R k = across2 >= R(kTiny) * R(kTiny) ? size.x / std::sqrt(across2) : 0;
      local = {k * d.x, k * d.y, d.z >= 0 ? size.y : -size.y};
      break;
    }
    case GeomType::kCapsule: {
      const R end = d.z >= 0 ? size.y : -size.y;
      if (s.core) return unfused_sum(end, shape.mat.column(2), shape.pos);
      local = {d.x * size.x, d.y * size.x, d.z * size.x + end};
      break;
    }
    default:
      local = support_point(convex_of(shape), d, s.memory);
  }
  const Vec3T<R> point = unfused_times_plus(shape.mat, local, shape.pos);
  return s.coat > 0 ? unfused_sum(s.coat, n, point) : point;
}

template <class R>
struct RoundedPair {
  RoundedShape<R> a, b;
  R tolerance;            // [m]
  bool discrete = false;  // both are boxes or meshes without a coat: the search ends by itself
};

template <class R>
PLIANT_HD_NOINLINE RoundedCorner<R> rounded_corner(RoundedPair<R>& pair, Vec3T<R> n) {
  RoundedCorner<R> c;
  c.a = rounded_support(pair.a, n);
  c.b = rounded_support(pair.b, -n);
  c.w = c.a - c.b;
  c.corner_a = pair.a.memory.corner, c.corner_b = pair.b.memory.corner;
  return c;
}
/// The same for a direction of any length.
template <class R>
PLIANT_HD RoundedCorner<R> rounded_corner(RoundedPair<R>& pair, Vec3T<R> n, R length) {
  return rounded_corner(pair,
                        length > R(kTiny) ? Vec3T<R>{n.x / length, n.y / length, n.z / length} : Vec3T<R>{1, 0, 0});
}

template <class R>
PLIANT_HD Vec3T<R> weighted_sum(const Vec3T<R>* p, const R* weight, int count) {
  Vec3T<R> sum = p[0] * weight[0];
  for (int i = 1; i < count; ++i) sum = unfused_sum(weight[i], p[i], sum);
  return sum;
}

/// Where GJK ended.
template <class R>
struct RoundedSimplex {
  RoundedCorner<R> corner[4];
  int count = 0;
  bool apart = true;
  R dist = 0;           // zero: a tetrahedron holds the origin
  Vec3T<R> on_a, on_b;  // nearest points, if `dist` is above zero
};

/// Moves a tetrahedron until it holds the origin: 1, or until a direction keeps the shapes apart:
/// 0; -1: too close to call.
template <class R>
PLIANT_HD_NOINLINE int rounded_enclose(RoundedPair<R>& pair, RoundedSimplex<R>& s, int& round) {
  constexpr int kFace[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  RoundedCorner<R> corner[4] = {s.corner[0], s.corner[1], s.corner[2], s.corner[3]};
  int at[4] = {0, 1, 2, 3};
  for (; round < kRoundedRounds; ++round) {
    R offset[4];
    Vec3T<R> normal[4];
    for (int f = 0; f < 4; ++f) {
      const Vec3T<R> p = corner[at[kFace[f][0]]].w;
      const Vec3T<R> n = unfused_cross(corner[at[kFace[f][2]]].w - p, corner[at[kFace[f][1]]].w - p);
      const R length2 = unfused_dot(n, n);
      const bool flat = !(length2 > R(kTiny) * R(kTiny) && length2 < R(kHuge) * R(kHuge));
      normal[f] = flat ? n : n * (1 / std::sqrt(length2));
      offset[f] = flat ? std::numeric_limits<R>::max() : unfused_dot(normal[f], p);
      if (offset[f] == 0) return -1;
    }
    const int i = offset[0] < offset[1] ? 0 : 1, j = offset[2] < offset[3] ? 2 : 3;
    const int worst = offset[i] < offset[j] ? i : j;
    if (offset[worst] > 0) {
      for (int k = 0; k < 4; ++k) s.corner[k] = corner[at[k]];
      return 1;
    }
    corner[at[worst]] = rounded_corner(pair, normal[worst]);
    if (unfused_dot(normal[worst], corner[at[worst]].w) < 0) return 0;
    // keep the winding
    const int k = (worst + 1) & 3, l = (worst + 2) & 3, swap = at[k];
    at[k] = at[l], at[l] = swap;
  }
  return -1;
}

/// `cutoff`: distances below it are asked for; zero: only whether the shapes overlap.
template <class R>
PLIANT_HD_NOINLINE void rounded_gjk(RoundedPair<R>& pair, R cutoff, RoundedSimplex<R>& s) {
  const R gap = pair.discrete ? 0 : R(0.5) * (pair.tolerance * pair.tolerance);
  const R least = pair.discrete ? R(kTiny) : pair.tolerance;
  bool enclose = !(cutoff > 0);
  Vec3T<R> x = pair.a.shape->pos - pair.b.shape->pos;
  R weight[4] = {}, length = unfused_norm(x), before = 0;
  s.count = 0;
  s.apart = true;
  s.dist = 0;
  for (int round = 0; round < kRoundedRounds; ++round) {
    if (length < least || std::fabs(before - length) < R(kTiny)) break;
    const RoundedCorner<R> c = rounded_corner(pair, -(x * (1 / length)));
    if (unfused_dot(x, x - c.w) < gap) break;
    const R along = unfused_dot(x, c.w);
    if (along > 0 && along >= cutoff * length) return;
    s.corner[s.count] = c;
    if (s.count == 3 && enclose) {
      const int answer = rounded_enclose(pair, s, round);
      if (answer >= 0) {
        s.apart = answer == 0, s.count = 4, s.dist = 0;
        return;
      }
      enclose = false;
    }
    // keep the corners that carry the nearest point
    Vec3T<R> w[4];
    const int count = s.count + 1;
    for (int i = 0; i < count; ++i) w[i] = s.corner[i].w;
    nearest_weights(w, count, weight);
    s.count = 0;
    for (int i = 0; i < count; ++i) {
      if (weight[i] == 0) continue;
      s.corner[s.count] = s.corner[i], w[s.count] = w[i];
      weight[s.count++] = weight[i];
    }
    if (s.count == 0) return;
    x = weighted_sum(w, weight, s.count);
    before = length;
    length = unfused_norm(x);
    if (s.count == 4) break;
  }
  if (s.count > 0) {
    Vec3T<R> a[4], b[4];
    for (int i = 0; i < s.count; ++i) a[i] = s.corner[i].a, b[i] = s.corner[i].b;
    s.on_a = weighted_sum(a, weight, s.count);
    s.on_b = weighted_sum(b, weight, s.count);
  }
  s.apart = unfused_dot(x, rounded_corner(pair, -(x * (1 / length))).w) > 0;
  s.dist = s.count == 4 && !s.apart ? 0 : length;
}

/// The growing polytope. Faces are listed in the order in which equals are chosen.
template <class R>
struct RoundedPolytope {
  static constexpr int kCorners = 5 + kRoundedRounds, kFaces = 6 * kRoundedRounds;
  static constexpr int kGone = -2, kUnlisted = -1;
  // a face closer to the origin than this counts as one that holds it (square)
  static constexpr R kOnFace = sizeof(R) == 8 ? R(1e-30) : R(1e-14);

  PLIANT_HD RoundedPolytope() {}  // leaves the arrays as they are
  union {
    RoundedCorner<R> corner[kCorners];
  };
  union {
    Vec3T<R> foot[kFaces];  // of the origin on the plane, turned outwards
  };
  R dist2[kFaces];
  uint8_t at[kFaces][3], beside[kFaces][3];  // beside: beyond the edge from corner k to k + 1
  int16_t place[kFaces];                     // in the list
  uint8_t list[kFaces];
  Vec3T<R> centre;
  int corners = 0, faces = 0, listed = 0;
};

/// Adds a face; false if the origin lies on it.
template <class R>
PLIANT_HD_NOINLINE bool rounded_face(RoundedPolytope<R>& p, const int at[3], const int beside[3]) {
  const int face = p.faces++;
  for (int k = 0; k < 3; ++k) p.at[face][k] = uint8_t(at[k]), p.beside[face][k] = uint8_t(beside[k]);
  p.place[face] = RoundedPolytope<R>::kUnlisted;
  p.dist2[face] = 0;
  Vec3T<R> foot;
  if (!foot_on_plane(p.corner[at[2]].w, p.corner[at[1]].w, p.corner[at[0]].w, foot)) return false;
  if (unfused_dot(foot, p.corner[at[0]].w - p.centre) < 0) foot = -foot;
  p.foot[face] = foot;
  p.dist2[face] = unfused_dot(foot, foot);
  return !(p.dist2[face] < RoundedPolytope<R>::kOnFace);
}

template <class R>
PLIANT_HD void list_face(RoundedPolytope<R>& p, int face) {
  p.place[face] = int16_t(p.listed);
  p.list[p.listed++] = uint8_t(face);
}
template <class R>
PLIANT_HD void remove_face(RoundedPolytope<R>& p, int face) {
  if (p.place[face] >= 0) {
    const int last = p.list[--p.listed];
    p.list[p.place[face]] = uint8_t(last);
    p.place[last] = p.place[face];
  }
  p.place[face] = RoundedPolytope<R>::kGone;
}

/// Two tetrahedra on both sides of a triangle.
template <class R>
PLIANT_HD_NOINLINE bool start_on_triangle(RoundedPair<R>& pair, const RoundedCorner<R> c[3], RoundedPolytope<R>& p) {
  p.corners = p.faces = p.listed = 0;
  p.centre = (c[0].w + c[1].w + c[2].w) * (R(1) / R(3));
  const Vec3T<R> n = unfused_cross(c[1].w - c[0].w, c[2].w - c[0].w);
  const R length = unfused_norm(n);
  if (length < R(kTiny)) return false;
  for (int i = 0; i < 3; ++i) p.corner[i] = c[i];
  p.corner[3] = rounded_corner(pair, -n, length);
  p.corner[4] = rounded_corner(pair, n, length);
  p.corners = 5;
  // a tip in the triangle: no volume on that side
  for (int tip = 4; tip >= 3; --tip) {
    const Shadow<R> shadow = largest_shadow(c[0].w, c[1].w, c[2].w);
    R weight[3];
    side_shadows(shadow, c[0].w, c[1].w, c[2].w, p.corner[tip].w, weight);
    for (R& w : weight) w = w / shadow.area;
    if (weight[0] < 0 || weight[1] < 0 || weight[2] < 0) continue;
    const Vec3T<R> w[3] = {c[0].w, c[1].w, c[2].w};
    if (unfused_norm(weighted_sum(w, weight, 3) - p.corner[tip].w) < R(kTiny)) return false;
  }
  constexpr int kAt[6][3] = {{4, 0, 1}, {4, 2, 0}, {4, 1, 2}, {3, 1, 0}, {3, 0, 2}, {3, 2, 1}};
  constexpr int kBeside[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
  for (int f = 0; f < 6; ++f) {
    if (!rounded_face(p, kAt[f], kBeside[f])) return false;
  }
  for (int f = 0; f < 6; ++f) list_face(p, f);
  return true;
}

/// If the origin lies on the last face, all begins again with it.
template <class R>
PLIANT_HD bool restart_on_face(RoundedPair<R>& pair, RoundedPolytope<R>& p) {
  const uint8_t* at = p.at[p.faces - 1];
  const RoundedCorner<R> c[3] = {p.corner[at[0]], p.corner[at[1]], p.corner[at[2]]};
  return start_on_triangle(pair, c, p);
}

/// Three more corners around a segment.
template <class R>
PLIANT_HD_NOINLINE bool start_on_segment(RoundedPair<R>& pair, const RoundedCorner<R> c[2], RoundedPolytope<R>& p) {
  p.centre = (c[0].w + c[1].w) * R(0.5);
  const Vec3T<R> along = c[1].w - c[0].w;
  Vec3T<R> axis{};
  int least = 0;
  for (int i = 1; i < 3; ++i) least = std::fabs(along[i]) < std::fabs(along[least]) ? i : least;
  axis[least] = 1;
  // 120 degrees about it
  const R length = unfused_norm(along), sine = R(0.86602540378), cosine = R(-0.5);
  const R x = along.x / length, y = along.y / length, z = along.z / length;
  const Mat3T<R> turn{{cosine + x * x * (1 - cosine), x * y * (1 - cosine) - z * sine, x * z * (1 - cosine) + y * sine,
                       y * x * (1 - cosine) + z * sine, cosine + y * y * (1 - cosine), y * z * (1 - cosine) - x * sine,
                       x * z * (1 - cosine) - y * sine, y * z * (1 - cosine) + x * sine,
                       cosine + z * z * (1 - cosine)}};
  p.corner[0] = c[0], p.corner[1] = c[1];
  Vec3T<R> way = unfused_cross(axis, along);
  for (int i = 2; i < 5; ++i) {
    p.corner[i] = rounded_corner(pair, way, unfused_norm(way));
    way = unfused_times_plus(turn, way, Vec3T<R>{});
  }
  p.corners = 5;
  constexpr int kAt[6][3] = {{0, 2, 3}, {0, 4, 2}, {0, 3, 4}, {1, 3, 2}, {1, 2, 4}, {1, 4, 3}};
  constexpr int kBeside[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
  for (int f = 0; f < 6; ++f) {
    if (!rounded_face(p, kAt[f], kBeside[f])) return restart_on_face(pair, p);
  }
  // the line of the segment must go through the triangle around it
  Vec3T<R> from[3];
  for (int i = 0; i < 3; ++i) from[i] = p.corner[i + 2].w - c[0].w;
  const R volume[3] = {determinant(from[0], from[1], along), determinant(from[1], from[2], along),
                       determinant(from[2], from[0], along)};
  const bool left = volume[0] >= 0 && volume[1] >= 0 && volume[2] >= 0;
  const bool right = volume[0] <= 0 && volume[1] <= 0 && volume[2] <= 0;
  if (!left && !right) return false;
  for (int f = 0; f < 6; ++f) list_face(p, f);
  return true;
}

/// The tetrahedron itself, if it holds the origin.
template <class R>
PLIANT_HD_NOINLINE bool start_on_tetrahedron(RoundedPair<R>& pair, const RoundedCorner<R> c[4], RoundedPolytope<R>& p) {
  for (int i = 0; i < 4; ++i) p.corner[i] = c[i];
  p.corners = 4;
  p.centre = (c[0].w + c[1].w + c[2].w + c[3].w) * R(0.25);
  constexpr int kAt[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
  constexpr int kBeside[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
  for (int f = 0; f < 4; ++f) {
    if (!rounded_face(p, kAt[f], kBeside[f])) return restart_on_face(pair, p);
  }
  for (int i = 0; i < 4; ++i) {
    const Vec3T<R> at = c[i].w;
    const Vec3T<R> n = unfused_cross(c[(i + 1) & 3].w - at, c[(i + 2) & 3].w - at);
    if (!same_sign(unfused_dot(n, c[(i + 3) & 3].w - at), unfused_dot(n, -at))) return false;
  }
  for (int f = 0; f < 4; ++f) list_face(p, f);
  return true;
}

/// How a polytope grew.
enum class Growth {
  kMore,    // there are faces to go on with
  kEnd,     // no such face, or no memory: the last one is the answer
  kBroken,  // rounding made it impossible
};

/// Removes what w, the last corner, sees, beginning with `seen`, and joins w with the border. New
/// faces are listed if their distance is within the bounds (squares).
template <class R>
PLIANT_HD_NOINLINE Growth rounded_grow(RoundedPolytope<R>& p, int seen, R lower2, R upper2) {
  using P = RoundedPolytope<R>;
  constexpr int kMostEdges = 64;
  uint8_t border_face[kMostEdges], border_edge[kMostEdges];
  uint8_t stack[P::kFaces], from[P::kFaces], done[P::kFaces];
  const int top = p.corners - 1;
  const Vec3T<R> w = p.corner[top].w;
  int edges = 0, depth = 0;
  remove_face(p, seen);
  stack[0] = uint8_t(seen), from[0] = 2, done[0] = 0;
  while (depth >= 0) {
    const int face = stack[depth], step = done[depth];
    if (step == (depth == 0 ? 3 : 2)) {
      --depth;
      continue;
    }
    ++done[depth];
    const int edge = (from[depth] + 1 + step) % 3, other = p.beside[face][edge];
    if (p.place[other] == P::kGone) continue;
    // the same edge, seen from the other face, begins where ours ends
    const int end = p.at[face][(edge + 1) % 3];
    const int back = p.at[other][0] == end ? 0 : p.at[other][1] == end ? 1 : 2;
    if (unfused_dot(p.foot[other], w) - p.dist2[other] > R(kTiny)) {
      remove_face(p, other);
      ++depth;
      stack[depth] = uint8_t(other), from[depth] = uint8_t(back), done[depth] = 0;
    } else {
      if (edges == kMostEdges) return Growth::kBroken;
      border_face[edges] = uint8_t(other), border_edge[edges++] = uint8_t(back);
    }
  }
  if (edges < 3) return Growth::kBroken;
  if (edges > P::kFaces - p.faces) return Growth::kEnd;
  const int first = p.faces;
  for (int i = 0; i < edges; ++i) {
    const int other = border_face[i], edge = border_edge[i];
    p.beside[other][edge] = uint8_t(first + i);
    const int at[3] = {top, p.at[other][(edge + 1) % 3], p.at[other][edge]};
    const int beside[3] = {first + (i + edges - 1) % edges, other, first + (i + 1) % edges};
    rounded_face(p, at, beside);
    const R dist2 = p.dist2[first + i];
    if (dist2 == 0) return Growth::kBroken;
    if (dist2 >= lower2 && dist2 <= upper2) list_face(p, first + i);
  }
  return p.listed > 0 ? Growth::kMore : Growth::kEnd;
}

/// Whether the last corner was there before.
template <class R>
PLIANT_HD bool is_known(const RoundedPolytope<R>& p) {
  const RoundedCorner<R>& last = p.corner[p.corners - 1];
  for (int i = 0; i < p.corners - 1; ++i) {
    if (p.corner[i].corner_a == last.corner_a && p.corner[i].corner_b == last.corner_b) return true;
  }
  return false;
}

/// The face nearest to the origin on the boundary of the difference; -1: none.
template <class R>
PLIANT_HD_NOINLINE int rounded_expand(RoundedPair<R>& pair, RoundedPolytope<R>& p) {
  constexpr R kMost = std::numeric_limits<R>::max();
  R upper = kMost, upper2 = kMost;
  int face = -1;
  for (int round = 0; round < kRoundedRounds; ++round) {
    const int before = face;
    R lower2 = kMost;
    for (int i = 0; i < p.listed; ++i) {
      if (p.dist2[p.list[i]] < lower2) face = p.list[i], lower2 = p.dist2[face];
    }
    if (lower2 > upper2) return before;
    if (face < 0 || !(lower2 > 0)) return face;
    const R lower = std::sqrt(lower2);
    p.corner[p.corners++] = rounded_corner(pair, p.foot[face], lower);
    const R reach = unfused_dot(p.foot[face], p.corner[p.corners - 1].w) / lower;
    if (reach < upper) upper = reach, upper2 = reach * reach;
    if (upper - lower < (pair.discrete ? R(kTiny) : pair.tolerance)) return face;
    if (pair.discrete && is_known(p)) return face;
    const Growth growth = rounded_grow(p, face, lower2, upper2);
    if (growth != Growth::kMore) return growth == Growth::kEnd ? face : -1;
  }
  return face;
}

/// A touching point: dist, pos between the surfaces, normal from A to B as the search has it.
template <class R>
struct RoundedTouch {
  bool found = false;
  R dist = 0;
  Vec3T<R> pos, normal;
};

template <class R>
PLIANT_HD RoundedTouch<R> rounded_result(Vec3T<R> on_a, Vec3T<R> on_b, R dist) {
  RoundedTouch<R> t;
  t.found = dist < 0;
  t.dist = dist;
  t.pos = (on_a + on_b) * R(0.5);
  t.normal = unfused_normalized(on_a - on_b);
  return t;
}

/// The face of the difference of two shapes nearest to the origin; -1: they are apart, or it was lost.
template <class R>
PLIANT_HD int deepest_face(RoundedPair<R>& pair, RoundedSimplex<R>& s, RoundedPolytope<R>& p) {
  rounded_gjk(pair, R(0), s);
  if (s.apart || s.count < 2 || s.dist > pair.tolerance) return -1;
  const bool started = s.count == 2   ? start_on_segment(pair, s.corner, p)
                       : s.count == 3 ? start_on_triangle(pair, s.corner, p)
                                      : start_on_tetrahedron(pair, s.corner, p);
  return started ? rounded_expand(pair, p) : -1;
}

/// Numbers of the three corners of two polytopes at their deepest overlap, in the order of the
/// search; false if it does not find the overlap of this depth.
template <class R>
PLIANT_HD_NOINLINE bool rounded_corners(const ShapeT<R>& a, const ShapeT<R>& b, R depth, R slack, int corner_a[3],
                                        int corner_b[3]) {
  RoundedPair<R> pair{{&a, 0, false, {}}, {&b, 0, false, {}}, slack, true};
  RoundedSimplex<R> s;
  RoundedPolytope<R> p;
  const int face = deepest_face(pair, s, p);
  if (face < 0 || !(std::fabs(std::sqrt(p.dist2[face]) - depth) <= slack)) return false;
  for (int i = 0; i < 3; ++i) {
    corner_a[i] = p.corner[p.at[face][i]].corner_a;
    corner_b[i] = p.corner[p.at[face][i]].corner_b;
  }
  return true;
}

/// The deepest point of two shapes that both have a coat of half of `margin`.
template <class R>
PLIANT_HD_NOINLINE RoundedTouch<R> rounded_touch(const ShapeT<R>& a, const ShapeT<R>& b, R margin, R tolerance) {
  const R half = margin > 0 ? R(0.5) * margin : 0;
  RoundedPair<R> pair{{&a, half, false, {}}, {&b, half, false, {}}, tolerance};
  RoundedSimplex<R> s;
  if (a.type == GeomType::kCapsule || b.type == GeomType::kCapsule) {
    // axes of capsules are apart unless the overlap is deep
    R coat[2];
    RoundedShape<R>* shapes[2] = {&pair.a, &pair.b};
    for (int i = 0; i < 2; ++i) {
      const bool capsule = shapes[i]->shape->type == GeomType::kCapsule;
      coat[i] = capsule ? shapes[i]->shape->size.x + half : 0;
      if (capsule) shapes[i]->core = true, shapes[i]->coat = 0;
    }
    rounded_gjk(pair, coat[0] + coat[1], s);
    if (s.count == 0 || (s.apart && s.dist == 0)) return {};
    if (s.dist > tolerance) {
      const Vec3T<R> n = unfused_normalized(s.on_b - s.on_a);
      return rounded_result(unfused_sum(coat[0], n, s.on_a), unfused_sum(-coat[1], n, s.on_b),
                            s.dist - (coat[0] + coat[1]));
    }
    for (RoundedShape<R>* shape : shapes) shape->core = false, shape->coat = half;
  }
  RoundedPolytope<R> p;
  const int face = deepest_face(pair, s, p);
  if (face < 0) return {};
  Vec3T<R> w[3], on_a[3], on_b[3];
  for (int i = 0; i < 3; ++i) {
    const RoundedCorner<R>& c = p.corner[p.at[face][i]];
    w[i] = c.w, on_a[i] = c.a, on_b[i] = c.b;
  }
  const Shadow<R> shadow = largest_shadow(w[0], w[1], w[2]);
  R weight[3];
  side_shadows(shadow, w[0], w[1], w[2], p.foot[face], weight);
  for (R& part : weight) part = part / shadow.area;
  return rounded_result(weighted_sum(on_a, weight, 3), weighted_sum(on_b, weight, 3), -std::sqrt(p.dist2[face]));
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
