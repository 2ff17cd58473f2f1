#pragma once
// The sensor elements of MJCF: tag, type, and how the element says what it measures.

#include "pliant/types.h"

namespace pliant {

/// How a sensor element names its objects.
enum class SensorForm : unsigned char {
  kObject,      ///< one attribute names an object of a fixed kind
  kProjection,  ///< `site` and `camera`
  kRange,       ///< `site` or `camera`, and `data`
  kFrame,       ///< objtype, objname
  kRelative,    ///< objtype, objname and, if wanted, reftype, refname
  kInside,      ///< objtype, objname, and `site`
  kDistance,    ///< two geoms or bodies
  kContact,     ///< two matching criteria, both optional
  kGlobal,      ///< no object
  kTactile,     ///< geom and mesh
  kUser,
};

struct SensorTag {
  const char* tag;
  SensorType type;
  SensorForm form;
  const char* attribute = nullptr;      ///< kObject: the attribute that names the object …
  ObjType objtype = ObjType::kUnknown;  ///< … and its kind
};

inline constexpr SensorTag kSensorTags[] = {
    {"touch", SensorType::kTouch, SensorForm::kObject, "site", ObjType::kSite},
    {"accelerometer", SensorType::kAccelerometer, SensorForm::kObject, "site", ObjType::kSite},
    {"velocimeter", SensorType::kVelocimeter, SensorForm::kObject, "site", ObjType::kSite},
    {"gyro", SensorType::kGyro, SensorForm::kObject, "site", ObjType::kSite},
    {"force", SensorType::kForce, SensorForm::kObject, "site", ObjType::kSite},
    {"torque", SensorType::kTorque, SensorForm::kObject, "site", ObjType::kSite},
    {"magnetometer", SensorType::kMagnetometer, SensorForm::kObject, "site", ObjType::kSite},
    {"camprojection", SensorType::kCamProjection, SensorForm::kProjection},
    {"rangefinder", SensorType::kRangefinder, SensorForm::kRange},
    {"jointpos", SensorType::kJointPos, SensorForm::kObject, "joint", ObjType::kJoint},
    {"jointvel", SensorType::kJointVel, SensorForm::kObject, "joint", ObjType::kJoint},
    {"tendonpos", SensorType::kTendonPos, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"tendonvel", SensorType::kTendonVel, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"actuatorpos", SensorType::kActuatorPos, SensorForm::kObject, "actuator", ObjType::kActuator},
    {"actuatorvel", SensorType::kActuatorVel, SensorForm::kObject, "actuator", ObjType::kActuator},
    {"actuatorfrc", SensorType::kActuatorFrc, SensorForm::kObject, "actuator", ObjType::kActuator},
    {"jointactuatorfrc", SensorType::kJointActFrc, SensorForm::kObject, "joint", ObjType::kJoint},
    {"tendonactuatorfrc", SensorType::kTendonActFrc, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"ballquat", SensorType::kBallQuat, SensorForm::kObject, "joint", ObjType::kJoint},
    {"ballangvel", SensorType::kBallAngVel, SensorForm::kObject, "joint", ObjType::kJoint},
    {"jointlimitpos", SensorType::kJointLimitPos, SensorForm::kObject, "joint", ObjType::kJoint},
    {"jointlimitvel", SensorType::kJointLimitVel, SensorForm::kObject, "joint", ObjType::kJoint},
    {"jointlimitfrc", SensorType::kJointLimitFrc, SensorForm::kObject, "joint", ObjType::kJoint},
    {"tendonlimitpos", SensorType::kTendonLimitPos, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"tendonlimitvel", SensorType::kTendonLimitVel, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"tendonlimitfrc", SensorType::kTendonLimitFrc, SensorForm::kObject, "tendon", ObjType::kTendon},
    {"framepos", SensorType::kFramePos, SensorForm::kRelative},
    {"framequat", SensorType::kFrameQuat, SensorForm::kRelative},
    {"framexaxis", SensorType::kFrameXAxis, SensorForm::kRelative},
    {"frameyaxis", SensorType::kFrameYAxis, SensorForm::kRelative},
    {"framezaxis", SensorType::kFrameZAxis, SensorForm::kRelative},
    {"framelinvel", SensorType::kFrameLinVel, SensorForm::kRelative},
    {"frameangvel", SensorType::kFrameAngVel, SensorForm::kRelative},
    {"framelinacc", SensorType::kFrameLinAcc, SensorForm::kFrame},
    {"frameangacc", SensorType::kFrameAngAcc, SensorForm::kFrame},
    {"subtreecom", SensorType::kSubtreeCom, SensorForm::kObject, "body", ObjType::kBody},
    {"subtreelinvel", SensorType::kSubtreeLinVel, SensorForm::kObject, "body", ObjType::kBody},
    {"subtreeangmom", SensorType::kSubtreeAngMom, SensorForm::kObject, "body", ObjType::kBody},
    {"insidesite", SensorType::kInsideSite, SensorForm::kInside},
    {"distance", SensorType::kGeomDist, SensorForm::kDistance},
    {"normal", SensorType::kGeomNormal, SensorForm::kDistance},
    {"fromto", SensorType::kGeomFromTo, SensorForm::kDistance},
    {"contact", SensorType::kContact, SensorForm::kContact},
    {"e_potential", SensorType::kPotentialEnergy, SensorForm::kGlobal},
    {"e_kinetic", SensorType::kKineticEnergy, SensorForm::kGlobal},
    {"clock", SensorType::kClock, SensorForm::kGlobal},
    {"tactile", SensorType::kTactile, SensorForm::kTactile},
    {"user", SensorType::kUser, SensorForm::kUser},
};

/// Sensors that choose between kinds of objects: the attribute says the kind, and the schema's rules see to it that
/// at most one of a list is given.
struct ObjectChoice {
  const char* attribute;
  ObjType type;
};
inline constexpr ObjectChoice kRangeObjects[] = {{"site", ObjType::kSite}, {"camera", ObjType::kCamera}};
inline constexpr ObjectChoice kDistanceFirst[] = {{"body1", ObjType::kBody}, {"geom1", ObjType::kGeom}};
inline constexpr ObjectChoice kDistanceSecond[] = {{"body2", ObjType::kBody}, {"geom2", ObjType::kGeom}};
inline constexpr ObjectChoice kContactFirst[] = {
    {"site", ObjType::kSite}, {"body1", ObjType::kBody}, {"subtree1", ObjType::kXbody}, {"geom1", ObjType::kGeom}};
inline constexpr ObjectChoice kContactSecond[] = {
    {"body2", ObjType::kBody}, {"subtree2", ObjType::kXbody}, {"geom2", ObjType::kGeom}};

}  // namespace pliant
