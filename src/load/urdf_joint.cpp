// Joints: types, limits, dynamics, and mimics.
//
// A revolute or continuous joint is a hinge, a prismatic one a slide, both at the origin of the child link; a floating
// one is a free joint, or three slides and a ball where its parent moves; a planar one is two slides across its axis
// and a hinge about it, a spherical one (an extension) a ball. A fixed one leaves no joint.
//
// A mimic says q = multiplier · q_leader + offset, in positions as URDF counts them; joints start at 0 here, so that
// they are positions of the model as well. Chains (a follower that leads another) are written out: every follower gets
// the leader at the end of its chain.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "load/urdf_reader.h"

namespace pliant {
namespace {

// Hinges turn a few times at most; larger limits are degrees.
constexpr double kSuspiciousAngle = 20;  // [rad]
constexpr double kShortAxis = 1e-9;

bool has_limits(UrdfJointType type) { return type == UrdfJointType::kRevolute || type == UrdfJointType::kPrismatic; }
bool has_one_dof(UrdfJointType type) { return has_limits(type) || type == UrdfJointType::kContinuous; }

/// Two directions that make a right-handed frame with z: the smallest turn of x and y that takes ẑ there.
void across(Vec3 z, Vec3& x, Vec3& y) {
  double s = 0;
  Vec3 axis = normalized(cross(Vec3{0, 0, 1}, z), s);
  constexpr double kParallel = 1e-10;  // any axis will do then
  if (s < kParallel) axis = {1, 0, 0};
  const Quat turn = axis_angle(axis, std::atan2(s, z.z));
  x = rotate(turn, Vec3{1, 0, 0});
  y = rotate(turn, Vec3{0, 1, 0});
}

Reals<3> reals_of(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

void UrdfReader::read_joint(const Element& element) {
  Joint joint;
  joint.element = &element;
  const ElementSchema& schema = urdf_element("joint");
  services_.read_attributes(element, schema, nullptr);
  take_name(element, joint_ids_, joints_.size(), joint.name);
  int type = static_cast<int>(UrdfJointType::kFixed);
  services_.word(element, schema, "type", type);
  joint.type = static_cast<UrdfJointType>(type);
  joint.origin = origin_of(element);
  read_parts(element, joint);
  joints_.push_back(std::move(joint));
}

void UrdfReader::read_parts(const Element& element, Joint& joint) {
  const UrdfJointType type = joint.type;
  const bool turns_or_slides = has_one_dof(type) || type == UrdfJointType::kPlanar;
  Vec3 axis{1, 0, 0};
  Reals<3> damping = {};
  double friction = 0;
  services_.for_children(element, urdf_element("joint"), [&](const Element& part, const ElementSchema& schema) {
    if (part.tag == "axis") {
      services_.read_attributes(part, turns_or_slides ? schema : urdf_element("axis_unused"), nullptr);
      double xyz[3];
      if (!turns_or_slides || services_.reals(part, "xyz", xyz) != 3) return;
      axis = {xyz[0], xyz[1], xyz[2]};
      if (norm(axis) < kShortAxis) {
        services_.error_at(Code::kBadJoint, *part.find("xyz"), part,
                           "the axis of joint " + quote(joint.name) + " has no direction");
        axis = {1, 0, 0};
      }
    } else if (part.tag == "dynamics") {
      services_.read_attributes(part, type == UrdfJointType::kFixed ? urdf_element("dynamics_unused") : schema,
                                nullptr);
      services_.real(part, "damping", damping[0]);
      services_.real(part, "friction", friction);
      for (const auto& [name, value] : {std::pair{"damping", &damping[0]}, std::pair{"friction", &friction}}) {
        if (*value >= 0 || type == UrdfJointType::kFixed) continue;
        *value = 0;  // nothing more is said about it
        services_.error_at(Code::kBadRange, *part.find(name), part,
                           std::string(name) + " of joint " + quote(joint.name) + " is negative");
      }
    } else if (part.tag == "limit") {
      read_limit(part, joint);
    } else if (part.tag == "mimic") {
      services_.read_attributes(part, schema, nullptr);
      joint.mimic = &part;
      services_.text(part, "joint", joint.leader);
      services_.real(part, "multiplier", joint.multiplier);
      services_.real(part, "offset", joint.offset);
    } else {
      services_.read_attributes(part, schema, nullptr);
    }
  });
  if (has_limits(type) && !child(element, "limit")) {
    services_.error(Code::kMissingAttribute, element,
                    "joint " + quote(joint.name) + " of type " +
                        (type == UrdfJointType::kRevolute ? "revolute" : "prismatic") + " has no <limit>",
                    type == UrdfJointType::kRevolute ? "a revolute joint without limits is called continuous" : "");
  }

  const auto add = [&](JointType kind, Vec3 direction, const char* suffix) {
    JointSpec part;
    part.name = joint.name + suffix;
    part.source = source_of(element);
    part.type = kind;
    part.axis = reals_of(direction);
    part.damping = damping;
    part.frictionloss = friction;
    joint.parts.push_back(std::move(part));
  };
  // what <limit> has said stands in parts[0]
  const std::vector<JointSpec> limits = std::move(joint.parts);
  joint.parts.clear();
  switch (type) {
    case UrdfJointType::kFixed:
      break;
    case UrdfJointType::kRevolute:
    case UrdfJointType::kContinuous:
      add(JointType::kHinge, axis, "");
      break;
    case UrdfJointType::kPrismatic:
      add(JointType::kSlide, axis, "");
      break;
    case UrdfJointType::kFloating:
      add(JointType::kFree, {0, 0, 1}, "");
      break;  // see split_floating
    case UrdfJointType::kSpherical:
      add(JointType::kBall, {0, 0, 1}, "");
      break;
    case UrdfJointType::kPlanar: {
      axis = normalized(axis);
      Vec3 x, y;
      across(axis, x, y);
      add(JointType::kSlide, x, "_TX");
      add(JointType::kSlide, y, "_TY");
      add(JointType::kHinge, axis, "_RZ");
      break;
    }
  }
  for (JointSpec& part : joint.parts) {
    part.limited = Limited::kFalse;
    part.actuatorfrclimited = Limited::kFalse;
    if (!has_one_dof(type) || limits.empty()) continue;
    part.range = limits[0].range;
    part.limited = limits[0].limited;
    part.actuatorfrcrange = limits[0].actuatorfrcrange;
    part.actuatorfrclimited = limits[0].actuatorfrclimited;
  }
}

void UrdfReader::read_limit(const Element& element, Joint& joint) {
  const UrdfJointType type = joint.type;
  services_.read_attributes(element,
                            has_limits(type)    ? urdf_element("limit")
                            : has_one_dof(type) ? urdf_element("limit_continuous")
                                                : urdf_element("limit_unused"),
                            nullptr);
  if (!has_one_dof(type)) return;
  JointSpec limits;
  limits.limited = limits.actuatorfrclimited = Limited::kFalse;
  double velocity = 0, effort = 0;
  if (services_.real(element, "velocity", velocity) && velocity != 0 && speed_limits_.count++ == 0) {
    speed_limits_.at = element.find("velocity")->value_at;
  }
  if (services_.real(element, "effort", effort) && effort != 0) {
    joint.effort = std::abs(effort);
    if (effort < 0) {
      const Attribute& given = *element.find("effort");
      diagnostics_.warning(
          Code::kIgnoredAttribute, given.value_at, element.tag,
          "the effort of joint " + quote(joint.name) + " is negative; its amount counts: " + number_text(joint.effort));
      ledger_.change_recent(given.value_at, Fate::kApproximated, "its amount counts");
    }
    limits.actuatorfrcrange = {-joint.effort, joint.effort};
    limits.actuatorfrclimited = Limited::kTrue;
  } else if (const Attribute* given = element.find("effort")) {
    ledger_.change_recent(given->value_at, Fate::kIgnored,
                          "an effort of 0 would be a joint that no drive can move; there is no limit then");
  }
  const auto end = [&] { joint.parts.push_back(limits); };
  if (!has_limits(type)) return end();

  double lower = 0, upper = 0;  // the format's defaults
  services_.real(element, "lower", lower);
  services_.real(element, "upper", upper);
  const Attribute* at = element.find(element.find("upper") ? "upper" : "lower");
  if (lower > upper) {
    services_.error_at(Code::kBadRange, *at, element,
                       "the limits of joint " + quote(joint.name) + " are the wrong way round: lower " +
                           number_text(lower) + ", upper " + number_text(upper));
    return end();
  }
  if (lower == upper) {
    // exporters write 0 and 0 for limits that nobody has filled in
    services_.warning(Code::kIgnoredAttribute, element,
                      "joint " + quote(joint.name) + " could not move between its limits, " + number_text(lower) +
                          " and " + number_text(upper) + "; it has none then",
                      "write limits, make it continuous or fixed");
    for (const char* name : {"lower", "upper"}) {
      if (const Attribute* given = element.find(name))
        ledger_.change_recent(given->value_at, Fate::kIgnored, "limits without room between them");
    }
    return end();
  }
  limits.range = {lower, upper};
  limits.limited = Limited::kTrue;
  if (type == UrdfJointType::kRevolute && std::max(std::abs(lower), std::abs(upper)) > kSuspiciousAngle) {
    diagnostics_.warning(Code::kUnitsSuspect, at->value_at, element.tag,
                         "joint " + quote(joint.name) + " turns from " + number_text(lower) + " to " +
                             number_text(upper) + " rad: are these degrees?",
                         "angles in a URDF are radians");
  }
  end();
}

/// The joint that a mimic names, if it can lead; reports what is wrong.
UrdfReader::Joint* UrdfReader::leader_of(const Joint& follower) {
  const Element& mimic = *follower.mimic;
  const Attribute* given = mimic.find("joint");
  if (!given) return nullptr;
  const auto found = joint_ids_.find(follower.leader);
  if (found == joint_ids_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, id] : joint_ids_) names.push_back(name);
    // (other readers do not look, so such files are about)
    diagnostics_.warning(
        Code::kDropped, given->value_at, mimic.tag,
        "there is no joint " + quote(follower.leader) + " to mimic; joint " + quote(follower.name) + " moves by itself",
        did_you_mean(follower.leader, names));
    ledger_.change(given->value_at, Fate::kIgnored, "there is no such joint");
    return nullptr;
  }
  Joint& leader = joints_[found->second];
  if (&leader == &follower) {
    services_.error_at(Code::kBadMimic, *given, mimic, "joint " + quote(follower.name) + " mimics itself");
    return nullptr;
  }
  if (follower.type == UrdfJointType::kFixed) {
    // a joint that was frozen, with its mimic forgotten
    diagnostics_.warning(Code::kDropped, given->value_at, mimic.tag,
                         "joint " + quote(follower.name) + " is fixed: its mimic has no effect");
    ledger_.change(given->value_at, Fate::kIgnored, "the joint is fixed");
    return nullptr;
  }
  for (const Joint* joint : {&follower, static_cast<const Joint*>(&leader)}) {
    if (has_one_dof(joint->type)) continue;
    services_.error_at(Code::kBadMimic, *given, mimic,
                       "joint " + quote(joint->name) +
                           (joint == &leader ? " cannot be mimicked: it " : " cannot mimic another: it ") +
                           (joint->type == UrdfJointType::kFixed ? "is fixed" : "has more than one degree of freedom"));
    return nullptr;
  }
  return &leader;
}

void UrdfReader::read_mimics() {
  for (Joint& follower : joints_) {
    if (follower.mimic) make_mimic(follower);
  }
}

void UrdfReader::make_mimic(Joint& follower) {
  // along the chain: q = G q_leader + g, with q_leader = m q_next + o → G m, g + G o
  double gear = 1, offset = 0;
  const Joint* at = &follower;
  std::set<const Joint*> seen;
  while (at->mimic) {
    if (!seen.insert(at).second) {
      services_.error(Code::kBadMimic, *follower.mimic,
                      "joint " + quote(follower.name) + " mimics itself through a chain of others");
      return;
    }
    const Joint* leader = leader_of(*at);
    if (!leader) return;
    if (at->multiplier == 0) {
      const Attribute* given = at->mimic->find("multiplier");
      services_.error_at(
          Code::kBadMimic, given ? *given : *at->mimic->find("joint"), *at->mimic,
          "the multiplier of joint " + quote(at->name) + "'s mimic is 0: it would stand still whatever the other does",
          "make the joint fixed, or give a ratio");
      return;
    }
    offset += gear * at->offset;
    gear *= at->multiplier;
    at = leader;
  }
  EqualitySpec equality;
  equality.source = source_of(*follower.mimic);
  equality.type = EqualityType::kMimic;
  equality.object1 = follower.name;
  equality.leaders = {at->name};
  // q_follower + G q_leader + γ = 0
  equality.gear = {-gear};
  equality.offset = -offset;
  equality.mode = MimicMode::kExact;
  spec_.equalities.push_back(std::move(equality));
}

}  // namespace pliant
