#pragma once
// Plane and convex hull of a mesh: the lowest vertex, and of the face there that looks most towards the plane the other
// three corners of a wide quadrilateral, as far as they are within the margin and below the mesh's middle.
//
// Method, order and rounding: the reference's (MuJoCo 3.13 and later), so that the same vertices come out where several
// are equally low. One case differs: a face of more than four corners that lies flat stands on four of them that do not
// depend on which one is lowest, or what stands there would hum for ever.
// Cost: a climb along the hull's edges (few vertices: all of them) and a walk around one face.

#include "collision/contact_point_hd.h"
#include "collision/flat_face_hd.h"
#include "collision/unfused_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Meshes of fewer vertices are searched without their graph.
inline constexpr int kFewVertices = 10;

template <class R>
PLIANT_HD Vec3T<R> mesh_vertex(const MeshShapeT<R>& mesh, int i) {
  return {R(mesh.vert[3 * i]), R(mesh.vert[3 * i + 1]), R(mesh.vert[3 * i + 2])};
}

/// The mesh vertex farthest out in direction u (unit vector). Of equals: the first, or the one that a climb from the
/// prepared vertex of this direction meets first.
template <class R>
PLIANT_HD int lowest_vertex(const MeshShapeT<R>& mesh, Vec3T<R> u) {
  int best = 0;
  if (!mesh.graph || mesh.vertnum < kFewVertices) {
    R most = unfused_dot(u, mesh_vertex<R>(mesh, 0));
    for (int i = 1; i < mesh.vertnum; ++i) {
      const R out = unfused_dot(u, mesh_vertex<R>(mesh, i));
      if (out > most) most = out, best = i;
    }
    return best;
  }
  // the graph: for each hull vertex its first edge and its mesh vertex, then the edges (hull vertices, each list closed
  // by -1)
  const int* first_edge = mesh.graph + 2;
  const int* vertex = first_edge + mesh.graph[0];
  const int* edges = vertex + mesh.graph[0];
  constexpr R kCell = R(0.4);  // cells of prepared vertices along each axis
  const auto cell = [](R x) { return (x > kCell) - (x < -kCell); };
  best = mesh.extrema[9 * cell(u.x) + 3 * cell(u.y) + cell(u.z) + 13];
  R most = unfused_dot(u, mesh_vertex<R>(mesh, vertex[best]));
  for (int at = -1; at != best;) {
    at = best;
    for (const int* edge = edges + first_edge[at]; *edge >= 0; ++edge) {
      const R out = unfused_dot(u, mesh_vertex<R>(mesh, vertex[*edge]));
      if (out > most) most = out, best = *edge;
    }
  }
  return vertex[best];
}

/// The face at a vertex that looks most against n (own frame); -1 if there is none.
template <class R>
PLIANT_HD int face_against(const MeshShapeT<R>& mesh, int vertex, Vec3T<R> n) {
  if (mesh.polynum == 0) return -1;
  const int* faces = mesh.polymap + mesh.polymapadr[vertex];
  int best = -1;
  R least = 1;
  for (int i = 0; i < mesh.polymapnum[vertex]; ++i) {
    const R* normal = mesh.polynormal + 3 * faces[i];
    const R along = unfused_dot(Vec3T<R>{normal[0], normal[1], normal[2]}, n);
    if (along < least) least = along, best = faces[i];
  }
  return best;
}

/// Whether a face has more than four corners and lies flat on a plane of normal n (own frame).
template <class R>
PLIANT_HD bool is_wide_and_flat(const MeshShapeT<R>& mesh, int face, Vec3T<R> n) {
  const R* normal = mesh.polynormal + 3 * face;
  const Vec3T<R> tilt = cross(Vec3T<R>{normal[0], normal[1], normal[2]}, n);
  return mesh.polyvertnum[face] > 4 && dot(tilt, tilt) < kFlatSlope<R> * kFlatSlope<R>;
}

/// Corners of a face, beginning with a vertex (-1: any): all of up to four; of more, four that span much, in the order
/// of the face. The fourth walks around, and the others follow as long as that makes the quadrilateral larger.
template <class R>
PLIANT_HD int wide_corners(const MeshShapeT<R>& mesh, int face, int vertex, int corner[4]) {
  const int* loop = mesh.polyvert + mesh.polyvertadr[face];
  const int count = mesh.polyvertnum[face];
  int start = 0;
  while (start < count && loop[start] != vertex) ++start;
  if (start == count) start = 0;
  const auto after = [&](int i) { return i + 1 == count ? 0 : i + 1; };
  const auto point = [&](int i) { return mesh_vertex<R>(mesh, loop[i]); };
  const Vec3T<R> a = point(start);
  const auto area = [&](int b, int c, int d) {
    return R(0.5) * unfused_norm(unfused_cross(a - point(c), point(b) - point(d)));
  };
  int b = (start + 1) % count, c = (start + 2) % count, d = (start + 3) % count;
  if (count > 4) {
    R largest = area(b, c, d);
    for (R now; (now = area(b, c, after(d))) > largest;) {
      largest = now, d = after(d);
      for (; (now = area(b, after(c), d)) > largest;) largest = now, c = after(c);
      for (; (now = area(after(b), c, d)) > largest;) largest = now, b = after(b);
    }
  }
  corner[0] = loop[start], corner[1] = loop[b], corner[2] = loop[c], corner[3] = loop[d];
  return count < 4 ? count : 4;
}

template <class R>
PLIANT_HD_NOINLINE int plane_mesh(const ShapeT<R>& plane, const ShapeT<R>& geom, R margin, ContactPointT<R>* out) {
  const MeshShapeT<R>& mesh = geom.mesh;
  const Vec3T<R> n = plane.mat.column(2), up = unfused_transposed_times(geom.mat, n);
  const int lowest = lowest_vertex(mesh, -up);
  int count = 0;
  const auto add = [&](int vertex, bool below_middle) {
    const Vec3T<R> point = unfused_times_plus(geom.mat, mesh_vertex<R>(mesh, vertex), geom.pos);
    const R dist = unfused_dot(n, point - plane.pos);
    if (dist > margin || (below_middle && unfused_dot(n, point - geom.pos) > 0)) return;
    out[count++] = {dist, unfused_sum(-dist / 2, n, point), n, {}};
  };
  add(lowest, false);
  const int face = count > 0 ? face_against(mesh, lowest, up) : -1;
  if (face < 0) return count;
  int corner[4];
  if (is_wide_and_flat(mesh, face, up)) {
    count = 0;
    wide_corners<R>(mesh, face, -1, corner);
    for (int vertex : corner) add(vertex, true);
    if (count == 4) return count;
    count = 0;
    add(lowest, false);
  }
  const int corners = wide_corners<R>(mesh, face, lowest, corner);
  for (int i = 1; i < corners; ++i) add(corner[i], true);
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
