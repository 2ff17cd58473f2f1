// Checks of mesh arrays and bounding-box trees. Indices inside a mesh count from its own first
// vertex, normal, polygon; every part of a mesh lies within the arrays (model_links.def), so loops
// can use it.

#include "model/array_checker.h"

namespace pliant {

/// Children come after their parent, so that a walk down ends; leaves name one of `leaves` items.
void ArrayChecker::boxes_of(int address, int number, int leaves) {
  for (int i = 0; i < number && fine(); ++i) {
    const int32_t* child = m.bvh_child + 2 * (size_t(address) + i);
    const bool leaf = child[0] == -1 && child[1] == -1;
    for (int k = 0; k < 2; ++k) {
      between("bvh_child", 2 * (size_t(address) + i) + k, child[k], leaf ? -1 : i + 1,
              leaf ? -1 : number - 1);
    }
    // inner boxes may keep the id of a geom that stood there before bodies were fused
    if (leaf) between("bvh_nodeid", size_t(address) + i, m.bvh_nodeid[address + i], 0, leaves - 1);
  }
}

void ArrayChecker::bounding_boxes() {
  for (int b = 0; b < nbody && fine(); ++b) boxes_of(m.body_bvhadr[b], m.body_bvhnum[b], ngeom);
  for (int i = 0; i < nmesh && fine(); ++i)
    boxes_of(m.mesh_bvhadr[i], m.mesh_bvhnum[i], m.mesh_facenum[i]);
}

void ArrayChecker::mesh_faces() {
  for (int i = 0; i < nmesh; ++i) {
    const size_t first = 3 * size_t(m.mesh_faceadr[i]), corners = 3 * size_t(m.mesh_facenum[i]);
    if (corners == 0) continue;
    all_between("mesh_face", m.mesh_face, corners, 0, m.mesh_vertnum[i] - 1, first);
    // -1: the file gives none for this corner; zeros where there are no texture coordinates at all
    all_between("mesh_facenormal", m.mesh_facenormal, corners, -1, m.mesh_normalnum[i] - 1, first);
    all_between("mesh_facetexcoord", m.mesh_facetexcoord, corners, -1,
                std::max(0, m.mesh_texcoordnum[i] - 1), first);
  }
}

/// A hull: vertex and face counts, first edge of each vertex, mesh vertex of each, edges, faces.
void ArrayChecker::mesh_hulls() {
  constexpr int kHeader = 2, kDirections = 27;
  for (int i = 0; i < nmesh && fine(); ++i) {
    const int64_t at = m.mesh_graphadr[i];
    if (at < 0) {
      all_between("mesh_extrema", m.mesh_extrema, kDirections, 0, 0, kDirections * i);
      continue;
    }
    const int64_t left = nmeshgraph - at - kHeader;
    if (left < 0) return fail(item_text("mesh_graphadr", i) + " leaves no room for a hull");
    const int32_t* graph = m.mesh_graph + at;
    between("mesh_graph", at, graph[0], 1, left);
    between("mesh_graph", at + 1, graph[1], 1, left);
    if (!fine()) return;
    const int64_t vertices = graph[0], faces = graph[1], edges = vertices + 3 * faces;
    if (2 * vertices + edges + 3 * faces > left) {
      return fail(item_text("mesh_graph", at) + " begins a hull that is longer than the array");
    }
    const int64_t first_edge = at + kHeader, id = first_edge + vertices, edge = id + vertices,
                  face = edge + edges;
    const int last_vertex = m.mesh_vertnum[i] - 1;
    all_between("mesh_graph", m.mesh_graph, vertices, 0, edges - 1, first_edge);
    all_between("mesh_graph", m.mesh_graph, vertices, 0, last_vertex, id);
    all_between("mesh_graph", m.mesh_graph, edges, -1, vertices - 1, edge);
    all_between("mesh_graph", m.mesh_graph, 3 * faces, 0, last_vertex, face);
    // lists of edges are closed by -1
    if (fine()) between("mesh_graph", face - 1, m.mesh_graph[face - 1], -1, -1);
    all_between("mesh_extrema", m.mesh_extrema, kDirections, 0, vertices - 1, kDirections * i);
  }
}

void ArrayChecker::mesh_polygons() {
  for (int i = 0; i < nmesh && fine(); ++i) {
    for (int p = 0; p < m.mesh_polynum[i]; ++p) {
      const int place = m.mesh_polyadr[i] + p, corners = m.mesh_polyvertnum[place];
      if (corners == 0) continue;
      all_between("mesh_polyvert", m.mesh_polyvert, corners, 0, m.mesh_vertnum[i] - 1,
                  m.mesh_polyvertadr[place]);
    }
    for (int v = 0; v < m.mesh_vertnum[i]; ++v) {
      const int place = m.mesh_vertadr[i] + v, polygons = m.mesh_polymapnum[place];
      if (polygons == 0) continue;
      all_between("mesh_polymap", m.mesh_polymap, polygons, 0, m.mesh_polynum[i] - 1,
                  m.mesh_polymapadr[place]);
    }
  }
}

}  // namespace pliant
