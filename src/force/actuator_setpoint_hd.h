#pragma once
// Setpoints that are angles: a servo of a ball joint, or of a site turned against a reference site, follows
// the representative of its setpoint nearest to the current angle instead of unwinding whole turns.

#include "joint/joint.h"
#include "math/vec3.h"
#include "math/field_values.h"

namespace pliant {

/// Length after which the transmission looks the same [rad], 0 if the actuator is no servo of an angle.
/// A servo of an angle has gain and bias of a position servo (or is a pid) and its setpoint as input: as it is
/// commanded, filtered, or integrated.
template <class R, class M>
PLIANT_HD R setpoint_period(const M& m, int actuator) {
  const auto transmission = static_cast<TransmissionType>(m.actuator_trntype[actuator]);
  const bool joint = transmission == TransmissionType::kJoint || transmission == TransmissionType::kJointInParent;
  if (!joint && transmission != TransmissionType::kSite) return 0;
  const int target = m.actuator_trnid[2 * actuator];
  if (joint && !is_ball(m.jnt_type[target])) return 0;
  const auto& gear = m.actuator_gear;
  const int adr = 6 * m.actuator_outadr[actuator];
  if (!joint) {
    const bool translates = gear[adr] != 0 || gear[adr + 1] != 0 || gear[adr + 2] != 0;
    if (m.actuator_trnid[2 * actuator + 1] < 0 || translates) return 0;
  }
  const auto dynamics = static_cast<DynType>(m.actuator_dyntype[actuator]);
  const auto gain = static_cast<GainType>(m.actuator_gaintype[actuator]);
  if (gain != GainType::kPid) {
    const bool matched = gain == GainType::kFixed &&
                         m.actuator_biastype[actuator] == static_cast<int>(BiasType::kAffine) &&
                         m.actuator_gainprm[kNumGain * actuator] == -m.actuator_biasprm[kNumBias * actuator + 1];
    const bool filtered = dynamics == DynType::kFilter || dynamics == DynType::kFilterExact;
    if (!matched || (dynamics != DynType::kNone && dynamics != DynType::kIntegrator && !filtered)) return 0;
  }
  const int first = joint ? adr : adr + 3;
  return 2 * R(kPi) * norm(Vec3T<R>{gear[first], gear[first + 1], gear[first + 2]});
}

/// The setpoint, moved by whole periods as close to `target` as possible.
template <class R>
PLIANT_HD R nearest_setpoint(R setpoint, R target, R period) {
  if (!(period > 0)) return setpoint;
  return setpoint - period * floor((setpoint - target) / period + R(0.5));
}

}  // namespace pliant
