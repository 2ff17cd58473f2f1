// Mid phase: bodies with many geoms (terrain of boxes, furniture, cities) are searched through their trees of boxes.
//
// Reads body_bvhadr, bvh_child, bvh_nodeid, bvh_aabb (boxes in the inertial frame), xipos, ximat. A sphere goes down a
// tree as long as it comes within reach of the boxes. Bodies with few geoms are cheaper as lists (broadphase_sap.cpp);
// the pairs found are the same. Cost per sphere: the depth of the tree, if it meets little.

#include "collision/broadphase.h"

namespace pliant {
namespace {

// Largest margin plus gap of a body's geoms, read in this step, and how far they may come in it.
double largest_margin(const Model& m, int body, const PairFilter& filter) {
  const bool override_margin = m.opt.enableflags & kEnableOverride;
  double most = 0;
  const int start = m.body_geomadr[body], end = start + m.body_geomnum[body];
  for (int g = start; g < end; ++g) {
    most =
        std::max(most, (override_margin ? 0.5 * m.opt.o_margin : m.geom_margin[g]) + m.geom_gap[g] + filter.ahead(g));
  }
  return most;
}

struct Tree {
  const int *child, *geom;
  const double* box;
  Vec3 pos;
  Mat3 mat;
  double margin;
  int* stack;
};

bool box_meets(const double* box, Vec3 center, double reach) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double out = std::max(0.0, std::abs(center[k] - box[k]) - box[3 + k]);
    squared += out * out;
  }
  return squared <= reach * reach;
}

// A sphere against a tree.
void search(const Model& m, const Tree& tree, const GeomTag& tag, Vec3 center, double reach, PairFilter& filter) {
  const Vec3 local = transposed_times(tree.mat, center - tree.pos);
  // coordinates relative to the tree have rounding errors of the world's size
  reach += tree.margin + 1e-14 * (norm(center) + norm(tree.pos));
  int n = 0;
  tree.stack[n++] = 0;
  while (n > 0) {
    const int node = tree.stack[--n];
    if (!box_meets(tree.box + 6 * node, local, reach)) continue;
    const int left = tree.child[2 * node], right = tree.child[2 * node + 1];
    if (left < 0 && right < 0) {
      const GeomTag leaf = geom_tag(m, tree.geom[node]);
      // planes have had their turn
      if (leaf.type != static_cast<int>(GeomType::kPlane)) filter.consider(tag, leaf);
      continue;
    }
    if (left >= 0) tree.stack[n++] = left;
    if (right >= 0) tree.stack[n++] = right;
  }
}

// Geoms of a tree against another tree.
void search_geoms(const Model& m, const Data& d, const Tree& tree, int body, PairFilter& filter) {
  const int start = m.body_geomadr[body], end = start + m.body_geomnum[body];
  for (int g = start; g < end; ++g) {
    if (!m.geom_contype[g] && !m.geom_conaffinity[g]) continue;
    if (m.geom_type[g] == static_cast<int>(GeomType::kPlane)) continue;
    search(m, tree, geom_tag(m, g), vec3(d.geom_xpos, g), reach_of(m, g) + filter.ahead(g), filter);
  }
}

}  // namespace

void find_tree_pairs(const Model& m, const Data& d, const Spheres& s, PairFilter& filter) {
  for (int t = 0; t < s.ntree; ++t) {
    const int body = s.tree[t], adr = m.body_bvhadr[body];
    const Tree tree{m.bvh_child + 2 * adr,
                    m.bvh_nodeid + adr,
                    m.bvh_aabb + 6 * adr,
                    vec3(d.xipos, body),
                    mat3(d.ximat, body),
                    largest_margin(m, body, filter),
                    s.stack};
    const GeomTag tag = geom_tag(m, m.body_geomadr[body]);
    for (int i = 0; i < s.n; ++i) {
      if (filter.joints_may_allow(tag, s.tag[i]))
        search(m, tree, s.tag[i], {s.x[i], s.y[i], s.z[i]}, s.reach[i], filter);
    }
    for (int other = 0; other < t; ++other) {
      const int other_body = s.tree[other];
      if (!filter.joints_may_allow(tag, geom_tag(m, m.body_geomadr[other_body]))) continue;
      search_geoms(m, d, tree, other_body, filter);
    }
    // planes
    const int start = m.body_geomadr[body], end = start + m.body_geomnum[body];
    for (int p = 0; p < s.nplane; ++p) {
      if (!filter.joints_may_allow(tag, s.plane[p])) continue;
      for (int g = start; g < end; ++g) filter.consider(s.plane[p], geom_tag(m, g));
    }
  }
}

}  // namespace pliant
