#pragma once
// Sensors of distance: distance, normal, fromto, between two geoms or between all geoms of two
// bodies.
//
// reads geom_xpos geom_xmat · writes the numbers of one sensor · cost: one distance per pair of
// geoms The cutoff is the largest distance that counts; with 0 only overlap is seen. The normal
// points along the segment from the first to the second point: towards object 2 while apart, back
// to object 1 when they overlap.

#include "collision/geom_distance_hd.h"
#include "sensor/sensor_position_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Nearest points of two sets of geoms; `distance` is the cutoff if none is nearer.
template <class R>
struct SensorNearest {
  R distance = 0;
  Vec3T<R> points[2];
};

template <class M, class D>
PLIANT_HD_NOINLINE auto sensor_nearest(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const auto geoms = [&m](int type, int id, int& first) {
    const bool body = static_cast<ObjType>(type) == ObjType::kBody;
    first = body ? m.body_geomadr[id] : id;
    return body ? m.body_geomnum[id] : 1;
  };
  int first1, first2;
  const int n1 = geoms(m.sensor_objtype[i], m.sensor_objid[i], first1);
  const int n2 = geoms(m.sensor_reftype[i], m.sensor_refid[i], first2);
  SensorNearest<R> best{R(m.sensor_cutoff[i]), {}};
  for (int a = first1; a < first1 + n1; ++a) {
    for (int b = first2; b < first2 + n2; ++b) {
      Vec3T<R> points[2];
      const R distance = shape_distance(geom_shape(m, d, a), geom_shape(m, d, b), R(m.sensor_cutoff[i]), points);
      if (distance < best.distance) best = {distance, {points[0], points[1]}};
    }
  }
  return best;
}

template <class M, class S, class D, class Out>
PLIANT_HD void sense_geom_distance(const M& m, const S&, const D& d, int i, Out& out) {
  out[0] = sensor_nearest(m, d, i).distance;
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_geom_normal(const M& m, const S&, const D& d, int i, Out& out) {
  const auto nearest = sensor_nearest(m, d, i);
  const auto along = nearest.points[1] - nearest.points[0];
  const bool none = along.x == 0 && along.y == 0 && along.z == 0;
  put(out, none ? along : normalized(along));
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_geom_fromto(const M& m, const S&, const D& d, int i, Out& out) {
  const auto nearest = sensor_nearest(m, d, i);
  for (int k = 0; k < 6; ++k) out[k] = nearest.points[k / 3][k % 3];
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
