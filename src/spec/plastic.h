#pragma once
// How many numbers a spring that yields keeps: where it is at rest. Joints come first, then tendons.

#include "pliant/spec.h"

namespace pliant {

inline constexpr int kTendonPlastic = 2;  ///< lengths between which it does not pull

inline int plastic_count(const JointSpec& joint) {
  return joint.springyield > 0 ? joint_kind(joint.type).rest_positions() : 0;
}

inline int plastic_of_joints(const Spec& spec) {
  int numbers = 0;
  for (const JointSpec& joint : spec.joints) numbers += plastic_count(joint);
  return numbers;
}

}  // namespace pliant
