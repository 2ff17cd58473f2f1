#pragma once
// Meshes on their way to the Model: reading, then the steps of process_mesh in the order they run.
//
// Every function works on one mesh and touches nothing else, so that meshes can be compiled by
// several threads. Problems are thrown as MeshError; meshes.cpp turns them into diagnostics, in
// mesh order.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "compile/compile.h"

namespace pliant {

/// What is wrong with a mesh, and which attribute of its element says so.
struct MeshError {
  std::string message;
  std::string attribute;  ///< "" = the element
  std::string hint;
};

/// A mesh as a file or the attributes of <mesh> give it. face_normal and face_texcoord may be
/// empty.
struct MeshData {
  std::vector<float> vertex, normal, texcoord;
  std::vector<int> face, face_normal, face_texcoord;
  bool merge_vertices = false;  ///< the format repeats vertices per triangle
};

// ---- reading
// -------------------------------------------------------------------------------------------
/// Each throws std::string with the reason when the bytes are not such a file.
MeshData read_stl(const std::string& bytes);                 // mesh_stl.cpp
MeshData read_obj(const std::string& bytes);                 // mesh_obj.cpp
MeshData read_msh(const std::string& bytes);  // mesh_msh.cpp
/// STL as text; URDFs have such files, MJCF refuses them.
MeshData read_text_stl(const std::string& bytes);  // mesh_stl_text.cpp
/// COLLADA or glTF, by the extension (dae, gltf, glb). `fetch` gives files beside the mesh by their name.
using FetchSibling = std::function<bool(const std::string& name, std::string& bytes)>;
MeshData read_scene(const std::string& bytes, const std::string& extension,
                    const FetchSibling& fetch);  // mesh_scene.cpp
/// The program that does it, as the content of its file.
std::string_view scene_reader_program();      // mesh_scene.cpp
MeshData builtin_mesh(const MeshSpec& spec);  // mesh_builtin.cpp
/// About how many vertices that will have; 0 when the shape is not built in.
int64_t builtin_vertices(const MeshSpec& spec);  // mesh_builtin.cpp
/// The mesh's file, and a number for its format (0 = of an unknown kind).
std::string read_mesh_bytes(const Work& work, const MeshSpec& spec);  // mesh_files.cpp
int mesh_format(const MeshSpec& spec);                                // mesh_files.cpp
/// Whether its file is of a format that MuJoCo does not read.
bool has_foreign_format(const MeshSpec& spec);  // mesh_files.cpp
/// Whether the mesh depends on other files beside its own, so that a cache keyed by its bytes would not do.
bool has_sibling_files(const MeshSpec& spec);  // mesh_files.cpp
/// Vertices, faces and so on from wherever the element says (`bytes` is its file); checked: every
/// index exists, every number is finite.
void load_mesh(const Work& work, const MeshSpec& spec, const std::string& bytes,
               MeshWork& mesh);  // mesh_files.cpp

// ---- cache (mesh_cache.cpp)
// ----------------------------------------------------------------------------
/// Everything a mesh made from a file depends on.
std::string mesh_key(const MeshSpec& spec, const MeshWork& mesh, const std::string& bytes);
/// Fills `mesh` from the cache; false when there is no entry. A damaged one is reported in `problem`.
bool load_cached_mesh(const std::string& folder, const std::string& key, MeshWork& mesh, std::string& problem);
/// Keeps a finished mesh; `problem` says why that did not work.
void store_cached_mesh(const std::string& folder, const std::string& key, const MeshWork& mesh, std::string& problem);

// ---- processing
// ----------------------------------------------------------------------------------------
/// Hull, normals, polygons, scale, volume and inertia, principal frame, bounds.
void process_mesh(const MeshSpec& spec, MeshWork& mesh);  // mesh_properties.cpp
/// Convex hull of the vertices, as mesh_graph stores it.
void make_hull(const MeshSpec& spec, MeshWork& mesh);  // mesh_hull.cpp
/// Hull faces, 3 vertices each.
struct HullFaces {
  const int* data;
  int count;
};
HullFaces hull_faces(const MeshWork& mesh);  // mesh_hull.cpp
/// Hull vertex farthest along each direction of a 3×3×3 grid.
void find_extrema(MeshWork& mesh);  // mesh_hull.cpp
/// Vertex normals from face areas.
void make_normals(const MeshSpec& spec, MeshWork& mesh);  // mesh_normals.cpp
/// Triangles of the hull that face almost the same way, joined into polygons.
void make_polygons(MeshWork& mesh);         // mesh_polygons.cpp
void make_polygon_normals(MeshWork& mesh);  // mesh_polygons.cpp
/// Bounding boxes over faces.
void make_mesh_bvh(MeshWork& mesh);  // bvh.cpp

/// Built-in shapes without volume.
bool is_flat(const MeshSpec& spec);  // mesh_builtin.cpp
/// Whether only its surface has mass, for one reason or another.
inline bool has_shell_inertia(const MeshSpec& spec) {
  return spec.inertia == MeshInertia::kShell || (is_flat(spec) && spec.inertia == MeshInertia::kLegacy) ||
         spec.builtin == MeshBuiltin::kPlate;
}

/// A scale that turns faces inside out.
inline bool is_mirrored(const MeshSpec& spec) { return spec.scale[0] * spec.scale[1] * spec.scale[2] < 0; }

inline Vec3 vertex_of(const MeshWork& mesh, int id) {
  const double* v = mesh.vertex.data() + 3 * static_cast<size_t>(id);
  return {v[0], v[1], v[2]};
}
inline void set_vertex(MeshWork& mesh, int id, Vec3 v) {
  double* to = mesh.vertex.data() + 3 * static_cast<size_t>(id);
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}
inline int vertex_count(const MeshWork& mesh) { return static_cast<int>(mesh.vertex.size() / 3); }
inline int face_count(const MeshWork& mesh) { return static_cast<int>(mesh.face.size() / 3); }

}  // namespace pliant
