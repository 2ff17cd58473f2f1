#pragma once
// Scenes and random states shared by the tests of the step.

#include <cstdlib>
#include <filesystem>

#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/random_state.h"
#include "tests/source_folder.h"

namespace pliant {

inline constexpr const char* kScenes[] = {"beads", "drop", "gripper", "quadruped", "tendon_finger"};

inline Model load_scene(const char* name) {
  return load_model(source_folder() / "models" / (std::string(name) + ".xml"));
}

/// A scene of ours, or with a path the model there below PLIANT_MODELS; false without it.
inline bool load_scene_or_other(const char* name, const char* path, Model& model) {
  if (!path) {
    model = load_scene(name);
    return true;
  }
  const char* folder = std::getenv("PLIANT_MODELS");
  if (!folder || !std::filesystem::exists(std::filesystem::path(folder) / path)) return false;
  model = load_model(std::filesystem::path(folder) / path);
  return true;
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
