// MuJoCo's functions of a model and its data: stepping, stages, Jacobians, products with the mass
// matrix, state vectors. Names, order of arguments and types of errors are those of the reference's
// package.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bind.h"
#include "pliant/query.h"
#include "pliant/state_vector.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

// ---- stepping ----------------------------------------------------------------------------------

using Clock = std::chrono::steady_clock;
constexpr auto kLookForSignals = std::chrono::milliseconds(50);

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void mj_step(const PyModel& m, PyWorld& d, int nstep) {
  check_fit(m, d, "mj_step");
  StepStatus status;
  {
    nb::gil_scoped_release release;
    const auto start = Clock::now();
    // many steps can take long: Ctrl-C is looked for now and then
    auto looked = start;
    int i = 0;
    for (; i < nstep && status.ok(); ++i) {
      if (i > 0 && Clock::now() - looked > kLookForSignals) {
        if (interrupted()) break;
        looked = Clock::now();
      }
      status = step(m.model, *d.s, *d.d);
    }
    const double seconds = seconds_since(start);
    d.steps = {d.steps.seconds + seconds, d.steps.calls + i};
    d.forwards = {d.forwards.seconds + seconds, d.forwards.calls + i};
  }
  if (nstep > 1 && PyErr_Occurred()) throw nb::python_error();
  check_status(m, *d.d, status);
}

void mj_forward(const PyModel& m, PyWorld& d) {
  check_fit(m, d, "mj_forward");
  StepStatus status;
  {
    nb::gil_scoped_release release;
    const auto start = Clock::now();
    status = forward(m.model, *d.s, *d.d);
    d.forwards = {d.forwards.seconds + seconds_since(start), d.forwards.calls + 1};
  }
  check_status(m, *d.d, status);
}

/// Binds a function (model, state, data) → StepStatus.
template <class F>
void def_status(nb::module_& mod, const char* name, F run, const char* doc) {
  mod.def(
      name,
      [name, run](const PyModel& m, PyWorld& d) {
        check_fit(m, d, name);
        StepStatus status;
        {
          nb::gil_scoped_release release;
          status = run(m.model, *d.s, *d.d);
        }
        check_status(m, *d.d, status);
      },
      "m"_a, "d"_a, doc);
}

/// Binds a function (model, state, data) → nothing.
template <class F>
void def_run(nb::module_& mod, const char* name, F run, const char* doc) {
  mod.def(
      name,
      [name, run](const PyModel& m, PyWorld& d) {
        check_fit(m, d, name);
        nb::gil_scoped_release release;
        run(m.model, *d.s, *d.d);
      },
      "m"_a, "d"_a, doc);
}

/// mj_forward without what is known already: stages of later phases, sensors only when wanted.
StepStatus forward_skip(const Model& m, const State& s, Data& d, int skip_stage, bool skip_sensors) {
  const Phase first = skip_stage >= static_cast<int>(Stage::kVelocity)   ? Phase::kForce
                      : skip_stage >= static_cast<int>(Stage::kPosition) ? Phase::kVelocity
                                                                         : Phase::kPosition;
  run_phases(m, s, d, first, Phase::kAcceleration, !skip_sensors);
  for (int i = 0; i < m.nv; ++i) {
    if (!std::isfinite(d.qacc[i])) return forward(m, s, d);  // finds, records and reports it
  }
  return {};
}

void mj_forward_skip(const PyModel& m, PyWorld& d, int skipstage, int skipsensor) {
  check_fit(m, d, "mj_forwardSkip");
  StepStatus status;
  {
    nb::gil_scoped_release release;
    status = forward_skip(m.model, *d.s, *d.d, skipstage, skipsensor != 0);
  }
  check_status(m, *d.d, status);
}

/// Functions that run stages of the pipeline, by their names there.
struct StageFunction {
  const char* name;
  std::vector<const char*> stages;
  const char* doc;
};

const std::vector<StageFunction>& stage_functions() {
  static const std::vector<StageFunction> kFunctions = {
      {"mj_kinematics", {"poses"}, "Poses of bodies, joints, geoms and sites."},
      {"mj_comPos", {"com"}, "Centres of mass, inertias and motion axes."},
      {"mj_camlight", {"cameras"}, "Poses of cameras and lights."},
      {"mj_tendon", {"tendons"}, "Lengths and Jacobians of tendons."},
      {"mj_fwdKinematics", {"poses", "com", "cameras", "tendons"}, "All poses and tendons."},
      {"mj_crb", {"inertia"}, "The mass matrix, with its factors."},
      {"mj_makeM", {"inertia"}, "The mass matrix, with its factors."},
      {"mj_collision", {"collision"}, "Contacts."},
      {"mj_makeConstraint", {"constraint"}, "Constraint rows from contacts, limits, equalities and friction; islands."},
      {"mj_referenceConstraint", {"reference"}, "Velocities of the rows and accelerations they ask for."},
      {"mj_transmission", {"transmission"}, "Lengths and moments of transmissions."},
      {"mj_sensorPos", {"position sensors"}, "Sensors that need positions."},
      {"mj_comVel", {"velocity"}, "Velocities of bodies, tendons and transmissions."},
      {"mj_passive", {"passive"}, "Passive forces."},
      {"mj_sensorVel", {"velocity sensors"}, "Sensors that need velocities."},
      {"mj_fwdActuation", {"actuation"}, "Forces of actuators and derivatives of activations."},
      {"mj_fwdAcceleration", {"acceleration"}, "Smooth forces and the acceleration they cause."},
      {"mj_fwdConstraint", {"solver"}, "Constraint forces and the acceleration."},
      {"mj_sensorAcc", {"acceleration sensors"}, "Sensors that need accelerations."},
  };
  return kFunctions;
}

void bind_stages(nb::module_& mod) {
  for (const StageFunction& function : stage_functions()) {
    std::vector<int> places;
    for (const std::string_view name : function.stages) {
      places.push_back(place_of(name));
      if (places.back() >= 0) continue;
      throw std::logic_error(std::string(function.name) + " names a stage that is not in the pipeline");
    }
    def_run(
        mod, function.name,
        [places](const Model& m, const State& s, Data& d) {
          for (const int place : places) run_stage(m, s, d, place);
        },
        function.doc);
  }
  const auto phase = [](Phase which) {
    return [which](const Model& m, const State& s, Data& d) {
      for (int i = 0; i < static_cast<int>(pipeline().size()); ++i) {
        const StageInfo& stage = pipeline()[i];
        if (stage.phase == which && !stage.is_sensor() && is_needed(m, stage.condition)) run_stage(m, s, d, i);
      }
    };
  };
  def_run(mod, "mj_fwdPosition", phase(Phase::kPosition), "All that depends on positions, but sensors.");
  def_run(mod, "mj_fwdVelocity", phase(Phase::kVelocity), "All that depends on velocities, but sensors.");
}

void bind_steps(nb::module_& mod) {
  mod.def("mj_step", mj_step, "m"_a, "d"_a, "nstep"_a = 1,
          "Moves the data by nstep timesteps. Raises StepError when a step is refused; the state is then that before\n"
          "the step.");
  def_status(
      mod, "mj_step1", [](auto& m, auto& s, auto& d) { return step1(m, s, d); },
      "The part of a step that does not depend on controls.");
  def_status(
      mod, "mj_step2", [](auto& m, auto& s, auto& d) { return step2(m, s, d); },
      "The rest of a step, after the user set controls.");
  mod.def("mj_forward", mj_forward, "m"_a, "d"_a,
          "Computes everything that follows from the state, without moving it.");
  def_status(
      mod, "mj_inverse", [](auto& m, auto& s, auto& d) { return inverse(m, s, d); },
      "The force that causes qacc, into qfrc_inverse.");
  mod.def("mj_forwardSkip", mj_forward_skip, "m"_a, "d"_a, "skipstage"_a, "skipsensor"_a,
          "mj_forward without the stages up to skipstage (mjtStage) and, if skipsensor, without "
          "sensors.");
  mod.def(
      "mj_inverseSkip",
      [](const PyModel& m, PyWorld& d, int, int) {
        check_fit(m, d, "mj_inverseSkip");
        check_status(m, *d.d, inverse(m.model, *d.s, *d.d));
      },
      "m"_a, "d"_a, "skipstage"_a, "skipsensor"_a, "mj_inverse; what could be skipped is computed again.");
  const auto integrator = [](Integrator which) {
    return [which](const Model& m, State& s, Data& d) { return advance(m, s, d, which); };
  };
  def_status(mod, "mj_Euler", integrator(Integrator::kEuler), "Moves the state by the Euler integrator.");
  mod.def(
      "mj_implicit",
      [integrator](const PyModel& m, PyWorld& d) {
        check_fit(m, d, "mj_implicit");
        const bool fast = m.model.opt.integrator == Integrator::kImplicitFast;
        check_status(m, *d.d,
                     integrator(fast ? Integrator::kImplicitFast : Integrator::kImplicit)(m.model, *d.s, *d.d));
      },
      "m"_a, "d"_a, "Moves the state by the implicit integrator, or implicitfast if the model says so.");
  mod.def(
      "mj_RungeKutta",
      [integrator](const PyModel& m, PyWorld& d, int N) {
        check_fit(m, d, "mj_RungeKutta");
        if (N != 4) raise_fatal("mj_RungeKutta: order " + std::to_string(N) + " does not exist; there is 4");
        check_status(m, *d.d, integrator(Integrator::kRk4)(m.model, *d.s, *d.d));
      },
      "m"_a, "d"_a, "N"_a, "Moves the state by the Runge-Kutta integrator of order N = 4.");
}

void bind_resets(nb::module_& mod) {
  mod.def(
      "mj_resetData",
      [](const PyModel& m, PyWorld& d) {
        check_fit(m, d, "mj_resetData");
        d.s->reset(m.model);
        d.d->reset();
        d.steps = d.forwards = {};
      },
      "m"_a, "d"_a, "Back to the start: qpos0, all else zero.");
  mod.def(
      "mj_resetDataKeyframe",
      [](const PyModel& m, PyWorld& d, int key) {
        check_fit(m, d, "mj_resetDataKeyframe");
        if (key < 0 || key >= m.model.nkey) {
          raise_fatal("mj_resetDataKeyframe: there is no keyframe " + std::to_string(key) + "; the model has " +
                      std::to_string(m.model.nkey));
        }
        d.s->reset(m.model, key);
        d.d->reset();
        d.steps = d.forwards = {};
      },
      "m"_a, "d"_a, "key"_a, "To a keyframe.");
  mod.def(
      "mj_copyData",
      [](PyWorld& dest, const PyModel& m, const PyWorld& src) {
        check_fit(m, dest, "mj_copyData");
        check_fit(m, src, "mj_copyData");
        *dest.s = *src.s;
        *dest.d = *src.d;
      },
      "dest"_a, "m"_a, "src"_a, "Copies state and data.");
  mod.def(
      "mj_setConst",
      [](PyModel& m, PyWorld& d) {
        check_fit(m, d, "mj_setConst");
        try {
          nb::gil_scoped_release release;
          set_const(m.model);
        } catch (const std::invalid_argument& problem) {
          raise_fatal(std::string("mj_setConst: ") + problem.what());
        }
      },
      "m"_a, "d"_a,
      "Recomputes the constants of the model that depend on its parameters; the data stay as they "
      "are.");
  mod.def(
      "set_const_fields",
      [] {
        nb::list names;
        for (const std::string_view name : set_const_fields()) names.append(nb::str(name.data(), name.size()));
        return names;
      },
      "Names of the arrays of a Model that mj_setConst may write.");
}

// ---- Jacobians and objects ---------------------------------------------------------------------

void check_id(const char* function, const char* kind, int id, int count) {
  if (id >= 0 && id < count) return;
  raise_fatal(std::string(function) + ": there is no " + kind + " " + std::to_string(id) + "; the model has " +
              std::to_string(count));
}

using JacobianOf = void (*)(const Model&, const Data&, int, double*, double*);

/// Jacobians of something with an id: (m, d, jacp, jacr, id).
void def_jacobian(nb::module_& mod, const char* name, const char* kind, ObjType type, JacobianOf run, const char* doc) {
  mod.def(
      name,
      [name, kind, type, run](const PyModel& m, const PyWorld& d, nb::handle jacp, nb::handle jacr, int id) {
        check_fit(m, d, name);
        check_id(name, kind, id, m.model.count(type));
        const auto nv = static_cast<size_t>(m.model.nv);
        run(m.model, *d.d, id, Output(name, "jacp", jacp, 3, nv, true), Output(name, "jacr", jacr, 3, nv, true));
      },
      "m"_a, "d"_a, "jacp"_a.none(), "jacr"_a.none(),
      kind[0] == 'b'   ? "body"_a
      : kind[0] == 'g' ? "geom"_a
                       : "site"_a,
      doc);
}

using PointJacobian = void (*)(const Model&, const Data&, int, const double*, double*, double*);

/// Jacobians of a point of a body: (m, d, jacp, jacr, point, body).
void def_point_jacobian(nb::module_& mod, const char* name, PointJacobian run, const char* doc) {
  mod.def(
      name,
      [name, run](const PyModel& m, const PyWorld& d, nb::handle jacp, nb::handle jacr, nb::handle point, int body) {
        check_fit(m, d, name);
        check_id(name, "body", body, m.model.nbody);
        const auto nv = static_cast<size_t>(m.model.nv);
        run(m.model, *d.d, body, Input(name, "point", point, 3), Output(name, "jacp", jacp, 3, nv, true),
            Output(name, "jacr", jacr, 3, nv, true));
      },
      "m"_a, "d"_a, "jacp"_a.none(), "jacr"_a.none(), "point"_a, "body"_a, doc);
}

void bind_jacobians(nb::module_& mod) {
  def_point_jacobian(mod, "mj_jac", jacobian, "Jacobians of a point of a body, given in the world.");
  def_point_jacobian(mod, "mj_jacDot", jacobian_dot, "Time derivatives of the Jacobians of mj_jac.");
  def_jacobian(mod, "mj_jacBody", "body", ObjType::kBody, jacobian_body, "Jacobians of a body's origin.");
  def_jacobian(mod, "mj_jacBodyCom", "body", ObjType::kBody, jacobian_body_com,
               "Jacobians of a body's centre of mass.");
  def_jacobian(mod, "mj_jacGeom", "geom", ObjType::kGeom, jacobian_geom, "Jacobians of a geom's centre.");
  def_jacobian(mod, "mj_jacSite", "site", ObjType::kSite, jacobian_site, "Jacobians of a site.");
  mod.def(
      "mj_jacSubtreeCom",
      [](const PyModel& m, const PyWorld& d, nb::handle jacp, int body) {
        check_fit(m, d, "mj_jacSubtreeCom");
        check_id("mj_jacSubtreeCom", "body", body, m.model.nbody);
        const Output out("mj_jacSubtreeCom", "jacp", jacp, 3, static_cast<size_t>(m.model.nv), true);
        if (out) jacobian_subtree_com(m.model, *d.d, body, out);
      },
      "m"_a, "d"_a, "jacp"_a.none(), "body"_a, "Jacobian of the centre of mass of a subtree.");
  mod.def(
      "mj_jacPointAxis",
      [](const PyModel& m, const PyWorld& d, nb::handle jac_point, nb::handle jac_axis, nb::handle point,
         nb::handle axis, int body) {
        const char* name = "mj_jacPointAxis";
        check_fit(m, d, name);
        check_id(name, "body", body, m.model.nbody);
        const auto nv = static_cast<size_t>(m.model.nv);
        jacobian_point_axis(m.model, *d.d, body, Input(name, "point", point, 3), Input(name, "axis", axis, 3),
                            Output(name, "jacPoint", jac_point, 3, nv, true),
                            Output(name, "jacAxis", jac_axis, 3, nv, true));
      },
      "m"_a, "d"_a, "jacPoint"_a.none(), "jacAxis"_a.none(), "point"_a, "axis"_a, "body"_a,
      "Jacobians of a point and of an axis of a body.");
  mod.def(
      "mj_angmomMat",
      [](const PyModel& m, const PyWorld& d, nb::handle mat, int body) {
        check_fit(m, d, "mj_angmomMat");
        check_id("mj_angmomMat", "body", body, m.model.nbody);
        angular_momentum_matrix(m.model, *d.d, body,
                                Output("mj_angmomMat", "mat", mat, 3, static_cast<size_t>(m.model.nv)));
      },
      "m"_a, "d"_a, "mat"_a, "body"_a, "Angular momentum of a subtree per unit velocity of each dof.");
}

using ObjectMotion = void (*)(const Model&, const Data&, ObjType, int, bool, double*);

void def_object(nb::module_& mod, const char* name, ObjectMotion run, const char* doc) {
  mod.def(
      name,
      [name, run](const PyModel& m, const PyWorld& d, int objtype, int objid, nb::handle res, int flg_local) {
        check_fit(m, d, name);
        const auto type = static_cast<ObjType>(objtype);
        const bool moves = type == ObjType::kBody || type == ObjType::kXbody || type == ObjType::kGeom ||
                           type == ObjType::kSite || type == ObjType::kCamera;
        if (!moves) {
          raise_fatal(std::string(name) + ": objects of type " + std::to_string(objtype) +
                      " do not move by themselves");
        }
        check_id(name, "such object", objid, m.model.count(type == ObjType::kXbody ? ObjType::kBody : type));
        run(m.model, *d.d, type, objid, flg_local != 0, Output(name, "res", res, 6, 0));
      },
      "m"_a, "d"_a, "objtype"_a, "objid"_a, "res"_a, "flg_local"_a, doc);
}

void bind_objects(nb::module_& mod) {
  def_object(mod, "mj_objectVelocity", object_velocity, "Velocity of an object: angular, then linear.");
  def_object(mod, "mj_objectAcceleration", object_acceleration, "Acceleration of an object: angular, then linear.");
  def_run(mod, "mj_subtreeVel", subtree_velocity, "Velocities and angular momenta of subtrees.");
  def_run(mod, "mj_rnePostConstraint", body_forces, "Accelerations of bodies and forces on them.");
  def_run(mod, "mj_energyPos", potential_energy, "Potential energy.");
  def_run(mod, "mj_energyVel", kinetic_energy, "Kinetic energy.");
  mod.def(
      "mj_readSensor",
      [](const PyModel& m, const PyWorld& d, int id, double time, nb::handle result, int interp) {
        check_fit(m, d, "mj_readSensor");
        check_id("mj_readSensor", "sensor", id, m.model.nsensor);
        read_sensor(m.model, *d.s, *d.d, id, time, interp,
                    Output("mj_readSensor", "result", result, static_cast<size_t>(m.model.sensor_dim[id]), 0));
        return nb::borrow(result);
      },
      "m"_a, "d"_a, "id"_a, "time"_a, "result"_a, "interp"_a,
      "What a sensor with a history reports at a time; interp: 0 the older sample, 1 linear, 2 cubic, -1 as the model "
      "says.");
  mod.def(
      "mj_applyFT",
      [](const PyModel& m, const PyWorld& d, nb::handle force, nb::handle torque, nb::handle point, int body,
         nb::handle qfrc_target) {
        const char* name = "mj_applyFT";
        check_fit(m, d, name);
        check_id(name, "body", body, m.model.nbody);
        const Input f(name, "force", force, 3), t(name, "torque", torque, 3), p(name, "point", point, 3);
        apply_force(m.model, *d.d, body, p, f, t,
                    Output(name, "qfrc_target", qfrc_target, static_cast<size_t>(m.model.nv), 0));
      },
      "m"_a, "d"_a, "force"_a, "torque"_a, "point"_a, "body"_a, "qfrc_target"_a,
      "Adds what a force and a torque at a point of a body do to the dofs.");
}

// ---- mass matrix and coordinates ---------------------------------------------------------------

/// Numbers of an array of which each row has nv: a vector, or a matrix of several.
int rows_of(const char* function, const PyModel& m, nb::handle array, const char* argument) {
  const auto size = nb::cast<int64_t>(nb::module_::import_("numpy").attr("size")(array));
  const int64_t nv = m.model.nv;
  if (nv == 0 || size % nv != 0) {
    throw nb::type_error(
        (std::string(function) + "(): the last dimension of " + argument + " should be nv = " + std::to_string(nv))
            .c_str());
  }
  return static_cast<int>(size / nv);
}

void mj_solve_m(const PyModel& m, const PyWorld& d, nb::handle x, nb::handle y) {
  check_fit(m, d, "mj_solveM");
  const size_t nv = static_cast<size_t>(m.model.nv);
  const size_t rows = static_cast<size_t>(rows_of("mj_solveM", m, x, "x"));
  const Input from("mj_solveM", "y", y, rows * nv);
  const Output to("mj_solveM", "x", x, rows * nv, 0);
  for (size_t i = 0; i < rows * nv; ++i) to[i] = from[i];
  for (size_t r = 0; r < rows; ++r) solve_mass(m.model, *d.d, to + r * nv);
}

void mj_solve_m2(const PyModel& m, const PyWorld& d, nb::handle x, nb::handle y, nb::handle sqrt_inv_d) {
  check_fit(m, d, "mj_solveM2");
  const size_t nv = static_cast<size_t>(m.model.nv);
  const size_t rows = static_cast<size_t>(rows_of("mj_solveM2", m, x, "x"));
  const Input from("mj_solveM2", "y", y, rows * nv), scale("mj_solveM2", "sqrtInvD", sqrt_inv_d, nv);
  const Output to("mj_solveM2", "x", x, rows * nv, 0);
  for (size_t i = 0; i < rows * nv; ++i) to[i] = from[i];
  for (size_t r = 0; r < rows; ++r) {
    solve_sqrt_mass(m.model, *d.d, to + r * nv);
    // it uses the factors' own D; the caller may have another
    for (size_t i = 0; i < nv; ++i) to[r * nv + i] *= scale[i] / std::sqrt(d.d->qLDiagInv[i]);
  }
}

using Product = void (*)(const Model&, const Data&, const double*, double*);

void def_product(nb::module_& mod, const char* name, Product run, const char* doc) {
  mod.def(
      name,
      [name, run](const PyModel& m, const PyWorld& d, nb::handle res, nb::handle vec) {
        check_fit(m, d, name);
        const auto nv = static_cast<size_t>(m.model.nv);
        const Input x(name, "vec", vec, nv);
        const std::vector<double> copy(x + 0, x + nv);  // res may be vec
        run(m.model, *d.d, copy.data(), Output(name, "res", res, nv, 0));
      },
      "m"_a, "d"_a, "res"_a, "vec"_a, doc);
}

void bind_mass(nb::module_& mod) {
  mod.def(
      "mj_fullM",
      [](const PyModel& m, const PyWorld& d, nb::handle dst) {
        check_fit(m, d, "mj_fullM");
        const auto nv = static_cast<size_t>(m.model.nv);
        full_mass(m.model, d.d->M, Output("mj_fullM", "dst", dst, nv, nv));
      },
      "m"_a, "d"_a, "dst"_a, "The mass matrix as a dense matrix.");
  def_run(mod, "mj_factorM", factor_mass, "Factors of the mass matrix as it is in M.");
  def_product(mod, "mj_mulM", multiply_mass, "res = M vec.");
  def_product(mod, "mj_mulM2", multiply_sqrt_mass, "res = M^(1/2) vec.");
  mod.def("mj_solveM", mj_solve_m, "m"_a, "d"_a, "x"_a, "y"_a, "Each row of x = M^-1 y.");
  mod.def("mj_solveM2", mj_solve_m2, "m"_a, "d"_a, "x"_a, "y"_a, "sqrtInvD"_a, "Each row of x = M^(-1/2) y.");
  mod.def(
      "mj_rne",
      [](const PyModel& m, PyWorld& d, int flg_acc, nb::handle result) {
        check_fit(m, d, "mj_rne");
        const auto nv = static_cast<size_t>(m.model.nv);
        newton_euler(m.model, *d.s, *d.d, flg_acc ? d.d->qacc : nullptr, Output("mj_rne", "result", result, nv, 0));
      },
      "m"_a, "d"_a, "flg_acc"_a, "result"_a, "Bias force, with qacc's part M qacc if flg_acc; armature is left out.");
  def_run(
      mod, "mj_compareFwdInv", [](const Model& m, const State& s, Data& d) { compare_forward_inverse(m, s, d); },
      "How well mj_inverse gives back what mj_forward was given, into solver_fwdinv.");
}

void bind_coordinates(nb::module_& mod) {
  mod.def(
      "mj_integratePos",
      [](const PyModel& m, nb::handle qpos, nb::handle qvel, double dt) {
        const char* name = "mj_integratePos";
        const Input velocity(name, "qvel", qvel, static_cast<size_t>(m.model.nv));
        integrate_pos(m.model, Output(name, "qpos", qpos, static_cast<size_t>(m.model.nq), 0), velocity, dt);
      },
      "m"_a, "qpos"_a, "qvel"_a, "dt"_a, "Moves qpos by the velocity qvel for the time dt.");
  mod.def(
      "mj_differentiatePos",
      [](const PyModel& m, nb::handle qvel, double dt, nb::handle qpos1, nb::handle qpos2) {
        const char* name = "mj_differentiatePos";
        const auto nq = static_cast<size_t>(m.model.nq), nv = static_cast<size_t>(m.model.nv);
        const Input from(name, "qpos1", qpos1, nq), to(name, "qpos2", qpos2, nq);
        differentiate_pos(m.model, Output(name, "qvel", qvel, nv, 0), dt, from, to);
      },
      "m"_a, "qvel"_a, "dt"_a, "qpos1"_a, "qpos2"_a, "The velocity that leads from qpos1 to qpos2 in the time dt.");
  mod.def(
      "mj_normalizeQuat",
      [](const PyModel& m, nb::handle qpos) {
        normalize_pos(m.model, Output("mj_normalizeQuat", "qpos", qpos, static_cast<size_t>(m.model.nq), 0));
      },
      "m"_a, "qpos"_a, "Quaternions of qpos to unit length.");
}

// ---- state vectors -----------------------------------------------------------------------------

size_t size_of_state(const char* function, const PyModel& m, int64_t signature) {
  if (signature < 0 || signature >= int64_t{1} << kNumStateParts) {
    raise_fatal(std::string(function) + ": invalid state signature " + std::to_string(signature) + " >= 2^mjNSTATE");
  }
  return static_cast<size_t>(state_size(m.model, static_cast<unsigned>(signature)));
}

/// (The words are those that programs look for.)
void check_state_size(nb::handle state, size_t size) {
  if (nb::hasattr(state, "size") && nb::cast<size_t>(state.attr("size")) != size) {
    throw nb::type_error("state size should equal mj_stateSize(m, sig)");
  }
}

void bind_vectors(nb::module_& mod) {
  mod.def(
      "mj_stateSize", [](const PyModel& m, int64_t sig) { return size_of_state("mj_stateSize", m, sig); }, "m"_a,
      "sig"_a, "Numbers in a state vector with these parts (bits of mjtState).");
  mod.def(
      "mj_getState",
      [](const PyModel& m, const PyWorld& d, nb::handle state, int64_t sig) {
        check_fit(m, d, "mj_getState");
        const size_t size = size_of_state("mj_getState", m, sig);
        check_state_size(state, size);
        get_state(m.model, *d.s, static_cast<unsigned>(sig), Output("mj_getState", "state", state, size, 0));
      },
      "m"_a, "d"_a, "state"_a, "sig"_a, "Parts of the state as one vector.");
  mod.def(
      "mj_setState",
      [](const PyModel& m, PyWorld& d, nb::handle state, int64_t sig) {
        check_fit(m, d, "mj_setState");
        const size_t size = size_of_state("mj_setState", m, sig);
        check_state_size(state, size);
        set_state(m.model, *d.s, static_cast<unsigned>(sig), Input("mj_setState", "state", state, size));
      },
      "m"_a, "d"_a, "state"_a, "sig"_a, "Takes parts of the state from a vector.");
  mod.def(
      "mj_copyState",
      [](const PyModel& m, const PyWorld& src, PyWorld& dst, int64_t sig) {
        check_fit(m, src, "mj_copyState");
        check_fit(m, dst, "mj_copyState");
        size_of_state("mj_copyState", m, sig);
        copy_state(m.model, *src.s, static_cast<unsigned>(sig), *dst.s);
      },
      "m"_a, "src"_a, "dst"_a, "sig"_a, "Copies parts of the state.");
  mod.def(
      "mj_extractState",
      [](const PyModel& m, nb::handle src, int64_t srcsig, nb::handle dst, int64_t dstsig) {
        const char* name = "mj_extractState";
        const size_t from_size = size_of_state(name, m, srcsig), to_size = size_of_state(name, m, dstsig);
        const Input from(name, "src", src, from_size);
        const Output to(name, "dst", dst, to_size, 0);
        if (dstsig & ~srcsig) raise_fatal("mj_extractState: srcsig does not have all parts of dstsig");
        extract_state(m.model, from, static_cast<unsigned>(srcsig), to, static_cast<unsigned>(dstsig));
      },
      "m"_a, "src"_a, "srcsig"_a, "dst"_a, "dstsig"_a, "Picks parts out of a state vector.");
}

}  // namespace

void bind_query(nb::module_& mod) {
  bind_steps(mod);
  bind_stages(mod);
  bind_resets(mod);
  bind_jacobians(mod);
  bind_objects(mod);
  bind_mass(mod);
  bind_coordinates(mod);
  bind_vectors(mod);
}

}  // namespace pliant::python
