// Polygons of a mesh: hull triangles that face almost the same way, joined, for contacts between
// faces.
//
// Reads the hull (without one there are no polygons); writes polygons, vertex_polygons and
// polygon_normal. Triangles are grouped by the direction of their normal, rounded to cells of 0.01
// rad in both spherical angles. A shared edge cancels, what remains is the outline of the group;
// separate outlines are separate polygons. The order of groups and the corner a polygon starts with
// can be seen in the Model, so both follow the reference: groups come in the order of its hash
// table (HashOrder), outlines as it walks them.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "compile/mesh.h"

namespace pliant {
namespace {

using Key = std::pair<double, double>;  // both angles in cells: whole numbers

/// False for a triangle without area.
bool direction_cell(Vec3 a, Vec3 b, Vec3 c, Key& key) {
  constexpr double kCell = 0.01, kPole = 1 - 1e-7;
  const Vec3 n = cross(b - a, c - a);
  const double length = std::sqrt(dot(n, n));
  if (length < kMinVal) return false;
  // + 0.0: minus zero would flip the sign of π in atan2
  const double x = n.x / length + 0.0, y = n.y / length + 0.0, z = n.z / length + 0.0;
  if (std::abs(z) > kPole) {
    key = {0, z < 0 ? std::round(kPi / kCell) : 0};
  } else {
    key = {std::round(std::atan2(y, x) / kCell), std::round(std::acos(z) / kCell)};
  }
  return true;
}

/// Iteration order of a chained hash table with one list through all buckets, as LLVM's libc++
/// keeps it (the reference's library): a key enters at the head of its bucket, a new bucket at the
/// head of the list.
class HashOrder {
 public:
  void insert(const Key& key) {
    // Boost's way of combining two hashes
    const size_t first = bits(key.first);
    const size_t hash = first ^ (bits(key.second) + 0x9e3779b9 + (first << 6) + (first >> 2));
    if (nodes_.size() + 1 > buckets_.size() || buckets_.empty()) grow();
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({hash, -1});
    const size_t bucket = place(hash);
    if (buckets_[bucket] == kEmpty) {
      nodes_[node].next = first_;
      first_ = node;
      buckets_[bucket] = kHead;
      if (nodes_[node].next >= 0) buckets_[place(nodes_[nodes_[node].next].hash)] = node;
    } else {
      int& link = next_of(buckets_[bucket]);
      nodes_[node].next = link;
      next_of(buckets_[bucket]) = node;
    }
  }
  /// Numbers of the keys, counted by insertion.
  std::vector<int> order() const {
    std::vector<int> out;
    for (int node = first_; node >= 0; node = nodes_[node].next) out.push_back(node);
    return out;
  }

 private:
  static constexpr int kEmpty = -2, kHead = -1;  // buckets hold the node before their first one
  struct Node {
    size_t hash;
    int next;
  };

  static size_t bits(double x) { return x == 0 ? 0 : std::bit_cast<uint64_t>(x); }
  static bool is_prime(size_t n) {
    for (size_t d = 2; d * d <= n; ++d) {
      if (n % d == 0) return false;
    }
    return n > 1;
  }
  size_t place(size_t hash) const {
    const size_t n = buckets_.size();
    return (n & (n - 1)) == 0 ? hash & (n - 1) : hash % n;
  }
  int& next_of(int before) { return before == kHead ? first_ : nodes_[before].next; }

  void grow() {
    const size_t n = buckets_.size();
    const bool power = n > 2 && (n & (n - 1)) == 0;
    size_t wanted = std::max(2 * n + (power ? 0 : 1), nodes_.size() + 1);
    if (wanted == 1) wanted = 2;
    if ((wanted & (wanted - 1)) != 0) {
      while (!is_prime(wanted)) ++wanted;
    }
    buckets_.assign(wanted, kEmpty);
    if (first_ < 0) return;
    int before = first_;
    size_t last = place(nodes_[first_].hash);
    buckets_[last] = kHead;
    for (int node = nodes_[before].next; node >= 0; node = nodes_[before].next) {
      const size_t bucket = place(nodes_[node].hash);
      if (bucket == last) {
        before = node;
      } else if (buckets_[bucket] == kEmpty) {
        buckets_[bucket] = before;
        before = node;
        last = bucket;
      } else {
        // moved to the head of the bucket it belongs to
        nodes_[before].next = nodes_[node].next;
        int& link = next_of(buckets_[bucket]);
        nodes_[node].next = link;
        next_of(buckets_[bucket]) = node;
      }
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> buckets_;
  int first_ = -1;
};

/// Triangles of one direction: directed edges of their outline, each with the number of its
/// connected part.
class Outline {
 public:
  void insert(int a, int b, int c) {
    if (edges_.empty() && parts_ == 0) {
      edges_ = {{a, b, 0}, {b, c, 0}, {c, a, 0}};
      parts_ = 1;
      return;
    }
    const std::pair<int, int> sides[3] = {{a, b}, {b, c}, {c, a}};
    bool is_new[3];
    int part = -1;
    for (int k = 0; k < 3; ++k) is_new[k] = !cancel(sides[k].second, sides[k].first, part);
    if (part == -1) part = parts_++;
    for (int k = 0; k < 3; ++k) {
      if (is_new[k]) edges_.push_back({sides[k].first, sides[k].second, part});
    }
  }

  /// Closed walks along the outline, one per part.
  std::vector<std::vector<int>> walks() const {
    std::vector<std::vector<int>> out;
    for (int part = 0; part < parts_; ++part) {
      std::vector<int> walk;
      for (const Edge& edge : edges_) {
        if (edge.part != part) continue;
        walk = {edge.from, edge.to};
        break;
      }
      if (!walk.empty() && close(part, walk)) out.push_back(std::move(walk));
    }
    return out;
  }

 private:
  struct Edge {
    int from, to, part;
  };

  /// Removes the edge, if there is one, and joins its part with the one found so far.
  bool cancel(int from, int to, int& part) {
    const auto found = std::find_if(edges_.begin(), edges_.end(),
                                    [&](const Edge& edge) { return edge.from == from && edge.to == to; });
    if (found == edges_.end()) return false;
    const int other = found->part;
    if (part == -1) {
      part = other;
    } else if (other != part) {
      --parts_;
      const auto [keep, drop] = std::minmax(part, other);
      for (Edge& edge : edges_) {
        if (edge.part == drop)
          edge.part = keep;
        else if (edge.part > drop)
          --edge.part;
      }
      part = keep;
    }
    edges_.erase(found);
    return true;
  }

  bool close(int part, std::vector<int>& walk) const {
    int next = walk.back();
    for (size_t step = 0; step < edges_.size(); ++step) {
      // the first edge of the list is where some walk began
      for (size_t k = 1; k < edges_.size(); ++k) {
        if (edges_[k].part != part || edges_[k].from != next) continue;
        next = edges_[k].to;
        if (next == walk[0]) return true;
        walk.push_back(next);
        break;
      }
    }
    return false;
  }

  std::vector<Edge> edges_;
  int parts_ = 0;
};

}  // namespace

void make_polygons(MeshWork& mesh) {
  mesh.polygons.clear();
  mesh.vertex_polygons.assign(vertex_count(mesh), {});
  if (mesh.graph.empty()) return;
  const HullFaces faces = hull_faces(mesh);
  std::map<Key, int> groups;
  std::vector<Outline> outlines;
  HashOrder order;
  for (int f = 0; f < faces.count; ++f) {
    const int* v = faces.data + 3 * f;
    Key key;
    if (!direction_cell(vertex_of(mesh, v[0]), vertex_of(mesh, v[1]), vertex_of(mesh, v[2]), key)) continue;
    const auto [group, is_new] = groups.emplace(key, static_cast<int>(outlines.size()));
    if (is_new) {
      outlines.emplace_back();
      order.insert(key);
    }
    outlines[group->second].insert(v[0], v[1], v[2]);
  }

  for (int group : order.order()) {
    for (auto& walk : outlines[group].walks()) {
      if (walk.size() >= 3) mesh.polygons.push_back(std::move(walk));
    }
  }
  for (size_t p = 0; p < mesh.polygons.size(); ++p) {
    for (int v : mesh.polygons[p]) mesh.vertex_polygons[v].push_back(static_cast<int>(p));
  }
}

void make_polygon_normals(MeshWork& mesh) {
  // from the whole outline (Newell), so that a short first edge does not decide
  mesh.polygon_normal.resize(3 * mesh.polygons.size());
  for (size_t p = 0; p < mesh.polygons.size(); ++p) {
    const auto& corner = mesh.polygons[p];
    Vec3 n;
    for (size_t k = 0; k < corner.size(); ++k) {
      const Vec3 a = vertex_of(mesh, corner[k]), b = vertex_of(mesh, corner[(k + 1) % corner.size()]);
      n.x += (a.y - b.y) * (a.z + b.z);
      n.y += (a.z - b.z) * (a.x + b.x);
      n.z += (a.x - b.x) * (a.y + b.y);
    }
    const double length = std::sqrt(dot(n, n));
    n = length < kCompileEps ? Vec3{1, 0, 0} : Vec3{n.x / length, n.y / length, n.z / length};
    for (int k = 0; k < 3; ++k) mesh.polygon_normal[3 * p + k] = n[k];
  }
}

}  // namespace pliant
