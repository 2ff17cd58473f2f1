// Explanations and designs, as JSON text; pliant/_explain.py makes objects of it.

#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>

#include "bind.h"
#include "pliant/design.h"
#include "pliant/explain.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// What an explanation or a design is made of in Python: its numbers, and what the command line prints.
nb::tuple answer(const std::string& json, const std::string& words) { return nb::make_tuple(text(json), text(words)); }

nb::list explain(const PyModel& py, const std::string& kind, int first, int second, double impact, const State* state) {
  const Model& m = py.model;
  const State start = state ? State(*state) : State(m);
  if (!start.fits(m)) throw std::invalid_argument("explain: this state belongs to another model");
  std::vector<Explanation> found;
  if (kind == "contact")
    found = {explain_contact(m, start, first, second, impact)};
  else if (kind == "joint")
    found = {explain_limit(m, start, first, impact)};
  else if (kind == "equality")
    found = {explain_equality(m, start, first, impact)};
  else if (kind == "mimic")
    found = {explain_mimic(m, start, first, impact)};
  else
    found = explain_all(m, start, impact);
  nb::list answers;
  for (const Explanation& e : found) answers.append(answer(explain_json(e), explain_text(e)));
  return answers;
}

Integrator integrator(const std::string& name) {
  const auto names = integrator_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Integrator>(found - names.begin());
  std::string all;
  for (const char* one : names) all += (all.empty() ? "" : ", ") + std::string(one);
  throw std::invalid_argument("design: no integrator '" + name + "'; there are " + all);
}

nb::tuple make_design(nb::dict wishes) {
  DesignRequest wish;
  for (const auto& [key, value] : wishes) {
    const std::string name = nb::cast<std::string>(key);
    const auto number = [&] { return nb::cast<double>(value); };
    if (name == "restitution")
      wish.restitution = number();
    else if (name == "impact")
      wish.impact = number();
    else if (name == "max_depth")
      wish.max_depth = number();
    else if (name == "stiffness")
      wish.stiffness = number();
    else if (name == "damping")
      wish.damping = number();
    else if (name == "mass")
      wish.mass = number();
    else if (name == "rest_depth")
      wish.rest_depth = number();
    else if (name == "settle")
      wish.settle = number();
    else if (name == "timestep")
      wish.timestep = number();
    else if (name == "substeps")
      wish.substeps = nb::cast<int>(value);
    else if (name == "integrator")
      wish.integrator = integrator(nb::cast<std::string>(value));
    else if (name == "gravity")
      wish.gravity = number();
    else if (name == "material")
      wish.material = nb::cast<std::string>(value);
    else if (name == "target")
      wish.target = nb::cast<std::string>(value);
    else if (name == "mode")
      wish.mode = nb::cast<std::string>(value);
    else
      throw std::invalid_argument("design: there is no wish '" + name + "'");
  }
  const DesignResult result = design(wish);
  return answer(design_json(result), design_text(result));
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("explain_answers", &explain, "model"_a, "kind"_a, "first"_a, "second"_a, "impact"_a, "state"_a.none(),
        "What pliant.explain is made of, (JSON, text) of each; kind is 'contact', 'joint', 'equality', 'mimic' or "
        "'all'.");
  m.def("design_answer", &make_design, "wishes"_a, "What pliant.design is made of: (JSON, text).");
}

}  // namespace pliant::python
