// Ranges and clamps: options no solver can use (errors), and constraint parameters that every step
// will clamp or replace (warnings that name the value used).
//
// Reads the working Spec and which limits are on; writes findings only. A parameter is looked at
// only where it has an effect (a limit that is on, friction that exists, a geom that can collide)
// and only where it differs from its default. Copies of one element (replication) and objects that
// share a value from a default class are reported once, so that a file gets as many findings as it
// has causes.
//
// The clamps themselves are the reference's and happen at run time:
//   solimp  d0, dwidth, midpoint to [kMinImp, kMaxImp]; width ≥ 0; power ≥ 1
//   solref  exactly one value positive → the default (0.02, 1); time constant ≥ 2·timestep
//   ("refsafe") friction  ≥ kMinFriction

#include <algorithm>
#include <set>

#include "base/text.h"
#include "compile/compile.h"
#include "pliant/option_checks.h"

namespace pliant {
namespace {

constexpr double kMinImp = 0.0001, kMaxImp = 0.9999;
constexpr double kMinFriction = 1e-5;
constexpr int kDisableRefsafe = 1 << 12, kEnableOverride = 1 << 0;

std::string list_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + number_text(value);
  return text;
}

class Checker {
 public:
  explicit Checker(Work& work) : work_(work), spec_(work.spec) {
    const Options& option = spec_.option;
    if (!(option.disableflags & kDisableRefsafe) && option.timestep > 0) safe_ = 2 * solver_timestep(option);
  }

  void run() {
    options();
    overrides();
    temporal_solver();
    discrete_integrator();
    conserving_spins();
    conserving_options();
    discrete_inverse();
    predicted_contacts();
    inertials();
    gravity_compensation();
    geoms();
    pairs();
    joints();
    tendons();
    equalities();
    actuators();
    sensors();
    if (default_raised_) report_default_raised();
  }

 private:
  // ---- <option>
  // ----------------------------------------------------------------------------------------

  /// The <option> element that carries the attribute: the last one that does.
  int option_source(std::string_view attribute) const {
    for (int source = spec_.option_source; source >= 0; --source) {
      if (spec_.tag(source) == "option" && spec_.has_attribute(source, attribute)) return source;
    }
    return spec_.option_source;
  }

  void option_error(Code code, std::string_view attribute, std::string message) {
    work_.error_at(code, option_source(attribute), attribute, "<option> " + std::move(message));
  }

  void options() {
    const Options& option = spec_.option;
    if (option.timestep <= 0) {
      option_error(Code::kBadTimestep, "timestep",
                   "timestep must be greater than 0, not " + number_text(option.timestep));
    }
    if (option.impratio <= 0) {
      option_error(Code::kBadOption, "impratio",
                   "impratio must be greater than 0, not " + number_text(option.impratio));
    }
    const struct {
      const char* attribute;
      double value;
    } non_negative[] = {{"tolerance", option.tolerance},
                        {"ls_tolerance", option.ls_tolerance},
                        {"noslip_tolerance", option.noslip_tolerance},
                        {"ccd_tolerance", option.ccd_tolerance},
                        {"sleep_tolerance", option.sleep_tolerance},
                        {"density", option.density},
                        {"viscosity", option.viscosity},
                        {"iterations", double(option.iterations)},
                        {"ls_iterations", double(option.ls_iterations)},
                        {"noslip_iterations", double(option.noslip_iterations)},
                        {"ccd_iterations", double(option.ccd_iterations)},
                        {"sdf_iterations", double(option.sdf_iterations)},
                        {"sdf_initpoints", double(option.sdf_initpoints)}};
    for (const auto& [attribute, value] : non_negative) {
      if (value >= 0) continue;
      option_error(Code::kBadOption, attribute, std::string(attribute) + " cannot be negative: " + number_text(value));
    }
    const std::pair<const char*, int> counts[] = {{"tgs_substeps", option.tgs_substeps},
                                                  {"tgs_sweeps", option.tgs_sweeps}};
    for (const auto& [attribute, value] : counts) {
      if (value >= 1 && value <= kMostSubsteps) continue;
      option_error(
          Code::kBadOption, attribute,
          std::string(attribute) + " must be 1 to " + std::to_string(kMostSubsteps) + ", not " + std::to_string(value));
    }
  }

  // (its one range is not that of a count)
  void discrete_integrator() {
    const Options& option = spec_.option;
    if (option.discrete_full < 0 || option.discrete_full > 1) {
      option_error(Code::kBadOption, "discrete_full",
                   "discrete_full must be 0 or 1, not " + std::to_string(option.discrete_full));
    }
    if (option.discrete_full == 0 || is_discrete(option)) return;
    SpecObject carrier;
    carrier.source = option_source("discrete_full");
    work_.warning(Code::kIgnoredAttribute, carrier, "discrete_full",
                  "discrete_full has no effect: it is for integrator=\"discrete\"");
  }

  // (they have rules of their own)
  void conserving_spins() {
    const Options& option = spec_.option;
    const Integrator integrator = option.integrator;
    if (option.spin == SpinLaw::kPlain || integrator == Integrator::kEuler || integrator == Integrator::kMidpoint ||
        is_implicit(integrator)) {
      return;
    }
    SpecObject carrier;
    carrier.source = option_source("spin");
    work_.warning(
        Code::kIgnoredAttribute, carrier, "spin",
        "spin has no effect: it is for the integrators Euler, implicit, implicitfast and midpoint (which always has "
        "it)");
  }

  // solvers with substeps count in these and sweeps; Runge-Kutta has stages of its own
  void temporal_solver() {
    const Options& option = spec_.option;
    if (!traits(option.solver).substeps) return;
    SpecObject carrier;
    carrier.source = option_source("iterations");
    if (carrier.source >= 0 && spec_.has_attribute(carrier.source, "iterations")) {
      work_.warning(Code::kIgnoredAttribute, carrier, "iterations",
                    "iterations has no effect on the solver TGS: it makes tgs_sweeps sweeps in each of tgs_substeps "
                    "substeps");
    }
    const bool midpoint = option.integrator == Integrator::kMidpoint;
    if ((option.integrator == Integrator::kRk4 || midpoint || is_discrete(option)) && option.tgs_substeps > 1) {
      carrier.source = option_source("integrator");
      work_.warning(Code::kIgnoredAttribute, carrier, "integrator",
                    std::string(midpoint              ? "the one pass of integrator midpoint"
                                : is_discrete(option) ? "the implicit step of integrator discrete"
                                                      : "the stages of integrator RK4") +
                        " cannot be divided into substeps: the solver TGS makes all its sweeps in one");
    }
  }

  // a step of Runge-Kutta or of midpoint cannot be undone from its acceleration alone
  void discrete_inverse() {
    const Options& option = spec_.option;
    const bool midpoint = option.integrator == Integrator::kMidpoint;
    if (!(option.enableflags & kEnableInvDiscrete) || (option.integrator != Integrator::kRk4 && !midpoint)) return;
    SpecObject carrier;
    carrier.source = option_source("integrator");
    work_.warning(Code::kIgnoredAttribute, carrier, "integrator",
                  std::string("integrator ") + (midpoint ? "midpoint" : "RK4") +
                      " has no discrete-time inverse dynamics: the flag invdiscrete has no effect");
  }

  // what midpoint and Signorini's contacts do not work with
  void conserving_options() {
    const Options& option = spec_.option;
    if (option.integrator == Integrator::kMidpoint && (option.enableflags & kEnableSpeculativeExact)) {
      option_error(Code::kBadOption, "integrator",
                   "integrator midpoint looks for contacts half a step ahead: it does not work with the flag "
                   "speculative_exact");
    }
    if (option.resolution == Resolution::kSignorini && traits(option.solver).substeps) {
      option_error(Code::kBadOption, "resolution",
                   std::string("resolution signorini is for the solvers Newton, CG and PGS, not ") +
                       traits(option.solver).keyword);
    }
    if (option.resolution == Resolution::kSignorini && (option.enableflags & kEnableFwdInv)) {
      option_error(Code::kBadOption, "resolution",
                   "resolution signorini has no inverse dynamics to compare with: switch the flag fwdinv off");
    }
  }

  // fast motion is not followed against height fields, nor without the flag nativeccd
  void predicted_contacts() {
    const Options& option = spec_.option;
    SpecObject carrier;
    const bool exact = option.enableflags & kEnableSpeculativeExact;
    if (!(option.enableflags & kEnableSpeculative)) {
      if (!exact) return;
      carrier.source = spec_.option_source;
      work_.warning(Code::kIgnoredAttribute, carrier, "speculative_exact",
                    "the flag speculative_exact has no effect without the flag speculative");
      return;
    }
    if (option.disableflags & kDisableNativeCcd) {
      carrier.source = spec_.option_source;
      work_.warning(
          Code::kIgnoredAttribute, carrier, "speculative",
          "the flag speculative has no effect where nativeccd is disabled: what is fast can pass through what is "
          "thin");
      return;
    }
    for (const GeomSpec& geom : spec_.geoms) {
      const auto names = [&](const PairSpec& pair) { return pair.geom1 == geom.name || pair.geom2 == geom.name; };
      const bool collides = geom.contype || geom.conaffinity || std::ranges::any_of(spec_.pairs, names);
      if (geom.type != GeomType::kHfield || !collides) continue;
      if (exact) {
        work_.error(
            Code::kBadOption, geom, "type",
            "the flag speculative_exact does not know height fields: what is fast could pass through this one. Use "
            "a mesh, a plane or boxes, or leave the flag out");
      } else {
        work_.warning(
            Code::kIgnoredAttribute, geom, "type",
            "the flag speculative has no effect on height fields (as in MuJoCo): what is fast can pass through "
            "this one");
      }
    }
  }

  // the override values replace those of every contact, but only when the flag is on
  void overrides() {
    const Options& option = spec_.option;
    if (!(option.enableflags & kEnableOverride)) return;
    SpecObject carrier;
    carrier.source = option_source("o_solref");
    solref(carrier, "o_solref", option.o_solref);
    carrier.source = option_source("o_solimp");
    solimp(carrier, "o_solimp", option.o_solimp);
    carrier.source = option_source("o_friction");
    friction(carrier, "o_friction", option.o_friction);
  }

  // ---- objects
  // -----------------------------------------------------------------------------------------

  // bounds would hide these: the reference raises a negative number to a bound of 0
  void inertials() {
    for (const BodySpec& body : spec_.bodies) {
      const bool used = work_.compiler(body).inertiafromgeom != InertiaFromGeom::kTrue;
      if (!body.has_inertial || !used) continue;
      if (body.mass < 0) {
        work_.error_at(Code::kBadMass, body.inertial_source, "mass",
                       describe(spec_, body) + " has a negative mass: " + number_text(body.mass));
      }
      const auto& moments = body.inertia;
      const bool judged = work_.compiler(body).inertiatolerance > 0;  // where bodies are compiled
      if (!judged && std::any_of(moments.begin(), moments.end(), [](double moment) { return moment < 0; })) {
        work_.error_at(Code::kBadInertia, body.inertial_source, "diaginertia",
                       describe(spec_, body) + " has a negative inertia: " + list_text(moments));
      }
    }
  }

  // the step looks for compensation only where some body has a positive share
  void gravity_compensation() {
    const auto& bodies = spec_.bodies;
    const auto positive = [](const BodySpec& body) { return body.gravcomp > 0; };
    if (std::any_of(bodies.begin(), bodies.end(), positive)) return;
    for (const BodySpec& body : bodies) {
      if (body.gravcomp < 0) {
        warn(Code::kIgnoredAttribute, body, "gravcomp", list_text({&body.gravcomp, 1}),
             "has a negative gravcomp, which has no effect unless another body has a positive one");
      }
    }
  }

  void geoms() {
    for (const GeomSpec& geom : spec_.geoms) {
      if (geom.contype == 0 && geom.conaffinity == 0) continue;
      solref(geom, "solref", geom.solref);
      solimp(geom, "solimp", geom.solimp);
      const size_t used = geom.condim >= 6 ? 3 : geom.condim >= 4 ? 2 : geom.condim >= 3 ? 1 : 0;
      friction(geom, "friction", std::span(geom.friction).first(used));
      if (geom.solmix < 0) {
        warn(Code::kIgnoredAttribute, geom, "solmix", list_text({&geom.solmix, 1}),
             "has a negative solmix, which counts as 0");
      }
    }
  }

  void pairs() {
    for (const PairSpec& pair : spec_.pairs) {
      solref(pair, "solref", pair.solref);
      // "0 0" is the default here and means: as solref
      if (pair.solreffriction != Reals<kNumRef>{}) {
        solref(pair, "solreffriction", pair.solreffriction, "solref");
      }
      solimp(pair, "solimp", pair.solimp);
      const size_t used = pair.condim >= 6 ? 5 : pair.condim >= 4 ? 3 : pair.condim >= 3 ? 2 : 0;
      friction(pair, "friction", std::span(pair.friction).first(used));
    }
  }

  void joints() {
    for (size_t i = 0; i < spec_.joints.size(); ++i) {
      const JointSpec& joint = spec_.joints[i];
      if (i < work_.joint_limited.size() && work_.joint_limited[i]) {
        solref(joint, "solreflimit", joint.solreflimit);
        solimp(joint, "solimplimit", joint.solimplimit);
      }
      if (joint.frictionloss != 0) {
        solref(joint, "solreffriction", joint.solreffriction);
        solimp(joint, "solimpfriction", joint.solimpfriction);
      }
      reversed(joint, joint.limited, joint.range, "range", "limited");
      reversed(joint, joint.actuatorfrclimited, joint.actuatorfrcrange, "actuatorfrcrange", "actuatorfrclimited");
    }
  }

  void tendons() {
    for (size_t i = 0; i < spec_.tendons.size(); ++i) {
      const TendonSpec& tendon = spec_.tendons[i];
      if (i < work_.tendons.size() && work_.tendons[i].limited) {
        solref(tendon, "solreflimit", tendon.solreflimit);
        solimp(tendon, "solimplimit", tendon.solimplimit);
      }
      if (tendon.frictionloss > 0) {
        solref(tendon, "solreffriction", tendon.solreffriction);
        solimp(tendon, "solimpfriction", tendon.solimpfriction);
      } else if (tendon.frictionloss < 0) {
        warn(Code::kIgnoredAttribute, tendon, "frictionloss", list_text({&tendon.frictionloss, 1}),
             "has a negative frictionloss, which has no effect");
      }
      reversed(tendon, tendon.limited, tendon.range, "range", "limited");
    }
  }

  void equalities() {
    for (const EqualitySpec& equality : spec_.equalities) {
      solref(equality, "solref", equality.solref);
      solimp(equality, "solimp", equality.solimp);
    }
  }

  void actuators() {
    for (const ActuatorSpec& actuator : spec_.actuators) {
      reversed(actuator, actuator.ctrllimited, actuator.ctrlrange, "ctrlrange", "ctrllimited");
      reversed(actuator, actuator.forcelimited, actuator.forcerange, "forcerange", "forcelimited");
      reversed(actuator, actuator.actlimited, actuator.actrange, "actrange", "actlimited");
    }
  }

  // sensors.def: what nothing measures. A user sensor reads 0 in the reference too when there is no callback.
  void sensors() {
    if (work_.diagnostics.has_errors()) return;  // a model that is refused reads nothing
    for (const SensorSpec& sensor : spec_.sensors) {
      if (sensor.type != SensorType::kTactile) continue;
      if (!reported_.insert("sensor " + std::to_string(sensor.source)).second) continue;
      work_.warning(Code::kNotComputed, sensor, "", "reads 0: pressure on the points of a mesh is not computed yet");
    }
  }

  // ---- parameters
  // --------------------------------------------------------------------------------------

  void solref(const SpecObject& object, const char* attribute, const Reals<kNumRef>& value,
              const char* instead = nullptr) {
    const std::string given = list_text(value), name = attribute;
    const bool first = value[0] > 0, second = value[1] > 0;
    if (first != second) {
      const std::string used =
          instead ? std::string(instead) + " is used instead" : "the default " + list_text(kDefaultSolref) + " is used";
      warn(Code::kSolrefClamped, object, attribute, given,
           "has " + name + " '" + given + "': one value is positive, the other is not; " + used,
           "both positive: time constant and damping ratio; both negative: stiffness and damping");
    } else if (value[0] == 0 && value[1] == 0) {
      warn(Code::kSolrefClamped, object, attribute, given,
           "has " + name + " '0 0': neither stiffness nor damping, so a violation stays as it is");
    } else if (first && value[0] < safe_) {
      if (value == kDefaultSolref) {
        default_raised_ = true;
        return;
      }
      warn(Code::kSolrefClamped, object, attribute, given,
           "has a time constant of " + number_text(value[0]) + " in " + name +
               ", less than two time steps: it is raised to " + number_text(safe_),
           "<flag refsafe=\"disable\"/> in <option> keeps it");
    }
  }

  void solimp(const SpecObject& object, const char* attribute, const Reals<kNumImp>& value) {
    Reals<kNumImp> used = value;
    for (const int i : {0, 1, 3}) used[i] = std::clamp(value[i], kMinImp, kMaxImp);
    used[2] = std::max(0.0, value[2]);
    used[4] = std::max(1.0, value[4]);
    if (used == value) return;
    const std::string given = list_text(value);
    warn(Code::kSolimpClamped, object, attribute, given,
         "has " + std::string(attribute) + " '" + given + "', which is clamped to '" + list_text(used) + "'",
         "impedances and midpoint lie in 0.0001 … 0.9999, the width is at least 0, the power 1");
  }

  void friction(const SpecObject& object, const char* attribute, std::span<const double> value) {
    if (std::all_of(value.begin(), value.end(), [](double mu) { return mu >= kMinFriction; })) return;
    const std::string given = list_text(value);
    const bool negative = std::any_of(value.begin(), value.end(), [](double mu) { return mu < 0; });
    warn(Code::kFrictionClamped, object, attribute, given,
         "has a " + std::string(negative ? "negative coefficient" : "coefficient below 0.00001") + " in " + attribute +
             " '" + given + "': it is raised to 0.00001 at every contact",
         "condim=\"1\" makes contacts without friction");
  }

  // "auto" takes a range that ends before it begins for no range at all
  void reversed(const SpecObject& object, Limited limited, const Reals<2>& range, const char* attribute,
                const char* switch_attribute) {
    if (limited != Limited::kAuto || range[0] < range[1] || (range[0] == 0 && range[1] == 0)) return;
    const std::string given = list_text(range);
    warn(Code::kIgnoredAttribute, object, attribute, given,
         "has " + std::string(attribute) + " '" + given + "', which is empty: there is no limit",
         "the lower value comes first; " + std::string(switch_attribute) + "=\"false\" says that no limit is meant");
  }

  void report_default_raised() {
    const int source = option_source("timestep");
    work_.diagnostics.warning(Code::kSolrefClamped, spec_.origin(source, "timestep"), spec_.tag(source),
                              "<option> timestep is " + number_text(spec_.option.timestep) +
                                  ": the default time constant of solref, " + number_text(kDefaultSolref[0]) +
                                  ", is less than two time steps and is raised to " + number_text(safe_) +
                                  " everywhere",
                              "give solref a larger time constant, or <flag refsafe=\"disable\"/> in <option>");
  }

  // once per source element and attribute, and once per value that comes from a default class
  void warn(Code code, const SpecObject& object, std::string_view attribute, const std::string& value,
            std::string message, std::string hint = {}) {
    const bool own = spec_.has_attribute(object.source, attribute);
    const std::string key = own ? std::to_string(object.source) + " " + std::string(attribute)
                                : std::string(spec_.tag(object.source)) + " " + std::string(attribute) + " " + value;
    if (!reported_.insert(std::to_string(static_cast<int>(code)) + " " + key).second) return;
    if (!own && object.source >= 0) message += " (from a default class; others may have it too)";
    work_.warning(code, object, attribute, std::move(message), std::move(hint));
  }

  Work& work_;
  const Spec& spec_;
  double safe_ = 0;              // least time constant; 0 when refsafe is off
  bool default_raised_ = false;  // some object has the default solref and it is too short
  std::set<std::string> reported_;
};

}  // namespace

void check_model(Work& work) { Checker(work).run(); }

}  // namespace pliant
