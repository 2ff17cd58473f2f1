#pragma once
// Rays against geoms: one shape by type, or the nearest geom of a model.
//
// reads geom_xpos geom_xmat · cost: for each geom the distance of its bounding sphere to the ray, for the few near it
// the shape itself
//
// Bounding spheres come from the shapes as they are now and are a little too large: they leave out what cannot be hit
// and nothing else. (The reference's many-ray function drops geoms by boxes that are not rotated with their body, that
// do not contain visual geoms, and by the origin of planes.)

#include "geom/ray_flat_hd.h"
#include "geom/ray_hfield_hd.h"
#include "geom/ray_mesh_hd.h"
#include "geom/ray_round_hd.h"
#include "geom/shape_hd.h"

namespace pliant {

/// A ray p + x v in the world.
template <class R> struct RayT {
  Vec3T<R> p, v;
};

template <class R> struct RayHitT {
  R x = -1;         // -1: nothing was hit
  int geom = -1;
  Vec3T<R> normal;  // while searching: in the geom's frame, of any length
};

/// Which geoms rays see. Invisible ones (alpha 0) are never seen.
struct RayView {
  unsigned char group[6] = {1, 1, 1, 1, 1, 1};  // visibility groups, the last one for all above
  bool fixed = true;                            // geoms that cannot move
  int exclude_body = -1;
};

/// Shapes without arrays, in their own frame; -1 for others.
template <class R>
PLIANT_HD R ray_primitive(GeomType type, Vec3T<R> size, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  switch (type) {
    case GeomType::kPlane: return ray_plane(size, p, v, normal);
    case GeomType::kSphere: return ray_sphere(size, p, v, normal);
    case GeomType::kCapsule: return ray_capsule(size, p, v, normal);
    case GeomType::kEllipsoid: return ray_ellipsoid(size, p, v, normal);
    case GeomType::kCylinder: return ray_cylinder(size, p, v, normal);
    case GeomType::kBox: return ray_box(size, p, v, normal);
    default: return -1;
  }
}

template <class M> PLIANT_HD HfieldShape hfield_shape(const M& m, int id) {
  return {m.hfield_data + m.hfield_adr[id], m.hfield_nrow[id], m.hfield_ncol[id],
          {m.hfield_size[4 * id], m.hfield_size[4 * id + 1], m.hfield_size[4 * id + 2], m.hfield_size[4 * id + 3]}};
}

/// One geom in its own frame. Hits beyond `limit` need not be found.
template <class M, class R>
PLIANT_HD R ray_geom_local(const M& m, int geom, Vec3T<R> p, Vec3T<R> v, R limit, Vec3T<R>& normal) {
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  const int id = m.geom_dataid[geom];
  if (type == GeomType::kMesh && id >= 0) {
    const auto faces = mesh_faces(m, id);
    const FaceHit<R> hit = ray_mesh(faces, p, v, limit);
    if (hit.face >= 0) normal = face_normal<R>(faces, hit.face);
    return hit.x;
  }
  if (type == GeomType::kHfield && id >= 0) return ray_hfield(hfield_shape(m, id), p, v, normal);
  return ray_primitive(type, Vec3T<R>(vec3(m.geom_size, geom)), p, v, normal);
}

/// A sphere around a geom in the world; radius < 0: it has none.
template <class R> struct BoundingSphere {
  Vec3T<R> center;
  R radius2 = -1, radius = -1;
};
template <class M, class D> PLIANT_HD auto bounding_sphere(const M& m, const D& d, int geom) {
  using R = typename D::Real;
  const Vec3T<R> size = vec3(m.geom_size, geom);
  Vec3T<R> half = size, offset;
  const int id = m.geom_dataid[geom];
  BoundingSphere<R> sphere;
  switch (static_cast<GeomType>(m.geom_type[geom])) {
    case GeomType::kPlane: return sphere;
    case GeomType::kSphere: half = {size.x, 0, 0}; break;
    case GeomType::kCapsule: half = {size.x + size.y, 0, 0}; break;
    case GeomType::kCylinder: half = {size.x, size.y, 0}; break;
    case GeomType::kEllipsoid: half = {size.x > size.y ? size.x : size.y, 0, 0}; if (size.z > half.x) half.x = size.z; break;
    case GeomType::kMesh: {
      if (id < 0 || m.mesh_bvhnum[id] <= 0) return sphere;
      const auto* box = m.bvh_aabb + 6 * size_t(m.mesh_bvhadr[id]);
      offset = {R(box[0]), R(box[1]), R(box[2])}, half = {R(box[3]), R(box[4]), R(box[5])};
      break;
    }
    case GeomType::kHfield: {
      if (id < 0) return sphere;
      const R top = m.hfield_size[4 * id + 2], base = m.hfield_size[4 * id + 3];
      offset = {0, 0, (top - base) / 2}, half = {m.hfield_size[4 * id], m.hfield_size[4 * id + 1], (top + base) / 2};
      break;
    }
    default: break;
  }
  sphere.center = times_plus(mat3(d.geom_xmat, geom), offset, vec3(d.geom_xpos, geom));
  sphere.radius2 = dot(half, half) * R(1.0001);  // rounding must not lose a corner
  sphere.radius = std::sqrt(sphere.radius2);
  return sphere;
}

template <class M> PLIANT_HD bool is_seen(const M& m, int geom, const RayView& view) {
  const int body = m.geom_bodyid[geom], material = m.geom_matid[geom], group = m.geom_group[geom];
  if (body == view.exclude_body) return false;
  if ((material < 0 ? m.geom_rgba[4 * geom + 3] : m.mat_rgba[4 * material + 3]) == 0) return false;
  if (!view.fixed && m.body_weldid[body] == 0) return false;
  return view.group[group < 0 ? 0 : group > 5 ? 5 : group] != 0;
}

/// Whether the ray may hit something inside the sphere at x < best (best < 0: anywhere). vv = v·v, length = |v|.
template <class R>
PLIANT_HD bool may_hit(const BoundingSphere<R>& sphere, const RayT<R>& ray, R vv, R length, R best) {
  const Vec3T<R> from = ray.p - sphere.center;
  const R along = dot(ray.v, from);
  if (along > 0 && dot(from, from) > sphere.radius2) return false;  // behind
  const Vec3T<R> w = cross(ray.v, from);
  if (dot(w, w) > vv * sphere.radius2) return false;  // beside
  return best < 0 || -along - sphere.radius * length <= best * vv;
}

/// The nearest hit of each of n <= kRayBlock rays. Directions of length zero hit nothing. Geoms whose bounding sphere
/// (planes: their plane) is farther than `cutoff` from the start of the first ray are left out.
inline constexpr int kRayBlock = 32;
template <class M, class D, class R>
PLIANT_HD_NOINLINE void ray_block(const M& m, const D& d, const RayView& view, R cutoff, const RayT<R>* rays, int n,
                                  RayHitT<R>* hits) {
  R vv[kRayBlock], length[kRayBlock];
  for (int k = 0; k < n; ++k) {
    hits[k] = {};
    vv[k] = dot(rays[k].v, rays[k].v);
    length[k] = std::sqrt(vv[k]);
  }
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (!is_seen(m, geom, view)) continue;
    const auto sphere = bounding_sphere(m, d, geom);
    const Mat3T<R> mat = mat3(d.geom_xmat, geom);
    const Vec3T<R> pos = vec3(d.geom_xpos, geom);
    const Vec3T<R> first = rays[0].p - (sphere.radius < 0 ? pos : sphere.center);
    const R far = sphere.radius < 0 ? std::abs(dot(first, mat.column(2))) : norm(first) - sphere.radius;
    if (far > cutoff) continue;
    for (int k = 0; k < n; ++k) {
      if (!(length[k] >= R(kTiny))) continue;
      RayHitT<R>& hit = hits[k];
      if (sphere.radius >= 0 && !may_hit(sphere, rays[k], vv[k], length[k], hit.x)) continue;
      Vec3T<R> normal;
      const R x = ray_geom_local(m, geom, transposed_times(mat, rays[k].p - pos), transposed_times(mat, rays[k].v),
                                 hit.x < 0 ? R(1e30) : hit.x, normal);
      if (x >= 0 && (hit.x < 0 || x < hit.x)) hit = {x, geom, normal};
    }
  }
  // normals: into the world, unit length
  for (int k = 0; k < n; ++k) {
    if (hits[k].geom >= 0) hits[k].normal = mat3(d.geom_xmat, hits[k].geom) * normalized(hits[k].normal);
  }
}

/// The nearest hit of one ray.
template <class M, class D, class R>
PLIANT_HD RayHitT<R> nearest_hit(const M& m, const D& d, const RayView& view, Vec3T<R> p, Vec3T<R> v) {
  const RayT<R> ray{p, v};
  RayHitT<R> hit;
  ray_block(m, d, view, R(1e30), &ray, 1, &hit);
  return hit;
}

}  // namespace pliant
