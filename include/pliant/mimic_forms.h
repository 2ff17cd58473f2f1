#pragma once
// Other ways to write mimic joints: PhysX attributes and the reference's joint equality.

#include <optional>
#include <string>

#include "pliant/spec.h"

namespace pliant {

/// PhysX: q + gearing·q_reference + offset = 0, the same signs as here. Compliant only where natural frequency and
/// damping ratio are both positive, otherwise hard.
struct PhysxMimic {
  double gearing = 1, offset = 0, natural_frequency = 0, damping_ratio = 0;
};
/// Whether a joint turns: USD writes angles in degrees.
struct MimicUnits {
  bool degrees = false, follower_turns = true, leader_turns = true;
};
EqualitySpec mimic_from_physx(const std::string& follower, const std::string& reference, const PhysxMimic& physx,
                              MimicUnits units = {});
/// Nothing where PhysX cannot say it: several leaders, exact, or soft without damping.
std::optional<PhysxMimic> physx_from_mimic(const EqualitySpec& mimic, MimicUnits units = {});

/// The reference's joint equality, q1 - q10 = a0 + a1 (q2 - q20) + …, q10 and q20 being positions at qpos0. Nothing
/// where it is not linear or has no second joint; mode and parameters are left as they are in a new mimic.
std::optional<EqualitySpec> mimic_from_joint_equality(const EqualitySpec& equality, double q10, double q20);
/// Nothing for several leaders. What is lost: exactness, and (μ, ζ), which solref and solimp can only say for one pose.
std::optional<EqualitySpec> joint_equality_from_mimic(const EqualitySpec& mimic, double q10, double q20);

}  // namespace pliant
