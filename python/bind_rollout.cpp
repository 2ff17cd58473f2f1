// Rollouts and derivatives by finite differences. The package checks shapes and allocates; here sizes are checked
// again.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "bind.h"
#include "pliant/batch.h"
#include "pliant/derivative.h"
#include "pliant/rollout.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

using InArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using OutArray = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using IntArray = nb::ndarray<int32_t, nb::c_contig, nb::device::cpu>;

void check_size(const char* name, size_t size, size_t wanted) {
  if (size == wanted) return;
  throw nb::value_error(
      (std::string("rollout: ") + name + " has " + std::to_string(size) + " numbers, not " + std::to_string(wanted))
          .c_str());
}

/// Rows of `width` numbers: 1 or nworld of them.
RowsOf rows_of(const char* name, const std::optional<InArray>& array, size_t width, int nworld) {
  if (!array) return {};
  if (width == 0) return {array->data(), 1};
  const size_t rows = array->size() / width;
  if (rows != 1) check_size(name, array->size(), width * static_cast<size_t>(nworld));
  return {array->data(), static_cast<int>(rows)};
}

template <class T, class Array>
T* out_of(const char* name, const std::optional<Array>& array, size_t size) {
  if (!array) return nullptr;
  check_size(name, array->size(), size);
  return array->data();
}

/// Numbers of an array of the Model; 0 if there is none of that name, which Rollout::run refuses.
size_t parameter_size(const Model& m, std::string_view name) {
  int field = 0;
  for (const FieldInfo& info : model_fields()) {
    if (name == info.name) return static_cast<size_t>(m.field_count(field)) * static_cast<size_t>(m.field_width(field));
    ++field;
  }
  return 0;
}

/// A rollout in Python: waits with the GIL released, wakes up for signals.
nb::list run_rollout(Rollout& self, const nb::list& models, int nworld, int nstep, unsigned control_spec,
                     const InArray& state0, const std::optional<InArray>& warmstart0,
                     const std::optional<InArray>& control, int control_steps, const std::optional<OutArray>& state,
                     const std::optional<OutArray>& sensordata, const std::optional<OutArray>& warmstart,
                     const std::optional<IntArray>& status, const std::optional<IntArray>& steps,
                     const nb::dict& parameters, bool set_const, const std::optional<OutArray>& warmstarts) {
  RolloutInput in;
  for (nb::handle model : models) in.models.push_back(&nb::cast<PyModel&>(model).model);
  if (in.models.empty()) throw nb::value_error("rollout: there is no model");
  const Model& m = *in.models[0];
  in.nworld = nworld, in.nstep = nstep, in.set_const = set_const;
  in.control_parts = control_spec, in.control_steps = control_steps;
  const size_t nstate = static_cast<size_t>(state_size(m, kStateFullPhysics)), nv = static_cast<size_t>(m.nv),
               rows = static_cast<size_t>(nworld) * static_cast<size_t>(nstep);
  in.state = rows_of("initial_state", state0, nstate, nworld);
  in.warmstart = rows_of("initial_warmstart", warmstart0, nv, nworld);
  in.control = rows_of("control", control,
                       static_cast<size_t>(state_size(m, control_spec)) * static_cast<size_t>(control_steps), nworld);
  std::vector<InArray> kept;
  for (const auto& [key, values] : parameters) {
    const std::string name = nb::cast<std::string>(key);
    kept.push_back(nb::cast<InArray>(values));
    in.parameters.push_back({name, rows_of(name.c_str(), kept.back(), parameter_size(m, name), nworld)});
  }
  RolloutOutput out;
  out.state = out_of<double>("state", state, rows * nstate);
  out.sensordata = out_of<double>("sensordata", sensordata, rows * static_cast<size_t>(m.nsensordata));
  out.warmstart = out_of<double>("final_warmstart", warmstart, static_cast<size_t>(nworld) * nv);
  out.warmstarts = out_of<double>("warmstarts", warmstarts, rows * nv);
  out.status = out_of<int32_t>("status", status, static_cast<size_t>(nworld));
  out.steps = out_of<int32_t>("steps", steps, static_cast<size_t>(nworld));

  std::vector<RolloutFault> faults;
  {
    nb::gil_scoped_release release;
    faults = self.run(in, out, interrupted);
  }
  if (PyErr_Occurred()) throw nb::python_error();
  nb::list result;
  for (const RolloutFault& fault : faults) result.append(nb::make_tuple(fault.world, fault.step, text(fault.message)));
  return result;
}

void run_batch(Batch& batch, int steps, const std::optional<InArray>& ctrl, const std::optional<OutArray>& state,
               const std::optional<OutArray>& sensordata) {
  const Model& m = batch.model();
  const size_t rows = static_cast<size_t>(batch.nworld()) * static_cast<size_t>(steps);
  BatchRollout rollout;
  rollout.steps = steps;
  if (ctrl) check_size("ctrl", ctrl->size(), rows * static_cast<size_t>(m.nu)), rollout.ctrl = ctrl->data();
  rollout.state = out_of<double>("state", state, rows * static_cast<size_t>(state_size(m, kStateFullPhysics)));
  rollout.sensordata = out_of<double>("sensordata", sensordata, rows * static_cast<size_t>(m.nsensordata));
  {
    const nb::gil_scoped_release release;
    batch.rollout(rollout, interrupted);
  }
  if (PyErr_Occurred()) throw nb::python_error();
}

void transition_fd(const PyModel& m, PyWorld& d, double eps, bool centered, nb::handle A, nb::handle B, nb::handle C,
                   nb::handle D, int threads) {
  const char* name = "mjd_transitionFD";
  check_fit(m, d, name);
  const size_t nx = 2 * static_cast<size_t>(m.model.nv) + static_cast<size_t>(m.model.na),
               nu = static_cast<size_t>(m.model.nu), ns = static_cast<size_t>(m.model.nsensordata);
  const Output a(name, "A", A, nx, nx, true), b(name, "B", B, nx, nu, true), c(name, "C", C, ns, nx, true),
      e(name, "D", D, ns, nu, true);
  StepStatus status;
  {
    nb::gil_scoped_release release;
    status = transition_derivative(m.model, *d.s, {eps, centered, threads}, {a, b, c, e});
  }
  if (!status.ok()) raise_fatal("mjd_transitionFD: a step near this state is refused (mj_step says why)");
}

void inverse_fd(const PyModel& m, PyWorld& d, double eps, bool flg_actuation, nb::handle DfDq, nb::handle DfDv,
                nb::handle DfDa, nb::handle DsDq, nb::handle DsDv, nb::handle DsDa, nb::handle DmDq, int threads) {
  const char* name = "mjd_inverseFD";
  check_fit(m, d, name);
  const size_t nv = static_cast<size_t>(m.model.nv), ns = static_cast<size_t>(m.model.nsensordata),
               nc = static_cast<size_t>(m.model.nC);
  const Output fq(name, "DfDq", DfDq, nv, nv, true), fv(name, "DfDv", DfDv, nv, nv, true),
      fa(name, "DfDa", DfDa, nv, nv, true), sq(name, "DsDq", DsDq, nv, ns, true), sv(name, "DsDv", DsDv, nv, ns, true),
      sa(name, "DsDa", DsDa, nv, ns, true), mq(name, "DmDq", DmDq, nv, nc, true);
  const std::vector<double> qacc(d.d->qacc, d.d->qacc + nv);
  StepStatus status;
  {
    nb::gil_scoped_release release;
    status = inverse_derivative(m.model, *d.s, qacc.data(), flg_actuation, {eps, false, threads},
                                {fq, fv, fa, sq, sv, sa, mq});
  }
  if (!status.ok()) raise_fatal("mjd_inverseFD: an acceleration near this one is not finite");
}

}  // namespace

bool interrupted() {
  nb::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

void bind_rollout(nb::module_& m) {
  nb::class_<Rollout>(m, "Rollout", "Threads for rollouts; pliant.rollout is the door to it.")
      .def(nb::init<int>(), "threads"_a = 0)
      .def_prop_ro("threads", &Rollout::threads)
      .def("run", run_rollout, "models"_a, "nworld"_a, "nstep"_a, "control_spec"_a, "state0"_a, "warmstart0"_a.none(),
           "control"_a.none(), "control_steps"_a, "state"_a.none(), "sensordata"_a.none(), "warmstart"_a.none(),
           "status"_a.none(), "steps"_a.none(), "parameters"_a, "set_const"_a, "warmstarts"_a.none() = nb::none(),
           "Fills the outputs; returns (world, step, message) of worlds whose step was refused.");
  m.def("batch_rollout", run_batch, "batch"_a, "steps"_a, "ctrl"_a.none(), "state"_a.none(), "sensordata"_a.none());
  m.def(
      "mjd_transitionFD", transition_fd, "m"_a, "d"_a, "eps"_a, "flg_centered"_a, "A"_a.none(), "B"_a.none(),
      "C"_a.none(), "D"_a.none(), "nthread"_a = 1,
      "Matrices of x' = A x + B u, sensors = C x + D u around the state, by finite differences of a step; x is\n"
      "(dq, qvel, act). None: not wanted. The data stay as they are. nthread beyond the reference: 0 is one per core.");
  m.def("mjd_inverseFD", inverse_fd, "m"_a, "d"_a, "eps"_a, "flg_actuation"_a, "DfDq"_a.none(), "DfDv"_a.none(),
        "DfDa"_a.none(), "DsDq"_a.none(), "DsDv"_a.none(), "DsDa"_a.none(), "DmDq"_a.none(), "nthread"_a = 1,
        "Derivatives of qfrc_inverse (f), sensordata (s) and M (m) by position, velocity and acceleration; row i "
        "belongs\n"
        "to a nudge of dof i. With flg_actuation f is qfrc_inverse - qfrc_actuator.");
}

}  // namespace pliant::python
