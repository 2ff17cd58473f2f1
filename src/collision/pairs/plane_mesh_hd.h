#pragma once
// Plane and convex hull of a mesh: the lowest vertex and up to two of its neighbours that are within the margin and far
// from it. Method: the reference's (start of the search, order and choice are the same, so that the same vertices
// come out where several are equally low). Two cases differ, since things must come to rest: meshes of fewer than ten
// vertices get up to four points that carry well (the reference takes neighbours of a wrong vertex there), and a face
// that lies flat stands on four of its corners (the reference has three on one side of it).
// Cost: a climb along the hull's edges; without a graph all vertices.

#include "collision/contact_point_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Meshes of fewer vertices are searched without their graph.
inline constexpr int kFewVertices = 10;

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

template <class R>
PLIANT_HD Vec3T<R> mesh_vertex(const MeshShape& mesh, int i) {
  return {R(mesh.vert[3 * i]), R(mesh.vert[3 * i + 1]), R(mesh.vert[3 * i + 2])};
}

/// The hull vertex farthest out in direction u, climbing from the first.
template <class R>
PLIANT_HD int climb_hull(const MeshShape& mesh, const HullGraph& hull, Vec3T<R> u) {
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
template <class R>
PLIANT_HD int farthest_vertex(const MeshShape& mesh, Vec3T<R> u) {
  int best = 0;
  R most = unfused_dot(u, mesh_vertex<R>(mesh, 0));
  for (int i = 1; i < mesh.vertnum; ++i) {
    const R out = unfused_dot(u, mesh_vertex<R>(mesh, i));
    if (out > most) most = out, best = i;
  }
  return best;
}

/// Points nearer than this to what carries already add nothing, in radii of the bounding sphere.
template <class R>
inline constexpr R kApart = R(0.05);

/// Of a few points below a plane of normal n those that carry best: the first, the one farthest from it, the one
/// farthest from the line through both, and the one farthest outside of that triangle. The answer is a set of bits;
/// points nearer than `apart` to what is there already add nothing.
template <class R>
PLIANT_HD unsigned best_support(const Vec3T<R>* points, int count, Vec3T<R> n, R apart) {
  // signed distance of p from the line through points a and b, seen against n
  auto beside = [&](int a, int b, Vec3T<R> p) {
    const Vec3T<R> line = points[b] - points[a];
    return unfused_dot(n, cross(line, p - points[a])) / unfused_norm(line);
  };
  int chosen[3] = {0, -1, -1};
  R most = apart;
  for (int k = 1; k < count; ++k) {
    const R distance = unfused_norm(points[k] - points[0]);
    if (distance > most) most = distance, chosen[1] = k;
  }
  if (chosen[1] < 0) return 1;
  most = apart;
  for (int k = 1; k < count; ++k) {
    const R distance = std::abs(beside(0, chosen[1], points[k]));
    if (distance > most) most = distance, chosen[2] = k;
  }
  unsigned bits = 1u | 1u << chosen[1];
  if (chosen[2] < 0) return bits;
  bits |= 1u << chosen[2];
  // outside: beyond one of the sides, the triangle being to the left of all of them
  if (beside(0, chosen[1], points[chosen[2]]) < 0) {
    const int swap = chosen[1];
    chosen[1] = chosen[2], chosen[2] = swap;
  }
  int fourth = -1;
  most = apart;
  for (int k = 1; k < count; ++k) {
    for (int side = 0; side < 3; ++side) {
      const R distance = -beside(chosen[side], chosen[(side + 1) % 3], points[k]);
      if (distance > most) most = distance, fourth = k;
    }
  }
  return fourth < 0 ? bits : bits | 1u << fourth;
}

/// Meshes of a few vertices: every vertex is looked at, and the up to four that carry best are taken.
template <class R>
PLIANT_HD int plane_and_few_vertices(const ShapeT<R>& plane, const ShapeT<R>& geom, int lowest, R margin,
                                     ContactPointT<R>* out) {
  const MeshShape& mesh = geom.mesh;
  const Vec3T<R> n = plane.mat.column(2);
  Vec3T<R> points[kFewVertices];
  R dists[kFewVertices];
  int count = 0;
  auto consider = [&](int vertex) {
    const Vec3T<R> point = unfused_times_plus(geom.mat, mesh_vertex<R>(mesh, vertex), geom.pos);
    const R dist = unfused_dot(n, point - plane.pos);
    // vertices of the upper half do not carry
    if (dist > margin || (vertex != lowest && unfused_dot(n, point - geom.pos) > 0)) return;
    points[count] = point, dists[count++] = dist;
  };
  consider(lowest);
  if (count == 0) return 0;
  for (int i = 0; i < mesh.vertnum; ++i) {
    if (i != lowest) consider(i);
  }
  const unsigned bits = best_support(points, count, n, kApart<R> * geom.rbound);
  int found = 0;
  for (int k = 0; k < count; ++k) {
    if (bits & 1u << k) out[found++] = {dists[k], unfused_sum(-dists[k] / 2, n, points[k]), n, {}};
  }
  return found;
}

/// The face at a vertex that lies flat on a plane below it; -1 if none does. `down`: own frame.
template <class R>
PLIANT_HD int flat_face(const MeshShape& mesh, int vertex, Vec3T<R> down) {
  constexpr R kFlat = R(1 - 5e-5);  // cosine of 0.6 degrees
  int best = -1;
  R most = kFlat;
  if (mesh.polynum == 0) return -1;
  const int* faces = mesh.polymap + mesh.polymapadr[vertex];
  for (int i = 0; i < mesh.polymapnum[vertex]; ++i) {
    const double* normal = mesh.polynormal + 3 * faces[i];
    const R along = dot(down, Vec3T<R>{R(normal[0]), R(normal[1]), R(normal[2])});
    if (along > most) most = along, best = faces[i];
  }
  return best;
}

/// Four corners of a face, at least `apart` from each other's lines, that hold what stands on it: two far from each
/// other, and on both sides of their line the farthest. Only corners for which `touches` is true. The choice is made in
/// the mesh's own frame, so that it does not change when the mesh tilts a little; false if there are no four.
template <class R, class Touches>
PLIANT_HD bool face_support(const MeshShape& mesh, int face, R apart, Touches touches, int vertex[4]) {
  const int* loop = mesh.polyvert + mesh.polyvertadr[face];
  const int count = mesh.polyvertnum[face];
  const double* up = mesh.polynormal + 3 * face;
  const Vec3T<R> normal{R(up[0]), R(up[1]), R(up[2])};
  // the corner for which `far` is largest, above `least`; -1: none
  auto farthest = [&](R least, auto far) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      if (!touches(loop[i])) continue;
      const R value = far(mesh_vertex<R>(mesh, loop[i]));
      if (value > least) least = value, best = loop[i];
    }
    return best;
  };
  const Vec3T<R> start = mesh_vertex<R>(mesh, loop[0]);
  vertex[0] = farthest(R(-1), [&](Vec3T<R> p) { return unfused_norm(p - start); });
  if (vertex[0] < 0) return false;
  const Vec3T<R> a = mesh_vertex<R>(mesh, vertex[0]);
  vertex[1] = farthest(apart, [&](Vec3T<R> p) { return unfused_norm(p - a); });
  if (vertex[1] < 0) return false;
  const Vec3T<R> line = mesh_vertex<R>(mesh, vertex[1]) - a, left = cross(normal, line) * (1 / unfused_norm(line));
  vertex[2] = farthest(apart, [&](Vec3T<R> p) { return unfused_dot(left, p - a); });
  vertex[3] = farthest(apart, [&](Vec3T<R> p) { return -unfused_dot(left, p - a); });
  return vertex[2] >= 0 && vertex[3] >= 0;
}

template <class R>
PLIANT_HD_NOINLINE int plane_mesh(const ShapeT<R>& plane, const ShapeT<R>& geom, R margin, ContactPointT<R>* out) {
  constexpr int kMost = 3, kCorners = 4;  // points about the lowest vertex; of a face that lies flat
  constexpr R kSpread = R(0.3);           // least distance from the first, in radii of the bounding sphere
  const MeshShape& mesh = geom.mesh;
  const Vec3T<R> n = plane.mat.column(2), down = unfused_transposed_times(geom.mat, -n);

  if (mesh.vertnum < kFewVertices) {
    return plane_and_few_vertices(plane, geom, farthest_vertex(mesh, down), margin, out);
  }

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
    const R dist = unfused_dot(n, point - plane.pos);
    out[count++] = {dist, unfused_sum(-dist / 2, n, point), n, {}};
  };
  add(unfused_times_plus(geom.mat, mesh_vertex<R>(mesh, lowest), geom.pos));
  if (out[0].dist > margin) return 0;

  // a face that lies flat stands on four of its corners
  const int face = flat_face(mesh, lowest, down);
  if (face >= 0 && mesh.polyvertnum[face] >= kCorners) {
    int vertex[kCorners];
    auto place = [&](int v) { return unfused_times_plus(geom.mat, mesh_vertex<R>(mesh, v), geom.pos); };
    auto touches = [&](int v) { return !(unfused_dot(n, place(v) - plane.pos) > margin); };
    if (face_support(mesh, face, kApart<R> * geom.rbound, touches, vertex)) {
      count = 0;
      for (int v : vertex) add(place(v));
      return count;
    }
  }

  // others, if they are low enough and far enough from the first point
  const R least_down = unfused_dot(n, geom.pos - plane.pos) - margin, least_apart = kSpread * geom.rbound;
  auto consider = [&](int vertex) {
    const Vec3T<R> local = mesh_vertex<R>(mesh, vertex);
    if (!(unfused_dot(down, local) > least_down)) return;
    const Vec3T<R> point = unfused_times_plus(geom.mat, local, geom.pos);
    if (unfused_norm(point - out[0].pos) >= least_apart) add(point);
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
