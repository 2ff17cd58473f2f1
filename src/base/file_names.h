#pragma once
// Names of files: as URIs and glTF write them, and as people misspell them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Names of the files that `bytes`, a .gltf or a .glb, refers to (buffers and images), each once, in order; data inside
/// the file itself has none.
std::vector<std::string> gltf_files(std::string_view bytes);
/// "%20" and the like as the characters they stand for.
std::string percent_decoded(std::string_view name);

/// "did you mean 'models/drop.xml'?" for a path that does not exist, if something beside it is likely meant; else "".
std::string did_you_mean_file(const std::filesystem::path& missing);

}  // namespace pliant
