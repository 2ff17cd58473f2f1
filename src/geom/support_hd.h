#pragma once
// Support points: the point of a convex shape that lies farthest in a direction, in the shape's own
// frame.
//
// A sphere is the point at its centre and a capsule the segment on its axis, both with a round
// coat; whoever asks adds the coat. Corners of boxes and meshes have numbers, so that a repeated
// answer can be recognised without comparing coordinates. Large meshes are climbed along the edges
// of their hull from the better of the last answer and one of 27 prepared vertices; small ones are
// searched through. Cost: about 5 ns for primitives, 15 to 60 ns for meshes.

#include "geom/shape_hd.h"
#include "math/first_of.h"

namespace pliant {

/// A convex shape without its pose. A height field stands here for one prism of it.
template <class R>
struct ConvexT {
  GeomType type = GeomType::kSphere;
  Vec3T<R> size{};                      // half sizes of the core
  R coat = 0;                           // the shape is everything within this distance of its core
  const MeshShapeT<R>* mesh = nullptr;  // kMesh
  const Vec3T<R>* prism = nullptr;      // kHfield: three corners at the bottom, three at the top
};

/// The shape without its pose; `shape` must outlive it.
template <class R>
PLIANT_HD ConvexT<R> convex_of(const ShapeT<R>& shape) {
  ConvexT<R> c;
  c.type = shape.type;
  c.size = shape.size;
  if (shape.type == GeomType::kSphere || shape.type == GeomType::kCapsule) c.coat = shape.size.x;
  if (shape.type == GeomType::kMesh) c.mesh = &shape.mesh;
  return c;
}

/// Corners, edges and flat faces only: a search among its corners ends.
template <class R>
PLIANT_HD bool is_polytope(const ConvexT<R>& c) {
  return c.type == GeomType::kBox || c.type == GeomType::kMesh || c.type == GeomType::kHfield ||
         c.type == GeomType::kSphere || c.type == GeomType::kCapsule;
}

/// Where a search starts, and which corner it found. One per shape and pair; -1: nothing known yet.
struct SupportMemory {
  int start = -1;   // hull vertex of a mesh
  int corner = -1;  // number of the last answer; 0 or above for polytopes; of a cylinder the cap: 0 above, 1 below
};

/// Up to this many hull vertices looking at all of them is faster than climbing.
inline constexpr int kClimbAbove = 32;

/// Writes the vertices of a small hull for first_farthest (3 kMaxPacked numbers); false if it is
/// not small.
template <class R>
PLIANT_HD bool pack_hull(const MeshShapeT<R>& mesh, R* packed) {
  static_assert(kClimbAbove <= kMaxPacked);
  if (!mesh.graph || mesh.graph[0] < 1 || mesh.graph[0] > kClimbAbove) return false;
  const int count = mesh.graph[0], *vertex = mesh.graph + 2 + count;
  for (int i = 0; i < (count + 3) / 4 * 4; ++i) {
    const float* v = mesh.vert + 3 * vertex[i < count ? i : 0];
    for (int k = 0; k < 3; ++k) packed[k * kMaxPacked + i] = R(v[k]);
  }
  return true;
}

template <class R>
PLIANT_HD R dot_float(Vec3T<R> d, const float* v) {
  return mul_add(d.z, R(v[2]), mul_add(d.y, R(v[1]), d.x * R(v[0])));
}

/// Farthest vertex of a mesh without a hull: all vertices, the first of equals.
template <class R>
PLIANT_HD int search_vertices(const MeshShapeT<R>& mesh, Vec3T<R> d) {
  int best = 0;
  R far = dot_float(d, mesh.vert);
  for (int i = 1; i < mesh.vertnum; ++i) {
    const R s = dot_float(d, mesh.vert + 3 * i);
    best = s > far ? i : best;  // which of them is farthest cannot be predicted: no branches
    far = s > far ? s : far;
  }
  return best;
}

/// Farthest vertex of a hull. Layout of the graph: vertices, faces, first neighbour of each vertex,
/// mesh vertex of each vertex, neighbours (ended by -1).
template <class R>
PLIANT_HD_HOT int climb_hull(const MeshShapeT<R>& mesh, Vec3T<R> d, int& start) {
  const int count = mesh.graph[0];
  const int* first = mesh.graph + 2;
  const int* vertex = first + count;
  const int* neighbour = vertex + count;
  if (count <= kClimbAbove) {
    int best = 0;
    R far = dot_float(d, mesh.vert + 3 * vertex[0]);
    for (int i = 1; i < count; ++i) {
      const R s = dot_float(d, mesh.vert + 3 * vertex[i]);
      best = s > far ? i : best;
      far = s > far ? s : far;
    }
    return vertex[best];
  }

  // start: the prepared vertex of the cell of d in a grid of 3 x 3 x 3, or the last answer if that
  // is farther
  const R edge = R(0.4) * norm(d);
  const int cell =
      9 * ((d.x > edge) - (d.x < -edge)) + 3 * ((d.y > edge) - (d.y < -edge)) + ((d.z > edge) - (d.z < -edge)) + 13;
  int best = mesh.extrema[cell];
  R far = dot_float(d, mesh.vert + 3 * vertex[best]);
  if (start >= 0 && start != best) {
    const R s = dot_float(d, mesh.vert + 3 * vertex[start]);
    if (s > far) far = s, best = start;
  }

  // climb: the best of all neighbours, as long as one is farther
  for (int at = -1; at != best;) {
    at = best;
    for (int i = first[at]; neighbour[i] >= 0; ++i) {
      const R s = dot_float(d, mesh.vert + 3 * vertex[neighbour[i]]);
      best = s > far ? neighbour[i] : best;
      far = s > far ? s : far;
    }
  }
  start = best;
  return vertex[best];
}

/// Point of the core farthest in the direction d (own frame, of any length).
template <class R>
PLIANT_HD Vec3T<R> support_point(const ConvexT<R>& c, Vec3T<R> d, SupportMemory& memory) {
  switch (c.type) {
    case GeomType::kSphere:
      memory.corner = 0;
      return {};
    case GeomType::kCapsule:
      memory.corner = d.z >= 0;
      return {0, 0, d.z >= 0 ? c.size.y : -c.size.y};
    case GeomType::kEllipsoid: {
      const Vec3T<R> s{c.size.x * d.x, c.size.y * d.y, c.size.z * d.z};
      const R length = norm(s);
      if (!(length > 0)) return {c.size.x, 0, 0};
      const R k = 1 / length;
      return {c.size.x * (s.x * k), c.size.y * (s.y * k), c.size.z * (s.z * k)};
    }
    case GeomType::kCylinder: {
      const R across = std::sqrt(mul_add(d.x, d.x, d.y * d.y));
      const R k = across > R(kTiny) * std::fabs(d.z) ? c.size.x / across : 0;
      memory.corner = d.z < 0;
      return {d.x * k, d.y * k, d.z >= 0 ? c.size.y : -c.size.y};
    }
    case GeomType::kBox:
      memory.corner = (d.x >= 0) | (d.y >= 0) << 1 | (d.z >= 0) << 2;
      return {d.x >= 0 ? c.size.x : -c.size.x, d.y >= 0 ? c.size.y : -c.size.y, d.z >= 0 ? c.size.z : -c.size.z};
    case GeomType::kMesh: {
      const MeshShapeT<R>& mesh = *c.mesh;
      if (const R* p = mesh.packed) {
        const int count = mesh.graph[0], best = first_farthest(p, count, d);
        memory.corner = mesh.graph[2 + count + best];
        return {p[best], p[kMaxPacked + best], p[2 * kMaxPacked + best]};
      }
      const int v = mesh.graph ? climb_hull(mesh, d, memory.start) : search_vertices(mesh, d);
      memory.corner = v;
      return {R(mesh.vert[3 * v]), R(mesh.vert[3 * v + 1]), R(mesh.vert[3 * v + 2])};
    }
    case GeomType::kHfield: {
      int best = d.z < 0 ? 0 : 3;
      const int end = best + 3;
      R far = dot(c.prism[best], d);
      for (int i = best + 1; i < end; ++i) {
        const R s = dot(c.prism[i], d);
        if (s > far) far = s, best = i;
      }
      memory.corner = best;
      return c.prism[best];
    }
    default:
      return {};
  }
}

}  // namespace pliant
