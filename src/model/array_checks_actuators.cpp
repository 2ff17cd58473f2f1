// What the actuator laws and sensors of a step rely on: as many controls, outputs and activations as the
// law uses, sensors that deliver what their parameters say, histories that do not overlap.

#include <bit>
#include <span>

#include "model/array_checker.h"
#include "model/sensor_kinds.h"

namespace pliant {
namespace {

constexpr int kServo = kInputPos | kInputVel | kInputFf;

/// Law of an actuator, and what follows from it.
struct Law {
  DynType dynamics;
  GainType gain;
  BiasType bias;
  TransmissionType transmission;
  int inputs;  // actuator_ctrlspec
  int motor_states;

  Law(const Model& m, int i)
      : dynamics(static_cast<DynType>(m.actuator_dyntype[i])),
        gain(static_cast<GainType>(m.actuator_gaintype[i])),
        bias(static_cast<BiasType>(m.actuator_biastype[i])),
        transmission(static_cast<TransmissionType>(m.actuator_trntype[i])),
        inputs(m.actuator_ctrlspec[i]) {
    const double *dyn = m.actuator_dynprm + kNumDyn * i, *prm = m.actuator_gainprm + kNumGain * i;
    motor_states = (dyn[7] > 0) + (prm[5] > 0) + (dyn[2] > 0) + (dyn[5] > 0) + (dyn[0] > 0);
  }

  bool turns() const { return transmission == TransmissionType::kSo3; }
  int controls() const {
    const auto count = [&](int bits) { return std::popcount(static_cast<unsigned>(inputs & bits)); };
    if (turns()) return inputs == kChartQuat ? 4 : 3;
    if (gain == GainType::kPid) return count(kServo);
    if (gain == GainType::kDcMotor) return count(kServo | kInputVoltage);
    return 1;
  }
  bool is_consistent() const {
    const bool so3_gain = gain == GainType::kSo3, so3_bias = bias == BiasType::kSo3;
    if (so3_gain != turns() || so3_bias != turns()) return false;
    if (turns()) return dynamics == DynType::kNone || (dynamics == DynType::kIntegrator && inputs != kChartQuat);
    if (gain == GainType::kPid) return dynamics == DynType::kNone || dynamics == DynType::kPid;
    return dynamics != DynType::kPid;
  }
  /// Whether it can have so many activations; the law decides but for those of the user.
  bool can_have(int activations) const {
    if (gain == GainType::kDcMotor && activations != motor_states) return false;
    if (dynamics == DynType::kDcMotor) return activations == 0 || activations == motor_states;
    switch (dynamics_kind(dynamics).states) {
      case LawStates::kNone:
        return activations == 0;
      case LawStates::kPerControl:
        return activations >= std::max(1, controls());
      case LawStates::kOne:
        return activations >= 1 && controls() >= 1;
      case LawStates::kOwn:
        return activations == 1 || activations == 2;
      case LawStates::kAny:
        return activations >= 1;
    }
    return false;
  }
};

int64_t data_size(int fields, std::span<const int> sizes) {
  int64_t size = 0;
  for (size_t bit = 0; bit < sizes.size(); ++bit) size += fields >> bit & 1 ? sizes[bit] : 0;
  return size;
}

/// Numbers that a sensor of a type with kOwnSize delivers; -1: any.
int64_t own_size(const Model& m, int s) {
  const int32_t* parameters = m.sensor_intprm + kNumSensorPrm * s;
  const int id = m.sensor_objid[s];
  switch (static_cast<SensorType>(m.sensor_type[s])) {
    case SensorType::kActuatorPos:
    case SensorType::kActuatorVel:
    case SensorType::kActuatorFrc:
      return m.actuator_outnum[id];
    case SensorType::kRangefinder: {
      const bool camera = m.sensor_objtype[s] == static_cast<int>(ObjType::kCamera);
      const int32_t* pixels = m.cam_resolution + 2 * id;
      const int64_t rays = camera ? int64_t{std::max(pixels[0], 0)} * std::max(pixels[1], 0) : 1;
      return std::min<int64_t>(rays, INT32_MAX) * data_size(parameters[0], kRayDataSizes);
    }
    case SensorType::kContact:
      return parameters[2] * data_size(parameters[0], kContactDataSizes);
    case SensorType::kTactile:
      return int64_t{3} * m.mesh_vertnum[id];
    default:
      return -1;
  }
}

}  // namespace

/// Controls, outputs and activations follow each other in the order of actuators, as many as the law uses.
void ArrayChecker::actuator_shapes() {
  int ctrl = 0, out = 0, act = 0;
  for (int i = 0; i < nactuator && fine(); ++i) {
    const Law law(m, i);
    if (!law.is_consistent()) return fail("the laws of actuator " + std::to_string(i) + " do not fit each other");
    const int controls = law.controls(), outputs = law.turns() ? 3 : 1, activations = m.actuator_actnum[i];
    between("actuator_ctrlnum", i, m.actuator_ctrlnum[i], controls, controls);
    between("actuator_outnum", i, m.actuator_outnum[i], outputs, outputs);
    if (!law.can_have(activations)) {
      fail(item_text("actuator_actnum", i) + " is " + std::to_string(activations) + ", which its law cannot have");
    }
    between("actuator_ctrladr", i, m.actuator_ctrladr[i], ctrl, ctrl);
    between("actuator_outadr", i, m.actuator_outadr[i], out, out);
    const int first = activations > 0 ? act : -1;
    between("actuator_actadr", i, m.actuator_actadr[i], first, first);
    if (m.actuator_history[2 * i] > 0 && controls == 0) fail(item_text("actuator_history", i) + " has no control");
    ctrl += controls, out += outputs, act += activations;
  }
}

/// Readings follow each other in the order of sensors; sizes that depend on parameters are what those say.
void ArrayChecker::sensor_shapes() {
  int64_t at = 0;
  for (int s = 0; s < nsensor && fine(); ++s) {
    if (kSensorKinds[m.sensor_type[s]].size == kOwnSize) {
      const int64_t size = own_size(m, s);
      if (size >= 0) between("sensor_dim", s, m.sensor_dim[s], size, size);
    }
    // something is asked for, so that the size tells how much work it is
    const bool contact = m.sensor_type[s] == static_cast<int>(SensorType::kContact);
    if (contact || m.sensor_type[s] == static_cast<int>(SensorType::kRangefinder)) {
      const int bits = static_cast<int>(contact ? std::size(kContactDataSizes) : std::size(kRayDataSizes));
      between("sensor_intprm", kNumSensorPrm * s, m.sensor_intprm[kNumSensorPrm * s], 1, (1 << bits) - 1);
    }
    if (contact) {
      between("sensor_intprm", kNumSensorPrm * s + 1, m.sensor_intprm[kNumSensorPrm * s + 1], 0, 3);
      between("sensor_intprm", kNumSensorPrm * s + 2, m.sensor_intprm[kNumSensorPrm * s + 2], 1, INT32_MAX);
    }
    between("sensor_adr", s, m.sensor_adr[s], at, at);
    at += m.sensor_dim[s];
  }
}

/// Histories follow each other, those of actuators first. One of n samples of k values takes 2 + n (1 + k) numbers.
void ArrayChecker::histories() {
  int64_t at = 0;
  const auto check = [&](const char* name, int32_t samples, int32_t address, int i, int64_t values) {
    const int64_t first = samples > 0 ? at : -1;
    between(name, i, address, first, first);
    if (samples > 0) at += 2 + samples * (1 + values);
    if (at > nhistory) fail("nhistory is " + std::to_string(nhistory) + ", too few for all histories");
  };
  for (int a = 0; a < nactuator && fine(); ++a) {
    check("actuator_historyadr", m.actuator_history[2 * a], m.actuator_historyadr[a], a, m.actuator_ctrlnum[a]);
  }
  for (int s = 0; s < nsensor && fine(); ++s) {
    check("sensor_historyadr", m.sensor_history[2 * s], m.sensor_historyadr[s], s, m.sensor_dim[s]);
  }
}

}  // namespace pliant
