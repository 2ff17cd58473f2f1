#pragma once
// Binary Model files: what `pliant compile in.xml out.plm` writes.

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/model.h"

namespace pliant {

/// Writes the compiled Model. Throws std::runtime_error when the file cannot be written.
void save_plm(const Model& model, const std::filesystem::path& path);

/// Reads it back, bit for bit. Throws LoadError when the file is damaged or of another version.
Model load_plm(const std::filesystem::path& path);

/// The same in memory; `name` is what messages call it.
std::string plm_bytes(const Model& model);
Model read_plm(std::string_view bytes, const std::string& name);

}  // namespace pliant
