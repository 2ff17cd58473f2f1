#pragma once
// Files that assets name: where they are, and their bytes.

#include <string>

#include "compile/compile.h"
#include "spec/asset_location.h"

namespace pliant {

/// Whether there is such a file, in memory (Spec::assets) or the file system.
bool asset_exists(const Work& work, const std::string& path);

/// The bytes, from memory (Spec::assets) or the file system. On failure false, and `problem` says why.
bool read_asset(const Work& work, const std::string& path, std::string& bytes, std::string& problem);

/// A pass (assets.cpp): skins from their files.
void read_skins(Work& work);

/// The same outside of compiling: skins of a Spec that `wanted` says have their data in place of a file then.
void put_skins_inline(Spec& spec, Diagnostics& diagnostics, bool (*wanted)(const SkinSpec&));

}  // namespace pliant
