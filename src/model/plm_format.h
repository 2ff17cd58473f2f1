#pragma once
// The envelope of a .plm file, for model_io.cpp and for tests that craft files.

#include <cstddef>
#include <string>
#include <string_view>

namespace pliant {

/// A file with this payload: header in front, lengths and checksum fitting.
std::string seal_plm(std::string_view payload);

/// Bytes of the header; the payload follows.
inline constexpr size_t kPlmHeaderBytes = 64;

/// The block of the Model begins at a multiple of this in the file.
inline constexpr size_t kPlmBlockAlignment = 64;

}  // namespace pliant
