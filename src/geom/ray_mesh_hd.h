#pragma once
// Rays against the triangles of a mesh (all of them, not its hull), through its tree of boxes.
//
// The nearer child is entered first, the other waits on a stack; boxes beyond the best hit are
// skipped. Boxes are widened by a few rounding errors, so that the answer is that of testing every
// triangle: the smallest x, and of equal ones the triangle of the lowest number. Cost: about
// log(triangles) boxes.

#include "geom/ray_flat_hd.h"
#include "math/field_values.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Triangles and boxes of a mesh, from where Model has them; Boxes is an array of reals.
template <class Boxes>
struct MeshFaces {
  const float* vert;  // 3 per vertex, mesh frame
  const int* face;    // 3 vertices per triangle
  int facenum;
  Boxes aabb;         // centre and half sizes of each box
  const int* child;   // two boxes inside, or -1 -1
  const int* nodeid;  // triangle at a leaf
  int bvhnum;
};

template <class M>
PLIANT_HD auto mesh_faces(const M& m, int mesh) {
  const int box = m.mesh_bvhadr[mesh];
  const auto boxes = constant(m.bvh_aabb + 6 * box);
  return MeshFaces<std::remove_const_t<decltype(boxes)>>{m.mesh_vert + 3 * size_t(m.mesh_vertadr[mesh]),
                                                         m.mesh_face + 3 * size_t(m.mesh_faceadr[mesh]),
                                                         m.mesh_facenum[mesh],
                                                         boxes,
                                                         m.bvh_child + 2 * size_t(box),
                                                         m.bvh_nodeid + box,
                                                         m.mesh_bvhnum[mesh]};
}

/// The nearest hit on triangles so far.
template <class R>
struct FaceHit {
  R x = -1;
  int face = -1;
};

template <class R, class Boxes>
PLIANT_HD void try_face(const MeshFaces<Boxes>& mesh, int face, const ShearedRay<R>& ray, FaceHit<R>& hit) {
  Vec3T<R> corner[3];
  for (int k = 0; k < 3; ++k) {
    const float* v = mesh.vert + 3 * size_t(mesh.face[3 * face + k]);
    corner[k] = {R(v[0]), R(v[1]), R(v[2])};
  }
  const R x = ray_triangle(ray, corner[0], corner[1], corner[2]);
  if (x >= 0 && (hit.x < 0 || x < hit.x || (x == hit.x && face < hit.face))) hit = {x, face};
}

/// Every triangle in turn.
template <class R, class Boxes>
PLIANT_HD_NOINLINE FaceHit<R> ray_all_faces(const MeshFaces<Boxes>& mesh, Vec3T<R> p, Vec3T<R> v) {
  const ShearedRay<R> ray = sheared(p, v);
  FaceHit<R> hit;
  for (int face = 0; face < mesh.facenum; ++face) try_face(mesh, face, ray, hit);
  return hit;
}

/// A ray prepared for the boxes of a tree: reciprocals of its direction, and by how much all boxes
/// are widened. What the test of a triangle accepts must lie in the widened box: the boxes were
/// made before the vertices were rounded to single precision, and the test errs by a few roundings
/// of numbers as large as the way to the farthest corner.
template <class R>
struct SlabRay {
  Vec3T<R> p, inverse, width;  // width: |inverse|
  R pad;
};
template <class R, class Boxes>
PLIANT_HD SlabRay<R> slab_ray(Vec3T<R> p, Vec3T<R> v, const Boxes& root) {
  // What is this much smaller than the largest component moves the ray by less than a rounding
  // error.
  constexpr R kNothing = R(1e-18);
  constexpr R kSingle = R(6e-8);  // half the distance of numbers in single precision
  constexpr R kRoundings = sizeof(R) == 4 ? R(2e-6) : R(4e-15);
  const R ax = std::abs(v.x), ay = std::abs(v.y), az = std::abs(v.z);
  const R least = kNothing * (ax >= ay && ax >= az ? ax : ay >= az ? ay : az);
  SlabRay<R> ray{p, {}, {}, 0};
  for (int k = 0; k < 3; ++k) {
    const R size = std::abs(v[k]) < least ? least : std::abs(v[k]);
    ray.width[k] = 1 / size;
    ray.inverse[k] = v[k] < 0 ? -ray.width[k] : ray.width[k];
    ray.pad += kRoundings * (std::abs(R(root[k]) - p[k]) + R(root[3 + k]));
    ray.pad += kSingle * (std::abs(R(root[k])) + R(root[3 + k]));
  }
  return ray;
}

/// Smallest x >= 0 at which the ray is inside the widened box, or -1.
template <class R, class Boxes>
PLIANT_HD R enter_box(const SlabRay<R>& ray, const Boxes& aabb) {
  R enter = 0, leave = R(1e30);
  for (int k = 0; k < 3; ++k) {
    const R middle = (R(aabb[k]) - ray.p[k]) * ray.inverse[k], half = (R(aabb[3 + k]) + ray.pad) * ray.width[k];
    const R low = middle - half, high = middle + half;
    enter = low > enter ? low : enter;
    leave = high < leave ? high : leave;
  }
  return enter <= leave ? enter : R(-1);
}

/// The nearest triangle if its x <= limit; else none, or any.
template <class R, class Boxes>
PLIANT_HD_NOINLINE FaceHit<R> ray_mesh(const MeshFaces<Boxes>& mesh, Vec3T<R> p, Vec3T<R> v, R limit) {
  constexpr int kDepth = 64;  // compiled trees are balanced: twice the levels that 2^31 triangles need
  int box_of[kDepth];
  R enter_of[kDepth];
  int waiting = 0;
  FaceHit<R> hit;
  R best = limit;
  if (mesh.bvhnum <= 0) return ray_all_faces(mesh, p, v);
  const SlabRay<R> slabs = slab_ray(p, v, mesh.aabb);
  int box = 0;
  R enter = enter_box(slabs, mesh.aabb);
  if (!(enter >= 0 && enter <= best)) return hit;
  const ShearedRay<R> ray = sheared(p, v);
  while (true) {
    // down to a leaf, the nearer child first
    while (enter >= 0 && enter <= best) {
      const int left = mesh.child[2 * box], right = mesh.child[2 * box + 1];
      if (mesh.nodeid[box] >= 0) {
        try_face(mesh, mesh.nodeid[box], ray, hit);
        if (hit.x >= 0 && hit.x < best) best = hit.x;
        break;
      }
      const R enter_left = left < 0 ? R(-1) : enter_box(slabs, mesh.aabb + 6 * left);
      const R enter_right = right < 0 ? R(-1) : enter_box(slabs, mesh.aabb + 6 * right);
      if (enter_left < 0 && enter_right < 0) break;
      const bool right_first = enter_left < 0 || (enter_right >= 0 && enter_right < enter_left);
      box = right_first ? right : left, enter = right_first ? enter_right : enter_left;
      const R later = right_first ? enter_left : enter_right;
      if (later < 0) continue;
      if (waiting == kDepth) return ray_all_faces(mesh, p, v);  // a tree no compiler makes
      box_of[waiting] = right_first ? left : right, enter_of[waiting++] = later;
    }
    if (waiting == 0) return hit;
    box = box_of[--waiting], enter = enter_of[waiting];
  }
}

/// Normal of a triangle by its winding, its largest component 1 or -1.
template <class R, class Boxes>
PLIANT_HD Vec3T<R> face_normal(const MeshFaces<Boxes>& mesh, int face) {
  Vec3T<R> corner[3];
  for (int k = 0; k < 3; ++k) {
    const float* v = mesh.vert + 3 * size_t(mesh.face[3 * face + k]);
    corner[k] = {R(v[0]), R(v[1]), R(v[2])};
  }
  const Vec3T<R> n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const R ax = std::abs(n.x), ay = std::abs(n.y), az = std::abs(n.z);
  const R largest = ax >= ay && ax >= az ? ax : ay >= az ? ay : az;
  return n * (1 / largest);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
