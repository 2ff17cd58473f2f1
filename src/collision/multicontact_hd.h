#pragma once
// Several contact points of two shapes with faces or straight lines (boxes, meshes, cylinders, capsules): four of a
// face, two of a line.
//
// Reads the corners of the difference A - B between which the nearest points or the deepest overlap were found. They
// name a corner, an edge or a face of either shape; of a cylinder the cap on which they lie, or both caps; a capsule
// has its axis. Of the faces there, those two are taken that look at each other best, within 5.1 degrees; the face of B
// is then clipped by the sides of the face of A. Else an edge or line of one shape that lies in a face of the other
// within the same angle is clipped by the sides of that face: first of the shape that touches with less (a corner
// rather than an edge), then of the other one. Caps of cylinders are clipped as polygons of 16 corners; their line is
// the one that looks at the face. Points farther above the face than the margin are dropped, and of more than four a
// large quadrilateral is kept. Which face comes first, the order of the points and the choice of the quadrilateral
// decide how many points there are and how deep they are: they follow MuJoCo's rules (4.0.1), so that simulations
// agree. Rounding is MuJoCo's as well: in the world's frame, without fused operations. Squares that lie on each other
// have quadrilaterals of equal area, and which one is taken (and how deep its points are) is decided by the last bits.
// Cost: 100 to 400 ns.

#include "collision/epa_hd.h"
#include "collision/flat_face_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

inline constexpr int kMaxClippedPoints = 4;

/// A convex polygon of at most kMaxPolygon corners grows by at most one when it is cut; one cut per
/// corner of the other one is room enough.
inline constexpr int kMaxClipped = 2 * kMaxPolygon;

/// Faces within 5.1 degrees look at each other; an edge within 5.1 degrees of a plane lies in it.
template <class R>
inline constexpr R kFaceToFace = R(0.996);
template <class R>
inline constexpr R kEdgeInFace = R(0.0888);

/// An edge can lie on any face that looks at the other shape at all, as in MuJoCo; by less than this, noise decides.
template <class R>
inline constexpr R kEdgeTowards = sizeof(R) == 8 ? R(1e-5) : R(1e-3);

/// Points of an edge on a face that looks more than 60 degrees past the contact's normal are none: their depths are
/// those of a way out more than twice as long. MuJoCo has them: a cylinder that lies on a standing one, tilted by 5e-5,
/// is pushed out sideways, 0.17 m where 0.002 m are enough.
template <class R>
inline constexpr R kEdgeAlong = R(0.5);

/// A cap is a polygon of this many corners.
inline constexpr int kCapCorners = 16;

/// One of the shapes and the feature with which it touches: a corner, an edge or a face.
template <class R>
struct SideT {
  const ShapeT<R>& shape;
  Vec3T<R> out;        // towards the other shape, unit vector in own frame
  int dim = 1;         // 1, 2, 3
  int corner[3] = {};  // dim of them differ
  int faces[3] = {};   // faces at all of these corners; of a mesh corner they are in its map
  int face_count = 0;
  Vec3T<R> on_line{};  // a point of the line of a capsule's surface that touches
};

/// How much a face of a feature looks towards the other shape: cosine of the angle.
template <class R>
PLIANT_HD R face_looks_out(const SideT<R>& s, int face) {
  if (s.shape.type == GeomType::kMesh) {
    const R* n = s.shape.mesh.polynormal + 3 * face;
    return dot(s.out, Vec3T<R>{n[0], n[1], n[2]});
  }
  const R along = s.out[s.shape.type == GeomType::kBox ? face / 2 : 2];
  return face % 2 == 0 ? along : -along;
}

/// Outward normal of a face, in the world. Faces of a box: +x, -x, +y, -y, +z, -z; of a cylinder: +z, -z.
template <class R>
PLIANT_HD Vec3T<R> face_normal(const ShapeT<R>& shape, int face) {
  if (shape.type == GeomType::kMesh) {
    const R* n = shape.mesh.polynormal + 3 * face;
    return unfused_times_plus(shape.mat, Vec3T<R>{n[0], n[1], n[2]}, Vec3T<R>{});
  }
  const Vec3T<R> axis = shape.mat.column(shape.type == GeomType::kBox ? face / 2 : 2);
  return face % 2 == 0 ? axis : -axis;
}

/// Faces of a box at its corners: those whose side all of them share. Corners of a face that share none or too many,
/// and of an edge that share none: the face whose normal is nearest to `out`, if it is near.
template <class R>
PLIANT_HD void find_box_faces(SideT<R>& s) {
  int all = 7, none = 7;  // bits that all corners have, that none has
  for (int i = 0; i < s.dim; ++i) all &= s.corner[i], none &= ~s.corner[i];
  for (int axis = 0; axis < 3; ++axis) {
    if (all >> axis & 1) s.faces[s.face_count++] = 2 * axis;
    if (none >> axis & 1) s.faces[s.face_count++] = 2 * axis + 1;
  }
  if (s.dim == 3 ? s.face_count == 1 : s.face_count > 0) return;
  s.face_count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(s.out[axis]) > kFaceToFace<R>) s.faces[0] = 2 * axis + (s.out[axis] < 0), s.face_count = 1;
  }
}

/// Faces of a mesh at the corners of an edge or of a face. Where polygons of a hull overlap, an edge can have more than
/// two: the first two count, and of those at a third corner the first, as in MuJoCo.
template <class R>
PLIANT_HD void find_mesh_faces(SideT<R>& s) {
  const MeshShapeT<R>& mesh = s.shape.mesh;
  const auto is_at = [&](int face, int corner) {
    const int* faces = mesh.polymap + mesh.polymapadr[corner];
    const int count = mesh.polymapnum[corner];
    for (int j = 0; j < count; ++j) {
      if (faces[j] == face) return true;
    }
    return false;
  };
  const int* faces = mesh.polymap + mesh.polymapadr[s.corner[0]];
  const int count = mesh.polymapnum[s.corner[0]];
  for (int i = 0; i < count && s.face_count < 2; ++i) {
    if (is_at(faces[i], s.corner[1])) s.faces[s.face_count++] = faces[i];
  }
  if (s.dim == 2) return;
  const int common = s.face_count;
  s.face_count = 0;
  for (int i = 0; i < common && s.face_count == 0; ++i) {
    if (is_at(s.faces[i], s.corner[2])) s.faces[s.face_count++] = s.faces[i];
  }
}

/// The feature of three corners, of which some can be the same. `out`: in the world.
template <class R>
PLIANT_HD SideT<R> side_of(const ShapeT<R>& shape, const int corner[3], Vec3T<R> out) {
  SideT<R> s{shape, transposed_times(shape.mat, out)};
  if (shape.type == GeomType::kCapsule) return s;
  for (int i = 0; i < 3; ++i) s.corner[i] = corner[i];
  if (corner[0] == corner[1]) {
    s.dim = corner[0] == corner[2] ? 1 : 2;
    s.corner[1] = corner[2];
  } else {
    s.dim = corner[2] == corner[0] || corner[2] == corner[1] ? 2 : 3;
  }
  if (shape.type == GeomType::kBox) {
    find_box_faces(s);
  } else if (shape.type == GeomType::kMesh) {
    if (s.dim == 1) {
      s.face_count = shape.mesh.polymapnum[corner[0]];
    } else {
      find_mesh_faces(s);
    }
  } else if (s.dim == 1) {  // a cylinder with one cap
    s.faces[0] = corner[0], s.face_count = 1;
  }
  return s;
}

/// Face i of a feature.
template <class R>
PLIANT_HD int face_at(const SideT<R>& s, int i) {
  if (s.shape.type != GeomType::kMesh || s.dim > 1) return s.faces[i];
  return s.shape.mesh.polymap[s.shape.mesh.polymapadr[s.corner[0]] + i];
}

template <class R>
PLIANT_HD bool has_faces(const SideT<R>& s) {
  return s.face_count > 0;
}

template <class R>
PLIANT_HD Vec3T<R> to_world(const ShapeT<R>& shape, Vec3T<R> p) {
  return unfused_times_plus(shape.mat, p, shape.pos);
}

template <class R>
PLIANT_HD Vec3T<R> corner_point(const ShapeT<R>& shape, int corner) {
  if (shape.type == GeomType::kMesh) {
    const float* v = shape.mesh.vert + 3 * corner;
    return to_world(shape, Vec3T<R>{R(v[0]), R(v[1]), R(v[2])});
  }
  const Vec3T<R> s = shape.size;
  return to_world(shape, Vec3T<R>{corner & 1 ? s.x : -s.x, corner & 2 ? s.y : -s.y, corner & 4 ? s.z : -s.z});
}

template <class R>
PLIANT_HD bool is_straight(const ShapeT<R>& shape) {
  return shape.type == GeomType::kCapsule || shape.type == GeomType::kCylinder;
}

template <class R>
PLIANT_HD int edge_count(const SideT<R>& s) {
  if (s.dim == 2 || is_straight(s.shape)) return 1;
  return s.shape.type == GeomType::kMesh ? s.face_count : 3;
}

/// The corner of a box or mesh at the other end of edge i of a feature, which begins at its first corner.
template <class R>
PLIANT_HD int edge_end(const SideT<R>& s, int i) {
  if (s.dim == 2) return s.corner[1];
  if (s.shape.type == GeomType::kBox) return s.corner[0] ^ (1 << i);
  // the corner before it in polygon i
  const MeshShapeT<R>& mesh = s.shape.mesh;
  const int face = mesh.polymap[mesh.polymapadr[s.corner[0]] + i];
  const int* loop = mesh.polyvert + mesh.polyvertadr[face];
  const int count = mesh.polyvertnum[face];
  for (int j = 0; j < count; ++j) {
    if (loop[j] == s.corner[0]) return loop[j == 0 ? count - 1 : j - 1];
  }
  return s.corner[0];
}

/// Direction of edge i.
template <class R>
PLIANT_HD Vec3T<R> edge_direction(const SideT<R>& s, int i) {
  if (is_straight(s.shape)) return s.shape.mat.column(2);
  return unfused_normalized(corner_point(s.shape, edge_end(s, i)) - corner_point(s.shape, s.corner[0]));
}

/// Corners of a face, clockwise from outside.
template <class R>
PLIANT_HD int face_corners(const ShapeT<R>& shape, int face) {
  if (shape.type == GeomType::kMesh) return shape.mesh.polyvertnum[face];
  return shape.type == GeomType::kCylinder ? kCapCorners : 4;
}
template <class R>
PLIANT_HD Vec3T<R> face_corner(const ShapeT<R>& shape, int face, int i) {
  if (shape.type == GeomType::kMesh) {
    const int* loop = shape.mesh.polyvert + shape.mesh.polyvertadr[face];
    return corner_point(shape, loop[shape.mesh.polyvertnum[face] - 1 - i]);
  }
  if (shape.type == GeomType::kCylinder) {
    // quarter turns of cosines of 0, 22.5, 45, 67.5 degrees, to 15 digits as the reference has them
    constexpr R kCos[4] = {R(1), R(0.923879532511287), R(0.707106781186548), R(0.382683432365090)};
    constexpr R kSin[4] = {R(0), R(0.382683432365090), R(0.707106781186547), R(0.923879532511287)};
    const int turn = i / 4;
    const R c = kCos[i % 4], s = kSin[i % 4];
    const R x = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
    const R y = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
    const R up = face == 0 ? 1 : -1;
    return to_world(shape, Vec3T<R>{x * shape.size.x, -y * shape.size.x * up, up * shape.size.y});
  }
  constexpr int kLoop[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6}, {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  return corner_point(shape, kLoop[face][i]);
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
PLIANT_HD_NOINLINE void load_face(const ShapeT<R>& shape, int face, PolygonT<R>& out) {
  const int count = face_corners(shape, face);
  out.count = 0;
  if (count <= kMaxPolygon) {
    for (int i = 0; i < count; ++i) out.point[out.count++] = face_corner(shape, face, i);
    return;
  }
  const Vec3T<R> n = face_normal(shape, face), u = across(n), v = cross(u, n);  // clockwise from outside
  int last = -1;
  for (int k = 0; k < kMaxPolygon; ++k) {
    const R angle = R(2 * kPi) * R(k) / R(kMaxPolygon);
    const Vec3T<R> way = u * std::cos(angle) + v * std::sin(angle);
    int best = 0;
    R far = dot(way, face_corner(shape, face, 0));
    for (int i = 1; i < count; ++i) {
      const R s = dot(way, face_corner(shape, face, i));
      if (s > far) far = s, best = i;
    }
    if (best != last) out.point[out.count++] = face_corner(shape, face, best);
    last = best;
  }
}

/// Loads edge i of a feature. `face`: normal of the face it lies on; false if a cylinder stands on it.
template <class R>
PLIANT_HD bool load_edge(const SideT<R>& s, int i, Vec3T<R> face, PolygonT<R>& out) {
  const ShapeT<R>& shape = s.shape;
  const Vec3T<R> axis = shape.mat.column(2);
  out.count = 2;
  if (shape.type == GeomType::kCapsule) {
    const R along = unfused_dot(s.on_line - shape.pos, axis);
    out.point[0] = unfused_sum(-along - shape.size.y, axis, s.on_line);
    out.point[1] = unfused_sum(shape.size.y - along, axis, s.on_line);
  } else if (shape.type == GeomType::kCylinder) {
    const Vec3T<R> across_axis = face - axis * unfused_dot(face, axis);
    const R length = unfused_norm(across_axis);
    if (length < R(kTiny)) return false;
    const Vec3T<R> middle = unfused_sum(-shape.size.x / length, across_axis, shape.pos);
    out.point[0] = middle - axis * shape.size.y;
    out.point[1] = middle + axis * shape.size.y;
  } else {
    out.point[0] = corner_point(shape, s.corner[0]);
    out.point[1] = corner_point(shape, edge_end(s, i));
  }
  return true;
}

/// Cuts off what lies beyond the plane through `p` with inward normal `in`. The result begins with
/// the second corner.
template <class R>
PLIANT_HD_NOINLINE void clip_polygon(const PolygonT<R>& from, Vec3T<R> p, Vec3T<R> in, PolygonT<R>& to) {
  to.count = 0;
  R a_height = unfused_dot(from.point[0] - p, in);
  const R first = a_height;
  for (int i = 0; i < from.count; ++i) {
    const bool last = i + 1 == from.count;
    const Vec3T<R> a = from.point[i], b = from.point[last ? 0 : i + 1];
    const R b_height = last ? first : unfused_dot(b - p, in);
    const bool b_in = b_height > -R(kTiny), crosses = (a_height > -R(kTiny)) != b_in;
    if (crosses && to.count < kMaxClipped) {
      const R t = a_height / (a_height - b_height);
      if (t >= 0 && t <= 1) to.point[to.count++] = unfused_sum(t, b - a, a);
    }
    if (b_in && to.count < kMaxClipped) to.point[to.count++] = b;
    a_height = b_height;
  }
}

/// Round faces have more corners than two squares can have in common, and many quadrilaterals of equal area. Where they
/// lie flat, rounding does not choose among these: only an area larger by this factor counts as larger.
inline constexpr int kFewCorners = 8;
template <class R>
inline constexpr R kLargerArea = 1 + (sizeof(R) == 8 ? R(1e-10) : R(1e-5));

/// Whether the corners of a polygon are equally high above a plane of normal n.
template <class R>
PLIANT_HD bool lies_flat(const PolygonT<R>& p, Vec3T<R> n) {
  R low = 0, high = 0;
  for (int i = 1; i < p.count; ++i) {
    const R height = dot(p.point[i] - p.point[0], n);
    low = height < low ? height : low, high = height > high ? height : high;
  }
  return high - low < kFlatSlope<R> * norm(p.point[p.count / 2] - p.point[0]);
}

/// Four corners of a polygon that span much: one corner walks around, and the others follow as long
/// as that makes the area larger. n: normal of the plane below it.
template <class R>
PLIANT_HD_NOINLINE void widest_quad(const PolygonT<R>& p, Vec3T<R> n, int quad[4]) {
  const auto next = [&](int i) { return i + 1 == p.count ? 0 : i + 1; };
  const auto area = [&](int a, int b, int c, int d) {
    return R(0.5) * unfused_norm(unfused_cross(p.point[a] - p.point[c], p.point[b] - p.point[d]));
  };
  int a = 0, b = 1, c = 2, d = 3;
  const R more = p.count > kFewCorners && lies_flat(p, n) ? kLargerArea<R> : R(1);
  R largest = area(a, b, c, d);
  const auto keep = [&] { quad[0] = a, quad[1] = b, quad[2] = c, quad[3] = d; };
  keep();
  for (; a < p.count; ++a) {
    for (R now; (now = area(a, b, c, next(d))) > more * largest;) {
      largest = now, d = next(d), keep();
      for (; (now = area(a, b, next(c), d)) > more * largest;) largest = now, c = next(c), keep();
      for (; (now = area(a, next(b), c, d)) > more * largest;) largest = now, b = next(b), keep();
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
      const R length2 = unfused_dot(d, d);
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

/// Clips `polygon` by the sides of a face with outward normal n and keeps what is not higher above it than `limit`.
/// `way`: from the face to the clipped points, unit vector; distances are along it.
template <class R>
PLIANT_HD_NOINLINE void clip_to_face(const ShapeT<R>& shape, int face, Vec3T<R> n, R limit, PolygonT<R>& polygon,
                                     Vec3T<R> way, ManifoldT<R>& out) {
  const bool edge = polygon.count == 2;
  const int sides = face_corners(shape, face);
  if (sides < 3) return;
  PolygonT<R> spare;
  PolygonT<R>*from = &polygon, *to = &spare;
  const Vec3T<R> begin = face_corner(shape, face, 0);
  Vec3T<R> p = begin;
  for (int i = 0; i < sides; ++i) {
    const Vec3T<R> q = i + 1 == sides ? begin : face_corner(shape, face, i + 1);
    clip_polygon(*from, p, unfused_normalized(unfused_cross(q - p, (p + n) - p)), *to);
    if (to->count == 0) return;
    PolygonT<R>* swap = from;
    from = to, to = swap;
    p = q;
  }

  // drop what is above the face
  int below = 0;
  for (int i = 0; i < from->count; ++i) {
    if (unfused_dot(from->point[i] - begin, n) <= limit) from->point[below++] = from->point[i];
  }
  from->count = below;
  if (below == 0) return;

  int use[kMaxClippedPoints] = {0, 1, 2, 3};
  out.count = below;
  if (below > kMaxClippedPoints) {
    widest_quad(*from, n, use);
    out.count = kMaxClippedPoints;
  } else if (edge && below > 2) {
    farthest_two(*from, use);
    out.count = 2;
  }
  for (int i = 0; i < out.count; ++i) {
    const Vec3T<R> point = from->point[use[i]];
    const Vec3T<R> on_face = unfused_sum(-unfused_dot(point - begin, n), n, point);
    out.dist[i] = unfused_dot(point - on_face, way);
    out.pos[i] = (on_face + unfused_sum(out.dist[i], way, on_face)) * R(0.5);
  }
}

/// Faces or edges of two shapes that lie on each other; -1: none.
struct MatchT {
  int face_a = -1, face_b = -1;
  int edge_a = -1, edge_b = -1;  // numbers of edges of the features
  bool aside = false;            // an edge, but the face looks past the other shape
};

/// The two faces that look at each other best, if they do within 5.1 degrees and face the other shape.
template <class R>
PLIANT_HD_NOINLINE bool match_faces(const SideT<R>& a, const SideT<R>& b, MatchT& m) {
  R best = -kFaceToFace<R>;
  for (int i = 0; i < a.face_count; ++i) {
    const int face_a = face_at(a, i);
    if (!(face_looks_out(a, face_a) > kEdgeInFace<R>)) continue;
    const Vec3T<R> n = face_normal(a.shape, face_a);
    for (int j = 0; j < b.face_count; ++j) {
      const int face_b = face_at(b, j);
      if (!(face_looks_out(b, face_b) > kEdgeInFace<R>)) continue;
      const R cosine = unfused_dot(n, face_normal(b.shape, face_b));
      if (cosine < best) best = cosine, m.face_a = face_a, m.face_b = face_b;
    }
  }
  return m.face_a >= 0;
}

/// The first edge of one feature that lies in a face of the other which faces it.
template <class R>
PLIANT_HD_NOINLINE bool match_edge(const SideT<R>& edges, const SideT<R>& faces, int& edge, int& face, bool& aside) {
  if (edges.dim == 3) return false;
  const int count = edge_count(edges);
  for (int i = 0; i < faces.face_count; ++i) {
    const int f = face_at(faces, i);
    const R towards = face_looks_out(faces, f);
    if (!(towards > kEdgeTowards<R>)) continue;
    const Vec3T<R> n = face_normal(faces.shape, f);
    for (int j = 0; j < count; ++j) {
      if (!(std::fabs(unfused_dot(edge_direction(edges, j), n)) < kEdgeInFace<R>)) continue;
      edge = j, face = f, aside = towards < kEdgeAlong<R>;
      return true;
    }
  }
  return false;
}

template <class R>
PLIANT_HD_NOINLINE MatchT match_features(const SideT<R>& a, const SideT<R>& b) {
  MatchT m;
  if (match_faces(a, b, m)) return m;
  const auto edge_of_a = [&] { return match_edge(a, b, m.edge_a, m.face_b, m.aside); };
  const auto edge_of_b = [&] { return match_edge(b, a, m.edge_b, m.face_a, m.aside); };
  if ((b.dim < a.dim || !has_faces(b)) && b.dim < 3 && has_faces(a)) {
    if (!edge_of_b()) edge_of_a();
  } else {
    if (!edge_of_a()) edge_of_b();
  }
  return m;
}

template <class R>
PLIANT_HD bool can_clip(const ShapeT<R>& shape) {
  return shape.type == GeomType::kBox || is_straight(shape) ||
         (shape.type == GeomType::kMesh && shape.mesh.polynum > 0);
}

/// Points of two shapes that touch between `corner` (of the difference) with normal n out of A and the point `on_a` of
/// A's surface, both in the world. None: that point is all there is.
template <class R>
PLIANT_HD_NOINLINE ManifoldT<R> clip_features(const ShapeT<R>& a, const ShapeT<R>& b, const CornerT<R> corner[3],
                                              Vec3T<R> n, Vec3T<R> on_a, Vec3T<R> on_b, R margin) {
  ManifoldT<R> out;
  const int of_a[3] = {corner[0].corner_a, corner[1].corner_a, corner[2].corner_a};
  const int of_b[3] = {corner[0].corner_b, corner[1].corner_b, corner[2].corner_b};
  SideT<R> side_a = side_of(a, of_a, n), side_b = side_of(b, of_b, -n);
  side_a.on_line = on_a, side_b.on_line = on_b;
  const MatchT m = match_features(side_a, side_b);
  if (m.aside) return out;
  PolygonT<R> polygon;
  if (m.face_a >= 0 && m.face_b >= 0) {
    // the face of B over that of A; the normal is that of B's face
    out.normal = -face_normal(b, m.face_b);
    load_face(b, m.face_b, polygon);
    clip_to_face(a, m.face_a, face_normal(a, m.face_a), margin, polygon, out.normal, out);
  } else if (m.edge_a >= 0) {
    const Vec3T<R> face = face_normal(b, m.face_b);
    out.normal = -face;
    if (load_edge(side_a, m.edge_a, face, polygon)) clip_to_face(b, m.face_b, face, margin, polygon, face, out);
  } else if (m.edge_b >= 0) {
    out.normal = face_normal(a, m.face_a);
    if (load_edge(side_b, m.edge_b, out.normal, polygon))
      clip_to_face(a, m.face_a, out.normal, margin, polygon, out.normal, out);
  }
  return out;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
