#pragma once
// Kinds of things, with MuJoCo's integer values: arrays of the compiled Model hold these numbers.

#include <cstdint>

namespace pliant {

enum class JointType : int {
#define JOINT(name, file, keyword, positions, velocities, quaternion, motion) k##name,
#include "pliant/joints.def"
#undef JOINT
};

enum class GeomType : int { kPlane, kHfield, kSphere, kCapsule, kEllipsoid, kCylinder, kBox, kMesh, kSdf };

enum class ObjType : int {
  kUnknown,
  kBody,
  kXbody,
  kJoint,
  kDof,
  kGeom,
  kSite,
  kCamera,
  kLight,
  kFlex,
  kMesh,
  kSkin,
  kHfield,
  kTexture,
  kMaterial,
  kPair,
  kExclude,
  kEquality,
  kTendon,
  kActuator,
  kSensor,
  kNumeric,
  kText,
  kTuple,
  kKey,
  kPlugin,
  kFrame = 100,
  kDefault
};
inline constexpr int kNumObjTypes = 26;

/// Those that have rows are in equalities.def; kDistance is gone from the reference but keeps its number.
enum class EqualityType : int {
#define EQUALITY(name, number, file, element, objects, rows, data) k##name = number,
#include "pliant/equalities.def"
#undef EQUALITY
  kFlex = 4,
  kFlexvert,
  kFlexstrain,
  kDistance
};

/// How a mimic holds: followers are functions of their leaders, a row without or with compliance. Not in the reference.
enum class MimicMode : int { kExact, kHard, kSoft };

enum class TendonType : int { kFixed, kSpatial };

enum class WrapType : int { kNone, kJoint, kPulley, kSite, kSphere, kCylinder };

enum class TransmissionType : int {
  kJoint,
  kJointInParent,
  kSliderCrank,
  kTendon,
  kSite,
  kBody,
  kSo3,
  kUndefined = 1000
};

enum class DynType : int {
#define DYNAMICS(name, keyword, states) k##name,
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};
enum class GainType : int {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling) k##name,
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};
enum class BiasType : int {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling) k##name,
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};

enum class SensorType : int {
#define SENSOR(type, size, datatype, stage, object, needs, function) type,
#include "pliant/sensors.def"
#undef SENSOR
};

enum class Stage : int { kNone, kPosition, kVelocity, kAcceleration };
enum class DataType : int { kReal, kPositive, kAxis, kQuaternion };
enum class SameFrame : int { kNone, kBody, kInertia, kBodyRot, kInertiaRot };
enum class SleepPolicy : int { kAuto, kAutoNever, kAutoAllowed, kNever, kAllowed, kInit };
enum class CamLightMode : int { kFixed, kTrack, kTrackCom, kTargetBody, kTargetBodyCom };
enum class LightType : int { kSpot, kDirectional, kPoint, kImage };
enum class TextureType : int { k2d, kCube, kSkybox };
enum class ColorSpace : int { kAuto, kLinear, kSrgb };
enum class TextureBuiltin : int { kNone, kGradient, kChecker, kFlat };
enum class TextureMark : int { kNone, kEdge, kCross, kRandom };
enum class MeshInertia : int { kConvex, kExact, kLegacy, kShell };
enum class MeshBuiltin : int {
  kNone,
  kSphere,
  kHemisphere,
  kCone,
  kSupersphere,
  kSupertorus,
  kWedge,
  kPlate,
  kGrid,
  kBox,
  kCylinder,
  kEllipsoid,
  kSquare,
  kDisc
};
enum class Integrator : int { kEuler, kRk4, kImplicit, kImplicitFast, kDiscrete, kMidpoint };
inline constexpr int kNumIntegrators = 6;
enum class ConeType : int { kPyramidal, kElliptic };
enum class FrictionLaw : int { kRegularized, kAnchored };
/// Of a geom or a pair: the option's, or its own. Of two geoms the larger number counts, as of coefficients.
enum class OwnFrictionLaw : int { kOption, kRegularized, kAnchored };
enum class SpinLaw : int { kPlain, kConserving };
enum class Resolution : int { kConvex, kSignorini };
enum class JacobianType : int { kDense, kSparse, kAuto };
enum class SolverType : int {
#define SOLVER(name, function, keyword, dual, substeps, row_memory, reference) k##name,
#include "pliant/solvers.def"
#undef SOLVER
};
enum class Limited : int { kFalse, kTrue, kAuto };
enum class InertiaFromGeom : int { kFalse, kTrue, kAuto };
enum class LengthRangeMode : int { kNone, kMuscle, kMuscleUser, kAll };

/// Bits of Options::disableflags and enableflags.
enum : int {
  kDisableConstraint = 1 << 0,
  kDisableEquality = 1 << 1,
  kDisableFrictionLoss = 1 << 2,
  kDisableLimit = 1 << 3,
  kDisableContact = 1 << 4,
  kDisableSpring = 1 << 5,
  kDisableDamper = 1 << 6,
  kDisableGravity = 1 << 7,
  kDisableClampCtrl = 1 << 8,
  kDisableWarmStart = 1 << 9,
  kDisableFilterParent = 1 << 10,
  kDisableActuation = 1 << 11,
  kDisableRefSafe = 1 << 12,
  kDisableSensor = 1 << 13,
  kDisableMidPhase = 1 << 14,
  kDisableEulerDamp = 1 << 15,
  kDisableAutoReset = 1 << 16,
  kDisableNativeCcd = 1 << 17,
  kDisableIsland = 1 << 18,
  kDisableMultiCcd = 1 << 19
};
enum : int {
  kEnableOverride = 1 << 0,
  kEnableEnergy = 1 << 1,
  kEnableFwdInv = 1 << 2,
  kEnableInvDiscrete = 1 << 3,
  kEnableSleep = 1 << 4,
  kEnableDiagExact = 1 << 5,
  kEnableIpc = 1 << 6,
  kEnableSpeculative = 1 << 7,
  /// Not in the reference: predicted contacts (kEnableSpeculative) stop what is fast whatever solref, solimp and the
  /// integrator are; the reference's rule does so for some of them.
  kEnableSpeculativeExact = 1 << 8,
  /// Not in the reference: impedance of contacts from what they move in their stack, not from each body by itself.
  kEnableDiagStack = 1 << 9
};

/// Input signatures of actuators (actuator_ctrlspec): charts for so3, bits for servos.
enum : int { kChartExpmap = 1, kChartQuat = 2 };
enum : int { kInputPos = 1, kInputVel = 2, kInputFf = 4, kInputVoltage = 8, kInputNone = 16, kInputPressure = 32 };

inline constexpr int kNumRef = 2;   ///< solref
inline constexpr int kNumImp = 5;   ///< solimp
inline constexpr int kNumPoly = 2;  ///< polynomial terms beyond the linear one
inline constexpr int kNumEqData = 12;
inline constexpr int kTorqueScale = 10;      ///< where eq_data of a weld has its torque scale …
inline constexpr int kWeldPoseAtQpos0 = 11;  ///< … and whether its pose is the one at qpos0 (nonzero)
inline constexpr int kNumDyn = 10;
inline constexpr int kNumGain = 10;
inline constexpr int kNumBias = 10;
inline constexpr int kNumFluid = 12;
inline constexpr int kNumSensorPrm = 3;
inline constexpr int kNumTexRole = 10;

}  // namespace pliant
