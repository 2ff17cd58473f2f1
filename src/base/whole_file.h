#pragma once
// Files written whole or not at all.

#include <filesystem>
#include <string_view>

namespace pliant {

/// Writes beside the path and renames, so that a reader never meets half a file. Throws std::runtime_error.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace pliant
