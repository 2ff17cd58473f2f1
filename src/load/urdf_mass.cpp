// Links that move but weigh nothing. URDF allows them; the equations of motion do not. A link whose fixed companions
// have mass is fine as it is. Any other gets values, and a finding that names the link and them:
//
//   shapes to collide with   their volume at the density of water, as in the reference
//   none                     a mass too small to matter beside any real link
//   mass, but no inertia     a moment that is as small

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "load/urdf_reader.h"

namespace pliant {
namespace {

// Too small to matter beside anything that was meant, large enough to divide by.
constexpr double kSmallMass = 1e-9;      // [kg]
constexpr double kSmallInertia = 1e-12;  // [kg m²], with it
constexpr double kSmallMoment = 1e-10;   // [kg m²], for a mass without inertia

bool has_inertia(const BodySpec& body) {
  return std::any_of(body.inertia.begin(), body.inertia.end(),
                     [](double moment) { return std::abs(moment) > kNoInertia; });
}

}  // namespace

/// Whether the link, or what is fixed to it, has mass and inertia.
bool UrdfReader::carries_mass(int link) const {
  const Link& at = links_[link];
  if (at.body.mass > 0 && has_inertia(at.body)) return true;
  for (int j : at.child_joints) {
    if (joints_[j].type == UrdfJointType::kFixed && carries_mass(joints_[j].child)) return true;
  }
  return false;
}

void UrdfReader::settle_masses() {
  for (size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const bool moves = link.parent_joint >= 0 ? joints_[link.parent_joint].type != UrdfJointType::kFixed
                                              : options_.urdf.floating_base && link.body.name != "world";
    if (!moves || carries_mass(static_cast<int>(i))) continue;
    BodySpec& body = link.body;
    const std::string who = "link " + quote(body.name) + " moves, but has no ";
    const bool has_shapes =
        std::any_of(link.geoms.begin(), link.geoms.end(), [](const GeomSpec& g) { return g.conaffinity != 0; });
    if (body.mass > 0) {
      body.inertia = {kSmallMoment, kSmallMoment, kSmallMoment};
      services_.warning(Code::kMasslessLink, *link.element, who + "inertia; it gets 1e-10 kg m² about every axis",
                        "write its <inertia>");
    } else if (has_shapes && spec_.compilers[0].inertiafromgeom != InertiaFromGeom::kFalse) {
      body.has_inertial = false;  // the compiler then takes mass and inertia from the shapes
      services_.warning(Code::kMasslessLink, *link.element,
                        who + "mass; mass and inertia are taken from its collision shapes, at 1000 kg/m³",
                        "write its <inertial>");
    } else {
      const bool turns = has_inertia(body);
      body.mass = kSmallMass;
      if (!turns) body.inertia = {kSmallInertia, kSmallInertia, kSmallInertia};
      services_.warning(Code::kMasslessLink, *link.element,
                        who + "mass and no collision shape to take one from; it gets 1e-9 kg" +
                            (turns ? " and keeps its inertia" : " and 1e-12 kg m²"),
                        "write its <inertial>");
    }
  }
}

}  // namespace pliant
