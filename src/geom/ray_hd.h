#pragma once
// Rays against geoms: one shape by type, or the nearest geom of a model.
//
// reads geom_xpos geom_xmat · cost: for each geom the distance of its bounding sphere to the ray,
// for the few near it the shape itself
//
// Bounding spheres come from the shapes as they are now and are a little too large: they leave out
// what cannot be hit and nothing else. (The reference's many-ray function drops geoms by boxes that
// are not rotated with their body, that do not contain visual geoms, and by the origin of planes.)

#include "geom/primitive_hd.h"
#include "geom/ray_hfield_hd.h"
#include "geom/ray_mesh_hd.h"
#include "geom/shape_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Farther than any hit.
template <class R>
inline constexpr R kNoLimit = R(1e30);

/// A ray p + x v in the world.
template <class R>
struct RayT {
  Vec3T<R> p, v;
};

template <class R>
struct RayHitT {
  R x = -1;  // -1: nothing was hit
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
  return with_primitive(type, R(-1), [&](auto shape) PLIANT_INLINED { return shape.ray(size, p, v, normal); });
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

/// A sphere around a geom in the world; radius2 < 0: it has none.
template <class R>
struct BoundingSphere {
  Vec3T<R> center;
  R radius2 = -1;
};
/// Around a box in the geom's frame.
template <class M, class D, class R>
PLIANT_HD BoundingSphere<R> sphere_of_box(const M&, const D& d, int geom, Vec3T<R> center, Vec3T<R> half) {
  return {times_plus(mat3(d.geom_xmat, geom), center, vec3(d.geom_xpos, geom)), dot(half, half)};
}
template <class M, class D>
PLIANT_HD auto bounding_sphere(const M& m, const D& d, int geom) {
  using R = typename D::Real;
  const Vec3T<R> size = vec3(m.geom_size, geom);
  BoundingSphere<R> sphere{vec3(d.geom_xpos, geom), 0};
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  const int id = m.geom_dataid[geom];
  if (type == GeomType::kMesh) {
    if (id >= 0 && m.mesh_bvhnum[id] > 0) {
      const auto box = m.bvh_aabb + 6 * m.mesh_bvhadr[id];
      sphere = sphere_of_box(m, d, geom, Vec3T<R>{R(box[0]), R(box[1]), R(box[2])},
                             Vec3T<R>{R(box[3]), R(box[4]), R(box[5])});
    }
  } else if (type == GeomType::kHfield) {
    if (id >= 0) {
      const R top = m.hfield_size[4 * id + 2], base = m.hfield_size[4 * id + 3];
      sphere = sphere_of_box(m, d, geom, Vec3T<R>{0, 0, (top - base) / 2},
                             Vec3T<R>{R(m.hfield_size[4 * id]), R(m.hfield_size[4 * id + 1]), (top + base) / 2});
    }
  } else {
    sphere.radius2 =
        with_primitive(type, dot(size, size), [&](auto shape) PLIANT_INLINED { return R(shape.radius2(size)); });
    if (sphere.radius2 < 0) return sphere;
  }
  sphere.radius2 *= R(1.0001);  // rounding must not lose a corner
  return sphere;
}

template <class M>
PLIANT_HD bool is_seen(const M& m, int geom, const RayView& view) {
  const int body = m.geom_bodyid[geom], material = m.geom_matid[geom], group = m.geom_group[geom];
  if (body == view.exclude_body) return false;
  if ((material < 0 ? m.geom_rgba[4 * geom + 3] : m.mat_rgba[4 * material + 3]) == 0) return false;
  if (!view.fixed && m.body_weldid[body] == 0) return false;
  return view.group[group < 0 ? 0 : group > 5 ? 5 : group] != 0;
}

/// Rays side by side, one array per number: the test against a sphere runs over all of them at
/// once.
inline constexpr int kRayBlock = 32;
template <class R>
struct RayLanes {
  R px[kRayBlock], py[kRayBlock], pz[kRayBlock], vx[kRayBlock], vy[kRayBlock], vz[kRayBlock];
  R vv[kRayBlock];    // v·v; -1 for a direction without length
  R best[kRayBlock];  // x of the nearest hit so far
};

/// Whether a ray may hit something inside the sphere before its nearest hit so far. With q = p -
/// centre: the sphere is behind if v·q > 0 from outside, beside if |v × q|² > v·v r², and beyond
/// the hit x if -v·q - r |v| > x v·v. No branches.
template <class R>
PLIANT_HD bool may_hit(const RayLanes<R>& ray, int k, const BoundingSphere<R>& sphere) {
  const R x = ray.px[k] - sphere.center.x, y = ray.py[k] - sphere.center.y, z = ray.pz[k] - sphere.center.z;
  const R vx = ray.vx[k], vy = ray.vy[k], vz = ray.vz[k], vv = ray.vv[k], r2 = sphere.radius2;
  const R along = mul_add(vz, z, mul_add(vy, y, vx * x)), away2 = mul_add(z, z, mul_add(y, y, x * x));
  const R wx = mul_add(vy, z, -(vz * y)), wy = mul_add(vz, x, -(vx * z)), wz = mul_add(vx, y, -(vy * x));
  const R beside2 = mul_add(wz, wz, mul_add(wy, wy, wx * wx)), reach2 = vv * r2;
  const R beyond = -mul_add(ray.best[k], vv, along);
  const bool behind = (along > 0) & (away2 > r2);
  return !(behind | (beside2 > reach2) | ((beyond > 0) & (beyond * beyond > reach2)));
}

/// Whether a geom is farther than `cutoff` from a point: its bounding sphere. Planes have none and are never left out.
template <class R>
PLIANT_HD bool is_beyond(const BoundingSphere<R>& sphere, Vec3T<R> point, R cutoff) {
  return sphere.radius2 >= 0 && norm(point - sphere.center) > cutoff + std::sqrt(sphere.radius2);
}

/// Keeps a hit that is nearer than `best`. Not part of ray_block: the loop over geoms that are
/// missed stays short.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void try_geom(const M& m, const D& d, int geom, const RayT<R>& ray, R& best, RayHitT<R>& hit) {
  const Mat3T<R> mat = mat3(d.geom_xmat, geom);
  const Vec3T<R> p = transposed_times(mat, ray.p - vec3(d.geom_xpos, geom));
  Vec3T<R> normal;
  const R x = ray_geom_local(m, geom, p, transposed_times(mat, ray.v), best, normal);
  if (x >= 0 && x < best) best = x, hit = {x, geom, normal};
}

/// The nearest hit of each of n <= kRayBlock rays. Directions of length zero hit nothing. Geoms
/// farther than `cutoff` from the start of the first ray are left out, planes excepted.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void ray_block(const M& m, const D& d, const RayView& view, R cutoff, const RayT<R>* rays, int n,
                                  RayHitT<R>* hits) {
  RayLanes<R> lanes;
  int maybe[kRayBlock];
  for (int k = 0; k < n; ++k) {
    const RayT<R>& ray = rays[k];
    const R vv = dot(ray.v, ray.v);
    hits[k] = {};
    lanes.px[k] = ray.p.x, lanes.py[k] = ray.p.y, lanes.pz[k] = ray.p.z;
    lanes.vx[k] = ray.v.x, lanes.vy[k] = ray.v.y, lanes.vz[k] = ray.v.z;
    lanes.vv[k] = vv >= R(kTiny) * R(kTiny) ? vv : R(-1);
    lanes.best[k] = kNoLimit<R>;
  }
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (!is_seen(m, geom, view)) continue;
    const auto sphere = bounding_sphere(m, d, geom);
    if (cutoff < kNoLimit<R> && is_beyond(sphere, rays[0].p, cutoff)) continue;
    if (sphere.radius2 < 0) {
      for (int k = 0; k < n; ++k) maybe[k] = lanes.vv[k] >= 0;
    } else if (n == 1) {
      maybe[0] = may_hit(lanes, 0, sphere);
    } else {
      for (int k = 0; k < n; ++k) maybe[k] = may_hit(lanes, k, sphere);
    }
    for (int k = 0; k < n; ++k) {
      if (!maybe[k]) continue;
      try_geom(m, d, geom, rays[k], lanes.best[k], hits[k]);
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
  ray_block(m, d, view, kNoLimit<R>, &ray, 1, &hit);
  return hit;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
