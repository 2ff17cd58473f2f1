// MuJoCo's questions about geometry: rays, distances, forces of contacts. Names, order of arguments
// and types of errors are those of the reference's package. Also the door by which tests put
// contacts and rows into a Data.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bind.h"
#include "pliant/query.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

void check_geom(const char* function, const PyModel& m, int geom) {
  if (geom >= 0 && geom < m.model.ngeom) return;
  raise_fatal(std::string(function) + ": there is no geom " + std::to_string(geom) + "; the model has " +
              std::to_string(m.model.ngeom));
}

/// An int32 array of the user to write into; None is allowed where `optional`.
int32_t* int_output(const char* function, const char* argument, nb::handle value, size_t size, bool optional) {
  using Array = nb::ndarray<int32_t, nb::c_contig, nb::device::cpu>;
  if (optional && value.is_none()) return nullptr;
  Array array;
  if (!nb::try_cast(nb::borrow(value), array, false) || array.size() != size) {
    throw nb::type_error(
        (std::string(function) + "(): " + argument + " should be a writable int32 array of " + std::to_string(size))
            .c_str());
  }
  return array.data();
}

RayFilter make_filter(const char* function, nb::handle geomgroup, bool fixed, int exclude_body) {
  RayFilter filter;
  filter.fixed = fixed;
  filter.exclude_body = exclude_body;
  if (geomgroup.is_none()) return filter;
  const Input group(function, "geomgroup", geomgroup, 6);
  for (int k = 0; k < 6; ++k) filter.group[k] = group[k] != 0;
  return filter;
}

double mj_ray(const PyModel& m, const PyWorld& d, nb::handle pnt, nb::handle vec, nb::handle geomgroup, bool flg_static,
              int bodyexclude, nb::handle geomid, nb::handle normal) {
  const char* name = "mj_ray";
  check_fit(m, d, name);
  const Input point(name, "pnt", pnt, 3), direction(name, "vec", vec, 3);
  int32_t* geom = int_output(name, "geomid", geomid, 1, true);
  double* out = Output(name, "normal", normal, 3, 0, true);
  const double* v = direction;
  if (std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) < 1e-15) {
    raise_fatal("mj_ray: the direction has no length");
  }
  const RayHit hit = ray(m.model, *d.d, point, direction, make_filter(name, geomgroup, flg_static, bodyexclude));
  if (geom) *geom = hit.geom;
  if (out) std::copy(hit.normal, hit.normal + 3, out);
  return hit.distance;
}

void mj_multi_ray(const PyModel& m, const PyWorld& d, nb::handle pnt, nb::handle vec, nb::handle geomgroup,
                  bool flg_static, int bodyexclude, nb::handle geomid, nb::handle dist, nb::handle normal, int nray,
                  double cutoff) {
  const char* name = "mj_multiRay";
  check_fit(m, d, name);
  if (nray < 0) throw nb::type_error("mj_multiRay(): nray should not be negative");
  const auto n = static_cast<size_t>(nray);
  const Input point(name, "pnt", pnt, 3), directions(name, "vec", vec, 3 * n);
  int32_t* geoms = int_output(name, "geomid", geomid, n, false);
  double* distances = Output(name, "dist", dist, n, 0);
  double* normals = Output(name, "normal", normal, 3 * n, 0, true);
  const RayFilter filter = make_filter(name, geomgroup, flg_static, bodyexclude);
  const double *from = point, *along = directions;
  std::vector<RayHit> hits(n);
  {
    nb::gil_scoped_release release;
    rays(m.model, *d.d, from, nray, along, filter, cutoff, hits.data());
  }
  for (size_t i = 0; i < n; ++i) {
    geoms[i] = hits[i].geom;
    distances[i] = hits[i].distance;
    if (normals) std::copy(hits[i].normal, hits[i].normal + 3, normals + 3 * i);
  }
}

/// A ray against one geom that must be of this type.
void def_ray_geom(nb::module_& mod, const char* name, GeomType type, const char* kind, const char* doc) {
  mod.def(
      name,
      [name, type, kind](const PyModel& m, const PyWorld& d, int geomid, nb::handle pnt, nb::handle vec,
                         nb::handle normal) {
        check_fit(m, d, name);
        check_geom(name, m, geomid);
        if (static_cast<GeomType>(m.model.geom_type[geomid]) != type) {
          raise_fatal(std::string(name) + ": geom " + std::to_string(geomid) + " is not a " + kind);
        }
        return ray_geom(m.model, *d.d, geomid, Input(name, "pnt", pnt, 3), Input(name, "vec", vec, 3),
                        Output(name, "normal", normal, 3, 0, true));
      },
      "m"_a, "d"_a, "geomid"_a, "pnt"_a, "vec"_a, "normal"_a.none() = nb::none(), doc);
}

void bind_rays(nb::module_& mod) {
  mod.def("mj_ray", mj_ray, "m"_a, "d"_a, "pnt"_a, "vec"_a, "geomgroup"_a.none(), "flg_static"_a, "bodyexclude"_a,
          "geomid"_a.none(), "normal"_a.none() = nb::none(),
          "Distance to the nearest visible geom along pnt + x vec, x >= 0, in lengths of vec; -1 "
          "if there is none.");
  mod.def("mj_multiRay", mj_multi_ray, "m"_a, "d"_a, "pnt"_a, "vec"_a, "geomgroup"_a.none(), "flg_static"_a,
          "bodyexclude"_a, "geomid"_a, "dist"_a, "normal"_a.none(), "nray"_a, "cutoff"_a,
          "mj_ray for many directions from one point; geoms farther away than cutoff are left out.");
  def_ray_geom(mod, "mj_rayMesh", GeomType::kMesh, "mesh", "Distance to a mesh along a ray; -1 if it is not hit.");
  def_ray_geom(mod, "mj_rayHfield", GeomType::kHfield, "height field",
               "Distance to a height field along a ray; -1 if it is not hit.");
  mod.def(
      "mju_rayGeom",
      [](nb::handle pos, nb::handle mat, nb::handle size, nb::handle pnt, nb::handle vec, int geomtype,
         nb::handle normal) {
        const char* name = "mju_rayGeom";
        const auto type = static_cast<GeomType>(geomtype);
        const bool primitive = geomtype >= 0 && type <= GeomType::kBox && type != GeomType::kHfield;
        if (!primitive) raise_fatal("mju_rayGeom: geoms of type " + std::to_string(geomtype) + " need a model");
        return ray_shape(type, Input(name, "pos", pos, 3), Input(name, "mat", mat, 9), Input(name, "size", size, 3),
                         Input(name, "pnt", pnt, 3), Input(name, "vec", vec, 3),
                         Output(name, "normal", normal, 3, 0, true));
      },
      "pos"_a, "mat"_a, "size"_a, "pnt"_a, "vec"_a, "geomtype"_a, "normal"_a.none() = nb::none(),
      "Distance to a plane, sphere, capsule, ellipsoid, cylinder or box along a ray; -1 if it is "
      "not hit.");
}

void bind_distances(nb::module_& mod) {
  mod.def(
      "mj_geomDistance",
      [](const PyModel& m, const PyWorld& d, int geom1, int geom2, double distmax, nb::handle fromto) {
        const char* name = "mj_geomDistance";
        check_fit(m, d, name);
        check_geom(name, m, geom1);
        check_geom(name, m, geom2);
        double* out = Output(name, "fromto", fromto, 6, 0, true);
        const GeomDistance result = geom_distance(m.model, *d.d, geom1, geom2, distmax);
        if (out) std::copy(result.from, result.from + 3, out), std::copy(result.to, result.to + 3, out + 3);
        return result.distance;
      },
      "m"_a, "d"_a, "geom1"_a, "geom2"_a, "distmax"_a, "fromto"_a.none(),
      "Signed distance of two geoms, at most distmax, and the segment from geom1 to geom2.");
  mod.def(
      "mj_insideSite",
      [](const PyModel& m, const PyWorld& d, int siteid, nb::handle point) {
        const char* name = "mj_insideSite";
        check_fit(m, d, name);
        if (siteid < 0 || siteid >= m.model.nsite) {
          raise_fatal(std::string(name) + ": there is no site " + std::to_string(siteid) + "; the model has " +
                      std::to_string(m.model.nsite));
        }
        return is_inside_site(m.model, *d.d, siteid, Input(name, "point", point, 3)) ? 1 : 0;
      },
      "m"_a, "d"_a, "siteid"_a, "point"_a,
      "1 if a point of the world is inside a site (of a mesh: inside its convex hull), 0 otherwise.");
}

void bind_forces(nb::module_& mod) {
  mod.def(
      "mj_contactForce",
      [](const PyModel& m, const PyWorld& d, int id, nb::handle result) {
        const char* name = "mj_contactForce";
        check_fit(m, d, name);
        const Output out(name, "result", result, 6, 0);
        double* force = out;
        std::fill(force, force + 6, 0.0);
        if (id >= 0 && id < d.d->ncon) contact_force(*d.d, id, force);
      },
      "m"_a, "d"_a, "id"_a, "result"_a,
      "Force and torque of a contact, in its frame; zero if there is no such contact.");
}

// ---- for tests: rows from elsewhere
// -----------------------------------------------------------------

/// Columns of a dict of arrays, one line per row.
struct Columns {
  const char* function;
  nb::dict values;
  size_t n;
  void read(const char* name, size_t width, const auto& store) const {
    if (!values.contains(name)) return;
    const Input column(function, name, values[name], n * width);
    const double* number = column;
    for (size_t i = 0; i < n; ++i) store(i, number + i * width);
  }
};

void write_rows(Data& d, int n, int ne, int nf, int nl, nb::dict values) {
  const Columns columns{"write_rows", values, static_cast<size_t>(n)};
  d.rows = {};
  d.rows.n = n, d.rows.ne = ne, d.rows.nf = nf, d.rows.nl = nl;
  const auto take = [&](const char* name, auto& field) {
    field = d.arena.take<std::remove_reference_t<decltype(*field)>>(static_cast<size_t>(n));
    std::fill(field, field + n, 0);
    columns.read(name, 1, [&](size_t i, const double* x) {
      field[i] = static_cast<std::remove_reference_t<decltype(*field)>>(*x);
    });
  };
  take("type", d.rows.row_type);
  take("id", d.rows.row_id);
  take("pos", d.rows.row_pos);
  take("margin", d.rows.row_margin);
  take("vel", d.rows.row_vel);
  take("force", d.rows.row_force);
}

}  // namespace

void bind_geometry(nb::module_& mod) {
  bind_rays(mod);
  bind_distances(mod);
  bind_forces(mod);
  mod.def("write_rows", write_rows, "data"_a, "n"_a, "ne"_a, "nf"_a, "nl"_a, "values"_a,
          "For tests: replaces the constraint rows of a Data, after set_contacts; type, id, pos, "
          "margin, vel, force.");
}

}  // namespace pliant::python
