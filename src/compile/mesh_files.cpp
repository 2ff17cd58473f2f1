// Where a mesh comes from: a file (by content type or extension), a built-in shape, or the
// attributes of its element; some of each is allowed as long as nothing is given twice. What comes
// out is checked, so that later steps can use every index and number without looking again.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/file_names.h"
#include "base/text.h"
#include "compile/asset_files.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

enum class Format { kUnknown, kStl, kObj, kMsh, kTextStl, kCollada, kGltf, kGlb };

bool same_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == y;
         });
}

Format format_of(const MeshSpec& spec) {
  if (!spec.content_type.empty()) {
    if (same_text(spec.content_type, "model/stl")) return Format::kStl;
    if (same_text(spec.content_type, "model/obj")) return Format::kObj;
    if (same_text(spec.content_type, "model/vnd.mujoco.msh")) return Format::kMsh;
    if (same_text(spec.content_type, "model/stl+text")) return Format::kTextStl;
    if (same_text(spec.content_type, "model/vnd.collada+xml")) return Format::kCollada;
    if (same_text(spec.content_type, "model/gltf+json")) return Format::kGltf;
    if (same_text(spec.content_type, "model/gltf-binary")) return Format::kGlb;
    return Format::kUnknown;
  }
  const size_t dot = spec.file.find_last_of('.');
  const std::string_view end = dot == std::string::npos ? std::string_view() : std::string_view(spec.file).substr(dot);
  if (same_text(end, ".stl")) return Format::kStl;
  if (same_text(end, ".obj")) return Format::kObj;
  if (same_text(end, ".msh")) return Format::kMsh;
  if (same_text(end, ".dae")) return Format::kCollada;
  if (same_text(end, ".gltf")) return Format::kGltf;
  if (same_text(end, ".glb")) return Format::kGlb;
  return Format::kUnknown;
}

/// What the bytes of the mesh's file say.
MeshData parse_mesh_file(const Work& work, const MeshSpec& spec, const std::string& bytes) {
  const CompilerSpec& compiler = work.compiler(spec);
  const auto fetch = [&](const std::string& name, std::string& sibling) {
    const std::string path = asset_path(compiler, compiler.meshdir, spec.file);
    std::string problem;
    const std::string folder = path.substr(0, path.find_last_of('/') + 1);
    return read_asset(work, folder + name, sibling, problem) ||
           read_asset(work, folder + percent_decoded(name), sibling, problem);
  };
  try {
    switch (format_of(spec)) {
      case Format::kTextStl:
        return read_text_stl(bytes);
      case Format::kCollada:
        return read_scene(bytes, "dae", {});
      case Format::kGltf:
        return read_scene(bytes, "gltf", fetch);
      case Format::kGlb:
        return read_scene(bytes, "glb", fetch);
      case Format::kMsh:
        return read_msh(bytes);
      case Format::kStl:
        return read_stl(bytes);
      default:
        return read_obj(bytes);
    }
  } catch (const std::string& reason) {
    const std::string path = asset_path(compiler, compiler.meshdir, spec.file);
    throw MeshError{quote(path, 200) + " cannot be used: " + reason, "file", {}};
  }
}

/// Takes what the element gives, unless the file has given it already.
template <class T>
void merge(std::vector<T>& data, const std::vector<T>& given, const char* attribute) {
  if (given.empty()) return;
  if (!data.empty()) {
    throw MeshError{std::string("has '") + attribute + "', which its file or shape also gives", attribute, {}};
  }
  data = given;
}

void require_multiple(size_t size, size_t of, const char* attribute) {
  if (size % of == 0) return;
  throw MeshError{std::string("the number of values in '") + attribute + "', " + std::to_string(size) +
                      ", is not a multiple of " + std::to_string(of),
                  attribute,
                  {}};
}

/// Every index below `count`; -1 (none given for this corner) only where allowed.
void require_indices(const std::vector<int>& list, size_t count, int smallest, const char* what,
                     const char* attribute) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] >= smallest && (list[i] < 0 || static_cast<size_t>(list[i]) < count)) continue;
    throw MeshError{"face " + std::to_string(i / 3) + " names " + what + " " + std::to_string(list[i]) +
                        "; there are " + std::to_string(count),
                    attribute,
                    {}};
  }
}

void require_finite(const std::vector<float>& list, const char* what, int width, const char* attribute) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (std::isfinite(list[i])) continue;
    throw MeshError{std::string(what) + " " + std::to_string(i / width) + " is not finite", attribute, {}};
  }
}

struct VertexKey {
  std::array<float, 3> v;
  bool operator==(const VertexKey& other) const { return v == other.v; }
};
struct VertexHash {
  size_t operator()(const VertexKey& key) const {
    size_t hash = 0;
    for (float x : key.v) hash = hash * 1000003 + std::hash<float>()(x);
    return hash;
  }
};

/// Equal vertices become one, in the order of their first appearance.
void merge_vertices(MeshData& data) {
  std::unordered_map<VertexKey, int, VertexHash> seen;
  std::vector<int> renamed(data.vertex.size() / 3);
  std::vector<float> kept;
  for (size_t i = 0; i < renamed.size(); ++i) {
    const float* v = data.vertex.data() + 3 * i;
    const auto [place, is_new] = seen.emplace(VertexKey{{v[0], v[1], v[2]}}, seen.size());
    if (is_new) kept.insert(kept.end(), v, v + 3);
    renamed[i] = place->second;
  }
  for (int& id : data.face) id = renamed[id];
  data.vertex = std::move(kept);
}

}  // namespace

std::string read_mesh_bytes(const Work& work, const MeshSpec& spec) {
  if (format_of(spec) == Format::kUnknown) {
    throw MeshError{"the mesh file " + quote(spec.file, 200) + " is of an unknown type",
                    spec.content_type.empty() ? "file" : "content_type",
                    "meshes are read from .stl, .obj, .msh, .dae, .gltf and .glb files"};
  }
  const CompilerSpec& compiler = work.compiler(spec);
  std::string bytes, problem;
  if (!read_asset(work, asset_path(compiler, compiler.meshdir, spec.file), bytes, problem)) {
    throw MeshError{problem, "file", {}};
  }
  return bytes;
}

bool has_foreign_format(const MeshSpec& spec) {
  const Format format = format_of(spec);
  return format == Format::kTextStl || format == Format::kCollada || format == Format::kGltf || format == Format::kGlb;
}

bool has_sibling_files(const MeshSpec& spec) {
  const Format format = format_of(spec);
  return format == Format::kGltf || format == Format::kGlb;
}

int mesh_format(const MeshSpec& spec) { return static_cast<int>(format_of(spec)); }

void load_mesh(const Work& work, const MeshSpec& spec, const std::string& bytes, MeshWork& mesh) {
  MeshData data;
  const bool has_file = !spec.file.empty();
  if (has_file) {
    data = parse_mesh_file(work, spec, bytes);
  } else if (spec.builtin != MeshBuiltin::kNone) {
    data = builtin_mesh(spec);
  }
  merge(data.vertex, spec.vertex, "vertex");
  merge(data.normal, spec.normal, "normal");
  merge(data.texcoord, spec.texcoord, "texcoord");
  merge(data.face, spec.face, "face");

  const auto from = [&](const char* attribute) { return has_file ? "file" : attribute; };
  require_multiple(data.vertex.size(), 3, from("vertex"));
  require_multiple(data.normal.size(), 3, from("normal"));
  require_multiple(data.texcoord.size(), 2, from("texcoord"));
  require_multiple(data.face.size(), 3, from("face"));
  require_finite(data.vertex, "vertex", 3, from("vertex"));
  require_finite(data.normal, "normal", 3, from("normal"));
  require_finite(data.texcoord, "texture coordinate", 2, from("texcoord"));
  require_indices(data.face, data.vertex.size() / 3, 0, "vertex", from("face"));
  require_indices(data.face_normal, data.normal.size() / 3, -1, "normal", from("normal"));
  require_indices(data.face_texcoord, data.texcoord.size() / 2, -1, "texture coordinate", from("texcoord"));
  if (data.merge_vertices) merge_vertices(data);
  if (data.vertex.size() < 12) {
    throw MeshError{
        "has " + std::to_string(data.vertex.size() / 3) + " vertices; a mesh needs at least 4", from("vertex"), {}};
  }
  if (!data.texcoord.empty() && data.face_texcoord.empty() && data.texcoord.size() / 2 != data.vertex.size() / 3) {
    throw MeshError{"every vertex needs one pair of texture coordinates", from("texcoord"), {}};
  }
  mesh.vertex.assign(data.vertex.begin(), data.vertex.end());
  mesh.normal = std::move(data.normal);
  mesh.texcoord = std::move(data.texcoord);
  mesh.face = std::move(data.face);
  mesh.face_normal = std::move(data.face_normal);
  mesh.face_texcoord = std::move(data.face_texcoord);
}

}  // namespace pliant
