// Tree of boxes around triangles: built by the surface area heuristic with bins, searched nearest box first.

#include "render/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace pliant::render {
namespace {

constexpr int kLeaf = 4;   // most triangles of a leaf
constexpr int kBins = 12;  // places where a set may be divided, per axis
// Below this level sets are halved, so that no arrangement of triangles makes a tree deeper than the stack of a search.
constexpr int kHalvesFrom = 32;
constexpr float kFar = std::numeric_limits<float>::max();

using Lanes = float __attribute__((vector_size(16)));
using LaneMask = int __attribute__((vector_size(16)));

struct Box {
  float low[3] = {kFar, kFar, kFar}, high[3] = {-kFar, -kFar, -kFar};
  void add(const float* box) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], box[k]), high[k] = std::max(high[k], box[3 + k]);
  }
  void add(const Box& other) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], other.low[k]), high[k] = std::max(high[k], other.high[k]);
  }
  float area() const {
    const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
  }
};

}  // namespace

TriangleTree::TriangleTree(const float* vert, const int* face, int facenum) {
  if (facenum <= 0) return;
  order_.resize(static_cast<size_t>(facenum));
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<float> boxes(6 * static_cast<size_t>(facenum)), centers(3 * static_cast<size_t>(facenum));
  for (int f = 0; f < facenum; ++f) {
    for (int k = 0; k < 3; ++k) {
      float low = kFar, high = -kFar;
      for (int corner = 0; corner < 3; ++corner) {
        const float x = vert[3 * static_cast<size_t>(face[3 * f + corner]) + static_cast<size_t>(k)];
        low = std::min(low, x), high = std::max(high, x);
      }
      boxes[6 * static_cast<size_t>(f) + static_cast<size_t>(k)] = low;
      boxes[6 * static_cast<size_t>(f) + 3 + static_cast<size_t>(k)] = high;
      centers[3 * static_cast<size_t>(f) + static_cast<size_t>(k)] = 0.5f * (low + high);
    }
  }
  nodes_.reserve(static_cast<size_t>(facenum) / 2 + 1);
  build(0, facenum, 0, boxes, centers);
  copy_corners(vert, face);
  fit(0);
  bound();
}

void TriangleTree::refit(const float* vert, const int* face) {
  if (nodes_.empty()) return;
  copy_corners(vert, face);
  fit(0);
  bound();
}

/// Where triangles first … end - 1 are best divided in two; they are put in order. Halves where nothing is better.
int TriangleTree::split(int first, int end, const std::vector<float>& boxes, const std::vector<float>& centers) {
  const auto box_of = [&](int i) { return boxes.data() + 6 * static_cast<size_t>(order_[static_cast<size_t>(i)]); };
  const auto center_of = [&](int i) {
    return centers.data() + 3 * static_cast<size_t>(order_[static_cast<size_t>(i)]);
  };
  float low[3] = {kFar, kFar, kFar}, high[3] = {-kFar, -kFar, -kFar};
  for (int i = first; i < end; ++i) {
    for (int k = 0; k < 3; ++k)
      low[k] = std::min(low[k], center_of(i)[k]), high[k] = std::max(high[k], center_of(i)[k]);
  }
  float best = kFar;
  int best_axis = -1, best_bin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float width = high[axis] - low[axis];
    if (!(width > 0)) continue;
    std::array<Box, kBins> bins;
    std::array<int, kBins> counts{};
    for (int i = first; i < end; ++i) {
      const int bin = std::min(kBins - 1, static_cast<int>((center_of(i)[axis] - low[axis]) / width * kBins));
      bins[static_cast<size_t>(bin)].add(box_of(i));
      ++counts[static_cast<size_t>(bin)];
    }
    std::array<float, kBins> left_cost{};
    Box box;
    int count = 0;
    for (int bin = 0; bin < kBins - 1; ++bin) {
      box.add(bins[static_cast<size_t>(bin)]), count += counts[static_cast<size_t>(bin)];
      left_cost[static_cast<size_t>(bin)] = box.area() * static_cast<float>(count);
    }
    box = {}, count = 0;
    for (int bin = kBins - 1; bin > 0; --bin) {
      box.add(bins[static_cast<size_t>(bin)]), count += counts[static_cast<size_t>(bin)];
      const float cost = left_cost[static_cast<size_t>(bin - 1)] + box.area() * static_cast<float>(count);
      if (count > 0 && count < end - first && cost < best) best = cost, best_axis = axis, best_bin = bin;
    }
  }
  if (best_axis < 0) return (first + end) / 2;
  const float width = high[best_axis] - low[best_axis];
  const auto middle = std::stable_partition(order_.begin() + first, order_.begin() + end, [&](int f) {
    const float center = centers[3 * static_cast<size_t>(f) + static_cast<size_t>(best_axis)];
    return std::min(kBins - 1, static_cast<int>((center - low[best_axis]) / width * kBins)) < best_bin;
  });
  return static_cast<int>(middle - order_.begin());
}

/// A node for triangles first … end - 1: divided in two, and the larger parts again, into four.
int TriangleTree::build(int first, int end, int level, const std::vector<float>& boxes,
                        const std::vector<float>& centers) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  int begins[4] = {first}, ends[4] = {end}, parts = 1;
  while (parts < 4) {
    int largest = -1;
    for (int i = 0; i < parts; ++i) {
      const int n = ends[i] - begins[i];
      if (n > kLeaf && (largest < 0 || n > ends[largest] - begins[largest])) largest = i;
    }
    if (largest < 0) break;
    const int middle = level < kHalvesFrom ? split(begins[largest], ends[largest], boxes, centers)
                                           : (begins[largest] + ends[largest]) / 2;
    begins[parts] = middle, ends[parts] = ends[largest], ends[largest] = middle;
    ++parts;
  }
  for (int i = 0; i < 4; ++i) {
    int child = 0, count = -1;
    if (i < parts) {
      const int n = ends[i] - begins[i];
      count = n <= kLeaf ? n : 0;
      child = n <= kLeaf ? begins[i] : build(begins[i], ends[i], level + 1, boxes, centers);
    }
    nodes_[static_cast<size_t>(node)].child[i] = child;
    nodes_[static_cast<size_t>(node)].count[i] = count;
  }
  return node;
}

void TriangleTree::copy_corners(const float* vert, const int* face) {
  corners_.resize(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) {
    const int* f = face + 3 * static_cast<size_t>(order_[i]);
    float* to[3] = {corners_[i].a, corners_[i].b, corners_[i].c};
    for (int k = 0; k < 3; ++k) std::copy_n(vert + 3 * static_cast<size_t>(f[k]), 3, to[k]);
  }
}

/// Boxes of a node, from those below it.
void TriangleTree::fit(int index) {
  for (int i = 0; i < 4; ++i) {
    const int count = nodes_[static_cast<size_t>(index)].count[i], child = nodes_[static_cast<size_t>(index)].child[i];
    Box box;
    if (count == 0) {
      fit(child);
      const Node& below = nodes_[static_cast<size_t>(child)];
      for (int j = 0; j < 4; ++j) {
        if (below.count[j] < 0) continue;
        const float part[6] = {below.low[0][j],  below.low[1][j],  below.low[2][j],
                               below.high[0][j], below.high[1][j], below.high[2][j]};
        box.add(part);
      }
    }
    for (int j = 0; j < count; ++j) {
      const Corners& t = corners_[static_cast<size_t>(child) + static_cast<size_t>(j)];
      for (const float* corner : {t.a, t.b, t.c}) {
        const float part[6] = {corner[0], corner[1], corner[2], corner[0], corner[1], corner[2]};
        box.add(part);
      }
    }
    Node& node = nodes_[static_cast<size_t>(index)];
    for (int k = 0; k < 3; ++k) node.low[k][i] = box.low[k], node.high[k][i] = box.high[k];
  }
}

void TriangleTree::bound() {
  Box all;
  const Node& root = nodes_[0];
  for (int i = 0; i < 4; ++i) {
    if (root.count[i] < 0) continue;
    const float part[6] = {root.low[0][i],  root.low[1][i],  root.low[2][i],
                           root.high[0][i], root.high[1][i], root.high[2][i]};
    all.add(part);
  }
  double r2 = 0;
  for (int k = 0; k < 3; ++k) {
    center_[k] = 0.5 * (double(all.low[k]) + double(all.high[k]));
    r2 += 0.25 * std::pow(double(all.high[k]) - double(all.low[k]), 2);
  }
  radius_ = std::sqrt(r2);
}

template <bool kAny>
TriangleTree::Hit TriangleTree::search(Vec3 p, Vec3 v, double limit, bool cull) const {
  Hit hit;
  if (nodes_.empty()) return hit;
  // Single precision errs by a few roundings of numbers as large as the way to the farthest corner.
  constexpr float kRoundings = 1e-6f;
  const float pad = kRoundings * static_cast<float>(norm(p - center_) + radius_ + norm(center_));
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  float inverse[3], from[3];
  for (int k = 0; k < 3; ++k) {
    const double least = 1e-12 * largest, size = std::max(std::abs(v[k]), least);
    inverse[k] = static_cast<float>(v[k] < 0 ? -1 / size : 1 / size);
    from[k] = static_cast<float>(p[k]);
  }
  const ShearedRay<double> ray = sheared(p, v);
  // each level leaves at most three waiting, and there are fewer than kHalvesFrom + 16
  constexpr int kStack = 256;
  int waiting[kStack], waiting_count[kStack];
  float waiting_enter[kStack];
  int top = 0;
  waiting[top] = 0, waiting_count[top] = 0, waiting_enter[top++] = 0;
  double best = limit;
  float reach = static_cast<float>(std::min(best * 1.000001, 1e30));
  while (top > 0) {
    --top;
    const int at = waiting[top], count = waiting_count[top];
    if (waiting_enter[top] > reach) continue;
    for (int j = 0; j < count; ++j) {
      const size_t place = static_cast<size_t>(at) + static_cast<size_t>(j);
      const Corners& t = corners_[place];
      const Vec3 a{t.a[0], t.a[1], t.a[2]}, b{t.b[0], t.b[1], t.b[2]}, c{t.c[0], t.c[1], t.c[2]};
      const double x = ray_triangle(ray, a, b, c);
      const int face = order_[place];
      if (!(x >= 0) || x > best || (x == best && !(hit.face >= 0 && face < hit.face))) continue;
      if (cull && dot(cross(b - a, c - a), v) >= 0) continue;
      hit = {x, face}, best = x;
      reach = static_cast<float>(std::min(best * 1.000001, 1e30));
      if (kAny) return hit;
    }
    if (count != 0) continue;
    const Node& node = nodes_[static_cast<size_t>(at)];
    Lanes enter = {0, 0, 0, 0}, leave = {reach, reach, reach, reach};
    for (int k = 0; k < 3; ++k) {
      Lanes low, high;
      __builtin_memcpy(&low, node.low[k], sizeof low);
      __builtin_memcpy(&high, node.high[k], sizeof high);
      const Lanes near = ((inverse[k] < 0 ? high + pad : low - pad) - from[k]) * inverse[k];
      const Lanes far = ((inverse[k] < 0 ? low - pad : high + pad) - from[k]) * inverse[k];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    const LaneMask open = enter <= leave;
    // the farthest first onto the stack
    int lanes[4], n = 0;
    for (int i = 0; i < 4; ++i) {
      if (!open[i] || node.count[i] < 0) continue;
      int place = n++;
      while (place > 0 && enter[lanes[place - 1]] < enter[i]) lanes[place] = lanes[place - 1], --place;
      lanes[place] = i;
    }
    for (int i = 0; i < n; ++i) {
      waiting[top] = node.child[lanes[i]], waiting_count[top] = node.count[lanes[i]];
      waiting_enter[top++] = enter[lanes[i]];
    }
  }
  return hit;
}

TriangleTree::Hit TriangleTree::nearest(Vec3 p, Vec3 v, double limit, bool cull) const {
  return search<false>(p, v, limit, cull);
}
bool TriangleTree::any(Vec3 p, Vec3 v, double limit) const { return search<true>(p, v, limit, false).face >= 0; }

}  // namespace pliant::render
