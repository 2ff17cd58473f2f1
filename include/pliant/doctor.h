#pragma once
// The doctor: what in a model will misbehave, before anybody wonders why it does.
//
// Findings are about dynamics, where the loader's are about the file: a timestep too long for a gain, geoms that
// overlap at the start, a tensor no body can have, friction that cannot hold. Each names an element, its place in the
// file, the numbers that show it, and a change that cures it.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pliant/model.h"
#include "pliant/state.h"

namespace pliant {

/// kError: the simulation will be wrong or blow up. kWarning: most likely not what was meant. kNote: good to know.
enum class FindingSeverity : uint8_t { kNote, kWarning, kError };
const char* severity_name(FindingSeverity severity);

/// A number that shows the finding.
struct Evidence {
  std::string name;
  double value = 0;
  std::string unit;
};

struct Finding {
  std::string code;  ///< "D301", stable (doctor_codes()); or a code of the loader, "W602"
  FindingSeverity severity = FindingSeverity::kWarning;
  std::string title;    ///< a few words
  std::string element;  ///< "joint 'knee'", "geom 'a' and geom 'b'"
  std::string origin;   ///< "file:line:column"; "" when unknown
  std::string message;
  std::vector<Evidence> evidence;
  std::string change;  ///< what to write instead
  double weight = 0;   ///< order within a severity: how far beyond the bound, as a ratio
};

/// What one element allows the timestep to be.
struct TimestepLimit {
  std::string kind;     ///< "contact", "limit", "equality", "mimic", "actuator", "spring", "damper"
  std::string element;  ///< as in Finding
  std::string origin;
  double limit = 0;  ///< longest stable timestep [s]; infinite if there is none
};

struct DoctorReport {
  std::vector<Finding> findings;      ///< worst first
  std::vector<TimestepLimit> budget;  ///< shortest first, finite ones only
  double timestep = 0;                ///< of the model; 0 if it could not be loaded
  bool loaded = false;
  int poses = 0;         ///< configurations looked at: qpos0 and keyframes
  int trial_steps = 0;   ///< steps of the trial run
  std::string no_trial;  ///< why there was none: "nothing in the model can move"
  int count(FindingSeverity severity) const;
};

struct DoctorOptions {
  double trial_seconds = 1;  ///< simulated time of the trial run; 0 for none
  /// Told now and then how much of the trial run is done [s].
  std::function<void(double done, double total)> progress = nullptr;
};

/// Looks at a compiled model. `diagnostics`: what loading it had to say (may be null).
DoctorReport doctor(const Model& model, const std::vector<Diagnostic>* diagnostics = nullptr,
                    const DoctorOptions& options = {});

/// For people: at most 100 columns.
std::string doctor_text(const DoctorReport& report, const std::string& title);
std::string doctor_json(const DoctorReport& report, const std::string& file);

struct DoctorCode {
  const char* code;
  const char* title;
  const char* meaning;
};
/// Every code the doctor itself gives, ascending.
const std::vector<DoctorCode>& doctor_codes();
/// For people: at most 100 columns.
std::string doctor_codes_text();

/// The moments nearest to `moments` (least squares) that a rigid body can have: none negative, none larger than the sum
/// of the other two.
void nearest_moments(const double moments[3], double valid[3]);

}  // namespace pliant
