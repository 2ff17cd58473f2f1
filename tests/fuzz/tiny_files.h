#pragma once
// The smallest files of every kind a model can name.

#include <string>

namespace pliant::fuzz {

std::string tiny_obj();     // a tetrahedron
std::string tiny_stl();     //
std::string tiny_msh();     //
std::string tiny_hfield();  // 2 by 3 heights
std::string tiny_png();     // 2 by 2 pixels

/// The same image with the checksum of every chunk made to fit its bytes.
std::string with_png_checksums(std::string png);

}  // namespace pliant::fuzz
