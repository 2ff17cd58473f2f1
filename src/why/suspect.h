#pragma once
// Elements that may have caused the trouble, with the rule that each breaks and what to try.

#include <optional>
#include <string>
#include <vector>

#include "doctor/doctor_case.h"
#include "why/past.h"
#include "why/rerun.h"
#include "why/watch.h"

namespace pliant::whys {

struct Suspect {
  std::string kind;
  ObjType type = ObjType::kUnknown;
  int id = -1, id2 = -1;
  std::string element, origin, rule;
  std::vector<Evidence> evidence;
  double broken = -1;  ///< decades beyond the bound of its rule; negative: it keeps it
  bool near = false;   ///< acts on what moved wrongly
  double fed = 0;      ///< share of the energy that was fed
  double prior = 0;    ///< evidence of other kinds
  std::optional<Variant> without = {};
  std::vector<Variant> remedies = {};
  bool without_fine = false, cured = false;
  double score = 0;
};

/// The moment of the trouble.
struct Scene {
  const Model& m;
  const Past& past;
  const Seen& seen;
  size_t at;                 ///< state before the step in which it was seen
  size_t from;               ///< state from which fixes are tried
  bool timestep;             ///< with a fine timestep nothing leaves its band
  bool unconverged;          ///< the solver stopped before its tolerance in most of the steps
  doctoring::Pose pose;      ///< at that state
  std::vector<double> mode;  ///< change of the velocities there: what moves wrongly (nv)
  double mode_energy = 0;    ///< mode' M mode
  bool outside = false;      ///< the model does not do it by itself: something that the rows do not have acted

  /// Whether something that acts along j has a part in the mode.
  bool touches(const std::vector<double>& j) const;
  bool touches_body(int body) const;
};

/// Where things stand when the trouble is seen.
Scene scene_of(const Model& m, const Past& past, const Seen& seen, size_t from, bool timestep, bool unconverged);

// ---- one function per family; each appends

void suspect_inputs(const Scene& scene, std::vector<Suspect>& out);
void suspect_smooth(const Scene& scene, std::vector<Suspect>& out);
void suspect_rows(const Scene& scene, std::vector<Suspect>& out);
void suspect_bodies(const Scene& scene, std::vector<Suspect>& out);
void suspect_options(const Scene& scene, std::vector<Suspect>& out);
void suspect_findings(const Scene& scene, const std::vector<Diagnostic>* diagnostics, std::vector<Suspect>& out);
/// Takes from the rules of stiff elements what the timestep and light bodies have done to them.
void share_blame(const Scene& scene, std::vector<Suspect>& all);

/// Timesteps that nobody wonders about.
inline constexpr double kUsualTimestep = 0.002;
/// Accelerations that nobody wonders about, in units of g.
inline constexpr double kUsualPush = 100;

}  // namespace pliant::whys
