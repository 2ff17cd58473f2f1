#pragma once
// What a model means in MuJoCo 4.0, which Pliant follows, and meant in 3.12.
//
// A file that nobody touched can move differently after an upgrade: damping ratios are resolved by another formula,
// faces touch in other points, a servo at its limit no longer damps. This is a report about one model: which of its
// elements are concerned, where they stand in the file, and by how much. The laws of 3.12 that it needs are in
// src/changes and nowhere else; nothing can be simulated with them.

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/load_spec.h"

namespace pliant {

/// What a change can be noticed in.
enum class ChangeEffect : uint8_t {
  kFile,          ///< whether the file loads, or what it says
  kAcceleration,  ///< qacc of a state
  kStep,          ///< the state after a step from the same acceleration
  kReading,       ///< a sensor
  kNumbers,       ///< arrays of the Model, and nothing that moves
};
const char* effect_name(ChangeEffect effect);

/// A quantity as it was and as it is.
struct ChangedNumber {
  std::string name;
  double before = 0, after = 0;  ///< NaN: there was or is none
  std::string unit;
};

struct Change {
  std::string code;     ///< "C103", stable (change_codes())
  std::string title;    ///< a few words
  std::string version;  ///< of MuJoCo, that brought it: "3.15"
  ChangeEffect effect = ChangeEffect::kAcceleration;
  /// Whether it makes a difference at a state that was looked at. If not, only its law is another, and the model has
  /// not met it.
  bool seen = false;
  std::string element;  ///< "actuator 'hip'", "geom 'a' and geom 'b'"
  std::string origin;   ///< "file:line:column"; "" when unknown
  std::string message;
  std::vector<ChangedNumber> numbers;
  /// Largest difference of an acceleration, or of the state after a step, relative to its value (or to 1, if that is
  /// smaller), over the states looked at; NaN if it was not computed.
  double size = std::numeric_limits<double>::quiet_NaN();
};

struct ChangeReport {
  std::string since = "3.12";
  bool loaded = false;
  int states = 0;               ///< looked at: qpos0, keyframes, and along two runs; or those given
  std::vector<Change> changes;  ///< by code, seen ones first
  /// Whether the model moves differently than in 3.12: from the same state to another acceleration or step, or it can
  /// no longer be loaded.
  bool differs() const;
};

/// A state to look at; what is empty is as at qpos0.
struct GivenState {
  std::vector<double> qpos, qvel, act, ctrl, mocap_pos, mocap_quat;
};

struct ChangeOptions {
  std::string since = "3.12";
  /// Look at these states, and none of our own choice.
  std::vector<GivenState> states;
};

/// The versions that can be asked for.
const std::vector<std::string>& change_versions();

/// Looks at a file; what 4.0 refuses and 3.12 loaded is among the changes. Throws std::invalid_argument for a version
/// that is not in change_versions(), and for states that do not fit the model.
ChangeReport changed_since(const std::filesystem::path& path, const LoadOptions& load = {},
                           const ChangeOptions& options = {});
ChangeReport changed_since_string(std::string_view xml, const LoadOptions& load = {},
                                  const ChangeOptions& options = {});

/// For people: at most 100 columns.
std::string changes_text(const ChangeReport& report, const std::string& title);
std::string changes_json(const ChangeReport& report, const std::string& file);

struct ChangeCode {
  const char* code;
  const char* version;
  ChangeEffect effect;
  const char* title;
  const char* meaning;
};
/// Every cause, ascending: the one table of what changed between 3.12 and 4.0.
const std::vector<ChangeCode>& change_codes();

}  // namespace pliant
