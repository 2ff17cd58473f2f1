#pragma once
// What is known about every joint type, kind of equality and law of actuators before anything is simulated, from the
// lists joints.def, equalities.def and actuator_laws.def.

#include <iterator>

#include "pliant/types.h"

namespace pliant {

// ---- joints -------------------------------------------------------------------------------------

/// What a joint's numbers are: the pose of a body that floats, rotations [rad] or a quaternion, a length [m], or an
/// angle [rad] of a joint that moves its body along, too.
enum class JointMotion : int { kPose, kTurn, kShift, kScrew };

struct JointKind {
  JointType type;
  const char* keyword;
  int positions, velocities;
  int quaternion;  ///< where in positions a quaternion and in velocities an angular velocity begins; -1: nowhere
  JointMotion motion;

  constexpr bool has_quaternion() const { return quaternion >= 0; }
  /// One position, one velocity: it has a range, can be coupled to others, and be a term of a tendon.
  constexpr bool is_scalar() const { return positions == 1; }
  constexpr bool is_length() const { return motion == JointMotion::kShift; }
  constexpr bool floats() const { return motion == JointMotion::kPose; }
  /// A rotation and nothing else, by a quaternion.
  constexpr bool is_ball() const { return motion == JointMotion::kTurn && has_quaternion(); }
  /// Positions that a spring can rest in, and be left in when it yields; what floats has no spring.
  constexpr int rest_positions() const { return floats() ? 0 : positions; }
  constexpr bool is_angle() const { return is_scalar() && !is_length(); }
  /// Whether it changes the orientation of its body relative to the parent.
  constexpr bool rotates() const { return motion == JointMotion::kTurn || motion == JointMotion::kScrew; }
};

inline constexpr JointKind kJointKinds[] = {
#define JOINT(name, file, keyword, positions, velocities, quaternion, motion) \
  {JointType::k##name, keyword, positions, velocities, quaternion, JointMotion::motion},
#include "pliant/joints.def"
#undef JOINT
};
inline constexpr int kNumJointTypes = std::size(kJointKinds);

constexpr const JointKind& joint_kind(JointType type) { return kJointKinds[static_cast<int>(type)]; }
/// Of a number of jnt_type.
constexpr const JointKind& joint_kind(int type) { return kJointKinds[type]; }

/// The same numbers for code that is compiled for each type.
template <JointType>
struct JointTraits;
#define JOINT(name, file, keyword, positions, velocities, quaternion, motion) \
  template <>                                                                 \
  struct JointTraits<JointType::k##name> {                                    \
    static constexpr int kNumPos = positions, kNumVel = velocities;           \
    static constexpr int kQuat = quaternion;                                  \
    static constexpr JointMotion kMotion = JointMotion::motion;               \
  };
#include "pliant/joints.def"
#undef JOINT

// ---- equalities ---------------------------------------------------------------------------------

/// Two bodies or two sites; one or two joints with one dof; one or two tendons.
enum class EqualityObjects : int { kPoses, kJoints, kTendons };

struct EqualityKind {
  EqualityType type;
  const char* element;  ///< its id in the schema
  EqualityObjects objects;
  int rows;
  const char* data;

  constexpr bool holds_poses() const { return objects == EqualityObjects::kPoses; }
  constexpr bool ties_joints() const { return objects == EqualityObjects::kJoints; }
  constexpr bool ties_tendons() const { return objects == EqualityObjects::kTendons; }
};

inline constexpr EqualityKind kEqualityKinds[] = {
#define EQUALITY(name, number, file, element, objects, rows, data) \
  {EqualityType::k##name, element, EqualityObjects::objects, rows, data},
#include "pliant/equalities.def"
#undef EQUALITY
};

/// Null for a number that is no kind with rows.
constexpr const EqualityKind* find_equality_kind(int type) {
  for (const EqualityKind& kind : kEqualityKinds) {
    if (static_cast<int>(kind.type) == type) return &kind;
  }
  return nullptr;
}
/// Of a kind with rows: the loader lets no others in.
constexpr const EqualityKind& equality_kind(int type) {
  const EqualityKind* kind = find_equality_kind(type);
  return kind ? *kind : kEqualityKinds[0];
}
constexpr const EqualityKind& equality_kind(EqualityType type) { return equality_kind(static_cast<int>(type)); }

// ---- actuators ----------------------------------------------------------------------------------

/// None, one, as many as controls, what the law's parameters say, or what the user says.
enum class LawStates : int { kNone, kOne, kPerControl, kOwn, kAny };
/// What the attribute `input` may say: nothing, what the one input is, or which inputs there are.
enum class LawInputs : int { kNone, kOne, kSignature };

struct DynamicsKind {
  const char* keyword;
  LawStates states;
};
struct GainKind {
  const char* keyword;
  LawInputs inputs;
  bool slopes, scales;
};
struct BiasKind {
  const char* keyword;
  bool slopes, scales;
};

inline constexpr DynamicsKind kDynamicsKinds[] = {
#define DYNAMICS(name, keyword, states) {keyword, LawStates::states},
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};
inline constexpr GainKind kGainKinds[] = {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling) {keyword, LawInputs::inputs, slopes, scaling},
#define BIAS(name, keyword, slopes, scaling)
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};
inline constexpr BiasKind kBiasKinds[] = {
#define DYNAMICS(name, keyword, states)
#define GAIN(name, keyword, inputs, slopes, scaling)
#define BIAS(name, keyword, slopes, scaling) {keyword, slopes, scaling},
#include "pliant/actuator_laws.def"
#undef DYNAMICS
#undef GAIN
#undef BIAS
};
constexpr const DynamicsKind& dynamics_kind(DynType type) { return kDynamicsKinds[static_cast<int>(type)]; }
constexpr const GainKind& gain_kind(GainType type) { return kGainKinds[static_cast<int>(type)]; }
constexpr const BiasKind& bias_kind(BiasType type) { return kBiasKinds[static_cast<int>(type)]; }

}  // namespace pliant
