#pragma once
// What a constraint will do before it does it: depth at rest, bounce, settling, creep, stiffness, limits of the
// timestep.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "pliant/contact_report.h"
#include "pliant/options.h"
#include "pliant/spec.h"
#include "pliant/state.h"

namespace pliant {

/// How a constraint behaves at the model's timestep. Infinite: never, or no limit. Lengths are [m] for contacts and
/// sliders, [rad] for hinges; forces [N] or [N·m] likewise.
struct Prediction {
  double load = 0;         ///< force that presses: the actual weight [N]
  double mass = 0;         ///< mass that the constraint feels: 1 / A [kg]
  double rest_depth = 0;   ///< under that load
  double impact = 1;       ///< speed of the impact that the next numbers are about [m/s]
  double restitution = 0;  ///< speed after / speed before, mean over where in a step the impact falls
  std::array<double, 2> restitution_range{};
  double contact_steps = 0;             ///< steps of the first contact, mean; infinite: it stays
  double max_depth = 0, max_force = 0;  ///< of the first contact
  double settle_time = 0;               ///< from the first touch until the depth stays within 5 % of the rest depth [s]
  double creep_speed = 0;               ///< down the steepest slope it holds [m/s]
  double creep_slope = 0;               ///< tangent of that slope's angle
  double stiffness = 0;                 ///< load / rest depth: what a static press measures [N/m]
  double damping = 0;                   ///< force per speed at constant load [N·s/m]
  double impact_stiffness = 0;          ///< what a blow feels: smaller, because the row yields to acceleration [N/m]
  double impact_damping = 0;            ///< [N·s/m]
  double frequency = 0;                 ///< natural frequency about the state of rest [Hz]
  double dampratio = 0;                 ///< below 1 it oscillates
  double stable_dt = 0;                 ///< the state of rest is unstable above this timestep [s]
  double stable_dt_sliding = 0;         ///< of friction alone; stable_dt is that of all motions together
  double tipping_rate = 0;  ///< contacts: growth of a tilt at rest [1/s], whatever the timestep; 0: it stays as it lies
};

/// A number that was clamped or replaced.
struct ClampNote {
  std::string code;  ///< "refsafe", "impedance" …: a line of the table of clamps
  std::string text;  ///< what happened, with numbers
};

/// A constraint explained.
struct Explanation {
  std::string kind;    ///< "contact", "joint limit", "equality", "mimic"
  std::string title;   ///< "ball – floor"
  std::string origin;  ///< file:line:column
  double timestep = 0;
  bool touches = true;                    ///< contacts: they can touch; otherwise `note` says why not
  std::string note;                       ///< sentences: where predictions need a remark
  std::vector<ContactParameter> sources;  ///< parameters, with rules and places
  std::vector<ClampNote> clamped;
  Prediction predict;
  Reals<kNumRef> solref{};  ///< in force, after clamps
  Reals<kNumImp> solimp{};
  double row_stiffness = 0, row_damping = 0;    ///< K [1/s²] and B [1/s]
  double response = 0, estimate = 0;            ///< A and Â of all rows together [1/kg]
  int contacts = 0;                             ///< points
  int substeps = 1;                             ///< parts of a step (solver TGS)
  bool discrete = false;                        ///< the integrator is discrete: rows act at the end of the step
  bool runge_kutta = false, two_sided = false;  ///< how it is stepped; it pulls as well
  std::string sentence;                         ///< mimics: "right = −1·left + 0.02"
  double residual = 0;                          ///< now; positive beyond a limit
  double range[2] = {};                         ///< limits
  std::string tuning;                           ///< what explain_page needs beside these numbers: JSON
};

/// How two geoms meet: parameters, clamps and predictions for an impact at `impact` m/s. Throws std::invalid_argument
/// for geoms that can never touch.
Explanation explain_contact(const Model& model, const State& state, int geom1, int geom2, double impact = 1,
                            const Spec* spec = nullptr);

/// The limits of a joint. Throws std::invalid_argument if it has none.
Explanation explain_limit(const Model& model, const State& state, int joint, double impact = 1);
/// An equality of any type: its row that carries most.
Explanation explain_equality(const Model& model, const State& state, int equality, double impact = 1);
/// A mimic: the sentence it says, how it holds, its residual now. `equality` is its number among the equalities.
Explanation explain_mimic(const Model& model, const State& state, int equality, double impact = 1);

/// Everything that can be explained: pairs of geoms that touch now, pairs of <pair>, limits, equalities, mimics.
/// `progress` is told how many of them have been looked at.
std::vector<Explanation> explain_all(const Model& model, const State& state, double impact = 1,
                                     const Spec* spec = nullptr,
                                     const std::function<void(double done, double total)>& progress = nullptr);

/// Lines of at most 100 columns.
std::string explain_text(const Explanation& explanation);
/// Infinite numbers are null.
std::string explain_json(const Explanation& explanation);
/// A page that needs nothing else: numbers to type or slide, all predictions and curves for them, the line of MJCF to
/// copy. `playing`: address of a page that plays (pliant view --html), to link to.
std::string explain_page(const Explanation& explanation, const std::string& playing = "");

}  // namespace pliant
