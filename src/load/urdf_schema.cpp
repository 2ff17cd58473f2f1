// The URDF schema: one row per attribute. What a simulator has no use for (calibration, soft limits, textures) is
// listed as well, with the reason, so that it ends in the ledger and not in a warning. Everything else that files carry
// is an extension of somebody; urdf_screen.cpp reports it.

#include "load/urdf_schema.h"

#include <cstdlib>

namespace pliant {
namespace {

constexpr Keyword kJointTypes[] = {{"revolute", 0}, {"continuous", 1}, {"prismatic", 2}, {"fixed", 3},
                                   {"floating", 4}, {"planar", 5},     {"spherical", 6}};

constexpr const char* kNoLimits = "joints of this type have no limits";
constexpr const char* kNoAxis = "joints of this type have no axis";
constexpr const char* kNoDynamics = "joints of this type do not move by themselves";
constexpr const char* kNoVelocityLimit = "speeds are not limited";
constexpr const char* kSoftLimits = "soft limits belong to a controller";
constexpr const char* kCalibration = "concerns the real robot only";
constexpr const char* kJointSide = "actuators are made at the joint: gear ratios of the drive do not enter";
constexpr const char* kInterface = "which interface a controller uses does not matter here";

AttributeSchema real(const char* name, int count = 1) { return unbound(name, ValueKind::kReal, count, count); }
AttributeSchema text(const char* name) { return unbound(name, ValueKind::kText); }

const ElementSchema& get(const SchemaTable& table, std::string_view id) {
  for (const auto& element : table) {
    if (id == element->id) return *element;
  }
  std::abort();  // a slip in the table itself: every test that reads a URDF would show it
}

void link(SchemaTable& table, const char* parent, std::initializer_list<const char*> ids, Often often) {
  for (const auto& element : table) {
    if (std::string_view(parent) != element->id) continue;
    for (const char* id : ids) element->children.push_back({&get(table, id), often});
  }
}

void add_shapes(SchemaTable& table) {
  add_element(table, "origin", "origin", {real("xyz", 3), real("rpy", 3), real("quat_xyzw", 4)}).rules = {
      {RuleKind::kExclusive, {{"rpy"}, {"quat_xyzw"}}}};
  add_element(table, "box", "box", {real("size", 3).must()});
  add_element(table, "sphere", "sphere", {real("radius").must()});
  add_element(table, "cylinder", "cylinder", {real("radius").must(), real("length").must()});
  add_element(table, "capsule", "capsule", {real("radius").must(), real("length").must()});
  add_element(table, "mesh", "mesh",
              {unbound("filename", ValueKind::kFile).must(), unbound("scale", ValueKind::kReal, 1, 3)});
  add_element(table, "geometry", "geometry", {});
  link(table, "geometry", {"box", "sphere", "cylinder", "capsule", "mesh"}, Often::kOnce);
  add_element(table, "color", "color", {unbound("rgba", ValueKind::kFloat, 4, 4).must().viewing()});
  add_element(table, "texture", "texture",
              {unbound("filename", ValueKind::kFile).no_effect("URDF says not how it is laid over a shape")});
  add_element(table, "material", "material", {text("name").viewing()});
  link(table, "material", {"color", "texture"}, Often::kOnce);
}

void add_link(SchemaTable& table) {
  add_element(table, "mass", "mass", {real("value").must()});
  add_element(table, "inertia", "inertia",
              {real("ixx").must(), real("iyy").must(), real("izz").must(), real("ixy"), real("ixz"), real("iyz")});
  add_element(table, "inertial", "inertial", {});
  link(table, "inertial", {"origin", "mass", "inertia"}, Often::kOnce);
  for (const char* tag : {"visual", "collision"}) {
    add_element(table, tag, tag, {text("name")});
    link(table, tag, {"origin", "geometry", "material"}, Often::kOnce);
  }
  // Bullet's extension
  add_element(table, "lateral_friction", "lateral_friction", {real("value").must()});
  add_element(table, "contact", "contact", {});
  link(table, "contact", {"lateral_friction"}, Often::kOnce);
  add_element(table, "link", "link", {text("name").must(), text("type").no_effect("has no meaning in URDF")});
  link(table, "link", {"inertial", "contact"}, Often::kOnce);
  link(table, "link", {"visual", "collision"}, Often::kAny);
}

void add_joint(SchemaTable& table) {
  add_element(table, "parent", "parent", {text("link").must()});
  add_element(table, "child", "child", {text("link").must()});
  add_element(table, "axis", "axis", {real("xyz", 3).must()});
  add_element(table, "axis", "axis_unused", {real("xyz", 3).no_effect(kNoAxis)});
  add_element(table, "dynamics", "dynamics", {real("damping"), real("friction")});
  add_element(table, "dynamics", "dynamics_unused",
              {real("damping").no_effect(kNoDynamics), real("friction").no_effect(kNoDynamics)});
  add_element(table, "limit", "limit",
              {real("lower"), real("upper"), real("effort"), real("velocity").no_effect(kNoVelocityLimit)});
  add_element(table, "limit", "limit_continuous",
              {real("lower").no_effect(kNoLimits), real("upper").no_effect(kNoLimits), real("effort"),
               real("velocity").no_effect(kNoVelocityLimit)});
  add_element(table, "limit", "limit_unused",
              {real("lower").no_effect(kNoLimits), real("upper").no_effect(kNoLimits),
               real("effort").no_effect(kNoLimits), real("velocity").no_effect(kNoLimits)});
  add_element(table, "mimic", "mimic", {text("joint").must(), real("multiplier"), real("offset")});
  add_element(table, "calibration", "calibration",
              {real("rising").no_effect(kCalibration), real("falling").no_effect(kCalibration),
               real("reference_position").no_effect(kCalibration)});
  add_element(table, "safety_controller", "safety_controller",
              {real("soft_lower_limit").no_effect(kSoftLimits), real("soft_upper_limit").no_effect(kSoftLimits),
               real("k_position").no_effect(kSoftLimits), real("k_velocity").no_effect(kSoftLimits)});
  add_element(table, "joint", "joint", {text("name").must(), unbound_word("type", kJointTypes).must()});
  link(table, "joint",
       {"origin", "parent", "child", "axis", "dynamics", "limit", "mimic", "calibration", "safety_controller"},
       Often::kOnce);
}

void add_transmission(SchemaTable& table) {
  add_element(table, "type", "transmission_type", {text(kTextAttribute).no_effect(kJointSide)});
  add_element(table, "hardwareInterface", "interface", {text(kTextAttribute).no_effect(kInterface)});
  add_element(table, "mechanicalReduction", "reduction", {text(kTextAttribute).no_effect(kJointSide)});
  add_element(table, "joint", "transmission_joint", {text("name").must()});
  add_element(table, "actuator", "transmission_actuator", {text("name")});
  for (const char* owner : {"transmission_joint", "transmission_actuator"}) {
    link(table, owner, {"interface", "reduction"}, Often::kAny);
  }
  add_element(table, "transmission", "transmission", {text("name"), text("type").no_effect(kJointSide)});
  link(table, "transmission", {"transmission_type", "transmission_joint", "transmission_actuator", "reduction"},
       Often::kAny);
}

const SchemaTable& table() {
  static const SchemaTable kTable = [] {
    SchemaTable all;
    add_shapes(all);
    add_link(all);
    add_joint(all);
    add_transmission(all);
    add_element(all, "mujoco", "mujoco_block", {});
    add_element(all, "robot", "robot", {text("name"), text("version").no_effect("every version is read alike")});
    link(all, "robot", {"link", "joint", "material", "transmission"}, Often::kAny);
    link(all, "robot", {"mujoco_block"}, Often::kOnce);
    return all;
  }();
  return kTable;
}

}  // namespace

const ElementSchema& urdf_schema() { return get(table(), "robot"); }
const ElementSchema& urdf_element(std::string_view id) { return get(table(), id); }

}  // namespace pliant
