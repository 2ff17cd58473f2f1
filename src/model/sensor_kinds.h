#pragma once
// What is known about each type of sensor before anything is measured, from sensors.def.

#include "base/hd.h"
#include "pliant/model.h"

namespace pliant {

/// What a sensor needs beyond the stages before it; computed once per step, before the first sensors that need it.
enum class SensorNeed : unsigned char { kNothing, kPotentialEnergy, kKineticEnergy, kSubtree, kBodyForces };

/// What a sensor type may be attached to: the column `object` of sensors.def.
enum class SensorObject : unsigned char {
  kNothing,
  kSite,
  kSiteOrCamera,
  kScalarJoint,
  kBallJoint,
  kLimitedJoint,
  kTendon,
  kLimitedTendon,
  kActuator,
  kFrame,
  kBody,
  kTwoBodiesOrGeoms,
  kMeshOnGeom
};

inline constexpr int kOwnSize = -1;  ///< the size depends on the object or on the data asked for

/// Numbers per data field, by bit of the sensor's first parameter.
/// Rangefinders: dist dir origin point normal depth; contacts: found force torque dist pos normal tangent
/// linvel angvel.
inline constexpr int kRayDataSizes[] = {1, 3, 3, 3, 3, 1};
inline constexpr int kContactDataSizes[] = {1, 3, 3, 1, 3, 3, 3, 3, 3};

/// What a contact sensor reports (bits of its first parameter), in this order.
enum class ContactData : int { kFound, kForce, kTorque, kDist, kPos, kNormal, kTangent, kLinVel, kAngVel };
/// How it chooses among contacts (its second parameter).
enum class ContactReduce : int { kNone, kMinDist, kMaxForce, kNetForce };

/// Whether a sensor measures how far all of its object is inside a site, not only its frame.
inline constexpr bool is_enclosed(SensorType type, int parameter) {
  return type == SensorType::kInsideSite && parameter != 0;
}

/// Whether its function is too large to be inlined on a device.
inline constexpr bool is_call(SensorType type) {
  switch (type) {
    case SensorType::kRangefinder:
    case SensorType::kGeomDist:
    case SensorType::kGeomNormal:
    case SensorType::kGeomFromTo:
    case SensorType::kContact:
    case SensorType::kInsideSite:
      return true;
    default:
      return false;
  }
}

struct SensorKind {
  int size;
  DataType datatype;
  Stage stage;
  SensorObject object;
  SensorNeed need;
};

inline constexpr SensorKind kSensorKinds[] = {
#define SENSOR(type, size, datatype, stage, object, needs, function) \
  {size, DataType::datatype, Stage::stage, SensorObject::object, SensorNeed::needs},
#include "pliant/sensors.def"
#undef SENSOR
};

/// Sets of needs are numbers with a bit for each.
PLIANT_HD constexpr int bit(SensorNeed need) { return need == SensorNeed::kNothing ? 0 : 1 << static_cast<int>(need); }

/// What the sensors of a Model need, by the stage that has to compute it: found once for all worlds of a batch, whose
/// Model stays as it is. Each need is in one stage only, the first that has sensors with it.
struct SensorNeeds {
  /// By Stage; kNone stands for the end of the step, where delayed sensors measure.
  int at[4] = {};
  bool calls = false;  // there are sensors with is_call
  PLIANT_HD int before(Stage stage) const { return at[static_cast<int>(stage)]; }
  PLIANT_HD bool has(SensorNeed need) const { return ((at[0] | at[1] | at[2] | at[3]) & bit(need)) != 0; }
};

inline SensorNeeds sensor_needs(const Model& m) {
  SensorNeeds needs;
  for (int i = 0; i < m.nsensor; ++i) {
    const int need = bit(kSensorKinds[m.sensor_type[i]].need);
    needs.calls = needs.calls || is_call(static_cast<SensorType>(m.sensor_type[i]));
    if (!(m.opt.disableflags & kDisableSensor)) {
      needs.at[m.sensor_needstage[i]] |= need;
    } else if (m.sensor_history[2 * i] > 0) {
      needs.at[0] |= need;  // may be delayed; histories are kept all the same
    }
  }
  for (int later = 2; later < 4; ++later) {
    for (int earlier = 1; earlier < later; ++earlier) needs.at[later] &= ~needs.at[earlier];
  }
  return needs;
}

}  // namespace pliant
