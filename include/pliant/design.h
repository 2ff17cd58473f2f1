#pragma once
// Behaviour in, numbers out: solref and solimp for a wanted bounce, stiffness, depth at rest or settling time.

#include <span>
#include <string>
#include <vector>

#include "pliant/explain.h"

namespace pliant {

/// What is wanted. NaN: do not care.
struct DesignRequest {
  double restitution = kUndefined;  ///< 0 … 1
  double impact = 1;                ///< speed at which that holds [m/s]
  double max_depth = kUndefined;    ///< of that impact [m]
  double stiffness = kUndefined;    ///< of a static press [N/m]
  double damping = kUndefined;      ///< [N·s/m]
  double mass = 1;                  ///< that the constraint feels [kg]
  double rest_depth = kUndefined;   ///< under the weight of that mass [m]
  double settle = kUndefined;       ///< time to come to rest [s]
  std::string material;             ///< name of a line of the table of materials
  std::string target = "geom";      ///< "geom", "pair", "limit", "equality", "mimic": whose attributes to write
  std::string mode = "auto";        ///< "spring", "impact" or "auto"
  double timestep = 0.002;
  int substeps = 1;                            ///< of the solver TGS; 1 for the others
  Integrator integrator = Integrator::kEuler;  ///< Euler, implicit and implicitfast step a constraint alike
  double gravity = 9.81;
};

struct DesignResult {
  bool possible = false;
  std::string refusal;    ///< why not, and the nearest possible
  DesignRequest nearest;  ///< a request that is possible
  std::string mode;       ///< "spring": a contact of many steps; "impact": a reversal within one step
  Reals<kNumRef> solref{};
  Reals<kNumImp> solimp{};
  std::string attributes;          ///< MJCF: solref="…" solimp="…"
  std::vector<std::string> notes;  ///< what was traded
  Prediction predict;              ///< of the result
};

/// Solves in closed form, then calibrates on the map of one row at the timestep. Never throws for wishes that cannot be
/// met; throws std::invalid_argument for those that make no sense (an unknown material, a negative mass).
DesignResult design(const DesignRequest& request);

/// Names of integrators as MJCF has them, in the order of Integrator.
std::span<const char* const> integrator_names();

/// How a material bounces and yields, for a ball of some centimetres on a hard floor.
struct Material {
  const char* name;
  double restitution;  ///< at about 1 m/s
  double friction;     ///< sliding, rounded, against a dry hard surface
  const char* source;  ///< of the restitution
};
std::span<const Material> materials();

/// Lines of at most 100 columns.
std::string design_text(const DesignResult& result);
/// Infinite and undefined numbers are null.
std::string design_json(const DesignResult& result);
/// The table of materials as lines.
std::string materials_text();

}  // namespace pliant
