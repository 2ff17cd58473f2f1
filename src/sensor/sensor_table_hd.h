#pragma once
// One sensor: its kernel by type (sensors.def), then its cutoff.

#include "sensor/sensor_contact_hd.h"
#include "sensor/sensor_distance_hd.h"
#include "sensor/sensor_enclosure_hd.h"
#include "sensor/sensor_force_hd.h"
#include "sensor/sensor_position_hd.h"
#include "sensor/sensor_ray_hd.h"
#include "sensor/sensor_velocity_hd.h"

namespace pliant {

/// Real readings are clipped on both sides, positive ones above. What a contact or a segment
/// between geoms reports is not clipped: there the cutoff means something else or nothing.
template <class M, class Out>
PLIANT_HD void apply_cutoff(const M& m, int i, Out& out) {
  const auto cutoff = m.sensor_cutoff[i];
  const auto type = static_cast<SensorType>(m.sensor_type[i]);
  if (cutoff <= 0 || type == SensorType::kContact || type == SensorType::kGeomFromTo) return;
  const auto datatype = static_cast<DataType>(m.sensor_datatype[i]);
  const bool both = datatype == DataType::kReal;
  if (!both && datatype != DataType::kPositive) return;
  for (int k = 0; k < m.sensor_dim[i]; ++k) {
    if (out[k] > cutoff) out[k] = cutoff;
    if (both && out[k] < -cutoff) out[k] = -cutoff;
  }
}

/// All sensors; or those whose functions are inlined on a device, or are calls there, for which views of Model and Data
/// must lie in memory.
enum class SensorPart { kAll, kInlined, kCalls };
template <SensorPart part>
constexpr bool is_part(SensorType type) {
  return part == SensorPart::kAll || (part == SensorPart::kCalls) == is_call(type);
}

template <SensorPart part, class M, class S, class D, class Out>
PLIANT_HD_FREE void read_sensor_now(const M& m, const S& s, const D& d, int i, Out out) {
  switch (static_cast<SensorType>(m.sensor_type[i])) {
#define SENSOR(type, size, datatype, stage, object, needs, function)          \
  case SensorType::type:                                                      \
    if constexpr (is_part<part>(SensorType::type)) function(m, s, d, i, out); \
    break;
#include "pliant/sensors.def"
#undef SENSOR
  }
  apply_cutoff(m, i, out);
}

}  // namespace pliant
