#pragma once
// Why a simulation went wrong, after it: what left its band first, which element fed it, the rule it broke, and what
// cures it, tried by simulating again from before the trouble. docs/why.md says how it is found out.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pliant/doctor.h"
#include "pliant/recording.h"
#include "pliant/state.h"

namespace pliant {

/// A quantity that was where it should not be.
struct Departure {
  std::string quantity;  ///< "speed of joint 'elbow'", "depth of geom 'ball' in geom 'floor'"
  std::string element, origin;
  std::string text;       ///< a sentence with the numbers
  double value = 0;       ///< what it was
  double band = 0;        ///< and what it may be at most
  std::string unit;       ///< of both
  int64_t step = 0;       ///< counted from the first state that is known
  double time = 0;        ///< [s]
  bool at_start = false;  ///< in that first state already
};

/// A change of a model file: an attribute of the element that stands at `origin`, or an element to add.
struct MjcfEdit {
  std::string tag;     ///< "joint", "option", "position" …; of several that are possible the first ("position|general")
  std::string name;    ///< of the element; "" when it has none
  std::string origin;  ///< "file:line:column"; "" when unknown, as for <option>
  std::string attribute, value;  ///< empty: `line` is added
  std::string section, line;     ///< "contact", "<exclude body1=…/>"
  std::string unit;              ///< "rad" or "deg" of angles whose unit depends on <compiler angle>; "" otherwise
};

/// A change that was tried by simulating again.
struct TriedFix {
  std::string what;  ///< "smaller timestep"
  std::string mjcf;  ///< the change to copy; "" when the cure is not in the model file
  std::vector<MjcfEdit> edits;
  bool worked = false;   ///< finite, nothing left its band, and near the fine timestep
  bool finite = false;   ///< every step was made
  bool in_band = false;  ///< and nothing left its band
  double error =
      -1;  ///< largest distance from the motion with a fine timestep, as a share of that motion; -1: not known
  std::string note;  ///< why it is not said to have worked
  int suspect = -1;  ///< whose cure it is (place in WhyReport::suspects); -1: of no element alone
};

/// An element that may have caused it.
struct WhySuspect {
  std::string kind;  ///< "actuator", "spring", "contact", "limit", "equality", "mass", "timestep", "input" …
  std::string element, origin;
  std::string rule;                ///< the rule it broke, in one sentence
  std::vector<Evidence> evidence;  ///< the numbers
  double fed = 0;                  ///< share of the energy that all elements fed before the trouble
  bool without_it_fine = false;    ///< with this element taken out nothing leaves its band
  double score = 0;                ///< evidence together; the largest is first
};

/// Work of one step, by element.
struct LedgerStep {
  int64_t step = 0;
  double time = 0, kinetic_change = 0, integration = 0;
  std::vector<double> work;  ///< as WhyReport::ledger_elements, [J]
};

struct WhyReport {
  std::string title;                  ///< of what was looked at
  std::string problem;                ///< why nothing could be looked at: the model was refused …; "" otherwise
  int64_t steps = 0;                  ///< that were looked at
  double timestep = 0;                ///< [s]
  bool trouble = false;               ///< whether anything left its band
  std::string fault;                  ///< what the refused step said; "" if none was
  std::vector<Departure> departures;  ///< the one that matters first, then the others in their order
  std::string nature;  ///< "input", "timestep" (a fine one cures it), "model" (it does not), "start", "outside"
                       ///< (of a trajectory: what acted is not in its rows), "unknown"
  std::vector<std::string> chain;            ///< from what was seen back to its cause, a sentence each
  std::vector<WhySuspect> suspects;          ///< the most likely culprit first
  std::vector<TriedFix> fixes;               ///< those that worked first
  std::vector<std::string> ledger_elements;  ///< "actuator 'elbow' (arm.xml:3:5)", the largest first; "others" last
  std::vector<LedgerStep> ledger;            ///< the steps before the trouble
  double from = 0;                           ///< where simulations of fixes start [s]
  std::vector<std::string> notes;            ///< what is not known, what was left out
  bool known = false;  ///< the first suspect has a broken rule, or a cure that worked; otherwise it is a guess
};

struct WhyOptions {
  double seconds = 10;                                   ///< how long a model is run at most [s]
  int key = -1;                                          ///< keyframe it starts from; -1: as the file has it
  int world = 0;                                         ///< of a recording of several
  int64_t most_steps = 400'000;                          ///< of all simulations of fixes together
  int most_suspects = 8;                                 ///< that are tried
  const std::vector<Diagnostic>* diagnostics = nullptr;  ///< what loading the model had to say
  bool degrees = false;             ///< the model file has angles in degrees: changes to copy have them, too
  std::function<bool()> stop = {};  ///< asked now and then, where given
  /// Told how many simulations were made, of how many that are known of by now, where given.
  std::function<void(int done, int total)> progress = {};
  /// Sets controls and forces of a step before it, where given.
  std::function<void(const Model&, int64_t step, State&)> inputs = {};
};

/// Runs the model until something goes wrong, and says why.
WhyReport why(const Model& model, const WhyOptions& options = {});
/// The same for a recording, whose last row may be the state of which the step was refused.
WhyReport why(const Model& model, const RecordingFile& recording, const WhyOptions& options = {});
/// The same for states of any origin, a timestep apart, with the inputs of each: a run of MuJoCo.
WhyReport why(const Model& model, const std::vector<State>& states, const WhyOptions& options = {});
/// For a model that could not be loaded: what the doctor found is all there is. `cures`: changes that were tried, by
/// the place of their finding in the report.
struct RefusedCure {
  size_t finding = 0;
  std::string change;
  bool loads = false;  ///< the model loads with it, and its trial run has no errors
};
WhyReport why_refused(const DoctorReport& report, const std::vector<RefusedCure>& cures = {});

/// States of a trajectory, rows of `width` numbers: time, qpos, qvel and act (mjSTATE_FULLPHYSICS), the same without
/// time (mjSTATE_PHYSICS) or without act, or with ctrl at the end: the first of these that has that width. Without time
/// rows are a timestep apart. Throws std::invalid_argument where no width fits.
std::vector<State> states_of_rows(const Model& model, std::span<const double> numbers, size_t width);
/// The same of a file *.npy. Throws std::runtime_error with the file and what is wrong with it.
std::vector<State> read_states(const Model& model, const std::filesystem::path& npy);

/// For people: at most 100 columns. `all`: every suspect and every fix that was tried.
std::string why_text(const WhyReport& report, bool all = false);
std::string why_json(const WhyReport& report, const std::string& file);
/// One HTML page, complete in itself.
std::string why_page(const WhyReport& report);

}  // namespace pliant
