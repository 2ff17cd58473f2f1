// Checks of mesh arrays and bounding-box trees. Indices inside a mesh count from its own first
// vertex, normal, polygon; every part of a mesh lies within the arrays (model_links.def), so loops
// can use it.

#include <vector>

#include "model/array_checker.h"

namespace pliant {

namespace {

/// A tree of boxes within bvh_*; places of children count from its own first box.
struct BoxTree {
  const int32_t *child, *depth, *item;  // item: bvh_nodeid
  int number;                           // boxes
  int first, leaves;                    // leaves name items first … first + leaves - 1
  bool bare;                            // inner boxes name nothing: -1

  bool is_leaf(int i) const { return (child[2 * i] & child[2 * i + 1]) == -1; }
};

/// Whether each box by itself can be: a leaf with its item, or a box that comes right before its first child and
/// some way before its second. No branches: trees have a box for every triangle, twice.
bool has_possible_boxes(const BoxTree& t) {
  int wrong = 0;
  for (int i = 0; i < t.number; ++i) {
    const int a = t.child[2 * i], b = t.child[2 * i + 1], item = t.item[i];
    // (as unsigned numbers: what lies before the first wraps around to far behind the last)
    const int right_leaf =
        static_cast<uint32_t>(item) - static_cast<uint32_t>(t.first) < static_cast<uint32_t>(t.leaves);
    const int right_inner = (a == i + 1) & (b > i + 1) & (b < t.number) & ((item == -1) | !t.bare);
    const int leaf = (a & b) == -1;
    wrong |= 1 ^ ((leaf & right_leaf) | ((1 ^ leaf) & right_inner));
  }
  return wrong == 0;
}

/// Whether possible boxes form one tree, depth first, with the depths that bvh_depth says: the second child of a box
/// follows all that is below the first. `below` is working memory for the number of boxes of each subtree.
bool is_one_tree(const BoxTree& t, std::vector<int>& below) {
  below.resize(std::max(below.size(), size_t(t.number)));
  int wrong = t.depth[0] != 0;
  for (int i = t.number - 1; i >= 0; --i) {
    const bool inner = !t.is_leaf(i);
    const int a = inner ? i + 1 : i, b = inner ? t.child[2 * i + 1] : i, next = t.depth[i] + inner;
    below[i] = inner ? b - i + below[b] : 1;
    wrong |= (inner & (b != a + below[a])) | (t.depth[a] != next) | (t.depth[b] != next);
  }
  return wrong == 0 && below[0] == t.number;
}

}  // namespace

/// Walks through a tree end, meet every box once, and go no deeper than halving the leaves does.
void ArrayChecker::boxes_of(int address, int number, int first, int leaves, bool bare, std::vector<int>& below) {
  if (!fine() || number == 0) return;
  constexpr int kMaxDepth = 32;
  const BoxTree tree{
      m.bvh_child + 2 * size_t(address), m.bvh_depth + address, m.bvh_nodeid + address, number, first, leaves, bare};
  all_between("bvh_depth", m.bvh_depth, number, 0, kMaxDepth, address);
  if (!fine() || (has_possible_boxes(tree) && is_one_tree(tree, below))) return;
  // which it is, is looked for only now
  for (int i = 0; i < number && fine(); ++i) {
    const size_t place = size_t(address) + i;
    if (tree.is_leaf(i)) {
      between("bvh_nodeid", place, tree.item[i], first, first + leaves - 1);
      continue;
    }
    between("bvh_child", 2 * place, tree.child[2 * i], i + 1, std::min(i + 1, number - 1));
    between("bvh_child", 2 * place + 1, tree.child[2 * i + 1], i + 2, number - 1);
    if (bare) between("bvh_nodeid", place, tree.item[i], -1, -1);
  }
  fail("the " + std::to_string(number) + " boxes from " + item_text("bvh_child", 2 * size_t(address)) +
       " on are not one tree");
}

void ArrayChecker::bounding_boxes() {
  std::vector<int> below;
  // inner boxes of a body may keep the id of a geom that stood there before bodies were fused
  for (int b = 0; b < nbody && fine(); ++b) {
    boxes_of(m.body_bvhadr[b], m.body_bvhnum[b], m.body_geomadr[b], m.body_geomnum[b], false, below);
  }
  for (int i = 0; i < nmesh && fine(); ++i) {
    boxes_of(m.mesh_bvhadr[i], m.mesh_bvhnum[i], 0, m.mesh_facenum[i], true, below);
  }
}

void ArrayChecker::mesh_faces() {
  for (int i = 0; i < nmesh; ++i) {
    between("mesh_vertnum", i, m.mesh_vertnum[i], 1, nmeshvert);
    const size_t first = 3 * size_t(m.mesh_faceadr[i]), corners = 3 * size_t(m.mesh_facenum[i]);
    if (corners == 0) continue;
    all_between("mesh_face", m.mesh_face, corners, 0, m.mesh_vertnum[i] - 1, first);
    // -1: the file gives none for this corner; zeros where there are no texture coordinates at all
    all_between("mesh_facenormal", m.mesh_facenormal, corners, -1, m.mesh_normalnum[i] - 1, first);
    all_between("mesh_facetexcoord", m.mesh_facetexcoord, corners, -1, std::max(0, m.mesh_texcoordnum[i] - 1), first);
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
    const int64_t first_edge = at + kHeader, id = first_edge + vertices, edge = id + vertices, face = edge + edges;
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
  int most_corners = 0, most_polygons = 0;
  for (int i = 0; i < nmesh && fine(); ++i) {
    for (int p = 0; p < m.mesh_polynum[i]; ++p) {
      const int place = m.mesh_polyadr[i] + p, corners = m.mesh_polyvertnum[place];
      most_corners = std::max(most_corners, corners);
      between("mesh_polyvertnum", place, corners, 3, nmeshpolyvert);
      all_between("mesh_polyvert", m.mesh_polyvert, corners, 0, m.mesh_vertnum[i] - 1, m.mesh_polyvertadr[place]);
    }
    for (int v = 0; v < m.mesh_vertnum[i]; ++v) {
      const int place = m.mesh_vertadr[i] + v, polygons = m.mesh_polymapnum[place];
      most_polygons = std::max(most_polygons, polygons);
      if (polygons == 0) continue;
      all_between("mesh_polymap", m.mesh_polymap, polygons, 0, m.mesh_polynum[i] - 1, m.mesh_polymapadr[place]);
    }
  }
  // working memory for a polygon or the polygons around a vertex is sized by these
  if (most_corners > npolygonmax) fail("npolygonmax is less than " + std::to_string(most_corners));
  if (most_polygons > nmeshdegmax) fail("nmeshdegmax is less than " + std::to_string(most_polygons));
}

}  // namespace pliant
