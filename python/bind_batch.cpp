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
  return nb::cast(nb::ndarray<nb::array_api>(f.data, 2, shape, batch, strides, dtype_of(f.scalar), device));
}

/// The same numbers the other way round: (n, worlds). On a GPU, where worlds are innermost, that is how they lie in
/// memory, with some columns more that are no worlds: compact, as some packages want it.
nb::object as_columns(nb::handle batch, const BatchField& f) {
  const bool innermost = f.on_gpu && f.element_stride >= f.nworld;
  const size_t shape[2] = {static_cast<size_t>(f.count),
                           static_cast<size_t>(innermost ? f.element_stride : int64_t{f.nworld})};
  const int64_t strides[2] = {f.element_stride, f.world_stride};
  if (f.on_gpu)
    return nb::cast(
        nb::ndarray<nb::array_api>(f.data, 2, shape, batch, strides, dtype_of(f.scalar), nb::device::cuda::value));
  return nb::cast(nb::ndarray<nb::numpy>(f.data, 2, shape, batch, strides, dtype_of(f.scalar), nb::device::cpu::value),
                  nb::rv_policy::reference_internal, batch);
}

/// An array of State, of Data as far as it is kept, or of parameters.
BatchField named(Batch& batch, const std::string& name) {
  for (const FieldInfo& info : model_fields()) {
    if (name == info.name) return batch.parameter(name);
  }
  return name.starts_with("opt.") ? batch.parameter(name) : batch.field(name);
}

Scalar scalar_of(nb::dlpack::dtype type, const std::string& function) {
  for (const Scalar scalar : {Scalar::real, Scalar::f32, Scalar::i32, Scalar::i64, Scalar::u8, Scalar::boolean}) {
    if (type == dtype_of(scalar)) return scalar;
  }
  throw nb::type_error((function + ": numbers must be float64, float32, int32, int64, uint8 or bool").c_str());
}

/// Numbers of the caller for an array of worlds: NumPy's or a list, or of any package that has DLPack, where they are.
class Numbers {
 public:
  Numbers(const std::string& function, const nb::object& values, const BatchField& to) {
    if (!nb::try_cast(values, array_) || array_.device_type() == nb::device::cpu::value) {
      const nb::object numpy = nb::module_::import_("numpy");
      nb::object list = numpy.attr("ascontiguousarray")(values);
      if (nb::cast<int>(list.attr("ndim")) > 2) list = list.attr("reshape")(list.attr("shape")[nb::int_(0)], -1);
      if (!nb::try_cast(list, array_)) {
        throw nb::type_error((function + ": the values are no array of numbers").c_str());
      }
    }
    const size_t n = static_cast<size_t>(to.count), dims = array_.ndim();
    const bool row = dims == 1 && array_.shape(0) == n;
    const bool column = dims == 1 && n == 1 && array_.shape(0) == static_cast<size_t>(to.nworld);
    const bool table = dims == 2 && array_.shape(1) == n;
    const size_t rows = table || column ? array_.shape(0) : 1;
    if (!(row || column || table) || (rows != 1 && rows != static_cast<size_t>(to.nworld))) {
      std::string shape;
      for (size_t i = 0; i < dims; ++i) shape += (i ? ", " : "") + std::to_string(array_.shape(i));
      const std::string count = std::to_string(n);
      throw nb::type_error((function + " must have the shape (" + std::to_string(to.nworld) + ", " + count + ") or (" +
                            count + ",), it has (" + shape + ")")
                               .c_str());
    }
    field_ = {const_cast<void*>(array_.data()),
              scalar_of(array_.dtype(), function),
              static_cast<int>(rows),
              to.count,
              table || column ? array_.stride(0) : 0,
              table ? array_.stride(1)
              : row ? array_.stride(0)
                    : 1,
              array_.device_type() != nb::device::cpu::value};
    if (field_.on_gpu && array_.device_type() != nb::device::cuda::value) {
      throw nb::type_error(
          (function + ": the numbers are neither in the memory of the host nor on a CUDA GPU").c_str());
    }
  }
  const BatchField& field() const { return field_; }

 private:
  nb::ndarray<nb::ro> array_;
  BatchField field_;
};

/// A CUDA stream: None, its number, or an object of torch (cuda_stream) or CuPy (ptr).
void* stream_of(const nb::object& stream) {
  if (stream.is_none()) return nullptr;
  for (const char* name : {"cuda_stream", "ptr"}) {
    if (nb::hasattr(stream, name)) return reinterpret_cast<void*>(nb::cast<uintptr_t>(stream.attr(name)));
  }
  return reinterpret_cast<void*>(nb::cast<uintptr_t>(stream));
}

/// An array of NumPy with a number of every world.
template <class T, class Of>
nb::object column(const std::vector<WorldStatistics>& all, Of&& of) {
  auto* numbers = new std::vector<T>;
  for (const WorldStatistics& world : all) numbers->push_back(static_cast<T>(of(world)));
  const nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(numbers->data(), {numbers->size()}, owner));
}

nb::dict statistics_of(Batch& batch) {
  std::vector<WorldStatistics> all;
  {
    const nb::gil_scoped_release release;
    all = batch.statistics();
  }
  nb::dict dict;
  dict["contacts"] = column<int32_t>(all, [](const WorldStatistics& w) { return w.contacts; });
  dict["rows"] = column<int32_t>(all, [](const WorldStatistics& w) { return w.rows; });
  dict["iterations"] = column<int32_t>(all, [](const WorldStatistics& w) { return w.iterations; });
  dict["evaluations"] = column<int32_t>(all, [](const WorldStatistics& w) { return w.evaluations; });
  dict["gap"] = column<double>(all, [](const WorldStatistics& w) { return w.gap; });
  dict["converged"] = column<uint8_t>(all, [](const WorldStatistics& w) { return w.converged; }).attr("astype")("bool");
  return dict;
}

/// A copy in the memory of the host, for NumPy.
nb::object read_array(nb::handle self, const std::string& name) {
  Batch& batch = nb::cast<Batch&>(self);
  const BatchField from = name == "faults" ? batch.status_field() : named(batch, name);
  nb::object array = nb::module_::import_("numpy").attr("empty")(nb::make_tuple(from.nworld, from.count),
                                                                 from.scalar == Scalar::f32       ? "float32"
                                                                 : from.scalar == Scalar::i32     ? "int32"
                                                                 : from.scalar == Scalar::boolean ? "bool"
                                                                                                  : "float64");
  const auto to = nb::cast<nb::ndarray<nb::c_contig, nb::device::cpu>>(array);
  batch.read(from, to.data());
  return array;
}

BatchDevice device_of(const std::string& name) {
  if (name == "cpu") return BatchDevice::kCpu;
  if (name == "cuda") return BatchDevice::kCuda;
  throw nb::value_error(("Batch(): device is '" + name + "', it must be 'cpu' or 'cuda'").c_str());
}

void construct(Batch* self, const PyModel& model, int nworld, const std::string& device, const nb::object& precision,
               int threads, const std::vector<std::string>& outputs, int contacts, int rows, bool fixed_memory) {
  BatchOptions options;
  options.device = device_of(device);
  options.threads = threads;
  options.outputs = outputs;
  options.contacts = contacts, options.rows = rows, options.fixed_memory = fixed_memory;
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
void set_controls(Batch& batch, const nb::object& ctrl) {
  const BatchField to = batch.field("ctrl");
  batch.write(to, Numbers("Batch.step(): ctrl", ctrl, to).field());
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
    if (mask.is_none()) return;
    if (!nb::try_cast(mask, array_, false)) take_list(mask);
    if (!array_.is_valid()) throw nb::type_error("Batch: a mask must be a contiguous array of bools, one per world");
    if (array_.size() == 0) throw nb::value_error("Batch: the mask has no entries");
  }
  operator WorldMask() const {
    if (!array_.is_valid()) return {};
    WorldMask mask(std::span(reinterpret_cast<const uint8_t*>(array_.data()), array_.size()));
    mask.on_gpu = array_.device_type() != nb::device::cpu::value;
    return mask;
  }

 private:
  /// What NumPy takes for bools.
  void take_list(const nb::object& mask) {
    try {
      const nb::object numpy = nb::module_::import_("numpy");
      const nb::object list = numpy.attr("ascontiguousarray")(mask);
      if (nb::cast<std::string>(list.attr("dtype").attr("name")) == "bool") array_ = nb::cast<decltype(array_)>(list);
    } catch (const std::exception&) {  // (it is on a GPU, or no array)
    }
  }
  nb::ndarray<const bool, nb::ndim<1>, nb::c_contig> array_;
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
      .def(
          "__init__", construct, "model"_a, "nworld"_a, "device"_a = "cpu", "precision"_a = nb::none(), "threads"_a = 0,
          "outputs"_a = std::vector<std::string>{"sensordata"}, "contacts"_a = 0, "rows"_a = 0,
          "fixed_memory"_a = false,
          "device: 'cpu' or 'cuda'; precision: 'float32' or 'float64' (GPU only; the CPU has float64); threads on the "
          "CPU, 0: one per core; outputs: arrays of Data to keep for every world on the CPU. On a GPU: contacts, rows: "
          "room of a world at the start, 0: what the start state suggests; fixed_memory: a world that outgrows its "
          "room gets a fault instead of more")
      .def_prop_ro("device",
                   [](const Batch& self) { return self.options().device == BatchDevice::kCuda ? "cuda" : "cpu"; })
      .def_prop_ro("precision",
                   [](const Batch& self) { return self.options().single_precision ? "float32" : "float64"; })
      .def_prop_ro("nworld", &Batch::nworld)
      .def_prop_ro(
          "nstate", [](const Batch& self) { return state_size(self.model(), kStateFullPhysics); },
          "numbers in a state vector of rollout()")
      .def_prop_ro("nu", [](const Batch& self) { return self.model().nu; })
      .def_prop_ro("nsensordata", [](const Batch& self) { return self.model().nsensordata; })
      .def_prop_ro("bytes_per_world", &Batch::bytes_per_world)
      .def(
          "step",
          [](nb::handle self, const nb::object& ctrl, int nstep, bool warn) {
            Batch& batch = nb::cast<Batch&>(self);
            if (nstep < 0) throw nb::value_error("Batch.step(): nstep must not be negative");
            if (!ctrl.is_none()) set_controls(batch, ctrl);
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
          "Moves every world by nstep timesteps, with these controls if given: (nworld, nu) numbers, or nu for all,\n"
          "on a GPU of any package that has DLPack.\n"
          "Ctrl-C ends it with all worlds after the same number of steps. Worlds that stop are warned about once,\n"
          "unless `warn` says not to; `status` tells of them in any case.")
      .def(
          "reset",
          [](Batch& self, const nb::object& mask, const nb::object& keyframe) {
            const Mask worlds(mask);
            if (nb::isinstance<nb::int_>(keyframe)) return self.reset(worlds, nb::cast<int>(keyframe));
            const nb::object keys = nb::module_::import_("numpy").attr("ascontiguousarray")(keyframe, "int32");
            const auto list = nb::cast<nb::ndarray<const int32_t, nb::c_contig, nb::device::cpu>>(keys);
            self.reset(worlds, std::span(list.data(), list.size()));
          },
          "mask"_a = nb::none(), "keyframe"_a = -1,
          "Back to the start, or to a keyframe (a number, or one per world, -1: the start): all worlds, or those "
          "where\n"
          "the boolean mask says so. On a GPU the mask may be there, too.")
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
      .def_prop_ro(
          "faults", [](nb::handle self) { return as_array(self, nb::cast<Batch&>(self).status_field()); },
          "The same as an array where the worlds are, (nworld, 1): a view, which the next call writes.")
      .def("statistics", statistics_of,
           "Arrays with a number per world, of its last step: contacts, rows, iterations of the solver and evaluations "
           "of "
           "its\nline searches, gap (the cost is within this of the minimum), converged.")
      .def(
          "time_stages",
          [](Batch& self, int repeats) {
            nb::dict dict;
            for (const BatchStageTime& stage : self.time_stages(repeats)) dict[stage.name.c_str()] = stage.seconds;
            return dict;
          },
          "repeats"_a = 20,
          "Seconds of every stage and of a whole step of all worlds, the mean of so many; the worlds move. GPU only.")
      .def_prop_rw(
          "stream", [](const Batch& self) { return reinterpret_cast<uintptr_t>(self.stream()); },
          [](Batch& self, const nb::object& stream) { self.use_stream(stream_of(stream)); },
          nb::for_setter(nb::arg("stream").none()),
          "The CUDA stream that the worlds move in: its number, or an object of torch or CuPy; None: the default "
          "stream.")
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
          "worlds_last",
          [](nb::handle self, const std::string& name) { return as_columns(self, nb::cast<Batch&>(self).field(name)); },
          "name"_a,
          "The array the other way round, (n, worlds). On a GPU it is compact in memory, as JAX wants arrays, and has\n"
          "some columns behind the last world that are none.")
      .def(
          "write",
          [](nb::handle self, const std::string& name, const nb::object& values) {
            Batch& batch = nb::cast<Batch&>(self);
            const BatchField to = named(batch, name);
            batch.write(to, Numbers("Batch.write(): " + name, values, to).field());
          },
          "name"_a, "values"_a,
          "Copies numbers into an array of State, Data or parameters: (nworld, n) of them, or n for all worlds. They "
          "may\nbe on the GPU, where the worlds are.")
      .def("read", read_array, "name"_a,
           "A copy of an array of State, Data (as far as it is kept) or parameters, or of faults, for NumPy.")
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
