// STL as text: "solid … facet normal … outer loop vertex x y z (three times) endloop endfacet … endsolid". Only the
// words "vertex" matter; normals follow from the order of the vertices, as in the binary form.

#include "base/text.h"
#include "compile/mesh.h"

namespace pliant {

MeshData read_text_stl(const std::string& bytes) {
  MeshData data;
  data.merge_vertices = true;
  size_t at = 0;
  for (std::string_view word = next_word(bytes, at); !word.empty(); word = next_word(bytes, at)) {
    if (word == "endloop" && data.vertex.size() % 9 != 0) throw std::string("a facet does not have three vertices");
    if (word != "vertex") continue;
    for (int k = 0; k < 3; ++k) {
      float value = 0;
      word = next_word(bytes, at);
      if (parse_number(word, value) != NumberError::kNone) {
        throw "a vertex has " + quote(word) + " where a number is needed";
      }
      data.vertex.push_back(value);
    }
  }
  if (data.vertex.empty()) throw std::string("it has no facets");
  if (data.vertex.size() % 9 != 0) throw std::string("its last facet is not complete");
  data.face.resize(data.vertex.size() / 3);
  for (size_t i = 0; i < data.face.size(); ++i) data.face[i] = static_cast<int>(i);
  return data;
}

}  // namespace pliant
