#pragma once
// Shapes in another precision.

#include <map>
#include <vector>

#include "geom/shape_hd.h"

namespace pliant {

/// The same hull; normals live as long as the program.
template <class R>
MeshShapeT<R> mesh_as(const MeshShape& mesh) {
  static std::map<std::vector<R>, int> kept;  // keys stay where they are
  std::vector<R> normals(mesh.polynormal, mesh.polynormal + 3 * mesh.polynum);
  const R* at = kept.try_emplace(std::move(normals)).first->first.data();
  return {mesh.vert,        mesh.vertnum,  mesh.graph,      mesh.extrema,    mesh.polynum, at,     mesh.polyvertadr,
          mesh.polyvertnum, mesh.polyvert, mesh.polymapadr, mesh.polymapnum, mesh.polymap, nullptr};
}
template <class R>
HfieldShapeT<R> hfield_as(const HfieldShape& field) {
  return {field.data, field.nrow, field.ncol, {R(field.size[0]), R(field.size[1]), R(field.size[2]), R(field.size[3])}};
}

}  // namespace pliant
