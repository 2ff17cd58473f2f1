// Bounding-volume trees of bodies (over geoms) and meshes (over faces), for the collision mid
// phase.
//
// Reads body inertial frames and the pose, box, contype and conaffinity of geoms; faces and
// vertices of meshes. Writes Work::bvh and MeshWork::bvh, then bvh_*, body_bvh* and mesh_bvh*.
// Boxes are axis-aligned in the body's inertial frame or the mesh's frame; geoms that cannot
// collide are left out. A node with several items is split at the median of their centres along its
// longest side; children are numbered depth first, the left half first. The reference's order of
// operations is kept: a different rounding could choose another split.

#include <algorithm>
#include <limits>

#include "compile/bvh_box.h"
#include "compile/compile.h"
#include "compile/counts.h"
#include "compile/mesh.h"
#include "compile/select_middle.h"
#include "math/field_values.h"

namespace pliant {
namespace {

struct Leaf {
  int id = -1;     // geom or face
  Vec3 center;     // geom position in the inertial frame, or circumcentre of a face
  Vec3 low, high;  // its box there
};

Leaf make_leaf(const GeomWork& geom, int id, const Pose& inertial) {
  const Box box = inertial_box(geom.bounds.aabb.data(), geom.pose, inertial);
  return {id, rotate_vector(conjugate(inertial.quat), geom.pose.pos - inertial.pos), box.low, box.high};
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
  const Box box = fatten({low, high});

  const int index = bvh.size();
  const std::array<double, 6> aabb = centered(box);
  bvh.aabb.insert(bvh.aabb.end(), aabb.begin(), aabb.end());
  bvh.child.insert(bvh.child.end(), {-1, -1});
  bvh.depth.push_back(depth);
  bvh.nodeid.push_back(-1);
  if (end - begin == 1) {
    bvh.nodeid[index] = begin->id;
    return index;
  }

  // equal centres are told apart by id, so the halves do not depend on the sorting algorithm
  const int axis = longest_side(box.low, box.high);
  const auto before = [axis](const Leaf& a, const Leaf& b) {
    if (std::abs(a.center[axis] - b.center[axis]) > kCompileEps) return a.center[axis] < b.center[axis];
    return a.id < b.id;
  };
  Leaf* middle = begin + (end - begin) / 2;
  select_middle(begin, middle, end, before);
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

/// Centre of the circle through three points.
Vec3 circle_center(Vec3 p, Vec3 q, Vec3 r) {
  const Vec3 a = p - r, b = q - r, n = cross(a, b);
  const Vec3 v = cross(dot(a, a) * b - dot(b, b) * a, n);
  const double area = std::sqrt(dot(n, n));
  return {v.x / (2 * area * area) + r.x, v.y / (2 * area * area) + r.y, v.z / (2 * area * area) + r.z};
}

}  // namespace

void make_mesh_bvh(MeshWork& mesh) {
  std::vector<Leaf> leaves(face_count(mesh));
  for (int f = 0; f < face_count(mesh); ++f) {
    const Vec3 a = vertex_of(mesh, mesh.face[3 * f]), b = vertex_of(mesh, mesh.face[3 * f + 1]),
               c = vertex_of(mesh, mesh.face[3 * f + 2]);
    Leaf& leaf = leaves[f];
    leaf = {f, circle_center(a, b, c), a, a};
    grow(leaf.low, leaf.high, b, b);
    grow(leaf.low, leaf.high, c, c);
    // through centre and half size, as boxes are kept
    for (int k = 0; k < 3; ++k) {
      const double center = 0.5 * (leaf.low[k] + leaf.high[k]), half = 0.5 * (leaf.high[k] - leaf.low[k]);
      leaf.low[k] = center - half;
      leaf.high[k] = center + half;
    }
  }
  if (!leaves.empty()) add_node(leaves.data(), leaves.data() + leaves.size(), 0, mesh.bvh);
}

void build_bvh(Work& work) {
  work.bvh.assign(work.bodies.size(), {});
  for (size_t b = 0; b < work.bodies.size(); ++b) build_tree(work, static_cast<int>(b));
}

void count_bvh(Work& work) {
  int nodes = 0;
  for (const BvhWork& bvh : work.bvh) nodes += bvh.size();
  for (const MeshWork& mesh : work.meshes) nodes += mesh.bvh.size();
  work.sizes.nbvh = work.sizes.nbvhstatic = nodes;
}

void write_bvh(const Work& work, Model& model) {
  int at = 0;
  const auto write = [&](const BvhWork& bvh, int32_t& address, int32_t& count) {
    count = bvh.size();
    address = bvh.size() ? at : -1;
    std::copy(bvh.aabb.begin(), bvh.aabb.end(), model.bvh_aabb + 6 * at);
    std::copy(bvh.child.begin(), bvh.child.end(), model.bvh_child + 2 * at);
    std::copy(bvh.depth.begin(), bvh.depth.end(), model.bvh_depth + at);
    std::copy_n(bvh.nodeid.begin(), bvh.size(), model.bvh_nodeid + at);
    at += bvh.size();
  };
  for (size_t b = 0; b < work.bvh.size(); ++b) {
    write(work.bvh[b], model.body_bvhadr[b], model.body_bvhnum[b]);
  }
  for (size_t i = 0; i < work.meshes.size(); ++i) {
    write(work.meshes[i].bvh, model.mesh_bvhadr[i], model.mesh_bvhnum[i]);
  }
}

}  // namespace pliant
