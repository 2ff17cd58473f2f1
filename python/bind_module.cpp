// _pliant: what Python sees of the library. The package pliant adds conveniences on top.

#include "bind.h"

namespace {

/// How this module was built.
nanobind::dict build_info() {
  nanobind::dict info;
#if defined(__clang__)
  info["compiler"] = "clang " __clang_version__;
#else
  info["compiler"] = "gcc " __VERSION__;
#endif
#ifdef NDEBUG
  info["build_type"] = "release";
#else
  info["build_type"] = "debug";
#endif
#ifdef __AVX2__
  info["instructions"] = "AVX2";
#else
  info["instructions"] = "baseline";
#endif
#ifdef PLIANT_WITH_CUDA
  info["cuda"] = true;
#else
  info["cuda"] = false;
#endif
  return info;
}

}  // namespace

NB_MODULE(_pliant, m) {
  m.doc() = "Pliant: load MJCF models, look at the compiled arrays, simulate.";
  m.attr("__version__") = pliant::kVersion;
  m.def("build_info", build_info, "Compiler, build type, instruction set, whether there is a GPU part.");
  pliant::python::bind_diagnostics(m);
  pliant::python::bind_options(m);
  pliant::python::bind_model(m);
  pliant::python::bind_spec(m);
  pliant::python::bind_spec_tree(m);
  pliant::python::bind_doctor(m);
  pliant::python::bind_changes(m);
  pliant::python::bind_explain(m);
  pliant::python::bind_state(m);
  pliant::python::bind_world(m);
  pliant::python::bind_query(m);
  pliant::python::bind_geometry(m);
  pliant::python::bind_collision(m);
  pliant::python::bind_batch(m);
  pliant::python::bind_pickle(m);
  pliant::python::bind_rollout(m);
  pliant::python::bind_recording(m);
  pliant::python::bind_render(m);
  pliant::python::bind_state_batch(m);
  pliant::python::bind_solver(m);
  pliant::python::bind_constraint(m);
  pliant::python::bind_commands(m);
  pliant::python::bind_callbacks(m);
}
