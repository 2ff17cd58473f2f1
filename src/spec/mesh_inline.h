#pragma once
// Meshes of formats that MuJoCo does not read (COLLADA, glTF, STL as text), as vertices and faces of the element
// itself.

#include <string>
#include <vector>

#include "pliant/spec.h"

namespace pliant {

/// Replaces the files of such meshes; returns their names. Defined beside the formats, in compile/mesh_inline.cpp.
/// A file that cannot be read stays as it is.
std::vector<std::string> inline_foreign_meshes(Spec& spec);

}  // namespace pliant
