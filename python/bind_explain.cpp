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

std::string explain(const PyModel& py, const std::string& kind, int first, int second, double impact,
                    const State* state) {
  const Model& m = py.model;
  const State start = state ? State(*state) : State(m);
  if (!start.fits(m)) throw std::invalid_argument("explain: this state belongs to another model");
  if (kind == "contact") return explain_json(explain_contact(m, start, first, second, impact));
  if (kind == "joint") return explain_json(explain_limit(m, start, first, impact));
  if (kind == "equality") return explain_json(explain_equality(m, start, first, impact));
  if (kind == "mimic") return explain_json(explain_mimic(m, start, first, impact));
  std::string all;
  for (const Explanation& e : explain_all(m, start, impact)) all += (all.empty() ? "" : ",") + explain_json(e);
  return "[" + all + "]";
}

Integrator integrator(const std::string& name) {
  const auto names = integrator_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Integrator>(found - names.begin());
  std::string all;
  for (const char* one : names) all += (all.empty() ? "" : ", ") + std::string(one);
  throw std::invalid_argument("design: no integrator '" + name + "'; there are " + all);
}

std::string make_design(nb::dict wishes) {
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
  return design_json(design(wish));
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("explain_json", &explain, "model"_a, "kind"_a, "first"_a, "second"_a, "impact"_a, "state"_a.none(),
        "What pliant.explain is made of: kind is 'contact', 'joint', 'equality', 'mimic' or 'all'.");
  m.def("design_json", &make_design, "wishes"_a, "What pliant.design is made of.");
}

}  // namespace pliant::python
