// What a model meant in an earlier version of MuJoCo.

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind.h"
#include "pliant/changed_since.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {

void bind_changes(nb::module_& m) {
  nb::class_<Change>(m, "Change", "An element of a model that means something else than in an earlier MuJoCo.")
      .def_prop_ro(
          "code", [](const Change& c) { return text(c.code); }, "stable code such as 'C103'; pliant.change_codes()")
      .def_prop_ro("title", [](const Change& c) { return text(c.title); })
      .def_prop_ro(
          "version", [](const Change& c) { return text(c.version); }, "of MuJoCo, that brought it")
      .def_prop_ro(
          "effect", [](const Change& c) { return effect_name(c.effect); },
          "'file', 'acceleration', 'step', 'reading' or 'numbers'")
      .def_ro("seen", &Change::seen, "whether it makes a difference at a state that was looked at")
      .def_prop_ro(
          "element", [](const Change& c) { return text(c.element); }, "such as \"actuator 'hip'\"")
      .def_prop_ro(
          "origin", [](const Change& c) { return text(c.origin); }, "file:line:column; '' when unknown")
      .def_prop_ro("message", [](const Change& c) { return text(c.message); })
      .def_prop_ro(
          "numbers",
          [](const Change& c) {
            nb::dict numbers;
            for (const ChangedNumber& n : c.numbers) numbers[n.name.c_str()] = nb::make_tuple(n.before, n.after);
            return numbers;
          },
          "(before, after) by name")
      .def_ro("size", &Change::size, "largest relative difference of an acceleration or step; nan if not computed")
      .def("__repr__",
           [](const Change& c) { return text("<Change " + c.code + " " + c.element + ": " + c.message + ">"); });

  nb::class_<ChangeReport>(m, "ChangeReport", "What an earlier MuJoCo made of a model, against 4.0.")
      .def_prop_ro("since", [](const ChangeReport& r) { return text(r.since); })
      .def_ro("loaded", &ChangeReport::loaded)
      .def_ro("states", &ChangeReport::states, "how many were looked at")
      .def_ro("changes", &ChangeReport::changes)
      .def_prop_ro("differs", &ChangeReport::differs, "whether the model moves differently, or can no longer be loaded")
      .def("__str__", [](const ChangeReport& r) { return text(changes_text(r, "")); });

  m.def(
      "_changed_since",
      [](const std::optional<std::filesystem::path>& path, const std::optional<std::string>& xml,
         const std::string& since, const std::vector<std::map<std::string, std::vector<double>>>& states,
         const std::optional<Assets>& assets, bool allow_unsupported) {
        const LoadOptions load = options_of(assets, allow_unsupported, std::nullopt);
        ChangeOptions options;
        options.since = since;
        for (const auto& given : states) {
          GivenState& s = options.states.emplace_back();
          const std::pair<const char*, std::vector<double>*> places[] = {
              {"qpos", &s.qpos}, {"qvel", &s.qvel},           {"act", &s.act},
              {"ctrl", &s.ctrl}, {"mocap_pos", &s.mocap_pos}, {"mocap_quat", &s.mocap_quat}};
          for (const auto& [name, values] : given) {
            const auto place = std::find_if(std::begin(places), std::end(places),
                                            [&, &wanted = name](const auto& p) { return wanted == p.first; });
            if (place == std::end(places)) {
              throw std::invalid_argument("states: there is no '" + name +
                                          "'; there are qpos, qvel, act, ctrl, mocap_pos and mocap_quat");
            }
            *place->second = values;
          }
        }
        nb::gil_scoped_release release;
        return path ? changed_since(*path, load, options) : changed_since_string(*xml, load, options);
      },
      "path"_a.none(), "xml"_a.none(), "since"_a, "states"_a, "assets"_a.none(), "allow_unsupported"_a);
  m.def(
      "change_codes",
      [] {
        nb::list rows;
        for (const ChangeCode& line : change_codes()) {
          rows.append(nb::make_tuple(line.code, line.version, effect_name(line.effect), line.title, line.meaning));
        }
        return rows;
      },
      "Every cause of a change: (code, version, effect, title, meaning).");
}

}  // namespace pliant::python
