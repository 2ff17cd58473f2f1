#pragma once
// Files that assets name: where they are, and their bytes.

#include <string>

#include "compile/compile.h"

namespace pliant {

/// Path of an asset: `file` itself when absolute, else below `directory` (meshdir or texturedir), relative
/// to the model file; with strippath only the file's name counts.
std::string asset_path(const CompilerSpec& compiler, const std::string& directory,
                       const std::string& file);

/// Whether there is such a file, in memory (Spec::assets) or the file system.
bool asset_exists(const Work& work, const std::string& path);

/// The bytes, from memory (Spec::assets) or the file system. On failure false, and `problem` says why.
bool read_asset(const Work& work, const std::string& path, std::string& bytes, std::string& problem);

}  // namespace pliant
