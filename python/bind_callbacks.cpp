// Python functions that a step calls between its stages (python/pliant/_callbacks.py), and what they may do there.

#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// Runs a function of Python after one stage of every pass through the pipeline. What it raises cannot leave through
/// the engine: it is kept, the function is not called again, and run_with_probe raises it when the step has ended.
struct Probe {
  nb::object function;
  int stage;
  std::optional<nb::python_error> error;

  void operator()(int at) {
    if (at != stage) return;
    const nb::gil_scoped_acquire acquire;
    if (error) return;
    try {
      function();
    } catch (nb::python_error& raised) {
      error.emplace(std::move(raised));
    }
  }
};

int stage_named(const std::string& name) {
  const auto stages = pipeline();
  for (size_t i = 0; i < stages.size(); ++i) {
    if (name == stages[i].name) return static_cast<int>(i);
  }
  throw std::invalid_argument("there is no stage '" + name + "'");
}

void run_with_probe(PyWorld& world, const char* stage, nb::object function, nb::object run) {
  const auto probe = std::make_shared<Probe>(Probe{std::move(function), stage_named(stage), {}});
  world.d->probe = [probe](const Model&, const State&, Data&, int at) { (*probe)(at); };
  try {
    run();
  } catch (nb::python_error&) {
    world.d->probe = {};
    if (!probe->error) throw;
  }
  world.d->probe = {};
  if (probe->error) throw nb::python_error(std::move(*probe->error));
}

void keep_contacts(PyWorld& world, const nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>& kept) {
  Data& d = *world.d;
  if (kept.size() != static_cast<size_t>(d.ncon)) throw std::invalid_argument("one flag per contact is needed");
  int n = 0;
  for (int i = 0; i < d.ncon; ++i) {
    if (kept.data()[i]) d.contact[n++] = d.contact[i];
  }
  d.ncon = n;
}

}  // namespace

void bind_callbacks(nb::module_& m) {
  m.def("_run_with_probe", run_with_probe, "d"_a, "stage"_a, "function"_a, "run"_a,
        "Calls run(), and function() whenever the named stage of these data has ended.");
  m.def("_keep_contacts", keep_contacts, "d"_a, "kept"_a, "Contacts without a flag are forgotten.");
}

}  // namespace pliant::python
