#pragma once
// How deep two convex shapes overlap: the expanding polytope (van den Bergen, 2001).
//
// A polytope inside the difference A - B grows: the face nearest to the origin is pushed out to the
// support point in the direction of its normal, until that point is not beyond the face. Depth =
// min over unit n of f(n), where f(n) = max { n . w : w in A - B }. Every face gives two bounds:
// its own offset from below (as long as the origin is inside) and f at its normal from above; the
// answer is always f at the normal returned, so the normal separates the shapes whatever happened
// before. Normals come from the winding of a face, and offsets have signs: the polytope need not
// contain the origin to begin with (shapes that touch), then the search pushes out the face that
// hides it. Faces live in fixed arrays: a closed surface of triangles with V corners has 2 V - 4 of
// them. The border of the part that a new point sees is walked with an explicit stack and checked
// to be one closed loop. Cost: about 10 rounds for boxes and small meshes, 60 to 90 ns per round.

#include <cstdint>

#include "collision/gjk_hd.h"

namespace pliant {

inline constexpr int kMaxPolytopeCorners = 128;
inline constexpr int kMaxPolytopeFaces = 2 * kMaxPolytopeCorners;

template <class R>
struct PolytopeT {
  PLIANT_HD PolytopeT() {}  // leaves the arrays as they are: setting 20 kB to zero takes longer than most searches
  union {
    CornerT<R> corner[kMaxPolytopeCorners];
  };
  union {
    Vec3T<R> normal[kMaxPolytopeFaces];
  };
  R offset[kMaxPolytopeFaces + 3];         // kGone: not a face any more, nor are three after the last
  uint8_t at[kMaxPolytopeFaces][3];        // corners, counter-clockwise from outside
  uint8_t beside[kMaxPolytopeFaces][3];    // face beyond the edge from corner k to corner k + 1
  uint8_t spare[kMaxPolytopeFaces];        // places of faces that are gone
  int corners = 0, faces = 0, spares = 0;  // places used so far
};
static_assert(kMaxPolytopeFaces <= 256, "faces are numbered by bytes");

/// Offset of a face that is gone; faces without area are kept, just below it: they are never
/// chosen.
template <class R>
inline constexpr R kGone = std::numeric_limits<R>::max();
template <class R>
inline constexpr R kNever = std::numeric_limits<R>::max() / 2;

/// Deepest overlap of two cores.
template <class R>
struct OverlapT {
  PLIANT_HD OverlapT() {}  // corners are set if something is found
  bool found = false;
  R depth = 0;       // f(normal); negative: they are apart after all
  Vec3T<R> normal;   // unit, out of A
  Vec3T<R> point_a;  // on A, frame of A; on B: point_a - depth * normal
  union {
    CornerT<R> corner[3];  // the face of the difference
  };
};

template <class R>
PLIANT_HD void set_face(PolytopeT<R>& p, int face, int i, int j, int k) {
  p.at[face][0] = uint8_t(i), p.at[face][1] = uint8_t(j), p.at[face][2] = uint8_t(k);
  const Vec3T<R> a = p.corner[i].w;
  const Vec3T<R> n = cross(p.corner[j].w - a, p.corner[k].w - a);
  const R length = norm(n);
  if (length > 0) {
    p.normal[face] = n * (1 / length);
    p.offset[face] = dot(p.normal[face], a);
  } else {
    p.normal[face] = {};
    p.offset[face] = kNever<R>;
  }
}

/// Tries the support points in direction n and -n; the first one that is farther than `least` from
/// the plane or line that `height` measures becomes a new corner.
template <class R, class Height>
PLIANT_HD bool add_corner(DifferenceT<R>& d, PolytopeT<R>& p, Vec3T<R> n, R least, Height height) {
  for (int sign = 0; sign < 2; ++sign) {
    p.corner[p.corners] = support_call(d, sign == 0 ? n : -n);
    if (height(p.corner[p.corners].w) > least) {
      ++p.corners;
      return true;
    }
  }
  return false;
}

/// A direction across u (unit vector).
template <class R>
PLIANT_HD Vec3T<R> across(Vec3T<R> u) {
  const R x = std::fabs(u.x), y = std::fabs(u.y), z = std::fabs(u.z);
  const Vec3T<R> axis = x <= y && x <= z ? Vec3T<R>{1, 0, 0} : y <= z ? Vec3T<R>{0, 1, 0} : Vec3T<R>{0, 0, 1};
  return normalized(cross(u, axis));
}

/// Faces of the first four corners. `height` of the fourth above the others: outside is where it is
/// not.
template <class R>
PLIANT_HD void close_tetrahedron(PolytopeT<R>& p, R height) {
  if (height > 0) {
    const CornerT<R> c = p.corner[1];
    p.corner[1] = p.corner[2], p.corner[2] = c;
  }
  constexpr uint8_t kAt[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr uint8_t kBeside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; ++f) {
    set_face(p, f, kAt[f][0], kAt[f][1], kAt[f][2]);
    for (int k = 0; k < 3; ++k) p.beside[f][k] = kBeside[f][k];
  }
  p.faces = 4;
  for (int k = 4; k < 7; ++k) p.offset[k] = kGone<R>;
}

/// First polytope: a tetrahedron from the corners of the simplex and, where these are too few or
/// lie in a plane, others. False: the difference has no volume; normal is then across it, if it is
/// flat.
template <class R>
PLIANT_HD_NOINLINE bool first_tetrahedron(DifferenceT<R>& d, const SimplexT<R>& s, PolytopeT<R>& p, Vec3T<R>& normal) {
  const R least = ConvexTolerance<R>::kFlat * d.size;
  p.corners = p.faces = p.spares = 0;
  normal = {1, 0, 0};
  if (s.count == 4) {
    for (int i = 0; i < 4; ++i) p.corner[i] = s.corner[i];
    p.corners = 4;
    normal = cross(p.corner[1].w - p.corner[0].w, p.corner[2].w - p.corner[0].w);
    const R height = dot(normal, p.corner[3].w - p.corner[0].w);
    if (height * height > least * least * dot(normal, normal)) {
      close_tetrahedron(p, height);
      return true;
    }
    p.corners = 0;
  }
  p.corner[p.corners++] = s.count > 0 ? s.corner[0] : support_call(d, Vec3T<R>{1, 0, 0});
  const Vec3T<R> origin = p.corner[0].w;

  // a line
  const auto from_point = [&](Vec3T<R> w) { return norm(w - origin); };
  for (int i = 1; i < s.count && p.corners < 2; ++i) {
    if (from_point(s.corner[i].w) > least) p.corner[p.corners++] = s.corner[i];
  }
  for (int axis = 0; axis < 3 && p.corners < 2; ++axis) {
    Vec3T<R> n{};
    n[axis] = 1;
    add_corner(d, p, n, least, from_point);
  }
  if (p.corners < 2) return false;
  const Vec3T<R> u = normalized(p.corner[1].w - origin);

  // a plane
  const auto from_line = [&](Vec3T<R> w) { return norm(cross(u, w - origin)); };
  for (int i = 1; i < s.count && p.corners < 3; ++i) {
    if (from_line(s.corner[i].w) > least) p.corner[p.corners++] = s.corner[i];
  }
  Vec3T<R> v = across(u);
  for (int turn = 0; turn < 3 && p.corners < 3; ++turn) {
    normal = v;
    add_corner(d, p, v, least, from_line);
    v = normalized(fused(R(0.86602540378), cross(u, v), v * R(-0.5)));  // 120 degrees on
  }
  if (p.corners < 3) return false;

  // a body: of the simplex' last corner and the support points on both sides
  normal = normalized(cross(p.corner[1].w - origin, p.corner[2].w - origin));
  const auto from_plane = [&](Vec3T<R> w) { return std::fabs(dot(normal, w - origin)); };
  for (int i = 1; i < s.count && p.corners < 4; ++i) {
    if (from_plane(s.corner[i].w) > least) p.corner[p.corners++] = s.corner[i];
  }
  if (p.corners < 4) add_corner(d, p, dot(normal, origin) > 0 ? -normal : normal, least, from_plane);
  if (p.corners < 4) return false;

  close_tetrahedron(p, dot(normal, p.corner[3].w - origin));
  return true;
}

/// Edges around the faces that a point sees, in order; each is an edge of a face that it does not
/// see.
struct HorizonT {
  uint8_t face[kMaxPolytopeCorners], edge[kMaxPolytopeCorners];
  int count = 0;
};

/// Removes the faces that w sees, beginning with `seen`, and lists the border of the hole. False:
/// no single closed loop.
template <class R>
PLIANT_HD_NOINLINE bool open_polytope(PolytopeT<R>& p, int seen, Vec3T<R> w, R noise, HorizonT& horizon) {
  constexpr int kNext[5] = {0, 1, 2, 0, 1};
  uint8_t stack[kMaxPolytopeFaces], from[kMaxPolytopeFaces], done[kMaxPolytopeFaces];
  int depth = 0;
  horizon.count = 0;
  p.offset[seen] = kGone<R>;
  p.spare[p.spares++] = uint8_t(seen);
  stack[0] = uint8_t(seen), from[0] = 2,
  done[0] = 0;  // "entered by edge 2": edges 0, 1 and, last, 2
  while (depth >= 0) {
    const int face = stack[depth], step = done[depth];
    if (step == (depth == 0 ? 3 : 2)) {
      --depth;
      continue;
    }
    ++done[depth];
    const int edge = (from[depth] + 1 + step) % 3;
    const int other = p.beside[face][edge];
    if (p.offset[other] == kGone<R>) continue;
    // the same edge, seen from the other face, begins where ours ends
    const int end = p.at[face][kNext[edge + 1]];
    const int back = p.at[other][0] == end ? 0 : p.at[other][1] == end ? 1 : 2;
    if (dot(p.normal[other], w) > p.offset[other] + noise) {
      p.offset[other] = kGone<R>;
      p.spare[p.spares++] = uint8_t(other);
      ++depth;
      stack[depth] = uint8_t(other), from[depth] = uint8_t(back), done[depth] = 0;
    } else {
      if (horizon.count == kMaxPolytopeCorners) return false;
      horizon.face[horizon.count] = uint8_t(other), horizon.edge[horizon.count++] = uint8_t(back);
    }
  }
  if (horizon.count < 3) return false;
  for (int i = 0; i < horizon.count; ++i) {
    const int next = i + 1 == horizon.count ? 0 : i + 1;
    const uint8_t* here = p.at[horizon.face[i]];
    const uint8_t* there = p.at[horizon.face[next]];
    if (here[horizon.edge[i]] != there[kNext[horizon.edge[next] + 1]]) return false;
  }
  return true;
}

/// Joins the last corner with the border of the hole.
template <class R>
PLIANT_HD_NOINLINE bool close_polytope(PolytopeT<R>& p, const HorizonT& horizon) {
  constexpr int kNext[4] = {1, 2, 0, 1};
  const int top = p.corners - 1;
  if (p.faces + horizon.count - p.spares > kMaxPolytopeFaces) return false;
  int first = -1, last = -1;
  for (int i = 0; i < horizon.count; ++i) {
    const int face = p.spares > 0 ? p.spare[--p.spares] : p.faces++;
    const int other = horizon.face[i], edge = horizon.edge[i];
    set_face(p, face, p.at[other][kNext[edge]], p.at[other][edge], top);
    p.beside[face][0] = uint8_t(other);
    p.beside[other][edge] = uint8_t(face);
    if (i == 0) {
      first = face;
    } else {
      p.beside[face][2] = uint8_t(last);
      p.beside[last][1] = uint8_t(face);
    }
    last = face;
  }
  p.beside[last][1] = uint8_t(first);
  p.beside[first][2] = uint8_t(last);
  for (int k = 0; k < 3; ++k) p.offset[p.faces + k] = kGone<R>;
  return true;
}

/// Weights of the corners of a triangle that give the foot of the origin on its plane; returns the
/// least of them: below zero the foot lies outside.
template <class R>
PLIANT_HD R foot_weights(const CornerT<R>* c[3], Vec3T<R> normal, R offset, R weight[3]) {
  const Vec3T<R> foot = normal * offset;
  const Vec3T<R> v0 = c[0]->w - foot, v1 = c[1]->w - foot, v2 = c[2]->w - foot;
  weight[0] = dot(cross(v1, v2), normal), weight[1] = dot(cross(v2, v0), normal),
  weight[2] = dot(cross(v0, v1), normal);
  const R area = weight[0] + weight[1] + weight[2];
  const R scale = area > 0 ? 1 / area : 0;
  R least = 1;
  for (int i = 0; i < 3; ++i) {
    weight[i] *= scale;
    least = weight[i] < least ? weight[i] : least;
  }
  return least;
}

/// The touching point on A and the corners it lies between. Where a part of the difference that is
/// flat (to `slack` and `cosine`) has several triangles, the one with the foot of the origin.
template <class R>
PLIANT_HD_NOINLINE void place_overlap(const PolytopeT<R>& p, const uint8_t at[3], R offset, R slack, R cosine,
                                      OverlapT<R>& o) {
  const CornerT<R>* c[3] = {&p.corner[at[0]], &p.corner[at[1]], &p.corner[at[2]]};
  R weight[3];
  R inside = foot_weights(c, o.normal, offset, weight);
  if (inside < R(-1e-6)) {
    for (int f = 0; f < p.faces; ++f) {
      if (!(p.offset[f] <= offset + slack) || !(dot(p.normal[f], o.normal) > cosine)) continue;
      const CornerT<R>* other[3] = {&p.corner[p.at[f][0]], &p.corner[p.at[f][1]], &p.corner[p.at[f][2]]};
      R other_weight[3];
      const R other_inside = foot_weights(other, o.normal, offset, other_weight);
      if (!(other_inside > inside)) continue;
      inside = other_inside;
      for (int i = 0; i < 3; ++i) c[i] = other[i], weight[i] = other_weight[i];
    }
  }
  R sum = 0;
  for (int i = 0; i < 3; ++i) weight[i] = weight[i] > 0 ? weight[i] : 0, sum += weight[i];
  for (int i = 0; i < 3; ++i) weight[i] = sum > 0 ? weight[i] / sum : R(1) / 3;
  o.point_a = c[0]->a * weight[0] + c[1]->a * weight[1] + c[2]->a * weight[2];
  for (int i = 0; i < 3; ++i) o.corner[i] = *c[i];
}

/// The best answer so far: least f, and the face whose normal has it.
template <class R>
struct BestFace {
  R depth = kGone<R>, offset = 0;
  Vec3T<R> normal;
  uint8_t at[3] = {};
};

/// Pushes faces out until the nearest one is on the boundary (the depth may be too large by `enough`); only those whose
/// normals are within a cone about `axis` (its cosine; below -1: all). False: the arrays are full, or rounding stopped
/// it.
template <class R>
PLIANT_HD_NOINLINE bool expand(DifferenceT<R>& d, PolytopeT<R>& p, R enough, Vec3T<R> axis, R cosine,
                               BestFace<R>& best) {
  const R noise = ConvexTolerance<R>::kNoise * d.size;
  HorizonT horizon;
  while (p.corners < kMaxPolytopeCorners) {
    // the face nearest to the origin, and how far the difference reaches beyond it
    int face = -1;
    R offset = kNever<R>;
    if (cosine < -1) {
      face = first_least(p.offset, p.faces, offset);
    } else {
      for (int f = 0; f < p.faces; ++f) {
        if (p.offset[f] < offset && dot(p.normal[f], axis) > cosine) face = f, offset = p.offset[f];
      }
    }
    if (face < 0) return false;
    const CornerT<R> c = support(d, p.normal[face]);
    const R reach = dot(p.normal[face], c.w);
    if (reach < best.depth) {
      best.depth = reach, best.normal = p.normal[face], best.offset = offset;
      for (int k = 0; k < 3; ++k) best.at[k] = p.at[face][k];
    }
    const R gap = best.depth - offset;
    if (!(gap > enough) || !(reach - offset > noise)) return true;
    p.corner[p.corners++] = c;
    if (!open_polytope(p, face, c.w, noise, horizon) || !close_polytope(p, horizon)) return false;
  }
  return false;
}

/// Depth and direction of the overlap of two cores, from the simplex that GJK left. The depth may be too large by
/// `enough`.
template <class R>
PLIANT_HD_NOINLINE void epa(DifferenceT<R>& d, const SimplexT<R>& s, R enough, OverlapT<R>& o) {
  PolytopeT<R> p;
  if (!first_tetrahedron(d, s, p, o.normal)) {
    // no volume: they touch along the plane, line or point that the difference is
    const CornerT<R> c = support_call(d, o.normal);
    o.found = true;
    o.depth = dot(o.normal, c.w);
    o.point_a = c.a;
    for (int i = 0; i < 3; ++i) o.corner[i] = c;
    return;
  }

  // faces of smooth shapes are many, and flat only nearly
  const R slack = (d.ends ? 4 * ConvexTolerance<R>::kNoise : R(1e-3)) * d.size;
  const R cosine = 1 - (d.ends ? R(1e-8) : R(1e-3));
  BestFace<R> best;
  bool done = expand(d, p, enough, Vec3T<R>{}, R(-2), best);
  o.found = best.depth < kNever<R>;
  if (!o.found) return;
  o.normal = best.normal, o.depth = best.depth;
  place_overlap(p, best.at, best.offset, slack, cosine, o);
  // about equally deep in very many directions (a grain on the axis of a barrel): again, near the
  // best one only
  constexpr R kCone[3] = {R(0.95), R(0.9975), R(0.99985)};  // 18, 4 and 1 degrees about it
  for (int narrower = 0; narrower < 3 && !done; ++narrower) {
    SimplexT<R> around;
    for (int i = 0; i < 3; ++i) around.corner[i] = o.corner[i];
    around.corner[3] = support_call(d, -o.normal);
    around.count = 4;
    Vec3T<R> normal;
    if (!first_tetrahedron(d, around, p, normal)) break;
    done = expand(d, p, enough, o.normal, kCone[narrower], best);
    if (!(best.depth < o.depth)) break;
    o.normal = best.normal, o.depth = best.depth;
    place_overlap(p, best.at, best.offset, slack, cosine, o);
  }
}

}  // namespace pliant
