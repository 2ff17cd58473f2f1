#pragma once
// Where the files named by a URDF are.

#include <string>
#include <vector>

#include "pliant/load_spec.h"

namespace pliant {

struct FoundFile {
  std::string path;                ///< "" when it was not found
  bool guessed = false;            ///< found under a folder above the model, by the end of its path
  std::vector<std::string> tried;  ///< where it was looked for, in order; for the message
};

/// Finds `name` as a URDF writes it: package://NAME/rest, model://NAME/rest, file:///path, an absolute or a relative
/// path. `directory` is the folder of the URDF, `meshdir` what a <mujoco> block says. Text in memory has no folders
/// above it to look through.
FoundFile find_urdf_file(const std::string& name, const std::string& directory, bool in_memory,
                         const std::string& meshdir, const LoadOptions& options);

}  // namespace pliant
