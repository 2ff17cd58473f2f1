#pragma once
// Where a file that an asset names is looked for.

#include <filesystem>
#include <string>

#include "pliant/spec.h"

namespace pliant {

/// Path of an asset: `file` itself when absolute, else below `directory` (meshdir or texturedir), relative
/// to the model file; with strippath only the file's name counts.
inline std::string asset_path(const CompilerSpec& compiler, const std::string& directory, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path given = compiler.strippath ? fs::path(file).filename() : fs::path(file);
  if (given.is_absolute()) return given.string();
  return (fs::path(compiler.model_dir) / directory / given).lexically_normal().string();
}

/// A file given in memory, by its path or its name; null if there is none.
inline const std::string* find_in_memory(const Spec& spec, const std::string& path) {
  if (!spec.assets) return nullptr;
  for (const std::string& name : {path, std::filesystem::path(path).filename().string()}) {
    const auto found = spec.assets->find(name);
    if (found != spec.assets->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace pliant
