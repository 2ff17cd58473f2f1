// Actuator laws that are more than gain · input + bias: orientation servos (so3), pid servos, DC
// motors and muscles. Each checks its own rules and says how many inputs, outputs and states it
// has.

#include "base/text.h"
#include "compile/actuators.h"
#include "spec/actuator_shape.h"

namespace pliant {
namespace {

// ---- so3: torque = kp · log(q⁻¹ q_target) − kv ω, three outputs ---------------------------------

void check_so3_target(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  const int id = desk.out.trnid[0];
  if (spec.trntype == TransmissionType::kSite) {
    if (spec.refsite.empty()) {
      desk.error(Code::kBadActuator, "site", "turns a site, but has no 'refsite' to turn it against");
    }
  } else if (spec.trntype == TransmissionType::kJoint) {
    if (id >= 0 && !joint_kind(desk.work.spec.joints[id].type).is_ball()) {
      desk.error(Code::kWrongReference, "joint",
                 "is an orientation servo and needs a ball joint; " + quote(spec.target) + " is none");
    }
  } else {
    desk.error(Code::kBadActuator, "", "is an orientation servo and needs a ball joint or a site");
  }
}

void resolve_so3(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  if (spec.gaintype != GainType::kSo3 || spec.biastype != BiasType::kSo3) {
    desk.error(Code::kBadActuator, spec.gaintype == GainType::kSo3 ? "biastype" : "gaintype",
               "must have 'so3' as both gaintype and biastype, or as neither");
    return;
  }
  const bool integrates = spec.dyntype == DynType::kIntegrator;
  if (spec.dyntype != DynType::kNone && !integrates) {
    desk.error(Code::kBadActuator, "dyntype", "is an orientation servo; its dyntype is 'none' or 'integrator'");
  }
  if (spec.gainprm[0] != -spec.biasprm[1]) {
    desk.error(
        Code::kBadActuator, "biasprm",
        "needs biasprm[1] = −gainprm[0], got " + number_text(spec.biasprm[1]) + " and " + number_text(spec.gainprm[0]));
  }
  check_so3_target(desk);

  // the activation of the integrating form is the setpoint, a rotation vector
  if (integrates) {
    if (spec.actdim > 0 && spec.actdim != 3) {
      desk.error(Code::kBadActuator, "actdim", "integrates a rotation vector and needs actdim 3");
    }
    spec.actdim = 3;
    const bool empty_range = spec.actrange[0] == 0 && spec.actrange[1] == 0;
    if (spec.actlimited == Limited::kTrue && empty_range) spec.actlimited = Limited::kFalse;
  }

  const int chart = spec.ctrlspec ? spec.ctrlspec : kChartExpmap;
  if (chart != kChartExpmap && chart != kChartQuat) {
    desk.error(Code::kBadActuator, "input", "is an orientation servo; its input is expmap or quat",
               spec.ctrlspec && !desk.work.spec.has_attribute(spec.source, "input")
                   ? "the input comes from a default class"
                   : "");
  } else if (chart == kChartQuat && integrates) {
    desk.error(Code::kBadActuator, "input", "cannot integrate a quaternion input; use expmap");
  }

  // the force limit bounds the length of the torque vector
  if (is_limited(spec.forcelimited, spec.forcerange) && spec.forcerange[0] != 0) {
    desk.error(Code::kBadRange, "forcerange",
               "limits the length of its torque, so the range starts at 0, not at " + number_text(spec.forcerange[0]));
  }
  desk.out.ctrlspec = chart;
  desk.out.ctrlnum = control_count(spec);
  desk.out.outnum = 3;
  desk.out.trntype = TransmissionType::kSo3;
}

// ---- pid: force = kp (u_pos − length) + kv (u_vel − velocity) + ki ∫ + u_ff ---------------------

// states, in the order slew, integral
void resolve_pid_states(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  const double imax = spec.dynprm[0], slewmax = spec.dynprm[1];
  if (imax < 0) desk.error(Code::kBadActuator, "imax", "needs imax ≥ 0, got " + number_text(imax));
  if (slewmax < 0) {
    desk.error(Code::kBadActuator, "slewmax", "needs slewmax ≥ 0, got " + number_text(slewmax));
  }
  const int states = pid_states(spec);
  if (states == 0 && slewmax >= 0) {
    desk.error(Code::kBadActuator, "ki",
               "has dyntype 'pid', but neither ki nor slewmax is positive: there is nothing to integrate");
  } else if (spec.actdim > 0 && spec.actdim != states) {
    desk.error(Code::kBadActuator, "actdim",
               "has " + std::to_string(states) + (states == 1 ? " controller state" : " controller states") +
                   ", not actdim " + std::to_string(spec.actdim));
  }
  spec.actdim = states > 0 ? states : -1;  // otherwise reported, and counted as one
}

void resolve_pid(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  if (spec.biastype != BiasType::kAffine) {
    desk.error(Code::kBadActuator, "biastype", "has gaintype 'pid', which needs biastype 'affine'");
  }
  if (spec.trntype == TransmissionType::kBody) {
    desk.error(Code::kBadActuator, "body", "is a pid servo and cannot act on a body");
  }
  if (spec.dyntype == DynType::kPid) {
    resolve_pid_states(desk);
  } else if (spec.dyntype != DynType::kNone) {
    desk.error(Code::kBadActuator, "dyntype", "has gaintype 'pid'; its dyntype is 'none' or 'pid'");
  } else if (spec.gainprm[0] != 0) {
    desk.error(Code::kBadActuator, "gainprm",
               "has an integral gain (gainprm[0] = " + number_text(spec.gainprm[0]) + "), which needs dyntype 'pid'");
  }

  constexpr int kAll = kInputPos | kInputVel | kInputFf;
  const int inputs = spec.ctrlspec ? spec.ctrlspec : kInputPos | kInputVel;
  if (inputs & ~kAll) {
    desk.error(Code::kBadActuator, "input", "is a pid servo; its inputs are some of pos, vel and ff");
  }
  if (spec.dyntype == DynType::kPid && !(inputs & kInputPos)) {
    desk.error(Code::kBadActuator, "input", "has controller states (ki or slewmax), which need the input pos");
  }
  desk.out.ctrlspec = inputs;
  desk.out.ctrlnum = control_count(spec);
}

// ---- dcmotor ------------------------------------------------------------------------------------

void resolve_dcmotor(const ActuatorDesk& desk) {
  ActuatorSpec& spec = desk.spec;
  constexpr int kController = kInputPos | kInputVel | kInputFf;
  constexpr int kAll = kController | kInputVoltage;
  const int inputs = spec.ctrlspec ? spec.ctrlspec : kInputVoltage;
  if (inputs != kInputNone && (inputs & ~kAll)) {
    desk.error(Code::kBadActuator, "input", "is a DC motor; its inputs are none, or some of pos, vel, ff and voltage");
  }
  const int controller = inputs == kInputNone ? 0 : inputs & kController;
  const double motor_constant = spec.gainprm[1], ki = spec.gainprm[5], slewmax = spec.dynprm[7];
  if (controller && motor_constant <= 0) {
    desk.error(Code::kBadActuator, "gainprm",
               "has controller inputs, which need a positive motor constant (gainprm[1])");
  }
  if (!controller && (spec.gainprm[4] != 0 || ki != 0 || spec.gainprm[6] != 0)) {
    desk.error(Code::kBadActuator, "controller", "has controller gains, but no input for a controller",
               "add input=\"pos\", \"vel\" or \"ff\"");
  } else if (ki > 0 && !(controller & kInputPos)) {
    desk.error(Code::kBadActuator, "controller", "has an integral gain, which needs the input pos");
  }
  if (!controller && slewmax > 0) {
    desk.error(Code::kBadActuator, "controller", "limits the slew rate, but no input is controlled",
               "add input=\"pos\", \"vel\" or \"ff\"");
  }
  desk.out.ctrlspec = inputs;
  desk.out.ctrlnum = control_count(spec);
}

// ---- muscle -------------------------------------------------------------------------------------

void check_muscle(const ActuatorDesk& desk, const Reals<kNumGain>& prm) {
  const double range0 = prm[0], range1 = prm[1], scale = prm[3], lmin = prm[4], lmax = prm[5], vmax = prm[6],
               fpmax = prm[7], fvmax = prm[8];
  if (range0 >= range1) {
    desk.error(Code::kBadRange, "range",
               "is a muscle and needs range[0] < range[1], got " + number_text(range0) + " " + number_text(range1));
  }
  if (lmin >= 1 || lmax <= 1) {
    desk.error(Code::kBadActuator, lmin >= 1 ? "lmin" : "lmax",
               "is a muscle and needs lmin < 1 < lmax, got " + number_text(lmin) + " and " + number_text(lmax));
  }
  const struct {
    const char* name;
    double value;
  } positive[] = {{"scale", scale}, {"vmax", vmax}, {"fpmax", fpmax}, {"fvmax", fvmax}};
  for (const auto& p : positive) {
    if (p.value > 0) continue;
    desk.error(Code::kBadActuator, p.name,
               "is a muscle and needs " + std::string(p.name) + " > 0, got " + number_text(p.value));
  }
}

}  // namespace

void resolve_law(const ActuatorDesk& desk) {
  const ActuatorSpec& spec = desk.spec;
  if (is_so3(spec)) resolve_so3(desk);
  if (spec.gaintype == GainType::kPid) resolve_pid(desk);
  if (spec.gaintype == GainType::kDcMotor) resolve_dcmotor(desk);
  if (spec.gaintype == GainType::kMuscle) check_muscle(desk, spec.gainprm);
  if (spec.biastype == BiasType::kMuscle && (spec.gaintype != GainType::kMuscle || spec.biasprm != spec.gainprm)) {
    check_muscle(desk, spec.biasprm);
  }
  if (spec.dyntype == DynType::kPid && spec.gaintype != GainType::kPid) {
    desk.error(Code::kBadActuator, "dyntype", "has dyntype 'pid', which needs gaintype 'pid'");
  }
  const LawInputs inputs = gain_kind(spec.gaintype).inputs;
  const bool plain = inputs == LawInputs::kOne;
  if (plain) desk.out.ctrlspec = spec.ctrlspec;
  const bool one = spec.ctrlspec == kInputPos || spec.ctrlspec == kInputVel || spec.ctrlspec == kInputPressure;
  if (spec.ctrlspec == 0 || inputs == LawInputs::kSignature || (plain && one)) return;
  const bool own = desk.work.spec.has_attribute(spec.source, "input");
  desk.error(Code::kBadActuator, "input",
             plain ? "has one input: with gaintype 'fixed' or 'affine' it is 'pos', 'vel' or 'pressure'"
                   : "has an input signature, which muscles and gains of gaintype 'user' do not have",
             own ? "" : "the input comes from a default class; give this actuator another class");
}

}  // namespace pliant
