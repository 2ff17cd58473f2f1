#pragma once
// How far a convex body A juts out of a site B, itself convex: the directed Hausdorff distance with a sign,
//
//   h = max over a in A of dist_B(a) = max over directions n of σ_A(n) - σ_B(n),
//
// dist_B(a) positive outside, negative inside; σ are support functions. h ≤ 0: enclosed, with that clearance.
//
// reads poses of geoms and sites, meshes · writes the number of one sensor
// dist_B is convex, so it is greatest at an extreme point of A. Corners (boxes, meshes) and the ends of a segment
// (spheres, capsules) are tried one by one. On an ellipsoid or the rim of a cylinder points ascend,
//   a ← the point of A farthest along ∇dist_B(a),
// which never decreases dist_B, from directions spread over the sphere, of which the best are followed to the end.
// The reference searches directions by steps that end early; ours is never below its answer.

#include "collision/geom_distance_hd.h"
#include "geom/ray_hd.h"
#include "geom/shape_hd.h"
#include "geom/support_hd.h"
#include "sensor/sensor_position_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A distance, positive outside, and the direction in which it grows fastest.
template <class R>
struct SignedDistance {
  R value = 0;
  Vec3T<R> normal;
};

/// Distance of a point from an ellipsoid about 0 with half axes s. With x the nearest point of the surface,
/// x_i = s_i² p_i / (t + s_i²), where t is the greatest root of Σ (s_i p_i / (t + s_i²))² = 1. Newton's method from the
/// left of the root converges monotonically, since the sum is convex and falls.
template <class R>
PLIANT_HD SignedDistance<R> ellipsoid_distance(Vec3T<R> p, Vec3T<R> s) {
  constexpr int kSteps = 100;
  int least = 0;
  for (int i = 1; i < 3; ++i) least = s[i] < s[least] ? i : least;
  const R floor = -s[least] * s[least];
  R t = floor;
  for (int i = 0; i < 3; ++i) t = at_least(t, s[i] * std::abs(p[i]) - s[i] * s[i]);
  const auto sum = [&](R at, R& slope) {
    R value = -1;
    slope = 0;
    for (int i = 0; i < 3; ++i) {
      const R below = at + s[i] * s[i];
      if (!(below > 0)) continue;  // on the axis of the least half axis: p_i = 0
      const R term = s[i] * p[i] / below;
      value += term * term;
      slope -= 2 * term * term / below;
    }
    return value;
  };
  R slope;
  R value = sum(t, slope);
  for (int k = 0; k < kSteps && value > 0; ++k) {
    const R next = t - value / slope;
    if (!(next > t)) break;
    t = next;
    value = sum(t, slope);
  }
  Vec3T<R> x;
  R rest = 1;
  for (int i = 0; i < 3; ++i) {
    const R below = t + s[i] * s[i];
    x[i] = below > 0 ? s[i] * s[i] * p[i] / below : R(0);
    rest -= x[i] * x[i] / (s[i] * s[i]);
  }
  // near the middle the nearest point is off the planes that p lies in
  if (!(t > floor) && rest > 0) x[least] = s[least] * std::sqrt(rest);
  const Vec3T<R> normal = normalized(Vec3T<R>{x.x / (s.x * s.x), x.y / (s.y * s.y), x.z / (s.z * s.z)});
  return {dot(p - x, normal), normal};
}

/// Of numbers that a point is beyond the planes of a shape: the distance if it is beyond at least one of them, else the
/// greatest, which is negative. `axes` are the outward directions.
template <class R>
PLIANT_HD SignedDistance<R> beyond_planes(int n, const R* beyond, const Vec3T<R>* axes) {
  Vec3T<R> out;
  int best = 0;
  for (int i = 0; i < n; ++i) {
    if (beyond[i] > 0) out = out + axes[i] * beyond[i];
    if (beyond[i] > beyond[best]) best = i;
  }
  if (!(beyond[best] > 0)) return {beyond[best], axes[best]};
  R length;
  const Vec3T<R> normal = normalized(out, length);
  return {length, normal};
}

template <class R>
PLIANT_HD R sign_of(R x) {
  return x < 0 ? R(-1) : R(1);
}

/// The point of a triangle nearest to p: in its plane, on an edge or at a corner.
template <class R>
PLIANT_HD Vec3T<R> nearest_of_triangle(const Vec3T<R> (&corners)[3], Vec3T<R> normal, Vec3T<R> p) {
  Vec3T<R> best;
  R least = kNoLimit<R>;
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3T<R> a = corners[k], edge = corners[(k + 1) % 3] - a;
    inside = inside && dot(cross(edge, p - a), normal) >= 0;
    const R along = dot(p - a, edge) / dot(edge, edge);
    const Vec3T<R> point = a + edge * (along < 0 ? R(0) : along > 1 ? R(1) : along);
    const R squared = dot(p - point, p - point);
    if (squared < least) least = squared, best = point;
  }
  return inside ? p - normal * dot(normal, p - corners[0]) : best;
}

/// The faces of a hull: f(normal, corners), in double precision from the corners themselves.
template <class R, class F>
PLIANT_HD void each_face(const MeshShapeT<R>& mesh, F&& f) {
  if (!mesh.graph) return;
  // after vertices and neighbours: three mesh vertices per face
  const int vertices = mesh.graph[0], faces = mesh.graph[1];
  const int* face = mesh.graph + 2 + 2 * vertices + vertices + 3 * faces;
  for (int k = 0; k < faces; ++k) {
    Vec3T<R> corners[3];
    for (Vec3T<R>& corner : corners) {
      const float* v = mesh.vert + 3 * *face++;
      corner = {R(v[0]), R(v[1]), R(v[2])};
    }
    const Vec3T<R> across = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (dot(across, across) > 0) f(normalized(across), corners);
  }
}

/// Distance of a point from a convex hull: inside that of the nearest face, outside that of the nearest point. A
/// direction counts with the farthest vertex of the mesh along it, so that faces which are hardly there do no harm.
template <class R>
PLIANT_HD_NOINLINE SignedDistance<R> hull_distance(const ShapeT<R>& hull, Vec3T<R> p) {
  const MeshShapeT<R>& mesh = hull.mesh;
  SignedDistance<R> inside{-kNoLimit<R>, {}}, outside{kNoLimit<R>, {}};
  each_face<R>(mesh, [&](Vec3T<R> normal, const Vec3T<R>(&corners)[3]) {
    const R height = dot(normal, p - corners[0]);
    if (height > 0 && height < outside.value) {
      R length;
      const Vec3T<R> away = normalized(p - nearest_of_triangle(corners, normal, p), length);
      if (length < outside.value) outside = {length, away};
    }
    if (!(height > inside.value)) return;
    const R beyond = dot(normal, p) - dot_float(normal, mesh.vert + 3 * search_vertices(mesh, normal));
    if (beyond > inside.value) inside = {beyond, normal};
  });
  if (mesh.graph) return inside.value > 0 ? outside : inside;
  // a mesh without a hull: GJK and EPA look for it, with a sphere that has no radius
  ShapeT<R> point, here = hull;
  point.type = GeomType::kSphere;
  point.pos = p;
  here.pos = {};
  here.mat = {};
  Vec3T<R> points[2];
  const R distance = shape_distance(here, point, kNoLimit<R>, points);
  const Vec3T<R> along = distance > 0 ? p - points[0] : points[0] - p;
  return {distance, normalized(along)};
}

/// Distance of a point, in the axes of a shape centred at 0, from the shape.
template <class R>
PLIANT_HD SignedDistance<R> shape_signed_distance(const ShapeT<R>& shape, Vec3T<R> p) {
  const Vec3T<R> size = shape.size;
  switch (shape.type) {
    case GeomType::kSphere:
    case GeomType::kCapsule: {
      if (shape.type == GeomType::kCapsule) {
        const R beyond = std::abs(p.z) - size.y;
        p.z = beyond > 0 ? sign_of(p.z) * beyond : R(0);
      }
      R length;
      const Vec3T<R> normal = normalized(p, length);
      return {length - size.x, normal};
    }
    case GeomType::kEllipsoid:
      return ellipsoid_distance(p, size);
    case GeomType::kCylinder: {
      R radius;
      const Vec3T<R> axes[2] = {normalized(Vec3T<R>{p.x, p.y, 0}, radius), {0, 0, sign_of(p.z)}};
      const R beyond[2] = {radius - size.x, std::abs(p.z) - size.y};
      return beyond_planes(2, beyond, axes);
    }
    case GeomType::kBox: {
      const Vec3T<R> axes[3] = {{sign_of(p.x), 0, 0}, {0, sign_of(p.y), 0}, {0, 0, sign_of(p.z)}};
      const R beyond[3] = {std::abs(p.x) - size.x, std::abs(p.y) - size.y, std::abs(p.z) - size.z};
      return beyond_planes(3, beyond, axes);
    }
    case GeomType::kMesh:
      return hull_distance(shape, p);
    default:
      return {};
  }
}

/// Site `site` where Data has it. A mesh lies in the site's frame as its file has it.
template <class M, class D>
PLIANT_HD ShapeT<typename D::Real> site_shape(const M& m, const D& d, int site) {
  using R = typename D::Real;
  ShapeT<R> shape;
  shape.type = static_cast<GeomType>(m.site_type[site]);
  shape.size = vec3(m.site_size, site);
  shape.pos = vec3(d.site_xpos, site);
  shape.mat = mat3(d.site_xmat, site);
  const int mesh = m.site_dataid[site];
  if (mesh < 0) return shape;
  shape.pos = shape.pos + shape.mat * Vec3T<R>(vec3(m.mesh_pos, mesh));
  shape.mat = shape.mat * matrix(QuatT<R>(quat(m.mesh_quat, mesh)));
  shape.mesh = mesh_shape(m, mesh);
  return shape;
}

/// How far A juts out of B; both in the world.
template <class R>
class Enclosure {
 public:
  PLIANT_HD Enclosure(const ShapeT<R>& a, const ShapeT<R>& b) : a_(a), b_(b) {
    // A in the axes of B
    turn_ = transpose(b.mat) * a.mat;
    shift_ = transposed_times(b.mat, a.pos - b.pos);
  }

  PLIANT_HD R value() {
    const Vec3T<R> s = a_.size;
    switch (a_.type) {
      case GeomType::kSphere:
        return distance({}).value + s.x;
      case GeomType::kCapsule:
        return greatest(distance({0, 0, s.y}).value, distance({0, 0, -s.y}).value) + s.x;
      case GeomType::kBox: {
        R most = -kNoLimit<R>;
        for (int k = 0; k < 8; ++k) {
          const Vec3T<R> corner{k & 1 ? s.x : -s.x, k & 2 ? s.y : -s.y, k & 4 ? s.z : -s.z};
          most = greatest(most, distance(corner).value);
        }
        return most;
      }
      case GeomType::kMesh: {
        R most = -kNoLimit<R>;
        for (int k = 0; k < a_.mesh.vertnum; ++k) {
          const float* v = a_.mesh.vert + 3 * k;
          most = greatest(most, distance({R(v[0]), R(v[1]), R(v[2])}).value);
        }
        return most;
      }
      default:
        return round();
    }
  }

 private:
  PLIANT_HD static R greatest(R x, R y) { return x > y ? x : y; }

  /// Of a point in the axes of A, from B; the normal in the axes of B.
  PLIANT_HD SignedDistance<R> distance(Vec3T<R> p) const { return shape_signed_distance(b_, turn_ * p + shift_); }

  /// The extreme point of an ellipsoid or cylinder along a direction in the axes of B. What leaves it open stays near
  /// `last`.
  PLIANT_HD Vec3T<R> farthest(Vec3T<R> n, Vec3T<R> last) const {
    const Vec3T<R> d = transposed_times(turn_, n), s = a_.size;
    if (a_.type == GeomType::kEllipsoid) {
      const Vec3T<R> scaled{s.x * d.x, s.y * d.y, s.z * d.z};
      const Vec3T<R> unit = normalized(scaled);
      return {s.x * unit.x, s.y * unit.y, s.z * unit.z};
    }
    R across;
    Vec3T<R> radial = normalized(Vec3T<R>{d.x, d.y, 0}, across);
    if (across < R(kTiny)) radial = normalized(Vec3T<R>{last.x, last.y, 0});
    const R z = std::abs(d.z) < R(kTiny) ? last.z : d.z;
    return {s.x * radial.x, s.x * radial.y, sign_of(z) * s.y};
  }

  /// Ascends at most n steps from a point; returns the distance there.
  PLIANT_HD R ascend(Vec3T<R>& p, int n) const {
    SignedDistance<R> at = distance(p);
    for (int k = 0; k < n; ++k) {
      const Vec3T<R> next = farthest(at.normal, p);
      const SignedDistance<R> there = distance(next);
      if (!(there.value > at.value)) break;
      p = next;
      at = there;
    }
    return at.value;
  }

  PLIANT_HD_NOINLINE R round() {
    constexpr int kFollowed = 4, kFirstSteps = 4, kSteps = 1000;
    Vec3T<R> best[kFollowed];
    R value[kFollowed] = {};
    int n = 0;
    const auto start = [&](Vec3T<R> p) {
      const R v = ascend(p, kFirstSteps);
      int at = n < kFollowed ? n++ : kFollowed;
      // sorted, best first
      for (; at > 0 && v > value[at - 1]; --at) {
        if (at < kFollowed) value[at] = value[at - 1], best[at] = best[at - 1];
      }
      if (at < kFollowed) value[at] = v, best[at] = p;
    };
    // faces, edges and corners of a cube around B, and of one around A
    for (int k = 0; k < 27; ++k) {
      if (k == 13) continue;
      const Vec3T<R> direction = normalized(Vec3T<R>{R(k % 3 - 1), R(k / 3 % 3 - 1), R(k / 9 - 1)});
      start(farthest(direction, a_.size));
      start(farthest(turn_ * direction, a_.size));
    }
    if (b_.type == GeomType::kMesh) {
      each_face<R>(b_.mesh, [&](Vec3T<R> normal, const Vec3T<R>(&)[3]) { start(farthest(normal, a_.size)); });
    }
    R most = -kNoLimit<R>;
    for (int i = 0; i < n; ++i) most = greatest(most, ascend(best[i], kSteps));
    return most;
  }

  const ShapeT<R>&a_, &b_;
  Mat3T<R> turn_;
  Vec3T<R> shift_;
};

template <class M, class D>
PLIANT_HD_NOINLINE auto enclosure(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const ShapeT<R> zone = site_shape(m, d, m.sensor_refid[i]);
  const auto type = static_cast<ObjType>(m.sensor_objtype[i]);
  const int id = m.sensor_objid[i];
  if (type == ObjType::kGeom) return Enclosure<R>(geom_shape(m, d, id), zone).value();
  if (type == ObjType::kSite) return Enclosure<R>(site_shape(m, d, id), zone).value();
  // a body: its own geoms; the frame of a body: also those of all it carries
  R most = -kNoLimit<R>;
  for (int b = id; b < m.nbody; ++b) {
    int above = b;
    while (type == ObjType::kXbody && above > id) above = m.body_parentid[above];
    if (above != id) continue;
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      const ShapeT<R> shape = geom_shape(m, d, g);
      const R value = Enclosure<R>(shape, zone).value();
      most = value > most ? value : most;
    }
  }
  return most;
}

/// Whether a point of the world is inside a site; of a mesh, inside its convex hull.
template <class M, class D, class R>
PLIANT_HD bool is_inside_site(const M& m, const D& d, int site, Vec3T<R> point) {
  const auto type = static_cast<GeomType>(m.site_type[site]);
  if (type == GeomType::kMesh) {
    const ShapeT<R> zone = site_shape(m, d, site);
    return hull_distance(zone, transposed_times(zone.mat, point - zone.pos)).value < 0;
  }
  const Vec3T<R> from = point - vec3(d.site_xpos, site);
  return is_inside(type, Vec3T<R>(vec3(m.site_size, site)), transposed_times(mat3(d.site_xmat, site), from));
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_inside_site(const M& m, const S&, const D& d, int i, Out& out) {
  if (m.sensor_intprm[kNumSensorPrm * i] != 0) {
    out[0] = enclosure(m, d, i);
  } else {
    out[0] = is_inside_site(m, d, m.sensor_refid[i], sensor_object(m, d, i).pos);
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
