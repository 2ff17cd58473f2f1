// Wavefront OBJ through tinyobjloader; the only file that sees it. All vertices of the file are kept, with
// the faces of its first shape; polygons are cut into triangles by the library. Materials are not read.

#include <sstream>

#define TINYOBJLOADER_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <tiny_obj_loader.h>
#pragma GCC diagnostic pop

#include "compile/mesh.h"

namespace pliant {

MeshData read_obj(const std::string& bytes) {
  if (bytes.empty()) throw std::string("the file is empty");
  tinyobj::ObjReader reader;
  if (!reader.ParseFromString(bytes, std::string()) || !reader.Valid()) {
    std::string reason = reader.Error();
    reason = reason.substr(0, reason.find('\n'));
    throw "it is not a readable OBJ file" + (reason.empty() ? "" : ": " + reason);
  }
  const tinyobj::attrib_t& attributes = reader.GetAttrib();
  MeshData data;
  data.vertex = attributes.vertices;
  data.normal = attributes.normals;
  data.texcoord = attributes.texcoords;
  if (!reader.GetShapes().empty()) {
    const tinyobj::mesh_t& shape = reader.GetShapes()[0].mesh;
    size_t at = 0;
    for (const auto corners : shape.num_face_vertices) {
      if (corners != 3 && corners != 4) throw std::string("it has faces with more than 4 corners");
      // a quad is two triangles that share its first corner
      for (int k = 1; k + 1 < static_cast<int>(corners); ++k) {
        for (size_t corner : {at, at + k, at + k + 1}) {
          const tinyobj::index_t& index = shape.indices[corner];
          data.face.push_back(index.vertex_index);
          if (!data.normal.empty()) data.face_normal.push_back(index.normal_index);
          if (!data.texcoord.empty()) data.face_texcoord.push_back(index.texcoord_index);
        }
      }
      at += corners;
    }
  }
  // images have their origin at the top
  for (size_t i = 1; i < data.texcoord.size(); i += 2) data.texcoord[i] = 1 - data.texcoord[i];
  return data;
}

}  // namespace pliant
