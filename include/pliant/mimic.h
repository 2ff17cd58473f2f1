#pragma once
// Mimic joints: what they do, and states that satisfy them.
//
//   C = q_follower + Σ gear·q_leader + offset = 0     in absolute joint positions [rad|m]

#include <string>
#include <vector>

#include "pliant/mimic_forms.h"
#include "pliant/state.h"

namespace pliant {

/// One mimic after a forward.
struct MimicReport {
  std::string name;      ///< of the equality; "equality 3" without one
  std::string follower;  ///< name of the joint
  std::string origin;    ///< "file:line:column"
  std::string sentence;  ///< "right = −1.000·left + 0.02 m"
  MimicMode mode = MimicMode::kExact;
  bool active = true;
  double residual = 0;  ///< C [m|rad]
  double rate = 0;      ///< dC/dt
  double force = 0;     ///< λ: acts on the follower with λ and on each leader with gear·λ [N|N m]
  double power = 0;     ///< λ dC/dt [W]: zero where it holds exactly
};
/// All mimics, in the order of the model. Needs what forward leaves in Data.
std::vector<MimicReport> mimic_reports(const Model& m, const State& s, const Data& d);
/// The mimic of that name, or of the joint of that name as a follower. Throws std::invalid_argument if there is none.
MimicReport mimic_report(const Model& m, const State& s, const Data& d, const std::string& name);

/// "exact", "hard", "soft".
const char* mimic_mode_text(MimicMode mode);
/// The relation of mimic i as a sentence: the follower as a function of its leaders.
std::string mimic_sentence(const Model& m, int mimic);
/// C of mimic i in this state [m|rad].
double mimic_residual(const Model& m, const State& s, int mimic);

/// How a state was put on the manifold of its equalities.
struct Projection {
  double before = 0, after = 0;  ///< largest residual of a row
  int iterations = 0;
};
/// Moves qpos and qvel to where all active mimics and equalities hold. Followers go where their leaders put them; what
/// other equalities still ask for then is done by the smallest motion, measured by kinetic energy.
Projection project_state(const Model& m, State& s);

}  // namespace pliant
