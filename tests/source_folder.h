#pragma once
// Where the scenes and files of the tests lie.

#include <filesystem>

namespace pliant {

/// The root of the checkout. Only one file is compiled with its name, so that checkouts share a compiler cache.
std::filesystem::path source_folder();

}  // namespace pliant
