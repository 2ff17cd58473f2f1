// A mesh from the file's frame to its principal frame: scale and reference pose, volume, centre and
// inertia.
//
// Writes vertices, normals, pose, volume, box, bounds, and calls the steps that need the vertices
// before (hull, normals, polygons) or after (polygon normals, bounding boxes) the change of frame.
// Volume and inertia are sums over tetrahedra from one point to every triangle; inertia="legacy"
// takes each volume as positive, "exact" signed, "convex" uses the hull, "shell" spreads the mass
// over the triangles.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "compile/mesh.h"
#include "math/mat3.h"

namespace pliant {
namespace {

struct Triangle {
  Vec3 normal, center;
  double area = 0;
};

Triangle triangle(Vec3 a, Vec3 b, Vec3 c) {
  Triangle t;
  t.center = {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
  t.normal = cross(b - a, c - a);
  const double length = std::sqrt(dot(t.normal, t.normal));
  if (length < kMinVal) return t;
  t.normal = {t.normal.x / length, t.normal.y / length, t.normal.z / length};
  t.area = 0.5 * length;
  return t;
}

/// An edge walked twice in the same direction belongs to triangles that face opposite ways.
void require_consistent_faces(const MeshWork& mesh) {
  std::vector<std::pair<int, int>> edges;
  for (int f = 0; f < face_count(mesh); ++f) {
    const int* v = &mesh.face[3 * f];
    const Triangle t = triangle(vertex_of(mesh, v[0]), vertex_of(mesh, v[1]), vertex_of(mesh, v[2]));
    if (t.area <= std::sqrt(kMinVal)) continue;
    for (int k = 0; k < 3; ++k) edges.push_back({v[k], v[(k + 1) % 3]});
  }
  std::sort(edges.begin(), edges.end());
  const auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice == edges.end()) return;
  throw MeshError{"its faces do not all face outwards: look at those with the vertices " +
                      std::to_string(twice->first) + " and " + std::to_string(twice->second) + " (counted from 0)",
                  "inertia", "inertia=\"exact\" needs a closed surface with consistent faces"};
}

/// Corners in the other order, so that faces look outwards again after a mirroring scale.
void turn_faces(MeshWork& mesh) {
  for (auto* list : {&mesh.face, &mesh.face_normal, &mesh.face_texcoord}) {
    for (size_t f = 0; f + 2 < list->size(); f += 3) std::swap((*list)[f + 1], (*list)[f + 2]);
  }
}

/// Likewise for the hull and its polygons, which were made before.
void turn_hull(MeshWork& mesh) {
  if (mesh.graph.empty()) return;
  const HullFaces hull = hull_faces(mesh);
  int* face = mesh.graph.data() + (hull.data - mesh.graph.data());
  for (int f = 0; f < hull.count; ++f) std::swap(face[3 * f + 1], face[3 * f + 2]);
  for (std::vector<int>& polygon : mesh.polygons) std::reverse(polygon.begin() + 1, polygon.end());
}

/// A⁻ᵀ up to a factor: normals of a surface that A stretches.
Mat3 cofactors(const Mat3& a) {
  return {{a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1), a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2),
           a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0), a(2, 1) * a(0, 2) - a(2, 2) * a(0, 1),
           a(2, 2) * a(0, 0) - a(2, 0) * a(0, 2), a(2, 0) * a(0, 1) - a(2, 1) * a(0, 0),
           a(0, 1) * a(1, 2) - a(0, 2) * a(1, 1), a(0, 2) * a(1, 0) - a(0, 0) * a(1, 2),
           a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)}};
}

/// v ← stretch (scale ∘ Rᵀ(refquat) (v − refpos)); normals are divided by the scale, and become unit vectors
/// again.
void apply_reference_pose(const MeshSpec& spec, MeshWork& mesh) {
  const Vec3 shift = vec3(spec.refpos), scale = vec3(spec.scale);
  const bool turned = spec.refquat != Reals<4>{1, 0, 0, 0};
  const bool scaled = spec.scale != Reals<3>{1, 1, 1};
  const Quat turn = conjugate(normalized(quat(spec.refquat)));
  const bool stretched = spec.stretch != MeshSpec{}.stretch;
  Mat3 stretch;
  std::copy(spec.stretch.begin(), spec.stretch.end(), stretch.m);
  const Mat3 of_normals = cofactors(stretch);
  for (int i = 0; i < vertex_count(mesh); ++i) {
    Vec3 v = vertex_of(mesh, i) - shift;
    if (turned) v = rotate(turn, v);
    if (scaled) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
    if (stretched) v = stretch * v;
    set_vertex(mesh, i, v);
  }
  for (size_t i = 0; i + 2 < mesh.normal.size(); i += 3) {
    float* n = &mesh.normal[i];
    if (turned) {
      const Vec3 v = rotate(turn, Vec3{n[0], n[1], n[2]});
      for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(v[k]);
    }
    if (scaled) {
      for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(n[k] / scale[k]);
    }
    if (stretched) {
      const Vec3 v = of_normals * Vec3{n[0], n[1], n[2]};
      for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(v[k]);
    }
    const float squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const float factor = squared > kMinVal ? 1 / std::sqrt(squared) : 0;
    for (int k = 0; k < 3; ++k) n[k] *= factor;
    if (factor == 0) n[2] = 1;
  }
}

HullFaces mass_faces(const MeshSpec& spec, const MeshWork& mesh) {
  if (spec.inertia == MeshInertia::kConvex) return hull_faces(mesh);
  return {mesh.face.data(), face_count(mesh)};
}

/// Mean of the triangles' centres, weighted by area.
Vec3 surface_centroid(const MeshWork& mesh) {
  Vec3 sum;
  double total = 0;
  for (int f = 0; f < face_count(mesh); ++f) {
    const int* v = &mesh.face[3 * f];
    const Triangle t = triangle(vertex_of(mesh, v[0]), vertex_of(mesh, v[1]), vertex_of(mesh, v[2]));
    sum = sum + t.area * t.center;
    total += t.area;
  }
  if (total < kMinVal) throw MeshError{"its surface has no area", "", {}};
  return {sum.x / total, sum.y / total, sum.z / total};
}

/// Volume (or area) and centre of mass; `apex` is the common corner of the tetrahedra. `net` is the volume
/// with the sign of each part.
double find_mass_center(const MeshSpec& spec, const MeshWork& mesh, Vec3 apex, Vec3& center, double& net) {
  const bool shell = spec.inertia == MeshInertia::kShell;
  const HullFaces faces = shell ? HullFaces{mesh.face.data(), face_count(mesh)} : mass_faces(spec, mesh);
  double total = 0;
  net = 0;
  center = {};
  for (int f = 0; f < faces.count; ++f) {
    const int* v = faces.data + 3 * f;
    const Triangle t = triangle(vertex_of(mesh, v[0]), vertex_of(mesh, v[1]), vertex_of(mesh, v[2]));
    double part = shell ? t.area : dot(t.center - apex, t.normal) * t.area / 3;
    net += part;
    if (spec.inertia == MeshInertia::kLegacy) part = std::abs(part);
    total += part;
    for (int k = 0; k < 3; ++k) center[k] += part * (t.center[k] * 3.0 / 4.0 + apex[k] / 4.0);
  }
  if (total >= kMinVal) center = {center.x / total, center.y / total, center.z / total};
  return total;
}

/// Inertia about `center` at unit density; returns the volume (or area) found on the way, which
/// differs from the first one for a concave mesh in legacy mode.
double find_inertia(const MeshSpec& spec, const MeshWork& mesh, Vec3 center, double (&full)[3][3]) {
  const bool shell = spec.inertia == MeshInertia::kShell;
  const HullFaces faces = mass_faces(spec, mesh);
  constexpr int kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  double total = 0, product[6] = {};
  for (int f = 0; f < faces.count; ++f) {
    const int* v = faces.data + 3 * f;
    const Vec3 d = vertex_of(mesh, v[0]) - center, e = vertex_of(mesh, v[1]) - center,
               g = vertex_of(mesh, v[2]) - center;
    const Triangle t = triangle(d, e, g);
    double part = shell ? t.area : dot(t.center, t.normal) * t.area / 3;
    if (spec.inertia == MeshInertia::kLegacy) part = std::abs(part);
    total += part;
    for (int p = 0; p < 6; ++p) {
      const auto [i, j] = kPairs[p];
      product[p] += part / (shell ? 12 : 20) *
                    (2 * (d[i] * d[j] + e[i] * e[j] + g[i] * g[j]) + d[i] * e[j] + d[j] * e[i] + d[i] * g[j] +
                     d[j] * g[i] + e[i] * g[j] + e[j] * g[i]);
    }
  }
  const double* p = product;
  const double matrix[3][3] = {{p[1] + p[2], -p[3], -p[4]}, {-p[3], p[0] + p[2], -p[5]}, {-p[4], -p[5], p[0] + p[1]}};
  std::copy(&matrix[0][0], &matrix[0][0] + 9, &full[0][0]);
  return total;
}

void require_volume(const MeshSpec& spec, double volume) {
  if (volume >= kMinVal) return;
  if (spec.inertia == MeshInertia::kShell) throw MeshError{"its surface has no area", "", {}};
  if (volume < 0) {
    throw MeshError{"its volume is negative: the faces point inwards", "",
                    "turn the faces round, or use inertia=\"legacy\""};
  }
  throw MeshError{"its volume is too small: " + number_text(volume), "",
                  "a surface without volume needs inertia=\"shell\""};
}

/// The moments of a real body: positive, and none larger than the sum of the others.
void require_moments(const std::array<double, 3>& i) {
  constexpr double kAbsolute = 1e-9, kRelative = 1e-6;
  if (i[2] <= 0) throw MeshError{"its inertia has a moment that is not positive", "", {}};
  const auto possible = [](double a, double b, double c) { return a + b >= c * (1.0 - kRelative) - kAbsolute; };
  if (possible(i[0], i[1], i[2]) && possible(i[0], i[2], i[1]) && possible(i[1], i[2], i[0])) return;
  throw MeshError{"its inertia is one no body can have", "", "are its faces oriented consistently?"};
}

void move_to_principal_frame(MeshWork& mesh) {
  const Quat turn = conjugate(mesh.pose.quat);
  constexpr double kFar = 1e10;
  mesh.low = {kFar, kFar, kFar};
  mesh.high = {-kFar, -kFar, -kFar};
  for (int i = 0; i < vertex_count(mesh); ++i) {
    const Vec3 v = rotate(turn, vertex_of(mesh, i) - mesh.pose.pos);
    set_vertex(mesh, i, v);
    for (int k = 0; k < 3; ++k) {
      mesh.low[k] = std::min(mesh.low[k], v[k]);
      mesh.high[k] = std::max(mesh.high[k], v[k]);
    }
  }
  for (size_t i = 0; i + 2 < mesh.normal.size(); i += 3) {
    float* n = &mesh.normal[i];
    const Vec3 v = rotate(turn, Vec3{n[0], n[1], n[2]});
    for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(v[k]);
  }
}

}  // namespace

void process_mesh(const MeshSpec& spec, MeshWork& mesh) {
  if (spec.inertia == MeshInertia::kExact) require_consistent_faces(mesh);
  if (mesh.needs_hull || mesh.face.empty() || spec.inertia == MeshInertia::kConvex) make_hull(spec, mesh);
  if (mesh.face.empty()) {
    const HullFaces hull = hull_faces(mesh);
    mesh.face.assign(hull.data, hull.data + 3 * hull.count);
  }
  if (mesh.normal.empty()) make_normals(spec, mesh);
  if (mesh.face_normal.empty()) {
    // corners take the normal of their vertex; with other numbers of normals the reference scales
    const int ratio = static_cast<int>(mesh.normal.size() / mesh.vertex.size());
    mesh.face_normal = mesh.face;
    for (int& id : mesh.face_normal) id *= ratio;
  }
  if (mesh.face_texcoord.empty() && !mesh.texcoord.empty()) mesh.face_texcoord = mesh.face;
  if (is_mirrored(spec)) turn_faces(mesh);
  make_polygons(mesh);
  if (is_mirrored(spec)) turn_hull(mesh);
  apply_reference_pose(spec, mesh);

  Vec3 center;
  double net;
  require_volume(spec, find_mass_center(spec, mesh, surface_centroid(mesh), center, net));
  // an open surface has some net volume of either sign: most of it must be on the wrong side
  mesh.inside_out = spec.inertia == MeshInertia::kLegacy && net < 0;
  double full[3][3];
  mesh.volume = find_inertia(spec, mesh, center, full);
  std::array<double, 3> i;
  // vertices are single precision: what their rounding decides about is left as it is
  constexpr double kRoundingOfVertices = 1e-7;
  diagonalize(full, i, mesh.pose.quat, kRoundingOfVertices);
  require_moments(i);
  mesh.pose.pos = center;
  for (int k = 0; k < 3; ++k) {
    const double rest = i[(k + 1) % 3] + i[(k + 2) % 3] - i[k];
    mesh.box[k] = 0.5 * std::sqrt(6 * rest / mesh.volume);
  }
  move_to_principal_frame(mesh);
  make_polygon_normals(mesh);
  find_extrema(mesh);
  make_mesh_bvh(mesh);
}

}  // namespace pliant
