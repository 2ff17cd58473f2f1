#pragma once
// What the checks of the doctor share: the model, the poses it is looked at in, and how a finding is written.
//
// A check is a function in a doctor_*.cpp file and a line of the table in doctor.cpp. Checks of a model run once,
// checks of a pose for qpos0 and each keyframe, checks of the trial run once at its end.

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "pliant/doctor.h"
#include "pliant/kinds.h"
#include "pliant/place.h"
#include "pliant/query.h"
#include "pliant/spec.h"
#include "pliant/step.h"

namespace pliant::doctoring {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Pose::key in the trial run.
inline constexpr int kTrialKey = -2;

/// A state with everything that `forward` computes from it.
struct Pose {
  std::string name;  ///< "the start (qpos0)", "keyframe 'home'", "after 1 s"
  int key = -1;      ///< -1: qpos0
  State state;
  Data data;
};

/// How the trial run went.
struct Trial {
  int steps = 0;  ///< done
  double seconds = 0;
  StepStatus status;                         ///< of the last step
  bool refused = false;                      ///< the last step was
  double speed = 0;                          ///< largest entry of qvel seen
  double start_energy = 0, most_energy = 0;  ///< kinetic plus potential [J]
  int unconverged = 0;                       ///< steps in which the solver did not reach its tolerance
};

struct Case {
  const Model& m;
  std::vector<TimestepLimit>* budget = nullptr;
  std::vector<Finding> findings;
  Trial trial;
};

/// Where the geoms of a body are, whatever its centre of mass.
struct GeomsPlace {
  double centre[3] = {};  ///< of their middles, by the size of their bounds
  double radius = 0;      ///< around the centre; 0 when there are none
  double away = 0;        ///< of the centre of mass from the nearest of their bounds
};
GeomsPlace place_of_geoms(const Model& m, int body);
/// A centre of mass so many radii of its geoms away from them is a slip.
inline constexpr double kFarCentre = 2;

// ---- words

std::string number(double x);
std::string percent(double share);
/// "2.5 ms", "30 µs"
std::string time_text(double seconds);
/// The timestep, and what bounds it first.
std::string timestep_text(const DoctorReport& report);
/// "3.2 mm", "0.25 m"
std::string length_text(double metres);
std::string element_text(const Model& m, ObjType type, int id);
std::string geom_pair_text(const Model& m, int geom1, int geom2);
/// A body as `<exclude>` names it; "" if it has no name.
std::string body_name(const Model& m, int body);
/// "(0 0 1)": what is zero but for rounding is zero.
std::string direction_text(const double* unit, double sign);
/// The line that keeps two bodies from touching, or what to do first if they have no names.
std::string exclude_line(const Model& m, int body1, int body2);

// ---- findings

/// Adds a finding; title and the like come from the table of codes. Of several with the same code and element the worst
/// stays.
Finding& add(Case& c, const char* code, FindingSeverity severity, const std::string& element, const std::string& origin,
             std::string message, std::vector<Evidence> evidence, std::string change, double weight);
inline Finding& add(Case& c, const char* code, FindingSeverity severity, ObjType type, int id, std::string message,
                    std::vector<Evidence> evidence, std::string change, double weight) {
  return add(c, code, severity, element_text(c.m, type, id), c.m.origin(type, id), std::move(message),
             std::move(evidence), std::move(change), weight);
}

// ---- dynamics

/// x' inv(M) x at a pose; `moved` (nv, may be null) gets inv(M) x.
double inverse_inertia(const Model& m, const Data& d, const std::vector<double>& x,
                       std::vector<double>* moved = nullptr);
/// Row of the Jacobian as nv numbers.
std::vector<double> row_vector(const Model& m, const Rows& rows, int row);
/// Mass of the rigid group's kinematic tree that moves with a body: 0 if it cannot move.
double tree_mass(const Model& m, int body);
bool can_move(const Model& m, int body);
/// Whether nothing but contacts holds the tree of a body: its root has a free joint, or slides in two directions or
/// more.
bool floats(const Model& m, int body);
bool scalar_joint(const Model& m, int joint);
double gravity_size(const Model& m);

// ---- checks

void check_timestep(Case& c, const Pose& pose);
void check_loops(Case& c, const Pose& pose);
void check_gains(Case& c, const Pose& pose);
void check_overlaps(Case& c, const Pose& pose);
void check_residuals(Case& c, const Pose& pose);
void check_inertia(Case& c);
void check_chains(Case& c);
void check_stacks(Case& c, const Pose& pose);
void check_hulls(Case& c);
void check_parameters(Case& c);
void check_margins(Case& c, const Pose& pose);
void check_limits(Case& c, const Pose& pose);
void check_friction(Case& c, const Pose& pose);
void check_trial(Case& c, const Pose& pose);
void check_counters(Case& c, const Pose& pose);

/// Findings about <inertial> of a Spec: for files whose model is refused, and for tensors that the compiler replaced.
void check_spec_inertia(Case& c, const Spec& spec, FindingSeverity severity);

/// Steps from a pose until `seconds` are over or a step is refused; the pose gets the last good state. `look` is called
/// with it many times on the way; its Data is then that of the step just made.
Trial run_trial(const Model& m, double seconds, Pose& pose, const std::function<void(const Pose&)>& look);

/// Largest growth per step of a small disturbance along `direction` (nv), with its sign: below -1 it is the timestep
/// that makes it grow, above 1 the physics may. Contacts and limits are left out.
double disturbance_growth(const Model& m, const State& s, const std::vector<double>& direction);

/// What the loader said, as findings.
void add_diagnostics(Case& c, const std::vector<Diagnostic>& diagnostics);
/// Findings and timesteps in their order, into the report.
void finish(Case& c, DoctorReport& report);

}  // namespace pliant::doctoring
