// Actuators: transmission targets, inputs, outputs, states, limits; and the actuator fields of the
// Model.
//
// Reads the working Spec's actuators, joints and tendons. Writes Work::actuators, the sizes
// nactuator nu nout na nhistory nuser_actuator, then actuator_*. What needs the engine (acc0, length0, simulated length
// ranges, damping ratios) and jnt_actuatorid and tendon_actuatorid are left to set_const; length ranges that need a
// simulation to write_length_ranges. Laws with inputs or states of their own are in actuator_laws.cpp.

#include "compile/actuators.h"
#include "spec/actuator_shape.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace pliant {
namespace {

// ---- transmission -------------------------------------------------------------------------------

struct TargetKind {
  TransmissionType type;
  ObjType object;
  const char* attribute;
};
constexpr TargetKind kTargetKinds[] = {
    {TransmissionType::kJoint, ObjType::kJoint, "joint"},
    {TransmissionType::kJointInParent, ObjType::kJoint, "jointinparent"},
    {TransmissionType::kSliderCrank, ObjType::kSite, "cranksite"},
    {TransmissionType::kTendon, ObjType::kTendon, "tendon"},
    {TransmissionType::kSite, ObjType::kSite, "site"},
    {TransmissionType::kBody, ObjType::kBody, "body"},
};

void resolve_target(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  ActuatorWork& out = desk.out;
  const auto kind = std::find_if(std::begin(kTargetKinds), std::end(kTargetKinds),
                                 [&](const TargetKind& k) { return k.type == spec.trntype; });
  if (kind == std::end(kTargetKinds) || spec.target.empty()) {
    // the reader reports an element without target; an actuator made in code arrives here first
    const bool reported =
        spec.source >= 0 && spec.trntype == TransmissionType::kUndefined && desk.work.diagnostics.has_errors();
    if (reported) return;
    desk.error(Code::kMissingAttribute, "", "has no transmission target",
               "say what it acts on: a joint, tendon, site, crank site or body");
    return;
  }
  out.trntype = spec.trntype;
  out.trnid[0] = desk.work.resolve(kind->object, spec.target, spec.source, kind->attribute);
  if (spec.trntype == TransmissionType::kSliderCrank) {
    if (spec.slidersite.empty()) {
      desk.error(Code::kMissingAttribute, "cranksite", "has a 'cranksite', but no 'slidersite'");
    } else {
      out.trnid[1] = desk.work.resolve(ObjType::kSite, spec.slidersite, spec.source, "slidersite");
    }
    if (spec.cranklength <= 0) {
      desk.error(Code::kBadActuator, "cranklength",
                 "needs a positive crank length, got " + number_text(spec.cranklength));
    }
  }
  if (spec.trntype == TransmissionType::kSite && !spec.refsite.empty()) {
    out.trnid[1] = desk.work.resolve(ObjType::kSite, spec.refsite, spec.source, "refsite");
  }
}

bool is_joint(TransmissionType type) {
  return type == TransmissionType::kJoint || type == TransmissionType::kJointInParent;
}

bool has_damping(const ActuatorSpec& spec) {
  return std::any_of(spec.damping.begin(), spec.damping.end(), [](double c) { return c != 0; });
}

// damping and armature of an actuator are added to those of a joint or tendon; nothing else has
// them
void check_damping(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const bool so3 = desk.out.trntype == TransmissionType::kSo3;
  if (so3 && is_joint(spec.trntype) && (has_damping(spec) || spec.armature != 0)) {
    desk.work.warning(Code::kIgnoredAttribute, spec, has_damping(spec) ? "damping" : "armature",
                      "is an orientation servo: its damping and armature are kept, but have no effect");
  }
  if (spec.armature != 0 && spec.trntype == TransmissionType::kTendon && desk.out.trnid[0] >= 0) {
    for (const WrapWork& wrap : desk.work.tendons[desk.out.trnid[0]].path) {
      if (wrap.type != WrapType::kSphere && wrap.type != WrapType::kCylinder) continue;
      desk.error(Code::kBadActuator, "armature",
                 "has an armature, which cannot be combined with a tendon that wraps around geoms");
      break;
    }
  }
  if (is_joint(spec.trntype) || spec.trntype == TransmissionType::kTendon) return;
  if (has_damping(spec)) {
    desk.error(Code::kBadActuator, "damping", "has damping, which needs a joint or tendon as its target");
  }
  if (spec.armature != 0) {
    desk.error(Code::kBadActuator, "armature", "has an armature, which needs a joint or tendon as its target");
  }
}

// ---- ranges -------------------------------------------------------------------------------------

// the range of the joint or tendon acted on; null, and reported, when there is none
const Reals<2>* target_range(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const int id = desk.out.trnid[0];
  if (id < 0) return nullptr;
  const Reals<2>* range = nullptr;
  if (spec.trntype == TransmissionType::kJoint) {
    const JointSpec& joint = desk.work.spec.joints[id];
    if (joint_kind(joint.type).is_scalar()) range = &joint.range;
  } else if (spec.trntype == TransmissionType::kTendon) {
    range = &desk.work.spec.tendons[id].range;
  }
  if (!range) {
    desk.error(Code::kBadActuator, "inheritrange",
               "can inherit a range only from a hinge joint, a slide joint or a tendon");
  } else if ((*range)[0] == (*range)[1]) {
    desk.error(Code::kBadActuator, "inheritrange",
               "inherits its range from " + quote(spec.target) + ", which has none");
    range = nullptr;
  }
  return range;
}

// inheritrange s > 0: the range of the target, scaled by s about its centre
void inherit_range(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  const bool servo =
      (spec.gaintype == GainType::kFixed && spec.gainprm[0] == -spec.biasprm[1]) || spec.gaintype == GainType::kPid;
  if (spec.inheritrange <= 0 || !servo || spec.biastype != BiasType::kAffine) return;
  Reals<2>* range = nullptr;
  if (spec.dyntype == DynType::kIntegrator) {
    range = &spec.actrange;
  } else if (spec.dyntype == DynType::kNone || spec.dyntype == DynType::kFilterExact || spec.dyntype == DynType::kPid) {
    range = &spec.ctrlrange;
  } else {
    desk.error(Code::kBadActuator, "inheritrange",
               "cannot inherit a range: only position, intvelocity and pid actuators can");
    return;
  }
  const Reals<2>* from = target_range(desk);
  if (!from) return;
  if ((*range)[0] != 0 || (*range)[1] != 0) {
    desk.work.warning(Code::kIgnoredAttribute, spec, "inheritrange",
                      std::string("has both 'inheritrange' and '") +
                          (range == &spec.actrange ? "actrange" : "ctrlrange") +
                          "': the range of its target is used, as in MuJoCo",
                      "remove one of them; either may come from a default class");
  }
  const double mean = 0.5 * ((*from)[1] + (*from)[0]);
  const double radius = 0.5 * ((*from)[1] - (*from)[0]) * spec.inheritrange;
  *range = {mean - radius, mean + radius};
}

bool resolve_limit(const ActuatorDesk& desk, Limited limited, const Reals<2>& range, const char* range_attribute,
                   const char* limited_attribute) {
  check_autolimits(desk.work, desk.spec, limited, range, range_attribute, limited_attribute);
  const bool on = is_limited(limited, range);
  if (on && range[0] >= range[1]) {
    const bool absent = range[0] == 0 && range[1] == 0;
    desk.error(Code::kBadRange, absent ? limited_attribute : range_attribute,
               absent ? "is limited, but has no '" + std::string(range_attribute) + "'"
                      : "needs " + std::string(range_attribute) + "[0] < " + range_attribute + "[1], got " +
                            number_text(range[0]) + " " + number_text(range[1]),
               absent && !desk.work.spec.has_attribute(desk.spec.source, limited_attribute)
                   ? "this kind of actuator is always limited; give it a range such as \"0 1\""
                   : "");
  }
  return on;
}

void resolve_limits(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  ActuatorWork& out = desk.out;
  out.forcelimited = resolve_limit(desk, spec.forcelimited, spec.forcerange, "forcerange", "forcelimited");
  const bool ctrllimited = resolve_limit(desk, spec.ctrllimited, spec.ctrlrange, "ctrlrange", "ctrllimited");
  out.actlimited = resolve_limit(desk, spec.actlimited, spec.actrange, "actrange", "actlimited");
  if (out.actlimited && spec.dyntype == DynType::kNone) {
    desk.error(Code::kBadActuator, "actrange", "limits its activation, but has none: its dyntype is 'none'");
  }

  // every input has the control range, but velocity and feedforward of a pid have their own
  out.ctrllimited.assign(out.ctrlnum, ctrllimited);
  out.ctrlrange.assign(out.ctrlnum, spec.ctrlrange);
  if (spec.gaintype != GainType::kPid) return;
  int input = out.ctrlspec & kInputPos ? 1 : 0;
  for (const auto& [bit, range] : {std::pair{+kInputVel, spec.velrange}, {+kInputFf, spec.ffrange}}) {
    if (!(out.ctrlspec & bit)) continue;
    out.ctrllimited[input] = range[0] < range[1];
    out.ctrlrange[input] = range;
    ++input;
  }
}

// ---- states -------------------------------------------------------------------------------------

void resolve_states(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const bool motor = spec.dyntype == DynType::kDcMotor, none = spec.dyntype == DynType::kNone;
  const LawStates states_of_law = dynamics_kind(spec.dyntype).states;
  const bool several = states_of_law == LawStates::kAny || states_of_law == LawStates::kOwn ||
                       (desk.out.trntype == TransmissionType::kSo3 && !none);
  int actdim = spec.actdim;
  if (actdim > 0 && none) {
    desk.error(Code::kBadActuator, "actdim", "has no states: its dyntype is 'none'");
  } else if (actdim > 1 && !several) {
    desk.error(Code::kBadActuator, "actdim",
               "has actdim " + std::to_string(actdim) + "; only 'user', 'dcmotor' and 'pid' have more than 1");
  } else if (actdim == 0 && !none && !motor) {
    desk.error(Code::kBadActuator, "actdim", "has actdim 0, but its dyntype needs a state",
               desk.work.spec.has_attribute(spec.source, "actdim")
                   ? ""
                   : "actdim comes from a default class, perhaps from a <dcmotor> there");
  }
  if (actdim < 0) actdim = !none && !motor;
  desk.out.actdim = actdim;

  // the motor's parameters say which states it has
  const bool motor_gain = spec.gaintype == GainType::kDcMotor;
  const int states = dcmotor_states(spec);
  if (actdim != states && (motor_gain || (motor && actdim > 0))) {
    desk.error(Code::kBadActuator, "actdim",
               "has motor parameters for " + std::to_string(states) + (states == 1 ? " state" : " states") +
                   ", but actdim is " + std::to_string(actdim),
               "dynprm[0] (electrical time constant) is 1 unless given");
  }
  // motors can have any number of inputs, their dynamics cannot (the reference writes beyond its activations, or
  // crashes)
  const int inputs = desk.out.ctrlnum;
  if (states_of_law == LawStates::kOne && inputs == 0) {
    desk.error(Code::kBadActuator, "input", "has no input, but its dyntype filters one");
  } else if (states_of_law == LawStates::kPerControl && inputs > actdim && actdim > 0) {
    desk.error(Code::kBadActuator, "input",
               "integrates " + std::to_string(inputs) + " inputs, but has actdim " + std::to_string(actdim));
  }
  if (motor && !spec.actearly) {
    desk.error(Code::kBadActuator, "actearly", "has dyntype 'dcmotor', which needs actearly");
  }
}

void check_history(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  if (spec.delay > 0 && spec.nsample <= 0) {
    desk.error(Code::kBadActuator, "delay", "has a delay, but no history to take it from",
               "add nsample: at least delay / timestep + 1");
  }
  if (spec.nsample > kMaxHistorySamples) {
    desk.error(Code::kBadActuator, "nsample",
               "keeps at most " + std::to_string(kMaxHistorySamples) + " samples, not " + std::to_string(spec.nsample));
  }
  if ((spec.delay > 0 || spec.nsample > 0) && desk.out.ctrlnum == 0) {
    desk.error(Code::kBadActuator, spec.nsample > 0 ? "nsample" : "delay", "has a history of inputs, but no input");
  }
  if (spec.nsample < 0) {
    desk.work.warning(Code::kIgnoredAttribute, spec, "nsample", "has a negative nsample: no history");
  }
  if (spec.delay < 0) {
    desk.work.warning(Code::kIgnoredAttribute, spec, "delay",
                      spec.nsample > 0 ? "has a negative delay: it uses the newest control in its "
                                         "history, that of the step before"
                                       : "has a negative delay: none is applied");
  }
}

// ---- what set_const will fill -------------------------------------------------------------------

// A positive biasprm[2] of anything that looks like a position servo is a damping ratio; the
// reference does not ask for the types.
void check_dampratio(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const bool position_like = spec.gaintype == GainType::kPid || spec.gainprm[0] == -spec.biasprm[1];
  if (spec.biasprm[2] <= 0 || !position_like) return;
  // kv = dampratio · 2·√(kp·mass): a negative gain would make it NaN
  const double kp = -spec.biasprm[1];
  if (kp < 0) {
    const bool named = desk.work.spec.has_attribute(spec.source, "dampratio");
    desk.error(Code::kBadActuator, named ? "dampratio" : "biasprm",
               std::string(named ? "has a damping ratio" : "has biasprm[2] > 0, a damping ratio") +
                   ", which needs a gain kp ≥ 0, got " + number_text(kp),
               named ? "" : "parameters that the element does not set come from its default class");
  }
}

// The limits that <lengthrange uselimit="true"/> takes for the length range.
const Reals<2>* limits_of_target(const ActuatorDesk& desk) {
  const Work& work = desk.work;
  const int id = desk.out.trnid[0];
  if (id < 0) return nullptr;
  const bool joint = is_joint(desk.out.trntype);
  if (!joint && desk.out.trntype != TransmissionType::kTendon) return nullptr;
  const bool limited = joint ? work.joint_limited[id] : work.tendons[id].limited;
  if (!limited) return nullptr;
  return joint ? &work.spec.joints[id].range : &work.spec.tendons[id].range;
}

// The length range of muscles (or others, as <compiler><lengthrange/> says) is found by simulation,
// unless it is given or taken from the limits of the target.
void resolve_lengthrange(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  const LengthRangeSpec& options = desk.work.spec.compilers[0].lengthrange;
  const bool muscle = spec.gaintype == GainType::kMuscle || spec.biastype == BiasType::kMuscle;
  const bool user = spec.gaintype == GainType::kUser || spec.biastype == BiasType::kUser;
  const bool wanted = options.mode == LengthRangeMode::kAll || (options.mode != LengthRangeMode::kNone && muscle) ||
                      (options.mode == LengthRangeMode::kMuscleUser && user);
  if (!wanted || (options.useexisting && spec.lengthrange[0] < spec.lengthrange[1])) return;
  if (options.uselimit) {
    if (const Reals<2>* range = limits_of_target(desk)) {
      spec.lengthrange = *range;
      return;
    }
  }
  desk.out.simulate_range = true;
}

void warn_user_callback(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const struct {
    bool user;
    const char* attribute;
  } laws[] = {{spec.dyntype == DynType::kUser, "dyntype"},
              {spec.gaintype == GainType::kUser, "gaintype"},
              {spec.biastype == BiasType::kUser, "biastype"}};
  for (const auto& law : laws) {
    if (!law.user) continue;
    desk.work.warning(
        Code::kUserCallback, spec, law.attribute,
        "has " + std::string(law.attribute) + " 'user': it does nothing until the program provides a callback");
  }
}

void check_user(const ActuatorDesk& desk) {
  const int allowed = desk.work.spec.size.nuser_actuator;
  const int given = static_cast<int>(desk.spec.user.size());
  if (allowed < 0 || given <= allowed) return;
  desk.error(
      Code::kWrongCount, "user",
      "has " + std::to_string(given) + " user values, but <size nuser_actuator> allows " + std::to_string(allowed));
}

// ---- sizes --------------------------------------------------------------------------------------

void count_actuators(Work& work) {
  int64_t nu = 0, nout = 0, na = 0, nhistory = 0, nuser = 0;
  for (size_t i = 0; i < work.actuators.size(); ++i) {
    const ActuatorWork& out = work.actuators[i];
    const ActuatorSpec& spec = work.spec.actuators[i];
    nu += out.ctrlnum;
    nout += out.outnum;
    na += out.actdim;
    nhistory += history_size(spec);
    nuser = std::max<int64_t>(nuser, spec.user.size());
    constexpr int64_t kMost = std::numeric_limits<int>::max();
    if (na > kMost || nhistory > kMost) {
      work.error(Code::kTooLarge, spec, na > kMost ? "actdim" : "nsample",
                 "makes the state too large for 32-bit addresses");
      na = nhistory = 0;
    }
  }
  work.sizes.nactuator = static_cast<int>(work.actuators.size());
  work.sizes.nu = static_cast<int>(nu);
  work.sizes.nout = static_cast<int>(nout);
  work.sizes.na = static_cast<int>(na);
  work.sizes.nhistory = static_cast<int>(nhistory);
  const int allowed = work.spec.size.nuser_actuator;
  work.sizes.nuser_actuator = allowed >= 0 ? allowed : static_cast<int>(nuser);
}

template <class From>
void copy(const From& from, double* to) {
  std::copy(from.begin(), from.end(), to);
}

void write_law(const ActuatorSpec& spec, const ActuatorWork& out, int i, Model& model) {
  model.actuator_trntype[i] = static_cast<int>(out.trntype);
  model.actuator_dyntype[i] = static_cast<int>(spec.dyntype);
  model.actuator_gaintype[i] = static_cast<int>(spec.gaintype);
  model.actuator_biastype[i] = static_cast<int>(spec.biastype);
  model.actuator_trnid[2 * i] = out.trnid[0];
  model.actuator_trnid[2 * i + 1] = out.trnid[1];
  model.actuator_cranklength[i] = spec.cranklength;
  copy(spec.dynprm, model.actuator_dynprm + kNumDyn * i);
  copy(spec.gainprm, model.actuator_gainprm + kNumGain * i);
  copy(spec.biasprm, model.actuator_biasprm + kNumBias * i);
  model.actuator_actlimited[i] = out.actlimited;
  copy(spec.actrange, model.actuator_actrange + 2 * i);
  model.actuator_actearly[i] = spec.actearly;
  model.actuator_forcelimited[i] = out.forcelimited;
  copy(spec.forcerange, model.actuator_forcerange + 2 * i);
  model.actuator_damping[i] = spec.damping[0];
  std::copy(spec.damping.begin() + 1, spec.damping.end(), model.actuator_dampingpoly + kNumPoly * i);
  model.actuator_armature[i] = spec.armature;
  model.actuator_group[i] = spec.group;
  copy(spec.user, model.actuator_user + model.nuser_actuator * i);
  model.actuator_plugin[i] = -1;
  model.actuator_history[2 * i] = spec.nsample;
  model.actuator_history[2 * i + 1] = spec.interp;
  model.actuator_delay[i] = spec.delay;
}

}  // namespace

void compile_actuators(Work& work) {
  const size_t count = work.spec.actuators.size();
  work.actuators.assign(count, {});
  for (size_t i = 0; i < count; ++i) {
    const ActuatorDesk desk = {work, work.spec.actuators[i], work.actuators[i]};
    check_user(desk);
    resolve_target(desk);
    resolve_law(desk);
    check_damping(desk);
    inherit_range(desk);
    resolve_limits(desk);
    resolve_states(desk);
    check_history(desk);
    check_dampratio(desk);
    resolve_lengthrange(desk);
    warn_user_callback(desk);
  }
  count_actuators(work);
}

void write_actuators(const Work& work, Model& model) {
  int ctrl = 0, output = 0, state = 0;
  int64_t history = 0;
  for (int i = 0; i < model.nactuator; ++i) {
    const ActuatorSpec& spec = work.spec.actuators[i];
    const ActuatorWork& out = work.actuators[i];
    write_law(spec, out, i, model);

    model.actuator_ctrlspec[i] = out.ctrlspec;
    model.actuator_ctrladr[i] = ctrl;
    model.actuator_ctrlnum[i] = out.ctrlnum;
    for (int k = 0; k < out.ctrlnum; ++k, ++ctrl) {
      model.actuator_ctrllimited[ctrl] = out.ctrllimited[k];
      copy(out.ctrlrange[k], model.actuator_ctrlrange + 2 * ctrl);
    }
    model.actuator_outadr[i] = output;
    model.actuator_outnum[i] = out.outnum;
    for (int k = 0; k < out.outnum; ++k, ++output) {
      copy(spec.gear, model.actuator_gear + 6 * output);
      model.actuator_acc0[output] = kUndefined;
      model.actuator_length0[output] = kUndefined;
      copy(spec.lengthrange, model.actuator_lengthrange + 2 * output);
    }
    model.actuator_actadr[i] = out.actdim > 0 ? state : -1;
    model.actuator_actnum[i] = out.actdim;
    state += out.actdim;
    model.actuator_historyadr[i] = spec.nsample > 0 ? static_cast<int>(history) : -1;
    history += history_size(spec);
  }
}

}  // namespace pliant
