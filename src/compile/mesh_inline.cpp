#include "spec/mesh_inline.h"

#include "compile/mesh.h"

namespace pliant {

std::vector<std::string> inline_foreign_meshes(Spec& spec) {
  std::vector<std::string> names;
  Diagnostics unused;
  const Work work(spec, unused);
  for (MeshSpec& mesh : spec.meshes) {
    if (mesh.file.empty() || !has_foreign_format(mesh)) continue;
    MeshWork read;
    try {
      load_mesh(work, mesh, read_mesh_bytes(work, mesh), read);
    } catch (const MeshError&) {
      continue;
    }
    // floats all along: nothing is rounded
    mesh.vertex.assign(read.vertex.begin(), read.vertex.end());
    mesh.face = std::move(read.face);
    mesh.normal.clear();
    mesh.texcoord.clear();
    mesh.file.clear();
    mesh.content_type.clear();
    names.push_back(mesh.name);
  }
  return names;
}

}  // namespace pliant
