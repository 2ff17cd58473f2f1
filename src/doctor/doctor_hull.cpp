// Meshes that collide as something larger than they look: volume of the convex hull against that of the mesh.
//
// A volume is the sum of signed tetrahedra over triangles, which needs a closed surface: where edges do not meet in
// pairs the mesh is judged by how much of its surface lies deep inside the hull.

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {
namespace {

constexpr double kLarger = 1.3, kMuchLarger = 2;
constexpr double kSunken = 0.1, kSunkenShare = 0.3;  // of the mesh's size; of its area
constexpr double kOnHull = 0.02, kOpenShare = 0.12;  // of the mesh's size; of the hull's area
constexpr double kMostWork = 3e8;

double signed_volume(const float* a, const float* b, const float* c) {
  const double x = double(b[1]) * c[2] - double(b[2]) * c[1], y = double(b[2]) * c[0] - double(b[0]) * c[2],
               z = double(b[0]) * c[1] - double(b[1]) * c[0];
  return (a[0] * x + a[1] * y + a[2] * z) / 6;
}

const float* vertex(const Model& m, int mesh, int i) { return m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + i); }

// Vertices that lie at the same place are one: files repeat them for normals.
std::vector<int> merged_vertices(const Model& m, int mesh) {
  std::map<std::array<float, 3>, int> places;
  std::vector<int> id(m.mesh_vertnum[mesh]);
  for (int i = 0; i < m.mesh_vertnum[mesh]; ++i) {
    const float* v = vertex(m, mesh, i);
    id[i] = places.try_emplace({v[0], v[1], v[2]}, i).first->second;
  }
  return id;
}

// 0 if the surface is not closed.
double mesh_volume(const Model& m, int mesh) {
  const std::vector<int> id = merged_vertices(m, mesh);
  std::map<std::pair<int, int>, int> edges;
  double volume = 0;
  for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
    const int* face = m.mesh_face + 3 * (m.mesh_faceadr[mesh] + f);
    volume += signed_volume(vertex(m, mesh, face[0]), vertex(m, mesh, face[1]), vertex(m, mesh, face[2]));
    for (int k = 0; k < 3; ++k) {
      const int a = id[face[k]], b = id[face[(k + 1) % 3]];
      if (a != b) edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  const auto open = std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second != 0; });
  return open > static_cast<int64_t>(edges.size()) / 100 ? 0 : std::abs(volume);
}

// By the hull's triangles; its polygons are flattened, which costs up to a tenth.
double hull_volume(const Model& m, int mesh) {
  if (m.mesh_graphadr[mesh] < 0) return 0;
  // numbers of vertices and faces; per vertex an address and a name; edges; then the corners of the faces
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertices = graph[0], faces = graph[1];
  const int* corner = graph + 2 + 3 * vertices + 3 * faces;
  double volume = 0;
  for (int f = 0; f < faces; ++f, corner += 3) {
    volume += signed_volume(vertex(m, mesh, corner[0]), vertex(m, mesh, corner[1]), vertex(m, mesh, corner[2]));
  }
  return std::abs(volume);
}

struct Cover {
  double sunken = 0;     // share of the mesh's surface that lies deep inside the hull
  double uncovered = 0;  // share of the hull's surface where the mesh has none
};

double area_of(const float* a, const float* b, const float* c) {
  double u[3], v[3];
  for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
  return 0.5 * std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
}

// For surfaces that are not closed.
Cover cover_of(const Model& m, int mesh, double size) {
  if (double(m.mesh_facenum[mesh]) * m.mesh_polynum[mesh] > kMostWork) return {};
  double all = 0, sunken = 0, outside = 0, hull = 0;
  for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
    const int* face = m.mesh_face + 3 * (m.mesh_faceadr[mesh] + f);
    const float *a = vertex(m, mesh, face[0]), *b = vertex(m, mesh, face[1]), *c = vertex(m, mesh, face[2]);
    double centre[3];
    for (int k = 0; k < 3; ++k) centre[k] = (double(a[k]) + b[k] + c[k]) / 3;
    const double area = area_of(a, b, c);
    double depth = kNever;
    for (int p = m.mesh_polyadr[mesh]; p < m.mesh_polyadr[mesh] + m.mesh_polynum[mesh]; ++p) {
      const double* n = m.mesh_polynormal + 3 * p;
      const float* corner = vertex(m, mesh, m.mesh_polyvert[m.mesh_polyvertadr[p]]);
      depth = std::min(
          depth, n[0] * (corner[0] - centre[0]) + n[1] * (corner[1] - centre[1]) + n[2] * (corner[2] - centre[2]));
    }
    all += area;
    if (depth > kSunken * size) sunken += area;
    if (depth < kOnHull * size) outside += area;
  }
  for (int p = m.mesh_polyadr[mesh]; p < m.mesh_polyadr[mesh] + m.mesh_polynum[mesh]; ++p) {
    const int* corner = m.mesh_polyvert + m.mesh_polyvertadr[p];
    for (int k = 1; k + 1 < m.mesh_polyvertnum[p]; ++k) {
      hull += area_of(vertex(m, mesh, corner[0]), vertex(m, mesh, corner[k]), vertex(m, mesh, corner[k + 1]));
    }
  }
  return {all > 0 ? sunken / all : 0, hull > 0 ? 1 - std::min(1.0, outside / hull) : 0};
}

}  // namespace

void check_hulls(Case& c) {
  const Model& m = c.m;
  std::vector<int> user(m.nmesh, -1);  // a geom that collides as it
  for (int g = 0; g < m.ngeom; ++g) {
    if (static_cast<GeomType>(m.geom_type[g]) != GeomType::kMesh || m.geom_dataid[g] < 0) continue;
    if ((m.geom_contype[g] || m.geom_conaffinity[g]) && user[m.geom_dataid[g]] < 0) user[m.geom_dataid[g]] = g;
  }
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    if (user[mesh] < 0 || m.mesh_graphadr[mesh] < 0 || m.mesh_polynum[mesh] == 0) continue;
    const double own = mesh_volume(m, mesh), hull = hull_volume(m, mesh);
    if (!(own > 0)) {
      const Cover cover = cover_of(m, mesh, m.geom_rbound[user[mesh]]);
      if (cover.sunken < kSunkenShare && cover.uncovered < kOpenShare) continue;
      add(c, "D401", FindingSeverity::kWarning, ObjType::kMesh, mesh,
          element_text(m, ObjType::kMesh, mesh) + " collides (" + element_text(m, ObjType::kGeom, user[mesh]) +
              ") as its convex hull: " + percent(cover.uncovered) + " of the hull is not covered by the mesh, and " +
              percent(cover.sunken) + " of the mesh lies deep inside it; openings and hollows are filled",
          {{"hull volume", hull, "m^3"},
           {"uncovered share of the hull", cover.uncovered, ""},
           {"sunken share of the mesh", cover.sunken, ""}},
          "split it into convex parts, or use boxes and capsules (contype=\"0\" conaffinity=\"0\" for the mesh)",
          cover.sunken / kSunkenShare + cover.uncovered / kOpenShare);
      continue;
    }
    if (hull < kLarger * own) continue;
    const double ratio = hull / own;
    add(c, "D401", ratio > kMuchLarger ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kMesh, mesh,
        element_text(m, ObjType::kMesh, mesh) + " collides (" + element_text(m, ObjType::kGeom, user[mesh]) +
            ") as its convex hull, which has " + number(ratio) + " times its volume: " + percent(1 - 1 / ratio) +
            " of what pushes is empty space in the picture",
        {{"hull volume", hull, "m^3"}, {"mesh volume", own, "m^3"}, {"ratio", ratio, ""}},
        "split it into convex parts, or use boxes and capsules (contype=\"0\" conaffinity=\"0\" for the mesh)",
        ratio / kMuchLarger);
  }
}

}  // namespace pliant::doctoring
