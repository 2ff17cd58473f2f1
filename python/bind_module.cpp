// _pliant: what Python sees of the library. The package pliant adds conveniences on top.

#include "bind.h"

NB_MODULE(_pliant, m) {
  m.doc() = "Pliant: load MJCF models, look at the compiled arrays, simulate.";
  m.attr("__version__") = pliant::kVersion;
  pliant::python::bind_diagnostics(m);
  pliant::python::bind_options(m);
  pliant::python::bind_model(m);
  pliant::python::bind_spec(m);
  pliant::python::bind_doctor(m);
  pliant::python::bind_state(m);
  pliant::python::bind_world(m);
  pliant::python::bind_query(m);
  pliant::python::bind_geometry(m);
  pliant::python::bind_collision(m);
  pliant::python::bind_batch(m);
  pliant::python::bind_solver(m);
  pliant::python::bind_constraint(m);
}
