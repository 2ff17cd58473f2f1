// Links that move but weigh nothing. URDF allows them; the equations of motion do not. A link whose fixed companions have mass
// is fine as it is. Any other gets values, and a finding that names the link and them:
//
//   shapes to collide with   their volume at the density of water, as in the reference
//   none                     a mass too small to matter beside any real link
//   mass, but no inertia     that of a small ball of this mass

#include <algorithm>

#include "base/text.h"
#include "load/urdf_reader.h"

namespace pliant {
namespace {

constexpr double kSmallMass = 1e-6;     // [kg]
constexpr double kSmallInertia = 1e-9;  // [kg m²]
constexpr double kBallRadius = 0.01;    // [m]

bool has_inertia(const BodySpec& body) { return defined(body.fullinertia[0]); }

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
    const bool has_shapes = std::any_of(link.geoms.begin(), link.geoms.end(), [](const GeomSpec& g) { return g.conaffinity != 0; });
    if (body.mass > 0) {
      const double moment = 0.4 * body.mass * kBallRadius * kBallRadius;
      body.inertia = {moment, moment, moment};
      services_.warning(Code::kMasslessLink, *link.element,
                        who + "inertia; it gets that of a ball of its mass with 1 cm radius, " + number_text(moment) + " kg m²",
                        "write its <inertia>");
    } else if (has_shapes && spec_.compilers[0].inertiafromgeom != InertiaFromGeom::kFalse) {
      body.has_inertial = false;  // the compiler then takes mass and inertia from the shapes
      services_.warning(Code::kMasslessLink, *link.element,
                        who + "mass; mass and inertia are taken from its collision shapes, at 1000 kg/m³", "write its <inertial>");
    } else {
      body.mass = kSmallMass;
      if (!has_inertia(body)) body.inertia = {kSmallInertia, kSmallInertia, kSmallInertia};
      services_.warning(Code::kMasslessLink, *link.element,
                        who + "mass and no collision shape to take one from; it gets 1e-6 kg and 1e-9 kg m²", "write its <inertial>");
    }
  }
}

}  // namespace pliant
