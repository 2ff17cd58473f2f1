#pragma once
// Triangles in a tree of boxes, four boxes to a node, for rays of a renderer.
//
// The Model's own trees (geom/ray_mesh_hd.h) have two boxes to a node, one triangle to a leaf and double precision, as
// the reference's files want them. Here boxes are single precision, tested four at a time and widened by their
// roundings, so that they leave out nothing that is hit; triangles are tested in double precision by the same function,
// so that distances have the same bits as those of `ray`. Measured: docs/architecture.md.

#include <vector>

#include "geom/ray_flat_hd.h"

namespace pliant::render {

class TriangleTree {
 public:
  struct Hit {
    double x = -1;
    int face = -1;
  };

  TriangleTree() = default;
  /// `vert`: 3 per vertex; `face`: 3 vertices per triangle. Both are read here and in refit().
  TriangleTree(const float* vert, const int* face, int facenum);
  /// Vertices have moved: boxes follow, the tree stays.
  void refit(const float* vert, const int* face);

  bool empty() const { return nodes_.empty(); }
  int size() const { return static_cast<int>(order_.size()); }  // triangles
  Vec3 center() const { return center_; }
  double radius() const { return radius_; }

  /// The nearest triangle along p + x v with 0 <= x < limit. With `cull` only those that face the ray: seen
  /// counterclockwise.
  Hit nearest(Vec3 p, Vec3 v, double limit, bool cull) const;
  /// Whether there is any.
  bool any(Vec3 p, Vec3 v, double limit) const;

 private:
  struct Node {
    float low[3][4], high[3][4];
    int child[4];  // node; of a leaf its first triangle
    int count[4];  // triangles of a leaf; 0: a node; -1: nothing
  };
  struct Corners {
    float a[3], b[3], c[3];
  };
  int build(int first, int end, int level, const std::vector<float>& boxes, const std::vector<float>& centers);
  int split(int first, int end, const std::vector<float>& boxes, const std::vector<float>& centers);
  void copy_corners(const float* vert, const int* face);
  void fit(int node);
  void bound();
  template <bool kAny>
  Hit search(Vec3 p, Vec3 v, double limit, bool cull) const;

  std::vector<Node> nodes_;
  std::vector<Corners> corners_;  // in the order of leaves
  std::vector<int> order_;        // triangle at each place
  Vec3 center_;
  double radius_ = 0;
};

}  // namespace pliant::render
