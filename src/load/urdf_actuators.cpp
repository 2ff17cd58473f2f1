// Actuators, where they are asked for: one for every joint that a <transmission> drives or, in a file without
// transmissions, for every joint with one degree of freedom that mimics no other. They act at the joint and are limited
// by its effort.

#include <algorithm>

#include "base/text.h"
#include "load/urdf_reader.h"

namespace pliant {
namespace {

// A servo reaches the effort limit when it is off by a tenth of a radian or metre; without a limit, a middling
// stiffness.
constexpr double kStiffnessPerEffort = 10, kStiffness = 100;

}  // namespace

void UrdfReader::read_transmissions(const Element& robot) {
  services_.for_children(robot, urdf_schema(), [&](const Element& transmission, const ElementSchema& schema) {
    if (transmission.tag != "transmission") return;
    services_.read_attributes(transmission, schema, nullptr);
    services_.for_children(transmission, schema, [&](const Element& part, const ElementSchema& part_schema) {
      services_.read_attributes(part, part_schema, nullptr);
      services_.for_children(part, part_schema, [&](const Element& detail, const ElementSchema& detail_schema) {
        services_.read_attributes(detail, detail_schema, nullptr);
      });
      const Attribute* joint = part.tag == "joint" ? part.find("name") : nullptr;
      if (!joint) return;
      if (!joint_ids_.count(std::string(joint->value))) {
        diagnostics_.warning(Code::kDropped, joint->value_at, part.tag,
                             "there is no joint " + quote(joint->value) + " for this transmission; it is left out");
        ledger_.change_recent(joint->value_at, Fate::kIgnored, "there is no such joint");
        return;
      }
      const bool known = std::find(transmitted_.begin(), transmitted_.end(), joint->value) != transmitted_.end();
      if (!known) transmitted_.emplace_back(joint->value);
      if (options_.urdf.actuators == UrdfOptions::Actuators::kNone) {
        ledger_.change_recent(joint->value_at, Fate::kIgnored, "actuators are made on request (--actuators)");
      }
    });
  });
}

void UrdfReader::make_actuators() {
  if (options_.urdf.actuators == UrdfOptions::Actuators::kNone) return;
  const bool servo = options_.urdf.actuators == UrdfOptions::Actuators::kPosition;
  const std::set<std::string> driven(transmitted_.begin(), transmitted_.end());
  for (const Joint& joint : joints_) {
    if (joint.parts.size() != 1) continue;
    const JointSpec& part = joint.parts[0];
    if (!joint_kind(part.type).is_scalar()) continue;
    if (joint.mimic || (!driven.empty() && !driven.count(joint.name))) continue;
    ActuatorSpec actuator;
    actuator.name = joint.name;
    actuator.source = source_of(*joint.element);
    actuator.trntype = TransmissionType::kJoint;
    actuator.target = joint.name;
    const Reals<2> effort = {-joint.effort, joint.effort};
    if (joint.effort > 0) {
      actuator.forcerange = effort;
      actuator.forcelimited = Limited::kTrue;
    } else {
      actuator.forcelimited = Limited::kFalse;
    }
    actuator.ctrllimited = Limited::kFalse;
    actuator.actlimited = Limited::kFalse;
    if (servo) {
      const double given = options_.urdf.position_kp;
      const double kp = given > 0 ? given : joint.effort > 0 ? kStiffnessPerEffort * joint.effort : kStiffness;
      actuator.gainprm[0] = kp;
      actuator.biastype = BiasType::kAffine;
      actuator.biasprm[1] = -kp;
      actuator.biasprm[2] = 1;  // positive: a damping ratio, turned into a coefficient with the inertia at hand
      if (part.limited == Limited::kTrue) {
        actuator.ctrlrange = part.range;
        actuator.ctrllimited = Limited::kTrue;
      }
    } else if (joint.effort > 0) {
      actuator.ctrlrange = effort;
      actuator.ctrllimited = Limited::kTrue;
    }
    spec_.actuators.push_back(std::move(actuator));
  }
}

}  // namespace pliant
