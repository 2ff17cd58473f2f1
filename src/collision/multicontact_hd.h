#pragma once
// Several contact points of two polytopes (boxes, meshes) that overlap: the part of one face that
// lies over another face.
//
// Reads the three corners of the face of A - B on which the depth was found. They name a corner, an
// edge or a face of either shape. If faces that meet there look at each other within 5.1 degrees,
// the face of B is clipped by the sides of the face of A; else, if one shape touches with a corner
// or edge and an edge there is parallel to a face of the other within the same angle, that edge is
// clipped. Points above the clipping face are dropped, and of more than four a large quadrilateral
// is kept. Which face comes first, the order of the points and the choice of the quadrilateral
// decide how many points there are and how deep they are: they follow MuJoCo's rules
// (engine_collision_gjk.c), so that simulations agree. Rounding is MuJoCo's as well, from here on:
// in the world's frame, without fused operations. Squares that lie on each other have
// quadrilaterals of equal area, and which one is taken (and how deep its points are) is decided by
// the last bits. Cost: 100 to 400 ns.

#include "collision/epa_hd.h"
#include "collision/rounded_search_hd.h"

namespace pliant {

inline constexpr int kMaxClippedPoints = 4;

/// A convex polygon of at most kMaxPolygon corners grows by at most one when it is cut; one cut per
/// corner of the other one is room enough.
inline constexpr int kMaxClipped = 2 * kMaxPolygon;

/// Products and sums rounded one by one.
template <class R>
PLIANT_HD R plain_dot(Vec3T<R> a, Vec3T<R> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
PLIANT_HD Vec3T<R> plain_cross(Vec3T<R> a, Vec3T<R> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class R>
PLIANT_HD Vec3T<R> plain_step(Vec3T<R> p, R t, Vec3T<R> d) {
  return {p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}
template <class R>
PLIANT_HD Vec3T<R> plain_times(const Mat3T<R>& m, Vec3T<R> v) {
  return {plain_dot(m.row(0), v), plain_dot(m.row(1), v), plain_dot(m.row(2), v)};
}
template <class R>
PLIANT_HD Vec3T<R> plain_unit(Vec3T<R> a) {
  const R length = std::sqrt(plain_dot(a, a));
  return length < R(kTiny) ? Vec3T<R>{1, 0, 0} : a * (1 / length);
}

/// Faces within 5.1 degrees look at each other; an edge within 5.1 degrees of a plane lies in it.
template <class R>
inline constexpr R kFaceToFace = R(0.996);
template <class R>
inline constexpr R kEdgeInFace = R(0.0888);

/// What the touching corners are on one shape: a corner, an edge or a face.
template <class R>
struct FeatureT {
  int dim = 0;         // 1, 2, 3
  int corner[2] = {};  // the corner, or the ends of the edge
  int faces[3] = {};   // faces that meet there; a mesh's corner has them in its own list
  int face_count = 0;
};

template <class R>
PLIANT_HD int feature_face(const ConvexT<R>& c, const FeatureT<R>& f, int i) {
  return c.type == GeomType::kMesh && f.dim == 1 ? c.mesh->polymap[c.mesh->polymapadr[f.corner[0]] + i] : f.faces[i];
}

/// Outward normal of a face, own frame. Faces of a box: +x, -x, +y, -y, +z, -z.
template <class R>
PLIANT_HD Vec3T<R> face_normal(const ConvexT<R>& c, int face) {
  if (c.type == GeomType::kMesh) {
    const double* n = c.mesh->polynormal + 3 * face;
    return {R(n[0]), R(n[1]), R(n[2])};
  }
  Vec3T<R> n{};
  n[face / 2] = face % 2 == 0 ? 1 : -1;
  return n;
}

/// Up to two faces that both lists have.
PLIANT_HD int common_faces(const int* a, int na, const int* b, int nb, int common[2]) {
  int count = 0;
  for (int i = 0; i < na; ++i) {
    for (int j = 0; j < nb; ++j) {
      if (a[i] != b[j]) continue;
      common[count++] = a[i];
      if (count == 2) return 2;
    }
  }
  return count;
}

/// Faces of a box at its corners: those whose side all corners share. Corners that share none or
/// too many: the face whose normal is nearest to `out`, if it is near.
template <class R>
PLIANT_HD void box_faces(FeatureT<R>& f, const int corner[3], Vec3T<R> out) {
  int all = 7, none = 7;  // bits that all corners have, that none has
  for (int i = 0; i < f.dim; ++i) all &= corner[i], none &= ~corner[i];
  f.face_count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (all >> axis & 1) f.faces[f.face_count++] = 2 * axis;
    if (none >> axis & 1) f.faces[f.face_count++] = 2 * axis + 1;
  }
  if (f.face_count == 4 - f.dim) return;
  f.face_count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(out[axis]) > kFaceToFace<R>) f.faces[0] = 2 * axis + (out[axis] < 0), f.face_count = 1;
  }
}

template <class R>
PLIANT_HD void mesh_faces(FeatureT<R>& f, const MeshShape& mesh, const int corner[3]) {
  const int* list[3];
  int count[3];
  for (int i = 0; i < f.dim; ++i)
    list[i] = mesh.polymap + mesh.polymapadr[corner[i]], count[i] = mesh.polymapnum[corner[i]];
  f.face_count = count[0];
  if (f.dim == 1) return;
  f.face_count = common_faces(list[0], count[0], list[1], count[1], f.faces);
  if (f.dim == 2) return;
  int common[2];
  const int faces = common_faces(f.faces, f.face_count, list[2], count[2], common);
  f.face_count = faces > 0 ? 1 : 0;
  if (faces > 0) f.faces[0] = common[0];
}

/// The feature of three corners, of which some can be the same. `out`: the normal out of the shape,
/// own frame.
template <class R>
PLIANT_HD FeatureT<R> feature_of(const ConvexT<R>& c, int i, int j, int k, Vec3T<R> out) {
  FeatureT<R> f;
  int corner[3] = {i, j, k};
  if (i == j) {
    f.dim = i == k ? 1 : 2;
    corner[1] = k;
  } else {
    f.dim = k == i || k == j ? 2 : 3;
  }
  f.corner[0] = corner[0], f.corner[1] = corner[1];
  if (c.type == GeomType::kBox) {
    box_faces(f, corner, out);
  } else {
    mesh_faces(f, *c.mesh, corner);
  }
  return f;
}

template <class R>
PLIANT_HD Vec3T<R> corner_point(const ConvexT<R>& c, int corner) {
  if (c.type == GeomType::kMesh) {
    const float* v = c.mesh->vert + 3 * corner;
    return {R(v[0]), R(v[1]), R(v[2])};
  }
  return {corner & 1 ? c.size.x : -c.size.x, corner & 2 ? c.size.y : -c.size.y, corner & 4 ? c.size.z : -c.size.z};
}

template <class R>
PLIANT_HD int edge_count(const FeatureT<R>& f, const ConvexT<R>& c) {
  return f.dim == 2 ? 1 : c.type == GeomType::kMesh ? c.mesh->polymapnum[f.corner[0]] : 3;
}

/// The corner at the other end of edge i of a corner or edge feature.
template <class R>
PLIANT_HD int edge_end(const ConvexT<R>& c, const FeatureT<R>& f, int i) {
  if (f.dim == 2) return f.corner[1];
  if (c.type == GeomType::kBox) return f.corner[0] ^ (1 << i);
  // the corner before it in polygon i
  const MeshShape& mesh = *c.mesh;
  const int face = mesh.polymap[mesh.polymapadr[f.corner[0]] + i];
  const int* loop = mesh.polyvert + mesh.polyvertadr[face];
  const int count = mesh.polyvertnum[face];
  for (int j = 0; j < count; ++j) {
    if (loop[j] == f.corner[0]) return loop[j == 0 ? count - 1 : j - 1];
  }
  return f.corner[0];
}

/// Corners of a face, clockwise from outside.
template <class R>
PLIANT_HD int face_corners(const ConvexT<R>& c, int face) {
  return c.type == GeomType::kMesh ? c.mesh->polyvertnum[face] : 4;
}
template <class R>
PLIANT_HD Vec3T<R> face_corner(const ConvexT<R>& c, int face, int i) {
  if (c.type == GeomType::kMesh) {
    const int* loop = c.mesh->polyvert + c.mesh->polyvertadr[face];
    return corner_point(c, loop[c.mesh->polyvertnum[face] - 1 - i]);
  }
  constexpr int kLoop[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6}, {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  return corner_point(c, kLoop[face][i]);
}

template <class R>
PLIANT_HD Vec3T<R> to_world(const ShapeT<R>& shape, Vec3T<R> p) {
  return plain_times(shape.mat, p) + shape.pos;
}

template <class R>
struct PolygonT {
  PLIANT_HD PolygonT() {}  // points are set before they are used
  union {
    Vec3T<R> point[kMaxClipped];
  };
  int count = 0;
};

/// Loads a face. Of too many corners, those farthest out in evenly spaced directions.
template <class R>
PLIANT_HD_NOINLINE void load_face(const ShapeT<R>& shape, const ConvexT<R>& c, int face, PolygonT<R>& out) {
  const int count = face_corners(c, face);
  out.count = 0;
  if (count <= kMaxPolygon) {
    for (int i = 0; i < count; ++i) out.point[out.count++] = to_world(shape, face_corner(c, face, i));
    return;
  }
  const Vec3T<R> n = face_normal(c, face), u = across(n), v = cross(u, n);  // clockwise from outside
  int last = -1;
  for (int k = 0; k < kMaxPolygon; ++k) {
    const R angle = R(2 * kPi) * R(k) / R(kMaxPolygon);
    const Vec3T<R> way = u * std::cos(angle) + v * std::sin(angle);
    int best = 0;
    R far = dot(way, face_corner(c, face, 0));
    for (int i = 1; i < count; ++i) {
      const R s = dot(way, face_corner(c, face, i));
      if (s > far) far = s, best = i;
    }
    if (best != last) out.point[out.count++] = to_world(shape, face_corner(c, face, best));
    last = best;
  }
}

/// Cuts off what lies beyond the plane through `p` with inward normal `in`. The result begins with
/// the second corner.
template <class R>
PLIANT_HD_NOINLINE void clip_polygon(const PolygonT<R>& from, Vec3T<R> p, Vec3T<R> in, PolygonT<R>& to) {
  to.count = 0;
  const R level = plain_dot(in, p);
  bool a_in = plain_dot(from.point[0] - p, in) > -R(kTiny);
  const bool first_in = a_in;
  for (int i = 0; i < from.count; ++i) {
    const bool last = i + 1 == from.count;
    const Vec3T<R> a = from.point[i], b = from.point[last ? 0 : i + 1];
    const bool b_in = last ? first_in : plain_dot(b - p, in) > -R(kTiny);
    const bool crosses = a_in != b_in;
    a_in = b_in;
    if (crosses && to.count < kMaxClipped) {
      const R t = (level - plain_dot(in, a)) / plain_dot(in, b - a);
      if (t >= 0 && t <= 1) to.point[to.count++] = plain_step(a, t, b - a);
    }
    if (b_in && to.count < kMaxClipped) to.point[to.count++] = b;
  }
}

/// How much four points span: the difference of two triangles, twice their area. (Not the area of
/// the quadrilateral, but what MuJoCo compares.)
template <class R>
PLIANT_HD R quad_span(Vec3T<R> a, Vec3T<R> b, Vec3T<R> c, Vec3T<R> d) {
  const Vec3T<R> sum = plain_cross(d - a, b - d) + plain_cross(c - b, a - c);
  return R(0.5) * std::sqrt(plain_dot(sum, sum));
}

/// Polygons of more corners than two squares can have in common, mostly of round faces, choose their
/// quadrilateral with this tolerance: which of many equal ones it is must not depend on rounding.
inline constexpr int kFewCorners = 8;
template <class R>
inline constexpr R kLargerSpan = R(1e-6);

/// Four corners of a polygon that span much: one corner walks around, and the others follow as long
/// as that makes the span larger.
template <class R>
PLIANT_HD_NOINLINE void widest_quad(const PolygonT<R>& p, int quad[4]) {
  const auto next = [&](int i) { return i + 1 == p.count ? 0 : i + 1; };
  const auto span = [&](int a, int b, int c, int d) {
    return quad_span(p.point[a], p.point[b], p.point[c], p.point[d]);
  };
  int a = 0, b = 1, c = 2, d = 3;
  R largest = span(a, b, c, d);
  const R more = p.count > kFewCorners ? 1 + kLargerSpan<R> : R(1);
  const auto keep = [&] { quad[0] = a, quad[1] = b, quad[2] = c, quad[3] = d; };
  keep();
  for (; a < p.count; ++a) {
    for (R now; (now = span(a, b, c, next(d))) > more * largest;) {
      largest = now, d = next(d), keep();
      for (; (now = span(a, b, next(c), d)) > more * largest;) largest = now, c = next(c), keep();
      for (; (now = span(a, next(b), c, d)) > more * largest;) largest = now, b = next(b), keep();
    }
    if (b != a) continue;
    b = next(b);
    if (c == b) {
      c = next(c);
      if (d == c) d = next(d);
    }
  }
}

/// The two points of a clipped edge that are farthest apart.
template <class R>
PLIANT_HD void farthest_two(const PolygonT<R>& p, int two[2]) {
  R far = 0;
  two[0] = 0, two[1] = 1;
  for (int i = 0; i < p.count; ++i) {
    for (int j = i + 1; j < p.count; ++j) {
      const Vec3T<R> d = p.point[j] - p.point[i];
      const R length2 = plain_dot(d, d);
      if (length2 > far) far = length2, two[0] = i, two[1] = j;
    }
  }
}

/// Contact points in the world.
template <class R>
struct ManifoldT {
  PLIANT_HD ManifoldT() {}  // points are set before they are used
  Vec3T<R> normal;          // out of A
  union {
    Vec3T<R> pos[kMaxClippedPoints];
  };
  R dist[kMaxClippedPoints];
  int count = 0;
};

/// Clips `polygon` by the sides of a face with outward normal n and keeps what is below it. `push`:
/// from the clipped point to the point on the face, unit vector.
template <class R>
PLIANT_HD_NOINLINE void clip_to_face(const ShapeT<R>& shape, const ConvexT<R>& c, int face, Vec3T<R> n,
                                     PolygonT<R>& polygon, Vec3T<R> push, ManifoldT<R>& out) {
  const bool edge = polygon.count == 2;
  const int sides = face_corners(c, face);
  if (sides < 3) return;
  PolygonT<R> spare;
  PolygonT<R>*from = &polygon, *to = &spare;
  const Vec3T<R> begin = to_world(shape, face_corner(c, face, 0));
  Vec3T<R> p = begin;
  for (int i = 0; i < sides; ++i) {
    const Vec3T<R> q = i + 1 == sides ? begin : to_world(shape, face_corner(c, face, i + 1));
    clip_polygon(*from, p, plain_unit(plain_cross(q - p, (p + n) - p)), *to);
    if (to->count == 0) return;
    PolygonT<R>* swap = from;
    from = to, to = swap;
    p = q;
  }

  // drop what is above the face
  int below = 0;
  for (int i = 0; i < from->count; ++i) {
    if (plain_dot(from->point[i] - begin, n) <= 0) from->point[below++] = from->point[i];
  }
  from->count = below;
  if (below == 0) return;

  int use[kMaxClippedPoints] = {0, 1, 2, 3};
  out.count = below;
  if (below > kMaxClippedPoints) {
    widest_quad(*from, use);
    out.count = kMaxClippedPoints;
  } else if (edge && below > 2) {
    farthest_two(*from, use);
    out.count = 2;
  }
  for (int i = 0; i < out.count; ++i) {
    const Vec3T<R> point = from->point[use[i]];
    out.dist[i] = plain_dot(point - begin, n);
    out.pos[i] = fused(out.dist[i] / -2, push, point);
  }
}

/// A face of one shape and a face or edge of the other that lie on each other; -1: none.
struct MatchT {
  int face_a = -1, face_b = -1;  // of the two shapes, or
  int edge_a = -1, edge_b = -1;  // the end of an edge that starts at the feature's first corner
};

/// The first edge that lies in one of the faces of the other shape. `turn`: from the frame of the
/// edge to that of the faces.
template <class R>
PLIANT_HD bool match_edge(const ConvexT<R>& ce, const FeatureT<R>& fe, const ConvexT<R>& cf, const FeatureT<R>& ff,
                          const Mat3T<R>& turn, bool turn_back, int& end, int& face) {
  const Vec3T<R> start = corner_point(ce, fe.corner[0]);
  const int edges = edge_count(fe, ce);
  for (int i = 0; i < ff.face_count; ++i) {
    const int f = feature_face(cf, ff, i);
    const Vec3T<R> n = turn_back ? transposed_times(turn, face_normal(cf, f)) : turn * face_normal(cf, f);
    for (int j = 0; j < edges; ++j) {
      const int e = edge_end(ce, fe, j);
      const Vec3T<R> along = normalized(corner_point(ce, e) - start);
      if (std::fabs(dot(along, n)) < kEdgeInFace<R>) {
        end = e, face = f;
        return true;
      }
    }
  }
  return false;
}

template <class R>
PLIANT_HD_NOINLINE MatchT match_features(const DifferenceT<R>& d, const FeatureT<R>& fa, const FeatureT<R>& fb) {
  MatchT m;
  // two faces
  for (int i = 0; i < fa.face_count; ++i) {
    const int a = feature_face(d.a, fa, i);
    const Vec3T<R> n = transposed_times(d.turn, face_normal(d.a, a));
    for (int j = 0; j < fb.face_count; ++j) {
      const int b = feature_face(d.b, fb, j);
      if (!(dot(n, face_normal(d.b, b)) < -kFaceToFace<R>)) continue;
      m.face_a = a, m.face_b = b;
      return m;
    }
  }
  // an edge of the lower feature and a face of the other
  if (fa.dim < 3 && fa.dim <= fb.dim) {
    match_edge(d.a, fa, d.b, fb, d.turn, false, m.edge_a, m.face_b);
  } else if (fb.dim < 3) {
    match_edge(d.b, fb, d.a, fa, d.turn, true, m.edge_b, m.face_a);
  }
  return m;
}

/// Whether two of three corners of a mesh have more than two faces in common, as slivers make them:
/// the face of all three is sought among the first two.
template <class R>
PLIANT_HD bool has_slivers(const ConvexT<R>& c, int i, int j, int k) {
  if (c.type != GeomType::kMesh) return false;
  const int corner[4] = {i, j, k, i};
  for (int n = 0; n < 3; ++n) {
    const int* a = c.mesh->polymap + c.mesh->polymapadr[corner[n]];
    const int* b = c.mesh->polymap + c.mesh->polymapadr[corner[n + 1]];
    const int na = c.mesh->polymapnum[corner[n]], nb = c.mesh->polymapnum[corner[n + 1]];
    int common = 0;
    for (int x = 0; x < na; ++x) {
      for (int y = 0; y < nb; ++y) common += a[x] == b[y];
    }
    if (common > 2) return true;
  }
  return false;
}

/// Whether which faces the features are, or which of them come first, depends on the order of the
/// corners: slivers, or an edge and more than one pair of faces at it that lie on each other.
template <class R>
PLIANT_HD bool is_ambiguous(const DifferenceT<R>& d, const OverlapT<R>& o, const FeatureT<R>& fa,
                            const FeatureT<R>& fb) {
  const CornerT<R>* c = o.corner;
  if (fa.dim == 3 && has_slivers(d.a, c[0].corner_a, c[1].corner_a, c[2].corner_a)) return true;
  if (fb.dim == 3 && has_slivers(d.b, c[0].corner_b, c[1].corner_b, c[2].corner_b)) return true;
  if (fa.dim != 2 && fb.dim != 2) return false;
  int matches = 0;
  for (int i = 0; i < fa.face_count; ++i) {
    const Vec3T<R> n = transposed_times(d.turn, face_normal(d.a, feature_face(d.a, fa, i)));
    for (int j = 0; j < fb.face_count; ++j)
      matches += dot(n, face_normal(d.b, feature_face(d.b, fb, j))) < -kFaceToFace<R>;
  }
  return matches > 1;
}

template <class R>
PLIANT_HD bool can_clip(const ConvexT<R>& c) {
  return c.type == GeomType::kBox || (c.type == GeomType::kMesh && c.mesh->polynum > 0);
}

/// Points of two polytopes whose overlap is known. None: the one of the overlap is all there is.
template <class R>
PLIANT_HD_NOINLINE ManifoldT<R> clip_features(const ShapeT<R>& a, const ShapeT<R>& b, const DifferenceT<R>& d,
                                              const OverlapT<R>& o) {
  ManifoldT<R> out;
  const CornerT<R>* c = o.corner;
  const Vec3T<R> out_b = -transposed_times(d.turn, o.normal);
  FeatureT<R> fa = feature_of(d.a, c[0].corner_a, c[1].corner_a, c[2].corner_a, o.normal);
  FeatureT<R> fb = feature_of(d.b, c[0].corner_b, c[1].corner_b, c[2].corner_b, out_b);
  if (is_ambiguous(d, o, fa, fb)) {
    // the order in which MuJoCo's search has them
    int i[3], j[3];
    if (rounded_corners(a, b, o.depth, R(1e-9) * d.size, i, j)) {
      fa = feature_of(d.a, i[0], i[1], i[2], o.normal);
      fb = feature_of(d.b, j[0], j[1], j[2], out_b);
    }
  }
  const MatchT m = match_features(d, fa, fb);
  PolygonT<R> polygon;
  if (m.face_a >= 0 && m.face_b >= 0) {
    // the face of B over that of A; the normal is that of B's face
    const Vec3T<R> n = plain_times(b.mat, face_normal(d.b, m.face_b));
    out.normal = -n;
    load_face(b, d.b, m.face_b, polygon);
    clip_to_face(a, d.a, m.face_a, plain_times(a.mat, face_normal(d.a, m.face_a)), polygon, -n, out);
  } else if (m.edge_a >= 0) {
    const Vec3T<R> n = plain_times(b.mat, face_normal(d.b, m.face_b));
    out.normal = -n;
    polygon.point[0] = to_world(a, corner_point(d.a, fa.corner[0]));
    polygon.point[1] = to_world(a, corner_point(d.a, m.edge_a));
    polygon.count = 2;
    clip_to_face(b, d.b, m.face_b, n, polygon, n, out);
  } else if (m.edge_b >= 0) {
    const Vec3T<R> n = plain_times(a.mat, face_normal(d.a, m.face_a));
    out.normal = n;
    polygon.point[0] = to_world(b, corner_point(d.b, fb.corner[0]));
    polygon.point[1] = to_world(b, corner_point(d.b, m.edge_b));
    polygon.count = 2;
    clip_to_face(a, d.a, m.face_a, n, polygon, n, out);
  }
  return out;
}

}  // namespace pliant
