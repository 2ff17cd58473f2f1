// Files that a written model names: where they are, seen from the folder of the text.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"
#include "load/mjcf_writer.h"
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
    const std::string path = asset_path(spec_.compilers[asset.compiler], directory, file);
    const std::string* bytes = find_in_memory(spec_, path);
    if (!copy_folder_.empty()) return copy_of(path, bytes);
    if (bytes) {
      if (!folder_.empty()) {
        diagnostics_.warning(Code::kWriteLoss, spec_.origin(asset.source, attribute), spec_.tag(asset.source),
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
    // two files may have one name
    const fs::path name = fs::path(path).filename();
    std::string wanted = name.string();
    for (int i = 2; !taken_.insert(wanted).second; ++i) {
      wanted = name.stem().string() + "_" + std::to_string(i) + name.extension().string();
    }
    known->second = (fs::path(copy_folder_) / wanted).generic_string();
    copies.push_back({path, (fs::path(folder_) / known->second).string(), bytes});
    return known->second;
  }

  const Spec& spec_;
  const std::string folder_, copy_folder_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

std::vector<AssetCopy> place_assets(Spec& spec, const std::string& folder, const std::string& copy_folder,
                                    Diagnostics& diagnostics) {
  AssetPlacer placer(spec, folder, copy_folder, diagnostics);
  const auto mesh_file = [&](auto& asset) {
    asset.file = placer.place(asset, spec.compilers[asset.compiler].meshdir, asset.file, "file");
  };
  for (MeshSpec& mesh : spec.meshes) mesh_file(mesh);
  for (HfieldSpec& hfield : spec.hfields) mesh_file(hfield);
  for (SkinSpec& skin : spec.skins) mesh_file(skin);
  for (TextureSpec& texture : spec.textures) {
    if (texture.builtin != TextureBuiltin::kNone) continue;  // its file is never opened
    const std::string& directory = spec.compilers[texture.compiler].texturedir;
    texture.file = placer.place(texture, directory, texture.file, "file");
    for (std::string& side : texture.cubefiles) side = placer.place(texture, directory, side, "file");
  }
  for (CompilerSpec& compiler : spec.compilers) {
    compiler.meshdir.clear();
    compiler.texturedir.clear();
    compiler.strippath = false;
  }
  return std::move(placer.copies);
}

}  // namespace pliant
