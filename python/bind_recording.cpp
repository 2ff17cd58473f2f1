// Recordings: writing them for one world, a batch or given arrays; reading, converting and replaying them; the flight
// recorder. The package (_recording.py) puts classes in front of it.

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind.h"
#include "pliant/batch.h"
#include "pliant/flight_recorder.h"
#include "pliant/recording.h"
#include "pliant/replay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

// ---- reading -----------------------------------------------------------------------------------

template <class T>
nb::object array_of(const std::vector<double>& numbers, const std::vector<size_t>& shape, Scalar scalar) {
  auto* copy = new T[numbers.size() + 1];
  for (size_t i = 0; i < numbers.size(); ++i) copy[i] = static_cast<T>(numbers[i]);
  const nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy>(copy, shape.size(), shape.data(), owner, nullptr, dtype_of(scalar)));
}

nb::object field_array(const Recording& recording, const RecordedField& field, const std::vector<double>& numbers) {
  std::vector<size_t> shape{static_cast<size_t>(recording.rows)};
  if (field.name != "time") {
    if (recording.worlds > 1) shape.push_back(static_cast<size_t>(recording.worlds));
    shape.push_back(static_cast<size_t>(field.count));
    if (field.has_width) shape.push_back(static_cast<size_t>(field.width));
  }
  if (field.scalar == Scalar::boolean) return array_of<bool>(numbers, shape, Scalar::boolean);
  if (field.scalar == Scalar::i32) return array_of<int32_t>(numbers, shape, Scalar::i32);
  return array_of<double>(numbers, shape, Scalar::real);
}

nb::list event_list(const std::vector<RecordedEvent>& events) {
  nb::list out;
  for (const RecordedEvent& event : events) {
    out.append(nb::make_tuple(event.row, event.time, text(event.kind), text(event.text)));
  }
  return out;
}

nb::dict read(const std::filesystem::path& path) {
  Recording recording;
  {
    const nb::gil_scoped_release release;
    recording = read_recording(path);
  }
  nb::dict fields, names, out;
  for (const auto& [name, numbers] : recording.fields) {
    const RecordedField& field = recording.layout.at(name);
    fields[text(name)] = field_array(recording, field, numbers);
    nb::list words;
    for (const std::string& word : field.names) words.append(text(word));
    if (!field.names.empty()) names[text(name)] = words;
  }
  nb::list steps;
  for (const int64_t step : recording.steps) steps.append(step);
  out["fields"] = fields;
  out["names"] = names;
  out["worlds"] = recording.worlds;
  out["steps"] = steps;
  out["events"] = event_list(recording.events);
  out["model_file"] = text(recording.model_file);
  out["version"] = text(recording.version);
  out["end"] = text(recording.end);
  out["note"] = text(recording.note);
  return out;
}

nb::object model_inside(const std::filesystem::path& path) {
  std::optional<Model> model;
  try {
    model = RecordingFile(path).model();
  } catch (const LoadError& problem) {
    raise_load_error(problem.diagnostics());
  }
  if (!model) return nb::none();
  return nb::cast(PyModel{std::move(*model), {}, {}});
}

nb::object difference(const std::optional<ReplayDifference>& d) {
  if (!d) return nb::none();
  nb::dict out;
  out["row"] = d->row;
  out["step"] = d->step;
  out["time"] = d->time;
  out["field"] = text(d->field);
  out["index"] = d->index;
  out["object"] = text(d->object);
  out["recorded"] = d->recorded;
  out["replayed"] = d->replayed;
  return out;
}

nb::dict replay_file(const PyModel& model, const std::filesystem::path& path, std::optional<double> from,
                     std::optional<double> to, bool until_fault, int world) {
  ReplayOptions options;
  if (from) options.from = *from;
  if (to) options.to = *to;
  options.until_fault = until_fault;
  options.world = world;
  ReplayReport report;
  std::string words;
  {
    const nb::gil_scoped_release release;
    const RecordingFile recording(path);
    int64_t steps = 0;
    constexpr int64_t kLookEvery = 1024;
    options.stop = [&] { return ++steps % kLookEvery == 0 && interrupted(); };
    report = replay(model.model, recording, options);
    words = replay_text(report, recording);
  }
  if (PyErr_Occurred()) throw nb::python_error();
  nb::dict out;
  out["same"] = report.same();
  out["first_row"] = report.first_row;
  out["last_row"] = report.last_row;
  out["steps"] = report.steps;
  out["same_rows"] = report.same_rows;
  out["restarts"] = report.restarts;
  out["skipped_steps"] = report.skipped_steps;
  out["first"] = difference(report.first);
  out["largest"] = difference(report.largest);
  out["fault"] = text(report.fault_text);
  out["recorded_fault"] = text(report.recorded_fault);
  out["text"] = text(words);
  return out;
}

// ---- writing -----------------------------------------------------------------------------------

void check_state(const Model& model, const State& state) {
  if (!state.fits(model)) throw std::invalid_argument("Recorder.record: the state belongs to a model of other sizes");
}

/// Rows of one world. Knows its model's sizes, so that a State of another model is refused.
struct WorldRecorder {
  const PyModel& model;
  Recorder recorder;
  Data none;  // where no field of Data is recorded

  void record(const State& state, const Data* data, std::optional<int64_t> step) {
    check_state(model.model, state);
    if (recorder.needs_data() && (!data || !data->fits(model.model))) {
      throw std::invalid_argument("Recorder.record: fields of Data are recorded, so that it needs the Data, too");
    }
    const Data& given = data ? *data : none;
    step ? recorder.record(state, given, *step) : recorder.record(state, given);
  }
};

/// Rows of all worlds of a batch.
struct BatchRecorder {
  Batch& batch;
  RecordingWriter writer;
  std::vector<std::string> rows;  // per field: the numbers of all worlds

  BatchRecorder(Batch& source, const std::filesystem::path& path, const std::vector<std::string>& fields, bool embed)
      : batch(source),
        writer(path, recording_head(source.model(), fields, true, source.nworld()), embed ? &source.model() : nullptr),
        rows(writer.head().fields.size()) {}

  void record(int64_t step) {
    std::vector<const void*> arrays;
    for (size_t i = 0; i < rows.size(); ++i) {
      const RecordedField& field = writer.head().fields[i];
      const BatchField from = batch.field(field.name);
      if (from.on_gpu || from.scalar != field.scalar) {
        throw std::invalid_argument(
            "Recorder: a batch on a GPU is not recorded; copy its arrays, or record a batch on the CPU");
      }
      const size_t each = scalar_bytes(field.scalar), n = static_cast<size_t>(from.count);
      rows[i].resize(each * n * static_cast<size_t>(from.nworld));
      char* to = rows[i].data();
      for (int world = 0; world < from.nworld; ++world) {
        const auto* row = static_cast<const char*>(from.data) + static_cast<int64_t>(each) * from.world_stride * world;
        for (size_t k = 0; k < n; ++k, to += each) {
          std::memcpy(to, row + static_cast<int64_t>(each * k) * from.element_stride, each);
        }
      }
      arrays.push_back(rows[i].data());
    }
    writer.add_row(step, arrays);
  }
};

/// Rows of arrays that the package has: of rollouts.
struct ArrayWriter {
  RecordingWriter writer;

  ArrayWriter(const PyModel& model, const std::filesystem::path& path, const std::vector<std::string>& fields,
              int worlds, bool embed)
      : writer(path, recording_head(model.model, fields, false, worlds), embed ? &model.model : nullptr) {}

  void add_row(int64_t step, const nb::list& arrays) {
    std::vector<nb::ndarray<nb::c_contig, nb::device::cpu>> kept;
    std::vector<const void*> places;
    const RecordingHead& head = writer.head();
    if (arrays.size() != head.fields.size()) throw nb::value_error("a row has an array per field");
    for (size_t i = 0; i < head.fields.size(); ++i) {
      kept.push_back(nb::cast<nb::ndarray<nb::c_contig, nb::device::cpu>>(arrays[i]));
      if (kept.back().nbytes() != head.fields[i].bytes() * static_cast<size_t>(head.worlds)) {
        throw nb::value_error(("the array of " + head.fields[i].name + " has another size").c_str());
      }
      places.push_back(kept.back().data());
    }
    writer.add_row(step, places);
  }
};

}  // namespace

void bind_recording(nb::module_& m) {
  m.def("_read_recording", read, "path"_a);
  m.def("_recorded_model", model_inside, "path"_a);
  m.def("_replay", replay_file, "model"_a, "path"_a, "start"_a.none(), "stop"_a.none(), "until_fault"_a, "world"_a);
  m.def(
      "_convert_recording",
      [](const std::filesystem::path& from, const std::filesystem::path& to, const std::vector<std::string>& fields) {
        const nb::gil_scoped_release release;
        const RecordingFile file(from);
        convert_recording(file, to, fields);
        return file.note();
      },
      "source"_a, "target"_a, "fields"_a);

  nb::class_<WorldRecorder>(m, "_WorldRecorder")
      .def(
          "__init__",
          [](WorldRecorder* self, const PyModel& model, const std::filesystem::path& path,
             const std::vector<std::string>& fields, bool embed) {
            new (self) WorldRecorder{model, Recorder(model.model, path, fields, {.embed_model = embed}), Data()};
          },
          "model"_a, "path"_a, "fields"_a, "embed_model"_a, nb::keep_alive<1, 2>())
      .def("record", &WorldRecorder::record, "state"_a, "data"_a.none(), "step"_a.none())
      .def(
          "event",
          [](WorldRecorder& self, const std::string& kind, double time, const std::string& words) {
            self.recorder.event(kind, time, words);
          },
          "kind"_a, "time"_a, "text"_a)
      .def("flush", [](WorldRecorder& self) { self.recorder.flush(); })
      .def(
          "finish", [](WorldRecorder& self, const std::string& reason) { self.recorder.finish(reason); }, "reason"_a)
      .def_prop_ro("rows", [](const WorldRecorder& self) { return self.recorder.rows(); })
      .def_prop_ro("needs_data", [](const WorldRecorder& self) { return self.recorder.needs_data(); })
      .def_prop_ro("unfinished", [](const WorldRecorder& self) { return self.recorder.unfinished(); });

  nb::class_<BatchRecorder>(m, "_BatchRecorder")
      .def(nb::init<Batch&, const std::filesystem::path&, const std::vector<std::string>&, bool>(), "batch"_a, "path"_a,
           "fields"_a, "embed_model"_a, nb::keep_alive<1, 2>())
      .def("record", &BatchRecorder::record, "step"_a)
      .def(
          "event",
          [](BatchRecorder& self, const std::string& kind, double time, const std::string& words) {
            self.writer.add_event(kind, time, words);
          },
          "kind"_a, "time"_a, "text"_a)
      .def("flush", [](BatchRecorder& self) { self.writer.flush(); })
      .def(
          "finish", [](BatchRecorder& self, const std::string& reason) { self.writer.finish(reason); }, "reason"_a)
      .def_prop_ro("rows", [](const BatchRecorder& self) { return self.writer.rows(); })
      .def_prop_ro("unfinished", [](const BatchRecorder& self) { return self.writer.unfinished(); });

  nb::class_<ArrayWriter>(m, "_ArrayWriter")
      .def(nb::init<const PyModel&, const std::filesystem::path&, const std::vector<std::string>&, int, bool>(),
           "model"_a, "path"_a, "fields"_a, "worlds"_a, "embed_model"_a)
      .def("add_row", &ArrayWriter::add_row, "step"_a, "arrays"_a)
      .def(
          "event",
          [](ArrayWriter& self, const std::string& kind, double time, const std::string& words) {
            self.writer.add_event(kind, time, words);
          },
          "kind"_a, "time"_a, "text"_a)
      .def("finish", [](ArrayWriter& self, const std::string& reason) { self.writer.finish(reason); }, "reason"_a);

  nb::class_<FlightRecorder>(m, "_FlightRecorder")
      .def(
          "__init__",
          [](FlightRecorder* self, const PyModel& model, double seconds, size_t most_bytes) {
            new (self) FlightRecorder(model.model, {.seconds = seconds, .most_bytes = most_bytes});
          },
          "model"_a, "seconds"_a, "most_bytes"_a)
      .def("record", &FlightRecorder::record, "state"_a)
      .def("clear", &FlightRecorder::clear)
      .def_prop_ro("rows", &FlightRecorder::rows)
      .def_prop_ro("capacity", &FlightRecorder::capacity)
      .def_prop_ro("steps", &FlightRecorder::steps)
      .def(
          "write",
          [](const FlightRecorder& self, const PyModel& model, const std::filesystem::path& path,
             const std::string& kind, const std::string& words) { self.write(model.model, path, kind, words); },
          "model"_a, "path"_a, "kind"_a, "text"_a);
}

}  // namespace pliant::python
