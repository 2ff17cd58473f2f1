// Rays through a model (geom/ray_hd.h).

#include <algorithm>

#include "geom/ray_hd.h"
#include "pliant/query.h"

namespace pliant {
namespace {

RayView view_of(const RayFilter& filter) {
  RayView view{{}, filter.fixed, filter.exclude_body};
  for (int k = 0; k < 6; ++k) view.group[k] = filter.group[k];
  return view;
}

RayHit public_hit(const RayHitT<double>& hit) {
  if (hit.geom < 0) return {};
  return {hit.x, hit.geom, {hit.normal.x, hit.normal.y, hit.normal.z}};
}

// Unit normal in the world from one in the shape's frame; zero without a hit.
void write_normal(double x, const Mat3& mat, Vec3 normal, double* out) {
  if (out == nullptr) return;
  const Vec3 world = x >= 0 ? mat * normalized(normal) : Vec3{};
  out[0] = world.x, out[1] = world.y, out[2] = world.z;
}

}  // namespace

RayHit ray(const Model& m, const Data& d, const double point[3], const double direction[3], const RayFilter& filter) {
  return public_hit(nearest_hit(m, d, view_of(filter), vec3(point, 0), vec3(direction, 0)));
}

void rays(const Model& m, const Data& d, const double point[3], int n, const double* directions,
          const RayFilter& filter, double cutoff, RayHit* hits) {
  const RayView view = view_of(filter);
  RayT<double> block[kRayBlock];
  RayHitT<double> found[kRayBlock];
  for (int first = 0; first < n; first += kRayBlock) {
    const int count = std::min(n - first, kRayBlock);
    for (int k = 0; k < count; ++k) block[k] = {vec3(point, 0), vec3(directions, first + k)};
    ray_block(m, d, view, cutoff, block, count, found);
    for (int k = 0; k < count; ++k) hits[first + k] = public_hit(found[k]);
  }
}

double ray_geom(const Model& m, const Data& d, int geom, const double point[3], const double direction[3],
                double normal[3]) {
  const Mat3 mat = mat3(d.geom_xmat, geom);
  Vec3 local;
  const double x = ray_geom_local(m, geom, transposed_times(mat, vec3(point, 0) - vec3(d.geom_xpos, geom)),
                                  transposed_times(mat, vec3(direction, 0)), kNoLimit<double>, local);
  write_normal(x, mat, local, normal);
  return x;
}

double ray_shape(GeomType type, const double pos[3], const double mat[9], const double size[3], const double point[3],
                 const double direction[3], double normal[3]) {
  const Mat3 axes = mat3(mat, 0);
  Vec3 local;
  const double x = ray_primitive(type, vec3(size, 0), transposed_times(axes, vec3(point, 0) - vec3(pos, 0)),
                                 transposed_times(axes, vec3(direction, 0)), local);
  write_normal(x, axes, local, normal);
  return x;
}

}  // namespace pliant
