#pragma once
// A geom as collision and rays see it: type, sizes, pose in the world and, for meshes and height fields, where its
// vertices and heights are. Built on the fly from Model and Data; small enough to pass by reference.

#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

/// Corners of the largest face of a hull that collides as it is. Of a larger one (a disc of more than 0.02 m arcs in 1
/// m) only those farthest out in this many directions are used; compile says so.
inline constexpr int kMaxPolygon = 128;

/// The convex hull of a mesh (and the mesh itself for rays), as model_fields.def describes the arrays.
template <class R>
struct MeshShapeT {
  const float* vert = nullptr;  // 3 per vertex, geom frame
  int vertnum = 0;
  const int* graph = nullptr;    // hull: vertices, neighbours, faces; nullptr if it has none
  const int* extrema = nullptr;  // 27 start vertices
  int polynum = 0;
  const R* polynormal = nullptr;
  const int* polyvertadr = nullptr;  // places in polyvert
  const int* polyvertnum = nullptr;
  const int* polyvert = nullptr;
  const int* polymapadr = nullptr;  // per vertex: places in polymap
  const int* polymapnum = nullptr;
  const int* polymap = nullptr;
  const R* packed = nullptr;  // vertices of a small hull for first_farthest, if someone has prepared them
};
using MeshShape = MeshShapeT<double>;

template <class R>
struct HfieldShapeT {
  const float* data = nullptr;  // row by row, 0 … 1
  int nrow = 0, ncol = 0;
  R size[4] = {};  // half x, half y, height at 1, thickness below 0
};
using HfieldShape = HfieldShapeT<double>;

template <class R>
struct ShapeT {
  GeomType type = GeomType::kSphere;
  Vec3T<R> size, pos;
  Mat3T<R> mat;
  R rbound = 0;  // radius of a sphere around it; 0 for a plane
  MeshShapeT<R> mesh;
  HfieldShapeT<R> hfield;
};
using Shape = ShapeT<double>;

template <class M>
PLIANT_HD MeshShapeT<ScalarOf<decltype(M::mesh_polynormal)>> mesh_shape(const M& m, int mesh) {
  const int vert = m.mesh_vertadr[mesh], poly = m.mesh_polyadr[mesh], graph = m.mesh_graphadr[mesh];
  return {m.mesh_vert + 3 * vert,
          m.mesh_vertnum[mesh],
          graph < 0 ? nullptr : m.mesh_graph + graph,
          m.mesh_extrema + 27 * mesh,
          m.mesh_polynum[mesh],
          m.mesh_polynormal + 3 * poly,
          m.mesh_polyvertadr + poly,
          m.mesh_polyvertnum + poly,
          m.mesh_polyvert,
          m.mesh_polymapadr + vert,
          m.mesh_polymapnum + vert,
          m.mesh_polymap,
          nullptr};
}

template <class M>
PLIANT_HD HfieldShapeT<ScalarOf<decltype(M::hfield_size)>> hfield_shape(const M& m, int hfield) {
  const auto size = m.hfield_size + 4 * hfield;
  return {m.hfield_data + m.hfield_adr[hfield],
          m.hfield_nrow[hfield],
          m.hfield_ncol[hfield],
          {size[0], size[1], size[2], size[3]}};
}

/// Geom `geom` where Data has it.
template <class M, class D>
PLIANT_HD ShapeT<typename D::Real> geom_shape(const M& m, const D& d, int geom) {
  ShapeT<typename D::Real> shape;
  shape.type = static_cast<GeomType>(m.geom_type[geom]);
  shape.size = vec3(m.geom_size, geom);
  shape.pos = vec3(d.geom_xpos, geom);
  shape.mat = mat3(d.geom_xmat, geom);
  shape.rbound = m.geom_rbound[geom];
  const int id = m.geom_dataid[geom];
  if (id >= 0 && shape.type == GeomType::kMesh) shape.mesh = mesh_shape(m, id);
  if (id >= 0 && shape.type == GeomType::kHfield) shape.hfield = hfield_shape(m, id);
  return shape;
}

}  // namespace pliant
