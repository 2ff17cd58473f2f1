#pragma once
// How many controls and states an actuator has, by its law. The compiler checks the law; attached
// keyframes need the counts before that.

#include <bit>

#include "pliant/spec.h"

namespace pliant {

inline bool is_so3(const ActuatorSpec& a) { return a.gaintype == GainType::kSo3 || a.biastype == BiasType::kSo3; }

/// Controls, for the inputs that the actuator has written or gets by default.
inline int control_count(const ActuatorSpec& a) {
  const auto count = [](int bits) { return std::popcount(static_cast<unsigned>(bits)); };
  constexpr int kServo = kInputPos | kInputVel | kInputFf;
  if (is_so3(a)) return a.ctrlspec == kChartQuat ? 4 : 3;
  if (a.gaintype == GainType::kPid) {
    return count((a.ctrlspec ? a.ctrlspec : kInputPos | kInputVel) & kServo);
  }
  if (a.gaintype == GainType::kDcMotor) {
    if (a.ctrlspec == kInputNone) return 0;
    return count((a.ctrlspec ? a.ctrlspec : kInputVoltage) & (kServo | kInputVoltage));
  }
  return 1;
}

/// Optional states of a motor, in the order slew, integral, temperature, bristle, current.
inline int dcmotor_states(const ActuatorSpec& a) {
  const bool slew = a.dynprm[7] > 0, integral = a.gainprm[5] > 0, temperature = a.dynprm[2] > 0,
             bristle = a.dynprm[5] > 0, current = a.dynprm[0] > 0;
  return slew + integral + temperature + bristle + current;
}

/// States of a pid servo: slew-limited setpoint, integral.
inline int pid_states(const ActuatorSpec& a) { return (a.dynprm[1] > 0) + (a.gainprm[0] > 0); }

/// Activation states.
inline int state_count(const ActuatorSpec& a) {
  if (a.dyntype == DynType::kNone) return 0;
  if (a.actdim >= 0) return a.actdim;
  if (a.dyntype == DynType::kDcMotor) return 0;
  if (a.dyntype == DynType::kPid) return pid_states(a);
  return is_so3(a) && a.dyntype == DynType::kIntegrator ? 3 : 1;
}

}  // namespace pliant
