// Other ways to write a mimic: PhysX attributes and the reference's joint equality.

#include "pliant/mimic_forms.h"

#include <numbers>

namespace pliant {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Radians or metres per unit of a joint's position.
double unit(const MimicUnits& units, bool turns) { return units.degrees && turns ? kDegree : 1; }

}  // namespace

EqualitySpec mimic_from_physx(const std::string& follower, const std::string& reference, const PhysxMimic& physx,
                              MimicUnits units) {
  EqualitySpec mimic;
  mimic.type = EqualityType::kMimic;
  mimic.objtype = ObjType::kJoint;
  mimic.object1 = follower;
  mimic.leaders = {reference};
  const double own = unit(units, units.follower_turns);
  mimic.gear = {physx.gearing * own / unit(units, units.leader_turns)};
  mimic.offset = physx.offset * own;
  mimic.mode = physx.natural_frequency > 0 && physx.damping_ratio > 0 ? MimicMode::kSoft : MimicMode::kHard;
  if (mimic.mode == MimicMode::kSoft) {
    mimic.naturalfreq = physx.natural_frequency;
    mimic.dampratio = physx.damping_ratio;
  }
  return mimic;
}

std::optional<PhysxMimic> physx_from_mimic(const EqualitySpec& mimic, MimicUnits units) {
  const bool soft = mimic.mode == MimicMode::kSoft;
  if (mimic.type != EqualityType::kMimic || mimic.leaders.size() != 1 || mimic.mode == MimicMode::kExact ||
      (soft && !(mimic.dampratio > 0))) {
    return std::nullopt;
  }
  const double own = unit(units, units.follower_turns);
  PhysxMimic physx;
  physx.gearing = (mimic.gear.empty() ? 1 : mimic.gear[0]) * unit(units, units.leader_turns) / own;
  physx.offset = mimic.offset / own;
  if (soft) {
    physx.natural_frequency = mimic.naturalfreq;
    physx.damping_ratio = mimic.dampratio;
  }
  return physx;
}

// q1 = q10 + a0 + a1 (q2 - q20), so that gear = -a1 and offset = a1 q20 - q10 - a0
std::optional<EqualitySpec> mimic_from_joint_equality(const EqualitySpec& equality, double q10, double q20) {
  const auto& a = equality.data;
  if (equality.type != EqualityType::kJoint || equality.object2.empty() || a[1] == 0 || a[2] != 0 || a[3] != 0 ||
      a[4] != 0) {
    return std::nullopt;
  }
  EqualitySpec mimic = equality;
  mimic.type = EqualityType::kMimic;
  mimic.leaders = {equality.object2};
  mimic.object2.clear();
  mimic.data = {};
  mimic.gear = {-a[1]};
  mimic.offset = a[1] * q20 - q10 - a[0];
  return mimic;
}

std::optional<EqualitySpec> joint_equality_from_mimic(const EqualitySpec& mimic, double q10, double q20) {
  if (mimic.type != EqualityType::kMimic || mimic.leaders.size() != 1) return std::nullopt;
  EqualitySpec equality = mimic;
  const double ratio = mimic.gear.empty() ? -1 : -mimic.gear[0];
  equality.type = EqualityType::kJoint;
  equality.object2 = mimic.leaders[0];
  equality.leaders.clear();
  equality.gear.clear();
  equality.data = {};
  equality.data[0] = ratio * q20 - q10 - mimic.offset;
  equality.data[1] = ratio;
  equality.data[kTorqueScale] = 1;
  equality.offset = 0;
  return equality;
}

}  // namespace pliant
