// Batch: many worlds of one model. Arrays are views of (nworld, n) numbers, on the CPU or on a GPU.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.h"
#include "pliant/batch.h"
#include "pliant/rollout.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// A view that keeps the batch alive: a NumPy array, or on a GPU an object of the DLPack protocol.
nb::object as_array(nb::handle batch, const BatchField& f) {
  const size_t shape[2] = {static_cast<size_t>(f.nworld), static_cast<size_t>(f.count)};
  const int64_t strides[2] = {f.world_stride, f.element_stride};
  const int device = f.on_gpu ? nb::device::cuda::value : nb::device::cpu::value;
  if (!f.on_gpu) {
    return nb::cast(nb::ndarray<nb::numpy>(f.data, 2, shape, batch, strides, dtype_of(f.scalar), device),
                    nb::rv_policy::reference_internal, batch);
  }
  return nb::cast(nb::ndarray<>(f.data, 2, shape, batch, strides, dtype_of(f.scalar), device));
}

BatchDevice device_of(const std::string& name) {
  if (name == "cpu") return BatchDevice::kCpu;
  if (name == "cuda") return BatchDevice::kCuda;
  throw nb::value_error(("Batch(): device is '" + name + "', it must be 'cpu' or 'cuda'").c_str());
}

void construct(Batch* self, const PyModel& model, int nworld, const std::string& device, const nb::object& precision,
               int threads, const std::vector<std::string>& outputs) {
  BatchOptions options;
  options.device = device_of(device);
  options.threads = threads;
  options.outputs = outputs;
  // as people expect: GPUs work in single precision unless asked otherwise
  const std::string wanted = precision.is_none() ? (options.device == BatchDevice::kCuda ? "float32" : "float64")
                                                 : nb::cast<std::string>(precision);
  if (wanted != "float32" && wanted != "float64") {
    throw nb::value_error(("Batch(): precision is '" + wanted + "', it must be 'float32' or 'float64'").c_str());
  }
  options.single_precision = wanted == "float32";
  new (self) Batch(model.model, nworld, options);
}

/// Copies (nworld, nu) numbers into ctrl; a row of nu numbers goes to every world.
void set_controls(nb::handle self, const nb::object& ctrl) {
  Batch& batch = nb::cast<Batch&>(self);
  const BatchField field = batch.field("ctrl");
  const nb::object target = as_array(self, field);
  if (field.on_gpu) {
    throw nb::type_error(
        "Batch.step(): on a GPU write controls through the array `ctrl` (torch.from_dlpack(batch.ctrl)), "
        "then call step()");
  }
  try {
    target[nb::ellipsis()] = ctrl;
  } catch (nb::python_error& error) {
    const std::string shape = "(" + std::to_string(field.nworld) + ", " + std::to_string(field.count) + ")";
    throw nb::type_error(("Batch.step(): ctrl must have the shape " + shape + " or (" + std::to_string(field.count) +
                          ",): " + error.what())
                             .c_str());
  }
}

using SavedBatch = std::tuple<nb::bytes, int, int, std::vector<std::string>, nb::bytes>;

/// A pickle of a Batch: its model, options, and what its worlds are.
void restore_batch(Batch* self, const SavedBatch& saved) {
  const auto& [model_bytes, nworld, threads, outputs, worlds] = saved;
  BatchOptions options;
  options.threads = threads, options.outputs = outputs;
  const auto view = [](const nb::bytes& bytes) { return std::string_view(bytes.c_str(), bytes.size()); };
  try {
    new (self) Batch(read_plm(view(model_bytes), "pickled batch"), nworld, options);
  } catch (const LoadError& error) {
    raise_load_error(error.diagnostics());
  }
  try {
    self->restore(view(worlds));
  } catch (...) {
    self->~Batch();
    throw;
  }
}

/// Which worlds are meant; None: all.
class Mask {
 public:
  explicit Mask(const nb::object& mask) {
    if (!mask.is_none()) array_ = nb::cast<decltype(array_)>(mask);
  }
  operator std::span<const uint8_t>() const {
    if (!array_.is_valid()) return {};
    return {reinterpret_cast<const uint8_t*>(array_.data()), array_.size()};
  }

 private:
  nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu> array_;
};

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Batch>(
      m, "Batch",
      "Many worlds of one model, moved together: on the threads of the CPU, or on a GPU.\n\n"
      "Arrays of State (qpos, qvel, ctrl ...) are attributes of shape (nworld, n): views without copying, "
      "NumPy arrays on the CPU, DLPack objects on a GPU.\n\n"
      ">>> model = pliant.load('models/drop.xml')\n"
      ">>> batch = pliant.Batch(model, 3)\n"
      ">>> batch.qvel[:, -1] = [0, 1, 2]\n"
      ">>> batch.step(nstep=10)\n"
      ">>> batch.qpos.shape == (3, model.nq), bool(batch.status.any())\n"
      "(True, False)\n"
      ">>> saved = batch.save()                    # worlds as bytes; pickles have the model, too\n"
      ">>> batch.step(nstep=10)\n"
      ">>> batch.restore(saved)\n")
      .def("__init__", construct, "model"_a, "nworld"_a, "device"_a = "cpu", "precision"_a = nb::none(),
           "threads"_a = 0, "outputs"_a = std::vector<std::string>{"sensordata"},
           "device: 'cpu' or 'cuda'; precision: 'float32' or 'float64' (GPU only; the CPU has float64); threads on the "
           "CPU, 0: one per core; outputs: arrays of Data to keep for every world on the CPU")
      .def_prop_ro("nworld", &Batch::nworld)
      .def_prop_ro(
          "nstate", [](const Batch& self) { return state_size(self.model(), kStateFullPhysics); },
          "numbers in a state vector of rollout()")
      .def_prop_ro("nsensordata", [](const Batch& self) { return self.model().nsensordata; })
      .def_prop_ro("bytes_per_world", &Batch::bytes_per_world)
      .def(
          "step",
          [](nb::handle self, const nb::object& ctrl, int nstep, bool warn) {
            Batch& batch = nb::cast<Batch&>(self);
            if (nstep < 0) throw nb::value_error("Batch.step(): nstep must not be negative");
            if (!ctrl.is_none()) set_controls(self, ctrl);
            {
              const nb::gil_scoped_release release;
              batch.step(nstep, interrupted);
            }
            if (PyErr_Occurred()) throw nb::python_error();
            const std::string trouble = warn ? batch.trouble() : "";
            if (trouble.empty()) return;
            if (PyErr_WarnEx(PyExc_RuntimeWarning, ("Batch.step: " + trouble).c_str(), 1) < 0) throw nb::python_error();
          },
          "ctrl"_a = nb::none(), "nstep"_a = 1, "warn"_a = true,
          "Moves every world by nstep timesteps, with these controls if given: (nworld, nu) numbers, or nu for all.\n"
          "Ctrl-C ends it with all worlds after the same number of steps. Worlds that stop are warned about once,\n"
          "unless `warn` says not to; `status` tells of them in any case.")
      .def(
          "reset",
          [](Batch& self, const nb::object& mask) {
            const Mask worlds(mask);
            self.reset(worlds);
          },
          "mask"_a = nb::none(), "Back to the start: all worlds, or those where the boolean mask says so.")
      .def(
          "forward",
          [](Batch& self, const nb::object& mask) {
            const Mask worlds(mask);
            const nb::gil_scoped_release release;
            self.forward(worlds);
          },
          "mask"_a = nb::none(),
          "Computes the kept outputs without moving the worlds: all, or those where the boolean mask says so.")
      .def_prop_ro(
          "status",
          [](Batch& self) {
            const std::span<const int> status = self.status();
            nb::list list;
            for (int s : status) list.append(s);
            return nb::module_::import_("numpy").attr("array")(list, "dtype"_a = "int32");
          },
          "Faults of every world in its last step, as bits (see docs/state.md); 0 if all is well.")
      .def("wait", &Batch::wait, nb::call_guard<nb::gil_scoped_release>(), "Waits until everything asked for is done.")
      .def(
          "parameter",
          [](nb::handle self, const std::string& name) {
            return as_array(self, nb::cast<Batch&>(self).parameter(name));
          },
          "name"_a,
          "Numbers of a model parameter for every world, (nworld, n), to be written: worlds differ from then on.")
      .def(
          "field",
          [](nb::handle self, const std::string& name) { return as_array(self, nb::cast<Batch&>(self).field(name)); },
          "name"_a, "An array of State, or of Data as far as it is kept, of all worlds: (nworld, n).")
      .def(
          "save",
          [](const Batch& self) {
            const std::string worlds = self.save();
            return nb::bytes(worlds.data(), worlds.size());
          },
          "Everything that the worlds are, as bytes: states, remembered rows, kept outputs, parameters, status.")
      .def(
          "restore", [](Batch& self, const nb::bytes& saved) { self.restore({saved.c_str(), saved.size()}); },
          "saved"_a, "Back to what save() gave, of a batch of the same model, number of worlds and outputs.")
      .def("__getstate__",
           [](const Batch& self) {
             const std::string model = write_plm(self.model()), worlds = self.save();
             const BatchOptions& options = self.options();
             return nb::make_tuple(nb::bytes(model.data(), model.size()), self.nworld(), options.threads,
                                   options.outputs, nb::bytes(worlds.data(), worlds.size()));
           })
      .def("__setstate__", restore_batch)
      .def("__getattr__", [](nb::handle self, const std::string& name) {
        try {
          return as_array(self, nb::cast<Batch&>(self).field(name));
        } catch (const std::invalid_argument& error) {
          throw nb::attribute_error(error.what());
        }
      });
  m.def("cuda_unavailable", cuda_unavailable, "Why there is no GPU to work on; '' if there is one.");
}

}  // namespace pliant::python
