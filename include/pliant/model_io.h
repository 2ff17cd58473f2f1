#pragma once
// Binary Model files: what `pliant compile in.xml out.plm` writes.

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/model.h"

namespace pliant {

/// Writes the compiled Model. Throws std::runtime_error when the file cannot be written.
void save_plm(const Model& model, const std::filesystem::path& path);

/// Reads it back, bit for bit. Throws LoadError when the file is damaged, of another version, or holds
/// numbers that no compiled Model has: what comes back can be used without looking again.
/// The arrays of a large file are mapped, not read: as long as the Model lives, nobody may write into the file
/// or shorten it (its pages would change, or the process would end with SIGBUS). Replacing it, as save_plm and
/// `pliant compile` do, is fine; a copy of the Model does not depend on the file.
Model load_plm(const std::filesystem::path& path);

/// Where elements stand in the files that a Model was read from. Without, equal Models have equal bytes, and messages
/// about a Model that was read back name no lines.
enum class Places { kKept, kLeftOut };

/// The same in memory; `name` stands for the file in findings.
std::string write_plm(const Model& model, Places places = Places::kKept);
Model read_plm(std::string_view bytes, const std::string& name = {});

}  // namespace pliant
