#pragma once
// What is known about each type of sensor before anything is measured, from sensors.def.

#include "pliant/types.h"

namespace pliant {

/// What a sensor needs beyond the stages before it; computed once per step, when the first sensor
/// asks.
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

}  // namespace pliant
