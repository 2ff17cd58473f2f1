#include "changes/old_points.h"

#include <algorithm>
#include <cmath>

#include "collision/convex_hd.h"

namespace pliant::changes {
namespace {

using Side = SideT<double>;

Vec3 vertex(const MeshShape& mesh, int i) { return {mesh.vert[3 * i], mesh.vert[3 * i + 1], mesh.vert[3 * i + 2]}; }

/// A face of one shape and a face or an edge of the other that lie on each other.
struct Match {
  int face_a = -1, face_b = -1, edge_a = -1, edge_b = -1;
};

/// Outward normal of a face; of a mesh from its first three corners.
Vec3 normal_before(const Shape& shape, int face) {
  if (shape.type != GeomType::kMesh) return face_normal(shape, face);
  const int* loop = shape.mesh.polyvert + shape.mesh.polyvertadr[face];
  const Vec3 p = vertex(shape.mesh, loop[0]);
  const Vec3 n = unfused_cross(vertex(shape.mesh, loop[1]) - p, vertex(shape.mesh, loop[2]) - p);
  return unfused_times_plus(shape.mat, unfused_normalized(n), Vec3{});
}

/// Faces at a feature: all of a corner, two of an edge, one of a face.
std::vector<int> faces_before(const Side& s) {
  std::vector<int> faces;
  if (s.shape.type == GeomType::kBox) {
    faces.assign(s.faces, s.faces + s.face_count);
    if (s.face_count == 4 - s.dim) return faces;
    faces.clear();
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(s.out[axis]) > kFaceToFace<double>) faces = {2 * axis + (s.out[axis] < 0)};
    }
    return faces;
  }
  const auto has = [&](int corner, int face) {
    const int* list = s.shape.mesh.polymap + s.shape.mesh.polymapadr[corner];
    return std::find(list, list + s.shape.mesh.polymapnum[corner], face) != list + s.shape.mesh.polymapnum[corner];
  };
  const int* list = s.shape.mesh.polymap + s.shape.mesh.polymapadr[s.corner[0]];
  for (int i = 0; i < s.shape.mesh.polymapnum[s.corner[0]]; ++i) {
    if (s.dim == 1 || (faces.size() < 2 && has(s.corner[1], list[i]))) faces.push_back(list[i]);
  }
  if (s.dim < 3) return faces;
  std::erase_if(faces, [&](int face) { return !has(s.corner[2], face); });
  if (faces.size() > 1) faces.resize(1);
  return faces;
}

void match_edges(const Side& edges, const Side& faces, bool edges_of_a, std::vector<Match>& found) {
  for (const int face : faces_before(faces)) {
    const Vec3 n = normal_before(faces.shape, face);
    for (int edge = 0; edge < edge_count(edges); ++edge) {
      if (!(std::abs(dot(edge_direction(edges, edge), n)) < kEdgeInFace<double>)) continue;
      found.push_back(edges_of_a ? Match{-1, face, edge, -1} : Match{face, -1, -1, edge});
    }
  }
}

/// All that lie on each other within 5.1 degrees; 3.12 took the first.
std::vector<Match> matches_before(const Side& a, const Side& b) {
  std::vector<Match> found;
  for (const int face_a : faces_before(a)) {
    for (const int face_b : faces_before(b)) {
      const double cosine = dot(normal_before(a.shape, face_a), normal_before(b.shape, face_b));
      if (cosine < -kFaceToFace<double>) found.push_back({face_a, face_b, -1, -1});
    }
  }
  if (!found.empty()) return found;
  if (a.dim < 3 && a.dim <= b.dim) {
    match_edges(a, b, true, found);
  } else if (b.dim < 3) {
    match_edges(b, a, false, found);
  }
  return found;
}

/// Four corners of a polygon that span much; the measure is the difference of two triangles, not the area.
void widest_before(const PolygonT<double>& p, int quad[4]) {
  const auto next = [&](int i) { return i + 1 == p.count ? 0 : i + 1; };
  const auto span = [&](int a, int b, int c, int d) {
    return unfused_norm(unfused_cross(p.point[d] - p.point[a], p.point[b] - p.point[d]) +
                        unfused_cross(p.point[c] - p.point[b], p.point[a] - p.point[c]));
  };
  int a = 0, b = 1, c = 2, d = 3;
  double largest = span(a, b, c, d);
  const auto keep = [&] { quad[0] = a, quad[1] = b, quad[2] = c, quad[3] = d; };
  keep();
  for (; a < p.count; ++a) {
    for (double now; (now = span(a, b, c, next(d))) > largest;) {
      largest = now, d = next(d), keep();
      for (; (now = span(a, b, next(c), d)) > largest;) largest = now, c = next(c), keep();
      for (; (now = span(a, next(b), c, d)) > largest;) largest = now, b = next(b), keep();
    }
    if (b != a) continue;
    b = next(b);
    if (c != b) continue;
    c = next(c);
    if (d == c) d = next(d);
  }
}

/// What of `polygon` lies over and below a face. `push`: the direction along which depths are halved.
Points clipped(const Shape& shape, int face, PolygonT<double>& polygon, Vec3 push) {
  constexpr int kMost = 4;
  const bool edge = polygon.count == 2;
  const int sides = face_corners(shape, face);
  if (sides < 3) return {};
  const Vec3 n = normal_before(shape, face), begin = face_corner(shape, face, 0);
  PolygonT<double> spare;
  PolygonT<double>*from = &polygon, *to = &spare;
  Vec3 p = begin;
  for (int i = 0; i < sides; ++i) {
    const Vec3 q = i + 1 == sides ? begin : face_corner(shape, face, i + 1);
    clip_polygon(*from, p, unfused_normalized(unfused_cross(q - p, (p + n) - p)), *to);
    if (to->count == 0) return {};
    std::swap(from, to);
    p = q;
  }
  int below = 0;
  for (int i = 0; i < from->count; ++i) {
    if (unfused_dot(from->point[i] - begin, n) <= 0) from->point[below++] = from->point[i];
  }
  from->count = below;
  int use[kMost] = {0, 1, 2, 3}, count = below;
  if (below > kMost) {
    widest_before(*from, use);
    count = kMost;
  } else if (edge && below > 2) {
    farthest_two(*from, use);
    count = 2;
  }
  Points points;
  for (int i = 0; i < count; ++i) {
    const Vec3 point = from->point[use[i]];
    const double dist = unfused_dot(point - begin, n);
    points.push_back({dist, point - push * (dist / 2), push, {}});
  }
  return points;
}

Points patch_before(const Side& a, const Side& b, const Match& m) {
  PolygonT<double> polygon;
  Points points;
  if (m.edge_a < 0 && m.edge_b < 0) {
    // the face of b over that of a
    load_face(b.shape, m.face_b, polygon);
    return clipped(a.shape, m.face_a, polygon, -normal_before(b.shape, m.face_b));
  }
  const bool of_a = m.edge_a >= 0;
  const Side &edge = of_a ? a : b, &face = of_a ? b : a;
  polygon.point[0] = corner_point(edge.shape, edge.corner[0]);
  polygon.point[1] = corner_point(edge.shape, edge_end(edge, of_a ? m.edge_a : m.edge_b));
  polygon.count = 2;
  const int f = of_a ? m.face_b : m.face_a;
  const Vec3 n = normal_before(face.shape, f);
  points = clipped(face.shape, f, polygon, n);
  if (of_a) {
    for (ContactPoint& p : points) p.normal = -n;
  }
  return points;
}

}  // namespace

// ---- plane and mesh

Points plane_and_mesh_before(const Shape& plane, const Shape& geom, double margin) {
  constexpr int kMost = 3;
  constexpr double kSpread = 0.3;   // least distance from the first, in radii of the bounding sphere
  constexpr int kFewVertices = 10;  // meshes of fewer vertices have no use for their graph
  const MeshShape& mesh = geom.mesh;
  const Vec3 n = plane.mat.column(2), down = transposed_times(geom.mat, -n);
  const auto place = [&](int v) { return geom.mat * vertex(mesh, v) + geom.pos; };
  Points points;
  const auto put = [&](Vec3 p) {
    const double dist = dot(n, p - plane.pos);
    points.push_back({dist, p - n * (dist / 2), n, {}});
  };
  // the lowest vertex, and those that are looked at beside it
  std::vector<int> others;
  int lowest = 0;
  if (mesh.graph && mesh.vertnum >= kFewVertices) {
    const int count = mesh.graph[0];
    const int *first = mesh.graph + 2, *global = first + count, *edges = global + count;
    int at = 0;
    double most = dot(down, vertex(mesh, global[0]));
    for (bool moved = true; moved;) {
      moved = false;
      for (const int* edge = edges + first[at]; *edge >= 0; ++edge) {
        const double out = dot(down, vertex(mesh, global[*edge]));
        if (out > most) most = out, at = *edge, moved = true;
      }
    }
    lowest = global[at];
    for (const int* edge = edges + first[at]; *edge >= 0; ++edge) others.push_back(global[*edge]);
  } else {
    for (int i = 1; i < mesh.vertnum; ++i) {
      if (dot(down, vertex(mesh, i)) > dot(down, vertex(mesh, lowest))) lowest = i;
    }
    for (int i = 0; i < mesh.vertnum; ++i) {
      if (i != lowest) others.push_back(i);
    }
  }
  put(place(lowest));
  if (points[0].dist > margin) return {};
  for (int v : others) {
    if (points.size() == kMost) break;
    const Vec3 p = place(v);
    if (dot(n, p - plane.pos) < margin && norm(p - points[0].pos) >= kSpread * geom.rbound) put(p);
  }
  return points;
}

// ---- capsule and capsule

Points two_capsules_before(const Shape& a, const Shape& b, double margin) {
  constexpr double kTiny = 1e-15;
  const Vec3 x = a.mat.column(2) * a.size.y, y = b.mat.column(2) * b.size.y, apart = a.pos - b.pos;
  const double aa = dot(x, x), ab = -dot(x, y), bb = dot(y, y), u = -dot(x, apart), v = dot(y, apart);
  const double det = aa * bb - ab * ab;
  Points points;
  const auto put = [&](double s, double t) {
    const Vec3 p = a.pos + x * s, q = b.pos + y * t, way = q - p;
    const double length = norm(way), dist = length - a.size.x - b.size.x;
    if (dist > margin) return;
    const Vec3 n = length < kTiny ? Vec3{} : way * (1 / length);  // axes that meet: both versions take some normal
    points.push_back({dist, length < kTiny ? p : p + n * (a.size.x + dist / 2), n, {}});
  };
  const auto on = [](double s) { return std::clamp(s, -1.0, 1.0); };
  if (std::abs(det) >= kTiny) {
    double s = (bb * u - ab * v) / det, t = (aa * v - ab * u) / det;
    if (s > 1) {
      s = 1, t = (v - ab) / bb;
    } else if (s < -1) {
      s = -1, t = (v + ab) / bb;
    }
    if (t > 1) {
      t = 1, s = on((u - ab) / aa);
    } else if (t < -1) {
      t = -1, s = on((u + ab) / aa);
    }
    put(s, t);
    return points;
  }
  put(1, on((v - ab) / bb));
  put(-1, on((v + ab) / bb));
  if (points.size() < 2) put(on((u - ab) / aa), 1);
  if (points.size() < 2) put(on((u + ab) / aa), -1);
  return points;
}

// ---- by turning

Points turned_points_before(const Shape& a, const Shape& b, double margin) {
  constexpr double kAngle = 1e-3;     // of each shape
  constexpr double kDistinct = 1e-3;  // points nearer than this times the smaller radius are one
  ContactPoint first;
  if (convex_single(a, b, margin, &first) == 0) return {};
  Points points{first};
  const Vec3 n = first.normal, hint = std::abs(n.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  Vec3 u = hint - n * dot(n, hint);
  u = u * (1 / norm(u));
  const Vec3 axes[2] = {u, cross(n, u)};
  const double apart = kDistinct * std::min(a.rbound, b.rbound);
  const auto turned = [&](const Shape& shape, Vec3 axis, double angle) {
    const double half = std::sin(angle / 2);
    const Quat q{std::cos(angle / 2), axis.x * half, axis.y * half, axis.z * half};
    Shape s = shape;
    for (int k = 0; k < 3; ++k) {
      const Vec3 column = rotate(q, shape.mat.column(k));
      for (int r = 0; r < 3; ++r) s.mat(r, k) = column[r];
    }
    s.pos = first.pos + rotate(q, shape.pos - first.pos);
    return s;
  };
  for (const Vec3& axis : axes) {
    for (const double angle : {-kAngle, kAngle}) {
      ContactPoint next;
      if (convex_single(turned(a, axis, angle), turned(b, axis, -angle), margin, &next) == 0) continue;
      const auto near = [&](const ContactPoint& p) { return norm(p.pos - next.pos) <= apart; };
      if (std::any_of(points.begin(), points.end(), near)) continue;
      next.dist = first.dist;
      points.push_back(next);
    }
  }
  return points;
}

// ---- faces and edges

std::vector<Points> patches_before(const Shape& a, const Shape& b) {
  DifferenceT<double> d = difference(a, b);
  const TouchT<double> t = touch(d, 0.0);
  if (!t.found) return {Points{}};
  const ContactPoint first = contact_point(a, t);
  const CornerT<double>* c = t.overlap.corner;
  const int of_a[3] = {c[0].corner_a, c[1].corner_a, c[2].corner_a};
  const int of_b[3] = {c[0].corner_b, c[1].corner_b, c[2].corner_b};
  const Side side_a = side_of(a, of_a, first.normal), side_b = side_of(b, of_b, -first.normal);
  std::vector<Points> answers;
  for (const Match& match : matches_before(side_a, side_b)) {
    Points points = patch_before(side_a, side_b, match);
    answers.push_back(points.empty() ? Points{first} : std::move(points));
  }
  if (answers.empty()) answers.push_back({first});
  return answers;
}

}  // namespace pliant::changes
