// Points at which geoms touch. Pairs that touch at a state looked at are asked again by the rules of 3.12:
//
//   plane and mesh: the lowest vertex, and up to two of its neighbours on the hull that are low and far enough
//   capsule and capsule: nearest points by Cramer's rule, which cancels where axes are nearly parallel
//   cylinder or capsule and something with edges, or any such pair with a margin: the deepest point, and those that
//     appear when both are turned against each other by a milliradian
//   box or mesh and mesh: faces that look at each other are clipped, in both versions; 4.0 chooses faces, corners and
//     their order by other rules, so that a patch of several points is another one (which, is not computed)
//
// Single points of round shapes follow the same law in both; they differ by the tolerance of the search.

#include <algorithm>
#include <map>

#include "changes/changes.h"
#include "collision/convex_hd.h"

namespace pliant::changes {
namespace {

using Points = std::vector<ContactPoint>;

// ---- plane and mesh

Vec3 vertex(const MeshShape& mesh, int i) { return {mesh.vert[3 * i], mesh.vert[3 * i + 1], mesh.vert[3 * i + 2]}; }

Points plane_and_mesh(const Shape& plane, const Shape& geom, double margin) {
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

Points two_capsules(const Shape& a, const Shape& b, double margin) {
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

Points by_turning(const Shape& a, const Shape& b, double margin) {
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

// ---- the table

bool is_flat(GeomType t) { return t == GeomType::kBox || t == GeomType::kMesh; }
bool is_edged(GeomType t) { return is_flat(t) || t == GeomType::kCylinder || t == GeomType::kCapsule; }

struct Touching {
  Points now;
  double margin = 0;
};

/// Largest distance of a point from the nearest one of another set.
double farthest(const Points& from, const Points& to) {
  double most = 0;
  for (const ContactPoint& p : from) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& q : to) least = std::min(least, std::max(norm(p.pos - q.pos), std::abs(p.dist - q.dist)));
    most = std::max(most, least);
  }
  return most;
}

struct Found {
  const char* code;
  int before, after;  // points; before -1: not computed
  double moved;       // [m]
  std::string where;
};

std::string count_text(int n) { return n < 0 ? "other points" : std::to_string(n) + (n == 1 ? " point" : " points"); }

}  // namespace

void find_contacts(Case& c) {
  const Model& m = c.m;
  constexpr double kRounding = 1e-6;  // [m]: the tolerance of the searches of both versions, in sizes of 1 m
  const bool native = !(m.opt.disableflags & kDisableNativeCcd), multi = !(m.opt.disableflags & kDisableMultiCcd);
  std::map<std::pair<int, int>, Found> found;
  for (const Look& look : c.looks) {
    std::map<std::pair<int, int>, Touching> pairs;
    for (int i = 0; i < look.data.ncon; ++i) {
      const Contact& contact = look.data.contact[i];
      if (contact.exclude == ContactExclude::kNoDofs) continue;
      Touching& t = pairs[{contact.geom[0], contact.geom[1]}];
      t.margin = contact.includemargin;
      t.now.push_back({contact.dist, {contact.pos[0], contact.pos[1], contact.pos[2]}, {}, {}});
    }
    for (const auto& [pair, t] : pairs) {
      const auto [g, h] = pair;
      const auto type1 = static_cast<GeomType>(m.geom_type[g]), type2 = static_cast<GeomType>(m.geom_type[h]);
      const Shape a = geom_shape(m, look.data, g), b = geom_shape(m, look.data, h);
      Found next{nullptr, 0, static_cast<int>(t.now.size()), 0, look.name};
      const auto compare = [&](const char* code, const Points& before, double tolerance) {
        next.before = static_cast<int>(before.size());
        next.moved = std::max(farthest(t.now, before), farthest(before, t.now));
        if (next.before != next.after || next.moved > tolerance) next.code = code;
      };
      if (type1 == GeomType::kPlane && type2 == GeomType::kMesh) {
        compare("C201", plane_and_mesh(a, b, t.margin), kRounding);
      } else if (type1 == GeomType::kCapsule && type2 == GeomType::kCapsule) {
        compare("C204", two_capsules(a, b, t.margin), kSame);
        // (where axes meet, points lie within the radii along a normal that is nobody's choice)
        if (next.before == next.after && t.now[0].dist <= kSame - a.size.x - b.size.x) next.code = nullptr;
      } else if (type1 == GeomType::kPlane || type1 == GeomType::kHfield || !is_edged(type1) || !is_edged(type2) ||
                 !native || !multi || (type1 == GeomType::kBox && type2 == GeomType::kBox) ||
                 (type1 == GeomType::kCapsule && type2 == GeomType::kBox)) {
        continue;  // functions of their own, or one point
      } else if (is_flat(type1) && is_flat(type2) && t.margin <= 0) {
        if (next.after > 1) next.code = "C203", next.before = -1;
      } else {
        // turned points are as far from the true ones as the turn takes them
        compare("C202", by_turning(a, b, t.margin), 0.01 * std::min(a.rbound, b.rbound));
      }
      if (!next.code) continue;
      const auto old = found.find(pair);
      const bool counts = next.before >= 0 && next.before != next.after;
      if (old == found.end()) {
        found.emplace(pair, next);
      } else if (counts && old->second.before == old->second.after) {
        old->second = next;
      }
    }
  }
  for (const auto& [pair, f] : found) {
    const auto [g, h] = pair;
    Change& change = add(c.changes, f.code, doctoring::geom_pair_text(m, g, h), m.origin(ObjType::kGeom, h),
                         doctoring::geom_pair_text(m, g, h) + " touch at " + f.where + ": " + count_text(f.before) +
                             " in 3.12, " + count_text(f.after) + " in 4.0" +
                             (f.before == f.after ? ", up to " + doctoring::length_text(f.moved) + " apart" : ""));
    change.seen = true;
    change.numbers = {{"contact points", f.before < 0 ? std::nan("") : double(f.before), double(f.after), ""}};
  }
}

}  // namespace pliant::changes
