#pragma once
// Where and how two geoms would touch: the points, their response to a force, and the load that presses them together.
//
// If they do not touch in the given state, the second geom is moved along the shortest way until they do; both keep
// their orientation, so a box above a floor touches with the corners that face it.

#include <array>
#include <string>
#include <vector>

#include "analysis/scalar_map.h"
#include "collision/contact_point_hd.h"
#include "math/vec3.h"
#include "pliant/state.h"

namespace pliant {

using Six = std::array<double, 6>;
using SixBySix = std::array<Six, 6>;

struct ContactPatch {
  Contact contact{};         ///< parameters and frame of the first point
  std::vector<Vec3> points;  ///< on the body that presses
  std::vector<Vec3>
      slope_points;              ///< the same when it leans downhill, along the first tangent: round shapes turn theirs
  double distance = 0;           ///< of the surfaces now
  double load = 0;               ///< force that presses them together when nothing else holds them [N]
  double response = 0;           ///< A of a common push: acceleration per newton of all points together [1/kg]
  double stiffest_response = 0;  ///< the same for the mode that answers most (rocking), per newton of all points
  double sliding_response = 0;   ///< along the first tangent
  double row_estimate = 0;       ///< Â that R0 of each point is made of [1/kg]
  std::array<double, 3> estimate_parts{};  ///< the same as a polynomial of sliding friction: friction pyramids lean
  bool elliptic = false;
  double impratio = 1;
  int pressing_side = 1;   ///< the geom whose weight is the load
  bool free_body = false;  ///< it is one body that can tilt freely
  Vec3 centre{};           ///< its centre of mass
  double mass = 0;         ///< of the tree of the pressing side

  // where they touch: the second geom moved there; the model keeps the shapes' meshes
  ShapeT<double> shapes[2];
  std::vector<ContactPoint> touching;
  double thickness = 0;  ///< of the pressing geom along the normal
  Vec3 pivot{};          ///< about which the pressing side turns: its centre of mass, or amid the points
  SixBySix
      twist_response{};  ///< of its velocity and angular velocity there, relative to the other, per force and torque

  /// R of a point along the normal, over (1 − d)/d: what friction pyramids make of it included.
  double normal_estimate() const;
  /// The row that all points together are.
  ScalarRow row(const Model& model) const;
};

/// Throws std::invalid_argument, with the reason, for geoms that can never touch.
ContactPatch find_patch(const Model& model, const State& state, int geom1, int geom2);

/// Why two geoms never touch: "" if they do.
std::string why_never(const Model& model, int geom1, int geom2);

/// Creeping down the steepest slope that still holds.
struct Creep {
  double slope = 0;  ///< tangent of its angle
  double speed = 0;  ///< [m/s]; infinite where there is no friction
};
Creep creep(const ContactPatch& patch, const Model& model);

}  // namespace pliant
