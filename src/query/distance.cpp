// Distance of two geoms (collision/geom_distance_hd.h), points inside sites (sensor/sensor_enclosure_hd.h).

#include "collision/geom_distance_hd.h"
#include "pliant/query.h"
#include "sensor/sensor_enclosure_hd.h"

namespace pliant {

GeomDistance geom_distance(const Model& m, const Data& d, int geom1, int geom2, double limit) {
  GeomDistance result;
  Vec3 points[2];
  result.distance = shape_distance(geom_shape(m, d, geom1), geom_shape(m, d, geom2), limit, points);
  for (int k = 0; k < 3; ++k) result.from[k] = points[0][k], result.to[k] = points[1][k];
  return result;
}

bool is_inside_site(const Model& m, const Data& d, int site, const double point[3]) {
  return is_inside_site(m, d, site, Vec3{point[0], point[1], point[2]});
}

}  // namespace pliant
