#pragma once
// Scenes and random states shared by the tests of the step.

#include <filesystem>

#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/random_state.h"

namespace pliant {

inline constexpr const char* kScenes[] = {"beads", "drop", "gripper", "quadruped", "tendon_finger"};

inline Model load_scene(const char* name) {
  return load_model(std::filesystem::path(PLIANT_SOURCE_DIR) / "models" / (std::string(name) + ".xml"));
}

}  // namespace pliant
