// Files that assets name: where they are, and their bytes.

#include "compile/asset_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/file_names.h"
#include "base/text.h"

namespace pliant {
namespace fs = std::filesystem;

bool asset_exists(const Work& work, const std::string& path) {
  std::error_code error;
  return find_in_memory(work.spec, path) || fs::is_regular_file(path, error);
}

bool read_asset(const Work& work, const std::string& path, std::string& bytes, std::string& problem) {
  if (const std::string* found = find_in_memory(work.spec, path)) {
    bytes = *found;
    return true;
  }
  constexpr uintmax_t kMaxBytes = uintmax_t{1} << 31;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    const std::string hint = did_you_mean_file(path);
    problem = "there is no file " + quote(path, 200) + (hint.empty() ? "" : " (" + hint + ")");
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
