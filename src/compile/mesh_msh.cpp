// MSH, the reference's own binary format: four counts (vertices, normals, texture coordinates,
// faces), then floats and indices in that order. Normals and texture coordinates, where present,
// are per vertex.

#include <cstdint>
#include <cstring>

#include "compile/mesh.h"

namespace pliant {
namespace {

template <class T>
const char* take(const char* from, std::vector<T>& to, size_t count) {
  to.resize(count);
  if (count > 0) std::memcpy(to.data(), from, count * sizeof(T));
  return from + count * sizeof(T);
}

}  // namespace

MeshData read_msh(const std::string& bytes) {
  constexpr size_t kHeader = 16;
  if (bytes.empty()) throw std::string("the file is empty");
  if (bytes.size() < kHeader) throw std::string("it is too short for the header of an MSH file");
  int32_t count[4];  // vertices, normals, texcoords, faces
  std::memcpy(count, bytes.data(), sizeof count);
  const auto [vertices, normals, texcoords, faces] = count;
  if (vertices < 4 || normals < 0 || texcoords < 0 || faces < 0 || (normals > 0 && normals != vertices) ||
      (texcoords > 0 && texcoords != vertices)) {
    throw "its header makes no sense: " + std::to_string(vertices) + " vertices, " + std::to_string(normals) +
        " normals, " + std::to_string(texcoords) + " texture coordinates, " + std::to_string(faces) + " faces";
  }
  const size_t v = vertices, n = normals, t = texcoords, f = faces;
  if (bytes.size() != kHeader + 4 * (3 * v + 3 * n + 2 * t + 3 * f)) {
    throw std::string("its size does not fit the counts in its header");
  }
  MeshData data;
  const char* at = bytes.data() + kHeader;
  at = take(at, data.vertex, 3 * v);
  at = take(at, data.normal, 3 * n);
  at = take(at, data.texcoord, 2 * t);
  take(at, data.face, 3 * f);
  if (n > 0) data.face_normal = data.face;
  if (t > 0) data.face_texcoord = data.face;
  return data;
}

}  // namespace pliant
