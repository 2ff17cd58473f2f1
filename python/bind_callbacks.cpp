// Python functions that a step calls between its stages (python/pliant/_callbacks.py), and what they may do there.

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// What a program sets and a step only reads: a callback may set it in the middle of a step.
void copy_inputs(const Model& m, const State& from, State& to) {
  const auto copy = [](const auto* source, auto* target, int count) { std::copy_n(source, count, target); };
  copy(from.ctrl, to.ctrl, m.nu);
  copy(from.qfrc_applied, to.qfrc_applied, m.nv);
  copy(from.xfrc_applied, to.xfrc_applied, 6 * m.nbody);
  copy(from.mocap_pos, to.mocap_pos, 3 * m.nmocap);
  copy(from.mocap_quat, to.mocap_quat, 4 * m.nmocap);
  copy(from.eq_active, to.eq_active, m.neq);
  copy(from.userdata, to.userdata, m.nuserdata);
}

/// Runs a function of Python after some stages of every pass through the pipeline. What it raises cannot leave through
/// the engine: it is kept, the function is not called again, and run_with_probe raises it when the step has ended.
///
/// A pass may be about another state than that of the data: one on the way of a Runge-Kutta step, or one whose
/// followers are where their leaders put them. The function sees that state; inputs that it sets are used by the pass
/// and stay, as in the reference, where there is one state only.
struct Probe {
  PyWorld& world;
  nb::object function;
  std::vector<int> stages;
  std::optional<nb::python_error> error;

  void operator()(const Model& m, const State& s, int at) {
    if (error || std::find(stages.begin(), stages.end(), at) == stages.end()) return;
    const nb::gil_scoped_acquire acquire;
    std::optional<State> own;
    if (&s != world.s) {
      own.emplace(*world.s);
      *world.s = s;
    }
    try {
      function(pipeline()[at].name);
    } catch (nb::python_error& raised) {
      error.emplace(std::move(raised));
    }
    if (!own) return;
    // (a state that is not the world's is one of its Data's, which are not constant)
    copy_inputs(m, *world.s, const_cast<State&>(s));
    copy_inputs(m, *world.s, *own);
    *world.s = *own;
  }
};

int stage_named(const std::string& name) {
  const int place = place_of(name);
  if (place < 0) throw std::invalid_argument("there is no stage '" + name + "'");
  return place;
}

void run_with_probe(PyWorld& world, const std::vector<std::string>& stages, nb::object function, nb::object run) {
  const auto probe = std::make_shared<Probe>(Probe{world, std::move(function), {}, {}});
  for (const std::string& stage : stages) probe->stages.push_back(stage_named(stage));
  const State before = *world.s;
  // (a callback may call functions that have callbacks: the probe that is running is put aside, not ended)
  auto outer = std::move(world.d->probe);
  world.d->probe = [probe](const Model& m, const State& s, Data&, int at) { (*probe)(m, s, at); };
  try {
    run();
  } catch (nb::python_error&) {
    world.d->probe = std::move(outer);
    if (!probe->error) throw;
    outer = std::move(world.d->probe);
  }
  world.d->probe = std::move(outer);
  if (!probe->error) return;
  *world.s = before;  // a step that a callback has left is none
  throw nb::python_error(std::move(*probe->error));
}

void keep_contacts(PyWorld& world, const nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>& kept) {
  Data& d = *world.d;
  if (kept.size() != static_cast<size_t>(d.ncon)) throw std::invalid_argument("one flag per contact is needed");
  int n = 0;
  for (int i = 0; i < d.ncon; ++i) {
    if (kept.data()[i]) d.contact[n++] = d.contact[i];
  }
  d.ncon = n;
}

using Numbers = std::map<int, double>;

/// The stage of actuators once more, with gains and biases of some of them given from outside, and more force for
/// some. Laws are the model's, which others may be using: a copy gets laws that give just these numbers.
void actuate(const PyModel& model, PyWorld& world, const Numbers& gains, const Numbers& biases, const Numbers& more) {
  check_fit(model, world, "_actuate");
  const StageInfo& stage = pipeline()[stage_named("actuation")];
  if (gains.empty() && biases.empty() && more.empty()) return stage.run(model.model, *world.s, *world.d);
  Model m = model.model;
  const auto parameters = [&](double* all, int width, int actuator) {
    if (actuator < 0 || actuator >= m.nactuator) throw std::invalid_argument("there is no such actuator");
    return all + static_cast<ptrdiff_t>(actuator) * width;
  };
  for (const auto& [actuator, gain] : gains) {
    double* numbers = parameters(m.actuator_gainprm, kNumGain, actuator);
    m.actuator_gaintype[actuator] = static_cast<int>(GainType::kFixed);
    numbers[0] = gain;
  }
  const auto constant = [&](int actuator, double bias) {
    double* numbers = parameters(m.actuator_biasprm, kNumBias, actuator);
    m.actuator_biastype[actuator] = static_cast<int>(BiasType::kAffine);
    std::fill_n(numbers, kNumBias, 0.0);
    numbers[0] = bias;
  };
  for (const auto& [actuator, bias] : biases) constant(actuator, bias);
  for (const auto& [actuator, force] : more) {
    double* numbers = parameters(m.actuator_biasprm, kNumBias, actuator);
    const auto type = static_cast<BiasType>(m.actuator_biastype[actuator]);
    if (type == BiasType::kAffine) {
      numbers[0] += force;
    } else if (type == BiasType::kNone || type == BiasType::kUser) {
      constant(actuator, force);
    } else {
      throw std::invalid_argument("an actuator with this biastype cannot take more force");
    }
  }
  stage.run(m, *world.s, *world.d);
}

}  // namespace

void bind_callbacks(nb::module_& m) {
  m.def("_run_with_probe", run_with_probe, "d"_a, "stages"_a, "function"_a, "run"_a,
        "Calls run(), and function(stage) whenever one of the named stages of these data has ended.");
  m.def("_keep_contacts", keep_contacts, "d"_a, "kept"_a, "Contacts without a flag are forgotten.");
  m.def("_actuate", actuate, "m"_a, "d"_a, "gains"_a, "biases"_a, "more"_a,
        "Forces of actuators once more, with gains and biases of some of them given, and more force for some.");
  m.def(
      "_addresses",
      [](const PyModel& model, const PyWorld& world) {
        return std::pair(reinterpret_cast<uintptr_t>(&model.model), reinterpret_cast<uintptr_t>(world.d));
      },
      "m"_a, "d"_a, "Where the model and the data are, for C functions that read neither.");
}

}  // namespace pliant::python
