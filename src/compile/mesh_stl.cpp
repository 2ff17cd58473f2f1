// Binary STL: an 80-byte header, the number of triangles, then 50 bytes per triangle (normal, three
// vertices, two unused bytes). Every triangle brings its own vertices; equal ones are merged later.

#include <cmath>
#include <cstdint>
#include <cstring>

#include "compile/mesh.h"

namespace pliant {

MeshData read_stl(const std::string& bytes) {
  constexpr size_t kHeader = 84, kTriangle = 50, kCountAt = 80;
  constexpr int kMaxFaces = 200000;  // the reference's limit
  constexpr float kMaxCoordinate = 1073741824.0f;
  if (bytes.empty()) throw std::string("the file is empty");
  const bool text = bytes.find('\0') == std::string::npos;
  const std::string ascii = bytes.compare(0, 5, "solid") == 0 ? "; it looks like an ASCII file: save it as binary STL"
                            : text                            ? "; it is a text file, not a binary STL"
                                                              : "";
  if (bytes.size() < kHeader) throw "it is too short for the header of an STL file" + ascii;
  int32_t faces = 0;
  std::memcpy(&faces, bytes.data() + kCountAt, sizeof faces);
  // the count is compared with the file's size before anything is allocated
  if (faces < 1 || faces > kMaxFaces) {
    throw "an STL file has between 1 and 200000 triangles; this one says " + std::to_string(faces) + ascii;
  }
  if (bytes.size() != kHeader + kTriangle * static_cast<size_t>(faces)) {
    throw "its size does not fit the " + std::to_string(faces) + " triangles it announces" + ascii;
  }
  MeshData data;
  data.merge_vertices = true;
  data.vertex.resize(9 * static_cast<size_t>(faces));
  data.face.resize(3 * static_cast<size_t>(faces));
  for (int f = 0; f < faces; ++f) {
    // the stored normal is not used
    std::memcpy(data.vertex.data() + 9 * static_cast<size_t>(f),
                bytes.data() + kHeader + kTriangle * f + 3 * sizeof(float), 9 * sizeof(float));
    for (int k = 0; k < 3; ++k) data.face[3 * f + k] = 3 * f + k;
  }
  for (float x : data.vertex) {
    if (std::abs(x) > kMaxCoordinate) throw std::string("a coordinate is larger than 2^30");
  }
  return data;
}

}  // namespace pliant
