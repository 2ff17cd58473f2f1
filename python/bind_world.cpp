// World: a State and its Data as one object, under which MuJoCo's functions know them; arrays as
// arguments; errors of a step.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

// Exception types; owned by the module, which is never unloaded.
PyObject* fatal_error_type = nullptr;
PyObject* step_error_type = nullptr;

std::string shape_text(nb::handle array) {
  const nb::object shape = array.attr("shape");
  return nb::str(nb::handle(shape)).c_str();
}

std::string wanted_text(size_t rows, size_t columns) {
  return columns == 0 ? std::to_string(rows) : "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

[[noreturn]] void wrong_argument(const char* function, const char* argument, const std::string& what) {
  throw nb::type_error((std::string(function) + "(): " + argument + " " + what).c_str());
}

void construct(PyWorld* self, nb::handle model) {
  const PyModel& m = nb::cast<PyModel&>(model);
  nb::object state = nb::cast(State(m.model)), data = nb::cast(Data(m.model));
  State* s = nb::cast<State*>(state);
  Data* d = nb::cast<Data*>(data);
  new (self) PyWorld{nb::borrow(model), std::move(state), std::move(data), &m, s, d, {}, {}};
}

/// Faults since the last reset: (fault, count, index of the last, value, time, field).
nb::list fault_list(const PyWorld& self) {
  nb::list rows;
  for (const FaultRecord& record : self.d->faults) {
    rows.append(
        nb::make_tuple(record.count, record.last.field, record.last.index, record.last.value, record.last.time));
  }
  return rows;
}

nb::dict stage_times(const PyWorld& self) {
  nb::dict rows;
  const auto stages = pipeline();
  for (size_t i = 0; i < stages.size(); ++i) {
    rows[stages[i].name] =
        nb::make_tuple(static_cast<double>(self.d->times[i].nanoseconds) * 1e-9, self.d->times[i].calls);
  }
  return rows;
}

nb::tuple call_times(const PyWorld& self) {
  return nb::make_tuple(self.steps.seconds, self.steps.calls, self.forwards.seconds, self.forwards.calls);
}

void set_call_times(PyWorld& self, const std::tuple<double, int, double, int>& times) {
  self.steps = {std::get<0>(times), std::get<1>(times)};
  self.forwards = {std::get<2>(times), std::get<3>(times)};
}

void bind_errors(nb::module_& m) {
  fatal_error_type = PyErr_NewExceptionWithDoc("pliant.FatalError", "A function was asked for something impossible.",
                                               PyExc_RuntimeError, nullptr);
  if (!fatal_error_type) throw nb::python_error();
  step_error_type = PyErr_NewExceptionWithDoc(
      "pliant.StepError",
      "A step was refused, because a number was not finite or beyond 1e10. The message names "
      "array, place, object,\n"
      "value and time; the state is that before the step. `faults` holds the bits of the status.",
      fatal_error_type, nullptr);
  if (!step_error_type) throw nb::python_error();
  nb::handle(step_error_type).attr("faults") = 0;
  m.attr("FatalError") = nb::handle(fatal_error_type);
  m.attr("StepError") = nb::handle(step_error_type);
}

}  // namespace

// ---- arguments ---------------------------------------------------------------------------------

Input::Input(const char* function, const char* argument, nb::handle value, size_t size) {
  nb::object array = nb::borrow(value);
  if (!nb::try_cast(array, array_, false)) {
    try {
      array = nb::module_::import_("numpy").attr("ascontiguousarray")(value, "float64");
    } catch (nb::python_error&) {
      wrong_argument(function, argument, "should be an array of " + std::to_string(size) + " numbers");
    }
    array_ = nb::cast<decltype(array_)>(array);
  }
  if (array_.size() != size) {
    wrong_argument(function, argument,
                   "should have " + std::to_string(size) + " numbers, but its shape is " + shape_text(array));
  }
}

Output::Output(const char* function, const char* argument, nb::handle value, size_t rows, size_t columns,
               bool optional) {
  if (value.is_none() && optional) return;
  if (!nb::try_cast(nb::borrow(value), array_, false)) {
    wrong_argument(function, argument,
                   "should be a writeable, contiguous array of float64 of shape " + wanted_text(rows, columns));
  }
  // a vector may also be given as a matrix of one column or row
  const bool fits = columns == 0 ? array_.size() == rows
                                 : array_.ndim() == 2 && array_.shape(0) == rows && array_.shape(1) == columns;
  if (!fits) {
    wrong_argument(function, argument,
                   "should be of shape " + wanted_text(rows, columns) + ", but it is " + shape_text(value));
  }
  data_ = array_.data();
}

// ---- errors ------------------------------------------------------------------------------------

void raise_fatal(const std::string& message) {
  PyErr_SetObject(fatal_error_type, text(message).ptr());
  throw nb::python_error();
}

void check_status(const PyModel& model, const Data& data, StepStatus status) {
  if (status.ok()) return;
  nb::object error = nb::handle(step_error_type)(text(describe_status(model.model, data, status)));
  error.attr("faults") = status.faults;
  PyErr_SetObject(step_error_type, error.ptr());
  throw nb::python_error();
}

void check_fit(const PyModel& model, const PyWorld& world, const char* function) {
  if (&model == world.m || (world.s->fits(model.model) && world.d->fits(model.model))) return;
  throw std::invalid_argument(std::string(function) + ": the data belong to a model of other sizes");
}

// ---- the class ---------------------------------------------------------------------------------

void bind_world(nb::module_& m) {
  bind_errors(m);
  nb::class_<PyWorld>(m, "World", "A State and its Data together; MjData derives from it.")
      .def("__init__", construct, "model"_a)
      .def_ro("model", &PyWorld::model, "the model it was made for")
      .def_ro("state", &PyWorld::state, "what must be kept to continue")
      .def_ro("data", &PyWorld::data, "what a step computes")
      .def_prop_rw(
          "time", [](const PyWorld& self) { return *self.s->time; },
          [](PyWorld& self, double time) { *self.s->time = time; }, "simulated time [s]")
      .def_prop_ro("flg_energypos", [](const PyWorld& self) { return self.d->done.energy_pos; })
      .def_prop_ro("flg_energyvel", [](const PyWorld& self) { return self.d->done.energy_vel; })
      .def_prop_ro("flg_subtreevel", [](const PyWorld& self) { return self.d->done.subtree; })
      .def_prop_ro("flg_rnepost", [](const PyWorld& self) { return self.d->done.body_forces; })
      .def_prop_ro(
          "efm_active", [](const PyWorld& self) { return self.d->metric.discrete ? 1 : 0; },
          "whether the last step had the metric of the integrator discrete")
      .def_prop_ro(
          "nefmT", [](const PyWorld& self) { return self.d->metric.nefmT; }, "tendons with terms in that metric")
      .def_prop_ro(
          "nefmA", [](const PyWorld& self) { return self.d->metric.nefmA; }, "actuators with terms in that metric")
      .def_prop_rw(
          "timing", [](const PyWorld& self) { return self.d->timing; },
          [](PyWorld& self, bool on) { self.d->timing = on; }, "whether stages are timed")
      .def_prop_ro("stage_times", stage_times, "seconds and calls of each stage, while `timing` is set")
      .def_prop_rw("_call_times", call_times, set_call_times,
                   "seconds and calls of mj_step, then of mj_forward and what is computed for mj_step")
      .def_prop_ro(
          "_address", [](const PyWorld& self) { return reinterpret_cast<uintptr_t>(self.d); },
          "where in memory the data are")
      .def_prop_ro("faults", fault_list, "count, field, index, value and time of the last, by kind of fault")
      .def_prop_ro("bytes", [](const PyWorld& self) { return self.s->bytes() + self.d->bytes(); })
      .def(
          "describe_faults", [](const PyWorld& self) { return text(describe_faults(self.m->model, *self.d)); },
          "A line about each kind of fault seen since the last reset.")
      .def(
          "assign",
          [](PyWorld& self, const PyWorld& other) {
            *self.s = *other.s;
            *self.d = *other.d;
          },
          "other"_a);
}

}  // namespace pliant::python
