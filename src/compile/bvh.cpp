// Bounding-volume trees of bodies, for the collision mid phase.
//
// Reads body inertial frames and the pose, box, contype and conaffinity of geoms. Writes Work::bvh,
// then bvh_* and body_bvhadr, body_bvhnum. Boxes are axis-aligned in the body's inertial frame;
// geoms that cannot collide are left out. A node with several geoms is split at the median of their
// centres along its longest side; children are numbered depth first, the left half first.
//
// The reference's order of operations is kept: a different rounding could choose another split.

#include <algorithm>
#include <limits>

#include "compile/compile.h"
#include "compile/counts.h"

namespace pliant {
namespace {

struct Leaf {
  int geom = -1;
  Vec3 center;     // geom position in the inertial frame
  Vec3 low, high;  // its box there
};

// v + 2 q × (w v + q × v): fewer roundings than through the rotation matrix.
Vec3 rotate_vector(const Quat& q, const Vec3& v) {
  if (v.x == 0 && v.y == 0 && v.z == 0) return {0, 0, 0};
  if (q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0) return v;
  const Vec3 t = {q.w * v.x + q.y * v.z - q.z * v.y, q.w * v.y + q.z * v.x - q.x * v.z,
                  q.w * v.z + q.x * v.y - q.y * v.x};
  return {v.x + 2 * (q.y * t.z - q.z * t.y), v.y + 2 * (q.z * t.x - q.x * t.z),
          v.z + 2 * (q.x * t.y - q.y * t.x)};
}

void grow(Vec3& low, Vec3& high, const Vec3& low2, const Vec3& high2) {
  for (int k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], low2[k]);
    high[k] = std::max(high[k], high2[k]);
  }
}

Leaf make_leaf(const GeomWork& geom, int id, const Pose& inertial) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const Quat to_inertial = conjugate(inertial.quat);
  Leaf leaf{id,
            rotate_vector(to_inertial, geom.pose.pos - inertial.pos),
            {kHuge, kHuge, kHuge},
            {-kHuge, -kHuge, -kHuge}};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
      const double center = geom.aabb[k], half = geom.aabb[3 + k];
      v[k] = corner >> k & 1 ? center + half : center - half;
    }
    v = rotate_vector(to_inertial,
                      rotate_vector(geom.pose.quat, v) + (geom.pose.pos - inertial.pos));
    grow(leaf.low, leaf.high, v, v);
  }
  return leaf;
}

int longest_side(const Vec3& low, const Vec3& high) {
  const Vec3 side = high - low;
  int axis = side.y >= side.x + kCompileEps ? 1 : 0;
  if (side.z >= side[axis] + kCompileEps) axis = 2;
  return axis;
}

// Adds the node of leaves [begin, end) and everything below it; returns its index.
int add_node(Leaf* begin, Leaf* end, int depth, BvhWork& bvh) {
  Vec3 low = begin->low, high = begin->high;
  for (const Leaf* leaf = begin + 1; leaf != end; ++leaf) grow(low, high, leaf->low, leaf->high);
  for (int k = 0; k < 3; ++k) {
    // a flat box would have no inside
    if (std::abs(low[k] - high[k]) < kCompileEps) low[k] -= kCompileEps, high[k] += kCompileEps;
  }

  const int index = bvh.size();
  for (int k = 0; k < 3; ++k) bvh.aabb.push_back((high[k] + low[k]) / 2);
  for (int k = 0; k < 3; ++k) bvh.aabb.push_back((high[k] - low[k]) / 2);
  bvh.child.insert(bvh.child.end(), {-1, -1});
  bvh.depth.push_back(depth);
  bvh.nodeid.push_back(-1);
  if (end - begin == 1) {
    bvh.nodeid[index] = begin->geom;
    return index;
  }

  // equal centres are told apart by geom id, so the halves do not depend on the sorting algorithm
  const int axis = longest_side(low, high);
  const auto before = [axis](const Leaf& a, const Leaf& b) {
    if (std::abs(a.center[axis] - b.center[axis]) > kCompileEps)
      return a.center[axis] < b.center[axis];
    return a.geom < b.geom;
  };
  Leaf* middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end, before);
  const int left = add_node(begin, middle, depth + 1, bvh);
  const int right = add_node(middle, end, depth + 1, bvh);
  bvh.child[2 * index] = left;
  bvh.child[2 * index + 1] = right;
  return index;
}

void build_tree(Work& work, int body) {
  std::vector<Leaf> leaves;
  for (int id : work.bodies[body].geoms) {
    const GeomSpec& geom = work.spec.geoms[id];
    if (geom.contype == 0 && geom.conaffinity == 0) continue;
    leaves.push_back(make_leaf(work.geoms[id], id, work.bodies[body].inertial));
  }
  if (!leaves.empty()) add_node(leaves.data(), leaves.data() + leaves.size(), 0, work.bvh[body]);
}

}  // namespace

void build_bvh(Work& work) {
  work.bvh.assign(work.bodies.size(), {});
  work.bvh_spare = 0;
  for (size_t b = 0; b < work.bodies.size(); ++b) build_tree(work, static_cast<int>(b));
}

// Two marks that the reference leaves on a model when it fuses bodies, and that its users can see:
// its inner nodes keep the geom id that stood at their place in the tree before, and the difference
// between the number of nodes before and after stays in nbvh, as unused nodes at the end.
void rebuild_bvh(Work& work, int body, int fused) {
  BvhWork& tree = work.bvh[body];
  work.bvh_spare -= tree.size() + work.bvh[fused].size();
  tree.aabb.clear();
  tree.child.clear();
  tree.depth.clear();  // nodeid stays: new nodes are added behind, leaves write over the old ids
  build_tree(work, body);
  work.bvh_spare += tree.size();
  work.bvh[fused] = {};
}

void count_bvh(Work& work) {
  int nodes = work.bvh_spare;
  for (const BvhWork& bvh : work.bvh) nodes += bvh.size();
  work.sizes.nbvh = work.sizes.nbvhstatic = nodes;
}

void write_bvh(const Work& work, Model& model) {
  int at = 0;
  for (size_t b = 0; b < work.bvh.size(); ++b) {
    const BvhWork& bvh = work.bvh[b];
    model.body_bvhnum[b] = bvh.size();
    model.body_bvhadr[b] = bvh.size() ? at : -1;
    std::copy(bvh.aabb.begin(), bvh.aabb.end(), model.bvh_aabb + 6 * at);
    std::copy(bvh.child.begin(), bvh.child.end(), model.bvh_child + 2 * at);
    std::copy(bvh.depth.begin(), bvh.depth.end(), model.bvh_depth + at);
    std::copy_n(bvh.nodeid.begin(), bvh.size(), model.bvh_nodeid + at);
    at += bvh.size();
  }
}

}  // namespace pliant
