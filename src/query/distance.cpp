// Distance of two geoms (collision/geom_distance_hd.h).

#include "collision/geom_distance_hd.h"
#include "pliant/query.h"

namespace pliant {

GeomDistance geom_distance(const Model& m, const Data& d, int geom1, int geom2, double limit) {
  GeomDistance result;
  Vec3 points[2];
  result.distance = shape_distance(geom_shape(m, d, geom1), geom_shape(m, d, geom2), limit, points);
  for (int k = 0; k < 3; ++k) result.from[k] = points[0][k], result.to[k] = points[1][k];
  return result;
}

}  // namespace pliant
