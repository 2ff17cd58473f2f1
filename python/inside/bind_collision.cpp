// Narrow phase for tests: two geoms of a model in many poses, without the rest of a step.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <vector>

#include "bind.h"
#include "collision/pair_table.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class R>
Vec3T<R> vector_of(const double* x) {
  return {R(x[0]), R(x[1]), R(x[2])};
}
template <class R>
Mat3T<R> matrix_of(const double* x) {
  Mat3T<R> mat;
  for (int i = 0; i < 9; ++i) mat.m[i] = R(x[i]);
  return mat;
}

/// A geom as a pair function sees it, but for its pose; `normals` of a hull belong to it.
template <class R>
ShapeT<R> shape_of(const Model& m, int geom, std::vector<R>& normals) {
  if (geom < 0 || geom >= m.ngeom) throw std::invalid_argument("collide_pairs: no such geom");
  ShapeT<R> shape;
  shape.type = static_cast<GeomType>(m.geom_type[geom]);
  shape.rbound = R(m.geom_rbound[geom]);
  const int id = m.geom_dataid[geom];
  if (id >= 0 && shape.type == GeomType::kMesh) {
    const MeshShape mesh = mesh_shape(m, id);
    normals.assign(mesh.polynormal, mesh.polynormal + 3 * mesh.polynum);
    shape.mesh = {mesh.vert,        mesh.vertnum,     mesh.graph,    mesh.extrema,    mesh.polynum,    normals.data(),
                  mesh.polyvertadr, mesh.polyvertnum, mesh.polyvert, mesh.polymapadr, mesh.polymapnum, mesh.polymap};
  }
  if (id >= 0 && shape.type == GeomType::kHfield) {
    const HfieldShape field = hfield_shape(m, id);
    shape.hfield = {field.data, field.nrow, field.ncol, {}};
    for (int k = 0; k < 4; ++k) shape.hfield.size[k] = R(field.size[k]);
  }
  return shape;
}

/// Poses in rows of 16: size (3), pos (3), mat (9), margin (1, of the first geom only). Answer: rows of
/// max_pair_points · 10 + 1: count, then dist, pos, normal, tangent of each point.
template <class R>
nb::object collide_pairs(const Model& m, int first, int second, const Rows& a, const Rows& b) {
  std::vector<R> normals[2];
  ShapeT<R> shapes[2] = {shape_of<R>(m, first, normals[0]), shape_of<R>(m, second, normals[1])};
  const int most = max_pair_points(shapes[0].type, shapes[1].type);
  if (most == 0) throw std::invalid_argument("collide_pairs: such geoms never collide; lower type first");
  if (a.shape(1) != 16 || b.shape(1) != 16 || a.shape(0) != b.shape(0)) {
    throw std::invalid_argument("collide_pairs: poses are rows of 16");
  }
  const size_t count = a.shape(0), width = 1 + 10 * size_t(most);
  double* answer = new double[count * width]();
  nb::capsule owner(answer, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  const PairFn<R> collide = pair_function<R>(shapes[0].type, shapes[1].type);
  std::vector<ContactPointT<R>> points(most);
  for (size_t k = 0; k < count; ++k) {
    const double* rows[2] = {a.data() + 16 * k, b.data() + 16 * k};
    for (int s = 0; s < 2; ++s) {
      shapes[s].size = vector_of<R>(rows[s]);
      shapes[s].pos = vector_of<R>(rows[s] + 3);
      shapes[s].mat = matrix_of<R>(rows[s] + 6);
    }
    const int found = collide(shapes[0], shapes[1], R(rows[0][15]), points.data());
    double* row = answer + width * k;
    row[0] = found;
    for (int i = 0; i < found && i < most; ++i) {
      double* to = row + 1 + 10 * i;
      *to++ = points[i].dist;
      for (const Vec3T<R>& v : {points[i].pos, points[i].normal, points[i].tangent}) {
        for (int c = 0; c < 3; ++c) *to++ = v[c];
      }
    }
  }
  return nb::cast(nb::ndarray<nb::numpy, double>(answer, {count, width}, owner));
}

}  // namespace

void bind_collision(nb::module_& m) {
  m.def(
      "collide_pairs",
      [](const PyModel& model, int first, int second, Rows a, Rows b, bool single) {
        return single ? collide_pairs<float>(model.model, first, second, a, b)
                      : collide_pairs<double>(model.model, first, second, a, b);
      },
      "model"_a, "first"_a, "second"_a, "a"_a, "b"_a, "single"_a = false,
      "For tests: points at which two geoms touch, for many poses. Rows of `a` and `b`: size, pos, mat, margin.");
}

}  // namespace pliant::python
