// A path in a URDF, tried in this order:
//
//   package://NAME/rest   P/NAME/rest, P/share/NAME/rest, and P/rest where P itself is called NAME, for every folder P
//   of the
//                         options and of ROS_PACKAGE_PATH; then the same for the folders above the model
//   other paths           from the folder of the model
//   both                  under meshdir, where a <mujoco> block names one: whole path, then file name alone
//   "%20" and the like    as written first, then as the characters they stand for
//   a guess               folders above the model, joined with ever shorter ends of `rest`: robots are copied without
//   the
//                         package they came in. Reported as a guess.

#include "load/package_path.h"

#include <cstdlib>
#include <filesystem>

#include "base/file_names.h"
#include "load/asset_path.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Packages sit a few folders above their URDF; looking further finds other people's files.
constexpr int kMaxLevels = 6;

std::vector<fs::path> folders_above(const std::string& directory) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  fs::path at = fs::absolute(directory.empty() ? "." : directory, ignored).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  for (int level = 0; level < kMaxLevels && !at.empty(); ++level) {
    folders.push_back(at);
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return folders;
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    if (end > at) parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class Search {
 public:
  Search(const LoadOptions& options, FoundFile& found) : options_(options), found_(found) {}

  bool take(const fs::path& path) {
    const std::string text = path.lexically_normal().string();
    std::error_code ignored;
    if (find_asset(options_, text) || fs::is_regular_file(path, ignored)) {
      found_.path = text;
      return true;
    }
    found_.tried.push_back(text);
    return false;
  }

  bool in_package(const fs::path& folder, const std::string& package, const fs::path& rest) {
    if (take(folder / package / rest) || take(folder / "share" / package / rest)) return true;
    const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
    return plain.filename() == package && take(plain / rest);
  }

 private:
  const LoadOptions& options_;
  FoundFile& found_;
};

FoundFile find_as_written(const std::string& name, const std::string& directory, bool in_memory,
                          const std::string& meshdir, const LoadOptions& options) {
  FoundFile found;
  std::string package, rest = name;
  for (const char* scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    rest = name.substr(std::string(scheme).size());
    rest.erase(0, std::min(rest.find_first_not_of('/'), rest.size()));  // package:///NAME occurs
    const size_t slash = std::min(rest.find('/'), rest.size());
    package = rest.substr(0, slash);
    rest.erase(0, std::min(slash + 1, rest.size()));
  }
  if (name.starts_with("file://")) rest = name.substr(7);
  if (rest.empty()) return found;
  // a file given in memory goes by the name the model uses, or by its file name alone
  for (const std::string& key : {name, rest}) {
    if (!find_asset(options, key)) continue;
    found.path = key;
    return found;
  }
  Search search(options, found);
  const fs::path base(directory);
  if (!package.empty()) {
    for (const std::string& folder : options.urdf.package_paths) {
      if (search.in_package(folder, package, rest)) return found;
    }
    const char* environment = std::getenv("ROS_PACKAGE_PATH");
    for (const std::string& folder : split(environment ? environment : "", ':')) {
      if (search.in_package(folder, package, rest)) return found;
    }
  } else if (search.take(fs::path(rest).is_absolute() ? fs::path(rest) : base / rest)) {
    return found;
  }
  if (!meshdir.empty() && (search.take(base / meshdir / rest) || search.take(base / meshdir / file_name(rest)))) {
    return found;
  }
  if (in_memory) return found;
  const std::vector<fs::path> above = folders_above(directory);
  if (package.empty()) return found;
  for (const fs::path& folder : above) {
    if (search.in_package(folder, package, rest)) return found;
  }
  // ever shorter ends of the path, but not the file name alone: that could be anybody's
  const std::vector<std::string> tried = found.tried;
  for (size_t slash = 0; slash != std::string::npos; slash = rest.find('/', slash + 1)) {
    const std::string end = slash == 0 ? rest : rest.substr(slash + 1);
    if (end.find('/') == std::string::npos) break;
    for (const fs::path& folder : above) {
      if (!search.take(folder / end)) continue;
      found.guessed = true;
      return found;
    }
  }
  found.tried = tried;
  return found;
}

}  // namespace

FoundFile find_urdf_file(const std::string& name, const std::string& directory, bool in_memory,
                         const std::string& meshdir, const LoadOptions& options) {
  FoundFile found = find_as_written(name, directory, in_memory, meshdir, options);
  const std::string decoded = percent_decoded(name);
  if (!found.path.empty() || decoded == name) return found;
  FoundFile other = find_as_written(decoded, directory, in_memory, meshdir, options);
  return other.path.empty() ? found : other;
}

}  // namespace pliant
