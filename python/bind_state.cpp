// State and Data: one Python property per line of state_fields.def and data_fields.def, and the functions
// that run stages. The package builds MjData on top of these.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "bind.h"
#include "pliant/mimic.h"
#include "pliant/step.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

template <class Block>
nb::object field_view(nb::handle self, const StateFieldInfo& info, int field) {
  const Block& block = nb::cast<Block&>(self);
  const size_t shape[2] = {static_cast<size_t>(block.field_count(field)),
                           static_cast<size_t>(block.field_width(field))};
  const bool vector = std::string_view(info.width_name) == "1";
  return nb::cast(
      nb::ndarray<nb::numpy>(block.field_data(field), vector ? 1 : 2, shape, self, nullptr, dtype_of(info.scalar)),
      nb::rv_policy::reference);
}

void set_field(nb::object view, const char* name, nb::handle value);

template <class Block>
void bind_fields(nb::class_<Block>& cls, std::span<const StateFieldInfo> fields) {
  int index = 0;
  for (const StateFieldInfo& info : fields) {
    const int field = index++;
    const std::string doc = std::string(info.meaning) + (*info.unit ? std::string(" [") + info.unit + "]" : "");
    cls.def_prop_rw(
        info.name, [&info, field](nb::handle self) { return field_view<Block>(self, info, field); },
        [&info, field](nb::handle self, nb::handle value) {
          nb::object view = field_view<Block>(self, info, field);
          set_field(view, info.name, value);
        },
        doc.c_str());
  }
}

void set_field(nb::object view, const char* name, nb::handle value) {
  try {
    view[nb::ellipsis()] = value;
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    const std::string text = std::string(name) + ": " + nb::cast<std::string>(nb::str(error.value()));
    nb::raise_from(error, error.type().ptr(), "%s", text.c_str());
  }
}

nb::list field_list(std::span<const StateFieldInfo> fields) {
  nb::list rows;
  for (const StateFieldInfo& info : fields) {
    nb::dict row;
    row["name"] = info.name;
    row["owner"] = info.owner;
    row["dtype"] = info.scalar == Scalar::real ? "float64" : info.scalar == Scalar::i32 ? "int32" : "bool";
    row["count"] = info.count_name;
    row["width"] = info.width_name;
    row["unit"] = info.unit;
    row["meaning"] = info.meaning;
    rows.append(row);
  }
  return rows;
}

void check_parts(const PyModel& model, const State& state, const Data& data, const char* function) {
  if (!state.fits(model.model) || !data.fits(model.model)) {
    throw std::invalid_argument(std::string(function) + ": state or data belong to a model of other sizes");
  }
}

// Runs one stage by the name it has in the pipeline table.
void run_stage(const PyModel& model, const State& state, Data& data, const std::string& name) {
  check_parts(model, state, data, "run_stage");
  data.done = {};  // nothing that was computed on demand before counts
  for (const StageInfo& stage : pipeline()) {
    if (name == stage.name) return stage.run(model.model, state, data);
  }
  std::string known;
  for (const StageInfo& stage : pipeline()) known += std::string(known.empty() ? "" : ", ") + stage.name;
  throw std::invalid_argument("there is no stage '" + name + "'; there are " + known);
}

// Contacts as (ncon, bytes of a contact). The array shares the block they lie in: it stays valid when Data moves on.
nb::object contact_memory(const Data& data) {
  using Owner = std::shared_ptr<const void>;
  static std::byte none;
  auto owner = std::make_unique<Owner>(data.arena.owner(data.contact));
  nb::capsule capsule(owner.get(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  (void)owner.release();
  const size_t shape[2] = {static_cast<size_t>(data.ncon), sizeof(Contact)};
  void* memory = data.ncon > 0 ? static_cast<void*>(data.contact) : &none;
  return nb::cast(nb::ndarray<nb::numpy>(memory, 2, shape, capsule, nullptr, nb::dtype<uint8_t>()),
                  nb::rv_policy::reference);
}

// Where the numbers of a contact are, as numpy.dtype understands it. Names are MuJoCo's.
nb::dict contact_layout() {
  nb::list names, formats, offsets;
  const auto add = [&](std::string_view name, const char* scalar, int width, size_t offset) {
    if (name == "pair" || name == "slip" || name == "anchored") return;  // ours
    names.append(nb::str(name == "row" ? "efc_address" : name.data()));
    formats.append(width == 1 ? std::string(scalar) : "(" + std::to_string(width) + ",)" + scalar);
    offsets.append(offset);
  };
#define FIELD(owner, type, name, width, unit, meaning) \
  add(#name, std::string_view(#type) == "real" ? "f8" : "i4", width, offsetof(Contact, name));
#include "pliant/contact_fields.def"
#undef FIELD
  nb::dict layout;
  layout["names"] = names, layout["formats"] = formats, layout["offsets"] = offsets;
  layout["itemsize"] = sizeof(Contact);
  return layout;
}

}  // namespace

void bind_state(nb::module_& m) {
  nb::class_<State> state(
      m, "State",
      "What must be kept to continue a simulation bit for bit. Copies and pickles are snapshots.\n\n"
      ">>> import copy\n"
      ">>> model = pliant.load('models/drop.xml')\n"
      ">>> state, data = pliant.State(model), pliant.Data(model)\n"
      ">>> before = copy.copy(state)\n"
      ">>> pliant.step(model, state, data, 100)\n"
      "0\n"
      ">>> later = state.hash()\n"
      ">>> state.assign(before)                    # back to the snapshot\n"
      ">>> pliant.step(model, state, data, 100)\n"
      "0\n"
      ">>> state.hash() == later                   # the same bits again\n"
      "True\n");
  state.def(
           "__init__", [](State* self, const PyModel& model) { new (self) State(model.model); }, "model"_a)
      .def("__copy__", [](const State& self) { return State(self); })
      .def(
          "assign", [](State& self, const State& other) { self = other; }, "other"_a)
      .def(
          "reset",
          [](State& self, const PyModel& model, bool project) {
            self.reset(model.model);
            if (project) project_state(model.model, self);
          },
          "model"_a, "project"_a = false)
      .def(
          "reset",
          [](State& self, const PyModel& model, int key, bool project) {
            self.reset(model.model, key);
            if (project) project_state(model.model, self);
          },
          "model"_a, "key"_a, "project"_a = false)
      .def("hash", &State::hash)
      .def_prop_ro("bytes", [](const State& self) { return self.bytes(); });
  bind_fields(state, state_fields());

  nb::class_<Data> data(m, "Data",
                        "What a step computes; disposable.\n\n"
                        ">>> model = pliant.load('models/drop.xml')\n"
                        ">>> state, data = pliant.State(model), pliant.Data(model)\n"
                        ">>> pliant.forward(model, state, data)\n"
                        "0\n"
                        ">>> data.xpos.shape == (model.nbody, 3)\n"
                        "True\n");
  data.def(
          "__init__", [](Data* self, const PyModel& model) { new (self) Data(model.model); }, "model"_a)
      .def("__copy__", [](const Data& self) { return Data(self); })
      .def(
          "assign", [](Data& self, const Data& other) { self = other; }, "other"_a)
      .def("reset", &Data::reset)
      .def_ro("ncon", &Data::ncon, "contacts of the last step")
      .def_ro("npair_tested", &Data::npair_tested, "pairs of geoms whose shapes were compared in the last step")
      .def("contact_memory", contact_memory, "the contacts, as bytes laid out as contact_layout() says")
      .def(
          "reserve_arena",
          [](Data& self, size_t bytes, bool fixed) {
            self.ncon = 0, self.contact = nullptr;
            self.arena.reserve(bytes);
            self.arena.fixed = fixed;
          },
          "bytes"_a, "fixed"_a = false, "Room for contacts and rows; with `fixed` it never grows.")
      .def_rw("timing", &Data::timing, "whether stages are timed")
      .def(
          "times",
          [](const Data& self) {
            nb::list rows;
            int stage = 0;
            for (const StageInfo& info : pipeline()) {
              rows.append(nb::make_tuple(info.name, self.times[stage].nanoseconds, self.times[stage].calls));
              ++stage;
            }
            return rows;
          },
          "(stage, nanoseconds, calls) of every stage")
      .def_prop_ro("bytes", [](const Data& self) { return self.bytes(); });
  bind_fields(data, data_fields());

  m.def("contact_layout", contact_layout, "Names, formats and offsets of a contact, for numpy.dtype.");
  m.def("state_fields", [] { return field_list(state_fields()); }, "Every array of a State.");
  m.def("data_fields", [] { return field_list(data_fields()); }, "Every array of a Data.");
  m.def("run_stage", run_stage, "model"_a, "state"_a, "data"_a, "name"_a, "Runs one stage of the pipeline.");
  m.def(
      "forward",
      [](const PyModel& model, const State& state, Data& data) {
        check_parts(model, state, data, "forward");
        nb::gil_scoped_release release;
        return forward(model.model, state, data).faults;
      },
      "model"_a, "state"_a, "data"_a, "Computes everything that follows from the state; returns bits of faults.");
  m.def(
      "advance",
      [](const PyModel& model, State& state, Data& data, int integrator) {
        check_parts(model, state, data, "advance");
        if (integrator < 0 || integrator > 3) throw std::invalid_argument("advance: integrators are 0 … 3");
        return advance(model.model, state, data, static_cast<Integrator>(integrator)).faults;
      },
      "model"_a, "state"_a, "data"_a, "integrator"_a);
  m.def(
      "step",
      [](const PyModel& model, State& state, Data& data, int nstep) {
        check_parts(model, state, data, "step");
        if (nstep < 0) throw std::invalid_argument("step: nstep must not be negative");
        int faults = 0;
        {
          nb::gil_scoped_release release;
          // many steps can take long: Ctrl-C is looked for now and then, as in mj_step
          using Clock = std::chrono::steady_clock;
          auto looked = nstep > 1 ? Clock::now() : Clock::time_point();
          for (int i = 0; i < nstep && faults == 0; ++i) {
            if (i > 0 && Clock::now() - looked > std::chrono::milliseconds(50)) {
              if (interrupted()) break;
              looked = Clock::now();
            }
            faults = step(model.model, state, data).faults;
          }
        }
        if (nstep > 1 && PyErr_Occurred()) throw nb::python_error();
        return faults;
      },
      "model"_a, "state"_a, "data"_a, "nstep"_a = 1,
      "Moves the state by nstep timesteps. Returns 0, or bits of the faults for which a step was refused; the\n"
      "state is then that before the step, and describe_faults says more.");
  m.def(
      "describe_faults",
      [](const PyModel& model, const Data& data) { return text(describe_faults(model.model, data)); }, "model"_a,
      "data"_a, "A line about each kind of fault seen since the Data was made.");
}

}  // namespace pliant::python
