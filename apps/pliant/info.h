#pragma once
// What `pliant info` says about a model, gathered once for both of its forms.

#include <string>
#include <utility>
#include <vector>

#include "pliant/load.h"

namespace pliant::app {

/// The object's name, or "kind 3" when it has none.
std::string label(const Model& model, ObjType type, const char* kind, int id);

const char* joint_word(int type);

/// A list of the model that is shown by name.
struct ListInfo {
  const char* title;
  const char* kind;
  ObjType type;
};
inline constexpr ListInfo kLists[] = {{"equalities", "equality", ObjType::kEquality},
                                      {"tendons", "tendon", ObjType::kTendon},
                                      {"actuators", "actuator", ObjType::kActuator},
                                      {"sensors", "sensor", ObjType::kSensor},
                                      {"keyframes", "keyframe", ObjType::kKey}};

/// Options that differ from their defaults, by name; flags as "flag gravity": "disable".
std::vector<std::pair<std::string, std::string>> changed_options(const Options& options);

/// A mimic as the model has it.
struct MimicLine {
  std::string name, mode, sentence;
  double residual = 0;  // at qpos0
  bool active = true;
};
std::vector<MimicLine> mimic_lines(const Model& model);

double total_mass(const Model& model);

/// file:line:column of a ledger entry.
std::string place(const Ledger& ledger, const LedgerEntry& entry);

/// Everything as one JSON object; the entries of the ledger only when asked for.
std::string info_json(const std::string& path, const Report& report, bool with_ledger);

}  // namespace pliant::app
