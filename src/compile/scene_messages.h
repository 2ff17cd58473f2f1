#pragma once
// Kinds of messages between mesh_scene.cpp and the program of mesh_assimp.cpp: a file goes there; vertices and faces
// come back, or the reason why not, and on the way wishes for files beside it.

namespace pliant {

inline constexpr char kFile = 'f', kNoFile = 'n';  ///< content of the mesh file, or of a sibling; there is none
inline constexpr char kWantsSibling = 's';         ///< its name
inline constexpr char kRefused = 'r';              ///< the reason, as a sentence without its end
inline constexpr char kVertices = 'v';             ///< floats, three for each
inline constexpr char kFaces = 't';                ///< ints, three for each; after the vertices

}  // namespace pliant
