#pragma once
// Where files named by a model are looked for.

#include <string>
#include <string_view>

#include "pliant/load_spec.h"

namespace pliant {

/// Folder part with its trailing separator, "" when there is none.
std::string directory_of(std::string_view path);
/// File name without folders.
std::string_view file_name(std::string_view path);
/// File name without folders and extension: the name of an asset that has none.
std::string_view file_stem(std::string_view path);
/// Text given in memory under this name (or under its file name alone); null when there is none.
const std::string* find_asset(const LoadOptions& options, const std::string& name);

/// Adds files in memory to those that a Spec has.
void add_assets(Spec& spec, const std::map<std::string, std::string>& assets);

}  // namespace pliant
