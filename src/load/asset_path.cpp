// Where files named by a model are looked for.

#include "load/asset_path.h"

#include <filesystem>

namespace pliant {

std::string directory_of(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

std::string_view file_name(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view file_stem(std::string_view path) {
  const std::string_view name = file_name(path);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(0, dot);
}

void add_assets(Spec& spec, const std::map<std::string, std::string>& assets) {
  if (assets.empty()) return;
  auto all = spec.assets ? *spec.assets : std::map<std::string, std::string>();
  all.insert(assets.begin(), assets.end());
  spec.assets = std::make_shared<const std::map<std::string, std::string>>(std::move(all));
}

const std::string* find_asset(const LoadOptions& options, const std::string& name) {
  if (options.assets.empty()) return nullptr;
  auto found = options.assets.find(name);
  if (found == options.assets.end()) found = options.assets.find(std::string(file_name(name)));
  if (found == options.assets.end()) {
    found = options.assets.find(std::filesystem::path(name).lexically_normal().string());
  }
  return found == options.assets.end() ? nullptr : &found->second;
}

}  // namespace pliant
