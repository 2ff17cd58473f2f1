// Convex hulls through qhull (reentrant library); the only file that sees it.
//
// The hull is built from the vertices as they are in the file, before any scale or rotation. Facets
// and vertices are listed in qhull's own order, because the reference stores them so; that order
// decides later how polygons begin. Cost: O(n log n).

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <limits>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "compile/mesh.h"

namespace pliant {
namespace {

// mesh_graph: vertex count, face count, first edge of each vertex, mesh vertex of each hull vertex,
// edges (hull vertices, each list closed by -1), faces (mesh vertices)
constexpr int kGraphHeader = 2;

/// Runs qhull; no C++ object may live here, because qhull leaves by longjmp.
bool run_qhull(qhT* qh, char* options, coordT* points, int count) {
  if (setjmp(qh->errexit) != 0) return false;
  qh->NOerrexit = False;
  qh_initflags(qh, options);
  qh_init_B(qh, points, count, 3, False);
  qh_qhull(qh);
  qh_triangulate(qh);
  qh_vertexneighbors(qh);
  return true;
}

/// Neighbours of each hull vertex in order of first appearance, as mesh vertices, each list closed
/// by -1.
bool list_edges(qhT* qh, int count, int* first_edge, int* vertex_id, int* edges, int room) {
  int at = 0, i = 0;
  vertexT *vertex, *corner, **cornerp;
  facetT *facet, **facetp;
  FORALLvertices {
    const int id = qh_pointid(qh, vertex->point);
    if (id < 0 || id >= count) return false;
    first_edge[i] = at;
    vertex_id[i++] = id;
    const int start = at;
    FOREACHsetelement_(facetT, vertex->neighbors, facet) {
      int corners = 0;
      FOREACHsetelement_(vertexT, facet->vertices, corner) {
        ++corners;
        const int other = qh_pointid(qh, corner->point);
        if (other < 0 || other >= count) return false;
        int j = other == id ? -1 : start;
        while (j >= 0 && j < at && edges[j] != other) ++j;
        if (j < 0 || j < at) continue;
        if (at >= room - 1) return false;
        edges[at++] = other;
      }
      if (corners != 3) return false;
    }
    edges[at++] = -1;
  }
  return at == room;
}

bool list_faces(qhT* qh, int count, int* faces) {
  facetT* facet;
  vertexT *corner, **cornerp;
  FORALLfacets {
    // counter-clockwise seen from outside
    const int order[3] = {facet->toporient ? 1 : 0, facet->toporient ? 0 : 1, 2};
    int corners = 0;
    FOREACHsetelement_(vertexT, facet->vertices, corner) {
      const int id = qh_pointid(qh, corner->point);
      if (corners == 3 || id < 0 || id >= count) return false;
      faces[order[corners++]] = id;
    }
    if (corners != 3) return false;
    faces += 3;
  }
  return true;
}

bool read_graph(qhT* qh, int count, std::vector<int>& graph) {
  const int vertices = qh->num_vertices, faces = qh->num_facets, edges = vertices + 3 * faces;
  graph.assign(kGraphHeader + 3 * size_t(vertices) + 6 * size_t(faces), 0);
  graph[0] = vertices;
  graph[1] = faces;
  int* first_edge = graph.data() + kGraphHeader;
  int* vertex_id = first_edge + vertices;
  int* edge = vertex_id + vertices;
  if (!list_edges(qh, count, first_edge, vertex_id, edge, edges)) return false;
  if (!list_faces(qh, count, edge + edges)) return false;
  std::vector<int> local(count, -1);
  for (int v = 0; v < vertices; ++v) local[vertex_id[v]] = v;
  for (int e = 0; e < edges; ++e) {
    if (edge[e] < 0) continue;
    edge[e] = local[edge[e]];
    if (edge[e] < 0) return false;
  }
  return true;
}

}  // namespace

void make_hull(const MeshSpec& spec, MeshWork& mesh) {
  std::string options = "qhull Qt";
  // TA counts the vertices added to the first tetrahedron; Q9 keeps the farthest ones. A Spec with errors
  // is compiled too, and qhull does not survive a negative number here.
  if (spec.maxhullvert > -1) options += " Q9 TA" + std::to_string(std::max(spec.maxhullvert - 4, 0));
  const int count = vertex_count(mesh);

  // qhull explains its failures at length; the text is caught and dropped
  char* text = nullptr;
  size_t length = 0;
  FILE* log = open_memstream(&text, &length);
  if (!log) throw MeshError{"no memory for its convex hull", "", {}};
  qhT qh;
  qh_zero(&qh, log);
  qh_init_A(&qh, nullptr, nullptr, log, 0, nullptr);
  std::vector<double> points = mesh.vertex;  // qhull may write to them
  const bool fine = run_qhull(&qh, options.data(), points.data(), count) && read_graph(&qh, count, mesh.graph);
  int long_left = 0, total_left = 0;
  qh_freeqhull(&qh, !qh_ALL);
  qh_memfreeshort(&qh, &long_left, &total_left);
  std::fclose(log);
  std::free(text);
  if (!fine) {
    mesh.graph.clear();
    throw MeshError{"no convex hull can be built from its vertices", spec.file.empty() ? "" : "file",
                    "they may all lie in one plane; a geom that cannot collide (contype=\"0\" "
                    "conaffinity=\"0\") needs no hull"};
  }
}

HullFaces hull_faces(const MeshWork& mesh) {
  const int vertices = mesh.graph[0], faces = mesh.graph[1];
  return {mesh.graph.data() + kGraphHeader + 3 * vertices + 3 * faces, faces};
}

void find_extrema(MeshWork& mesh) {
  if (mesh.graph.empty()) return;
  const int vertices = mesh.graph[0];
  const int* vertex_id = mesh.graph.data() + kGraphHeader + vertices;
  for (int cell = 0; cell < 27; ++cell) {
    const float x = float(cell / 9 - 1), y = float(cell / 3 % 3 - 1), z = float(cell % 3 - 1);
    float farthest = -std::numeric_limits<float>::max();
    for (int v = 0; v < vertices; ++v) {
      // single precision, as the vertices are stored: ties go to the first
      const double* at = mesh.vertex.data() + 3 * size_t(vertex_id[v]);
      const float distance = x * float(at[0]) + y * float(at[1]) + z * float(at[2]);
      if (distance > farthest) farthest = distance, mesh.extrema[cell] = v;
    }
  }
}

}  // namespace pliant
