#pragma once
// The version, in its one place: CMakeLists.txt and pyproject.toml read it from here. docs/api-changes.md says what it
// promises.

namespace pliant {

inline constexpr const char* kVersion = "0.2.0";

}  // namespace pliant
