#pragma once
// Scenes and random states shared by the tests of the step.

#include <cstdlib>
#include <filesystem>

#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/random_state.h"

namespace pliant {

inline constexpr const char* kScenes[] = {"beads", "drop", "gripper", "quadruped", "tendon_finger"};

inline Model load_scene(const char* name) {
  return load_model(std::filesystem::path(PLIANT_SOURCE_DIR) / "models" / (std::string(name) + ".xml"));
}

/// visit(path, model) for every model of PLIANT_MODELS that loads; how many there were, -1 without that folder.
template <class F>
int for_other_models(F&& visit) {
  const char* folder = std::getenv("PLIANT_MODELS");
  if (!folder) return -1;
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    Report report = load_report(entry.path());
    if (!report.ok()) continue;
    ++models;
    visit(entry.path(), *report.model);
  }
  return models;
}

}  // namespace pliant
