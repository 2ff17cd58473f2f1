// The doctor's findings, and why a simulation went wrong.

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "bind.h"
#include "pliant/doctor.h"
#include "pliant/why.h"

namespace nb = nanobind;

namespace pliant::python {
namespace {

using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

WhyReport report_of(const PyModel& model, const std::optional<std::filesystem::path>& recording,
                    const std::optional<Rows>& states, const WhyOptions& options) {
  if (recording) return why(model.model, RecordingFile(*recording), options);
  if (!states) return why(model.model, options);
  return why(model.model, states_of_rows(model.model, {states->data(), states->size()}, states->shape(1)), options);
}

/// The report as JSON, as text and as a page: Python makes an object of the first.
nb::tuple why_of(const PyModel& model, const std::optional<std::filesystem::path>& recording,
                 const std::optional<Rows>& states, double seconds, int key, int world) {
  WhyOptions options;
  options.seconds = seconds, options.key = key, options.world = world;
  options.diagnostics = &model.diagnostics;
  if (key >= model.model.nkey) throw std::invalid_argument("there is no keyframe " + std::to_string(key));
  WhyReport report;
  std::string json, words, page;
  // Many simulations: other threads go on meanwhile, and Ctrl-C ends it.
  // (asked at every step: to wait for the lock so often would take long where other threads are busy)
  using Clock = std::chrono::steady_clock;
  bool interrupted = false;
  Clock::time_point asked = Clock::now();
  options.stop = [&] {
    if (interrupted || Clock::now() - asked < std::chrono::milliseconds(50)) return interrupted;
    asked = Clock::now();
    const nb::gil_scoped_acquire acquire;
    return interrupted = PyErr_CheckSignals() != 0;
  };
  {
    const nb::gil_scoped_release release;
    report = report_of(model, recording, states, options);
    json = why_json(report, recording ? recording->string() : "");
    words = why_text(report), page = why_page(report);
  }
  if (interrupted) throw nb::python_error();
  return nb::make_tuple(text(json), text(words), text(page));
}

}  // namespace

void bind_doctor(nb::module_& m) {
  nb::class_<Finding>(m, "Finding", "Something in a model that will misbehave.")
      .def_prop_ro(
          "code", [](const Finding& f) { return text(f.code); }, "stable code such as 'D201'; pliant.doctor_codes()")
      .def_prop_ro(
          "severity", [](const Finding& f) { return severity_name(f.severity); }, "'error', 'warning' or 'note'")
      .def_prop_ro("title", [](const Finding& f) { return text(f.title); })
      .def_prop_ro(
          "element", [](const Finding& f) { return text(f.element); }, "such as \"joint 'knee'\"")
      .def_prop_ro(
          "origin", [](const Finding& f) { return text(f.origin); }, "file:line:column; '' when unknown")
      .def_prop_ro("message", [](const Finding& f) { return text(f.message); })
      .def_prop_ro(
          "evidence",
          [](const Finding& f) {
            nb::dict numbers;
            for (const Evidence& e : f.evidence) numbers[e.name.c_str()] = e.value;
            return numbers;
          },
          "the numbers that show it, by name")
      .def_prop_ro(
          "change", [](const Finding& f) { return text(f.change); }, "what to write instead")
      .def("__repr__", [](const Finding& f) {
        return text("<Finding " + f.code + " " + severity_name(f.severity) + ": " + f.message + ">");
      });

  m.def(
      "doctor",
      [](const PyModel& model, double seconds) { return doctor(model.model, &model.diagnostics, {seconds}).findings; },
      nb::arg("model"), nb::arg("seconds") = 1.0,
      "What in a model will misbehave: a list of findings, worst first. `seconds`: length of the trial run, 0 for "
      "none.");
  m.def(
      "timestep_budget",
      [](const PyModel& model) {
        nb::list lines;
        for (const TimestepLimit& b : doctor(model.model, nullptr, {0}).budget) {
          lines.append(nb::make_tuple(b.kind, text(b.element), b.limit));
        }
        return lines;
      },
      nb::arg("model"), "Longest stable timestep of each stiff element: (kind, element, seconds), shortest first.");
  m.def("_why", why_of, nb::arg("model"), nb::arg("recording").none(), nb::arg("states").none(), nb::arg("seconds"),
        nb::arg("key"), nb::arg("world"));
  m.def(
      "doctor_codes",
      [] {
        nb::list rows;
        for (const DoctorCode& line : doctor_codes()) rows.append(nb::make_tuple(line.code, line.title, line.meaning));
        return rows;
      },
      "Every code of the doctor: (code, title, meaning).");
}

}  // namespace pliant::python
