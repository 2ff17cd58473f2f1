// Files that a written model names: where they are, seen from the folder of the text.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/file_names.h"
#include "base/text.h"
#include "pliant/write.h"
#include "write/mjcf_writer.h"
#include "spec/asset_location.h"

namespace pliant {
namespace fs = std::filesystem;
namespace {

class AssetPlacer {
 public:
  AssetPlacer(const Spec& spec, std::string folder, std::string copy_folder, Diagnostics& diagnostics)
      : spec_(spec), folder_(std::move(folder)), copy_folder_(std::move(copy_folder)), diagnostics_(diagnostics) {}

  /// The name under which the text must know the file.
  std::string place(const SpecObject& asset, const std::string& directory, const std::string& file,
                    const char* attribute) {
    if (file.empty()) return file;
    std::string path = asset_path(spec_.compilers[asset.compiler], directory, file);
    const std::string* bytes = find_in_memory(spec_, path);
    if (!copy_folder_.empty()) return copy_of(path, bytes);
    if (bytes) {
      if (!folder_.empty()) {
        diagnostics_.warning(
            Code::kWriteLoss, spec_.origin(asset.source, attribute), spec_.tag(asset.source),
            "the file " + quote(path, 200) + " is given in memory only; the text names it all the same",
            "copy the files as well");
      }
      return path;
    }
    return seen_from_folder(path);
  }

  std::vector<AssetCopy> copies;

 private:
  std::string seen_from_folder(const std::string& path) const {
    const fs::path full = fs::absolute(path).lexically_normal();
    if (folder_.empty()) return full.string();
    const fs::path folder = fs::absolute(folder_).lexically_normal();
    const fs::path relative = full.lexically_relative(folder);
    // through symbolic links ".." may lead elsewhere
    std::error_code problem;
    const fs::path back = fs::weakly_canonical(folder / relative, problem);
    if (relative.empty() || problem || back != fs::weakly_canonical(full, problem) || problem) return full.string();
    return relative.generic_string();
  }

  std::string copy_of(const std::string& path, const std::string* bytes) {
    const auto [known, is_new] = names_.try_emplace(path);
    if (!is_new) return known->second;
    const fs::path name = fs::path(path).filename();
    const std::vector<std::string> siblings = siblings_of(path, bytes);
    // two files may have one name; one that names others keeps their names, and has a folder to itself
    const std::string stem = name.stem().string(), extension = siblings.empty() ? name.extension().string() : "";
    std::string wanted = stem + extension;
    for (int i = 2; !taken_.insert(wanted).second; ++i) wanted = stem + "_" + std::to_string(i) + extension;
    fs::path to = fs::path(copy_folder_) / wanted;
    const fs::path own_folder = to, from = fs::path(path).parent_path();
    if (!siblings.empty()) to /= name;
    known->second = to.generic_string();
    copies.push_back({path, (fs::path(folder_) / to).string(), bytes});
    for (const std::string& sibling : siblings) {
      const std::string file = (from / sibling).string();
      copies.push_back({file, (fs::path(folder_) / own_folder / sibling).string(), find_in_memory(spec_, file)});
    }
    return known->second;
  }

  /// Files beside this one that it cannot be read without. Names that lead elsewhere are never opened
  /// (mesh_assimp.cpp).
  std::vector<std::string> siblings_of(const std::string& path, const std::string* bytes) const {
    std::string extension = fs::path(path).extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (extension != ".gltf" && extension != ".glb") return {};
    std::string content;
    if (!bytes) {
      std::ifstream in(path, std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::vector<std::string> names = gltf_files(bytes ? *bytes : content);
    for (std::string& name : names) {
      std::error_code problem;
      const std::string plain = percent_decoded(name);
      const std::string file = (fs::path(path).parent_path() / plain).string();
      if (find_in_memory(spec_, file) || fs::is_regular_file(file, problem)) name = plain;
    }
    std::erase_if(names,
                  [](const std::string& name) { return name[0] == '/' || name.find("..") != std::string::npos; });
    return names;
  }

  const Spec& spec_;
  const std::string folder_, copy_folder_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

/// Calls `visit(asset, directory, file)` for every file that is opened.
template <class AnySpec, class Visit>
void each_asset_file(AnySpec& spec, Visit visit) {
  const auto mesh_file = [&](auto& asset) { visit(asset, spec.compilers[asset.compiler].meshdir, asset.file); };
  for (auto& mesh : spec.meshes) mesh_file(mesh);
  for (auto& hfield : spec.hfields) mesh_file(hfield);
  for (auto& skin : spec.skins) mesh_file(skin);
  for (auto& texture : spec.textures) {
    if (texture.builtin != TextureBuiltin::kNone) continue;  // its file is never opened
    const std::string& directory = spec.compilers[texture.compiler].texturedir;
    visit(texture, directory, texture.file);
    for (auto& side : texture.cubefiles) visit(texture, directory, side);
  }
}

}  // namespace

std::vector<AssetCopy> place_assets(Spec& spec, const std::string& folder, const std::string& copy_folder,
                                    Diagnostics& diagnostics) {
  AssetPlacer placer(spec, folder, copy_folder, diagnostics);
  each_asset_file(spec, [&](const SpecObject& asset, const std::string& directory, std::string& file) {
    file = placer.place(asset, directory, file, "file");
  });
  for (CompilerSpec& compiler : spec.compilers) {
    compiler.meshdir.clear();
    compiler.texturedir.clear();
    compiler.strippath = false;
  }
  return std::move(placer.copies);
}

std::vector<std::string> files_of(const Spec& spec) {
  std::vector<std::string> files = spec.files;
  Diagnostics unheard;
  // as if they were to be copied: that finds the files beside a glTF, too
  AssetPlacer placer(spec, {}, ".", unheard);
  each_asset_file(spec, [&](const SpecObject& asset, const std::string& directory, const std::string& file) {
    placer.place(asset, directory, file, "file");
  });
  for (AssetCopy& copy : placer.copies) {
    if (!copy.bytes) files.push_back(std::move(copy.from));
  }
  std::erase(files, std::string());
  return files;
}

}  // namespace pliant
