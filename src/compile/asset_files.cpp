// Files that assets name: where they are, and their bytes.

#include "compile/asset_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/text.h"

namespace pliant {
namespace fs = std::filesystem;

std::string asset_path(const CompilerSpec& compiler, const std::string& directory,
                       const std::string& file) {
  const fs::path given = compiler.strippath ? fs::path(file).filename() : fs::path(file);
  if (given.is_absolute()) return given.string();
  return (fs::path(compiler.model_dir) / directory / given).lexically_normal().string();
}

namespace {

/// A file given in memory, by its path or its name; null if there is none.
const std::string* find_in_memory(const Work& work, const std::string& path) {
  if (!work.spec.assets) return nullptr;
  for (const std::string& name : {path, fs::path(path).filename().string()}) {
    const auto found = work.spec.assets->find(name);
    if (found != work.spec.assets->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

bool asset_exists(const Work& work, const std::string& path) {
  std::error_code error;
  return find_in_memory(work, path) || fs::is_regular_file(path, error);
}

bool read_asset(const Work& work, const std::string& path, std::string& bytes, std::string& problem) {
  if (const std::string* found = find_in_memory(work, path)) {
    bytes = *found;
    return true;
  }
  constexpr uintmax_t kMaxBytes = uintmax_t{1} << 31;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    problem = "there is no file " + quote(path, 200);
    return false;
  }
  if (fs::file_size(path, error) > kMaxBytes) {
    problem = quote(path, 200) + " is larger than 2 GiB";
    return false;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (stream.peek() != EOF) content << stream.rdbuf();
  if (stream.bad() || !stream.is_open()) {
    problem = "cannot read " + quote(path, 200);
    return false;
  }
  bytes = std::move(content).str();
  return true;
}

}  // namespace pliant
