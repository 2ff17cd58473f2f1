#pragma once
// Plane and convex hull of a mesh: the lowest vertex and up to two of its neighbours that are within the margin and far
// from it. Method: the reference's (start of the search, order and choice are the same, so that the same vertices
// come out where several are equally low). Cost: a climb along the hull's edges; without a graph all vertices.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Parts of MeshShape::graph: for each hull vertex its first edge and its mesh vertex, then the edges (hull vertices,
/// each list closed by -1).
struct HullGraph {
  const int* first_edge;
  const int* mesh_vertex;
  const int* edges;
};
PLIANT_HD HullGraph hull_graph(const int* graph) {
  const int count = graph[0];
  return {graph + 2, graph + 2 + count, graph + 2 + 2 * count};
}

template <class R> PLIANT_HD Vec3T<R> mesh_vertex(const MeshShape& mesh, int i) {
  return {R(mesh.vert[3 * i]), R(mesh.vert[3 * i + 1]), R(mesh.vert[3 * i + 2])};
}

/// The hull vertex farthest out in direction u, climbing from the first.
template <class R> PLIANT_HD int climb_hull(const MeshShape& mesh, const HullGraph& hull, Vec3T<R> u) {
  int best = 0;
  R most = unfused_dot(u, mesh_vertex<R>(mesh, hull.mesh_vertex[0]));
  for (bool moved = true; moved;) {
    moved = false;
    for (const int* edge = hull.edges + hull.first_edge[best]; *edge >= 0; ++edge) {
      const R out = unfused_dot(u, mesh_vertex<R>(mesh, hull.mesh_vertex[*edge]));
      if (out > most) most = out, best = *edge, moved = true;
    }
  }
  return best;
}

/// The mesh vertex farthest out in direction u, of all.
template <class R> PLIANT_HD int farthest_vertex(const MeshShape& mesh, Vec3T<R> u) {
  int best = 0;
  R most = unfused_dot(u, mesh_vertex<R>(mesh, 0));
  for (int i = 1; i < mesh.vertnum; ++i) {
    const R out = unfused_dot(u, mesh_vertex<R>(mesh, i));
    if (out > most) most = out, best = i;
  }
  return best;
}

template <class R>
PLIANT_HD_NOINLINE int plane_mesh(const ShapeT<R>& plane, const ShapeT<R>& geom, R margin, ContactPointT<R>* out) {
  constexpr int kMost = 3;       // points
  constexpr R kSpread = R(0.3);  // least distance from the first, in radii of the bounding sphere
  const MeshShape& mesh = geom.mesh;
  const Vec3T<R> n = plane.mat.column(2), down = unfused_transposed_times(geom.mat, -n);

  // the lowest vertex
  HullGraph hull{};
  int lowest_in_hull = 0, lowest;
  if (mesh.graph) {
    hull = hull_graph(mesh.graph);
    lowest_in_hull = climb_hull(mesh, hull, down);
    lowest = hull.mesh_vertex[lowest_in_hull];
  } else {
    lowest = farthest_vertex(mesh, down);
  }
  int count = 0;
  auto add = [&](Vec3T<R> point) {
    const R dist = dot(n, point - plane.pos);
    out[count++] = {dist, fused(-dist / 2, n, point), n, {}};
  };
  add(times_plus(geom.mat, mesh_vertex<R>(mesh, lowest), geom.pos));
  if (out[0].dist > margin) return 0;

  // others, if they are low enough and far enough from the first point
  const R least_down = unfused_dot(n, geom.pos - plane.pos) - margin, least_apart = kSpread * geom.rbound;
  auto consider = [&](int vertex) {
    const Vec3T<R> local = mesh_vertex<R>(mesh, vertex);
    if (!(unfused_dot(down, local) > least_down)) return;
    const Vec3T<R> point = times_plus(geom.mat, local, geom.pos);
    if (norm(point - out[0].pos) >= least_apart) add(point);
  };
  if (mesh.graph) {
    const int* edge = hull.edges + hull.first_edge[lowest_in_hull];
    for (; *edge >= 0 && count < kMost; ++edge) consider(hull.mesh_vertex[*edge]);
  } else {
    for (int i = 0; i < mesh.vertnum && count < kMost; ++i) {
      if (i != lowest) consider(i);
    }
  }
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
