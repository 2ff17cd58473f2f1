// <dcmotor>: motor data → the general form.
//
//   torque = K·i,  voltage = R·i + L·di/dt + K·ω      K motor constant [N m/A], R resistance [Ω], L
//   inductance [H]
//
// Stored as gainprm = R K α T0 kp ki kd v_max, biasprm = cogging amplitude, periodicity, phase,
// LuGre coulomb, static, Stribeck speed, dynprm = te, di/dt_max, R_th, C_th, T_ambient, σ0, σ1,
// slewmax, imax. Optional states (current, slew, integral, temperature, bristle) appear when their
// parameter is positive.

#include <cmath>

#include "load/mjcf_actuator.h"

namespace pliant {
namespace {

struct MotorData {
  Reals<2> motorconst = {};  ///< Kt, Ke
  double resistance = 0;
  Reals<3> nominal = {};     ///< voltage, stall torque, no-load speed
  Reals<3> saturation = {};  ///< torque, current, current rate
  Reals<2> inductance = {};  ///< L, te
  Reals<3> cogging = {};
  Reals<6> controller = {};  ///< kp, ki, kd, slewmax, imax, v_max
  Reals<6> thermal = {};     ///< resistance, capacitance, time constant, α, T0, ambient
  Reals<5> lugre = {};
  int ctrlspec = 0;
};

// what a class of motors says, read back from the general form
MotorData inherited_data(const ActuatorSpec* from) {
  MotorData m;
  if (!from) return m;
  const ActuatorSpec& a = *from;
  const auto& g = a.gainprm;
  const auto& b = a.biasprm;
  const auto& d = a.dynprm;
  m.motorconst = {g[1], 0};
  m.resistance = g[0];
  const bool symmetric = a.forcerange[1] > 0 && a.forcerange[0] == -a.forcerange[1];
  m.saturation = {a.forcelimited == Limited::kTrue && symmetric ? a.forcerange[1] : 0, 0, d[1]};
  m.inductance = {0, d[0]};
  m.cogging = {b[0], b[1], b[2]};
  m.controller = {g[4], g[5], g[6], d[7], d[8], g[7]};
  m.thermal = {d[2], d[3], 0, g[2], g[3], d[4]};
  m.lugre = {d[5], d[6], b[3], b[4], b[5]};
  m.ctrlspec = a.ctrlspec;
  return m;
}

void read_data(MjcfReader& reader, const Element& element, const ElementSchema& schema, MotorData& m) {
  reader.reals(element, "motorconst", m.motorconst);
  reader.real(element, "resistance", m.resistance);
  reader.reals(element, "nominal", m.nominal);
  reader.reals(element, "saturation", m.saturation);
  if (element.find("inductance")) m.inductance = {};  // one number says all about it
  reader.reals(element, "inductance", m.inductance);
  reader.reals(element, "cogging", m.cogging);
  reader.reals(element, "controller", m.controller);
  reader.reals(element, "thermal", m.thermal);
  reader.reals(element, "lugre", m.lugre);
  read_input(reader, element, schema, m.ctrlspec);
}

// Back-EMF constant from the no-load speed, where back-EMF and viscous drag B balance the voltage
// V:
//   ω0 = V·Ke / (Ke² + R·B).  With R unknown, τ0 = Ke·V/R gives  Ke = V/ω0 − V·B/τ0.
double back_emf_constant(const MotorData& m, double drag) {
  const auto [voltage, stall_torque, speed] = m.nominal;
  const double ideal = voltage / speed;
  if (drag > 0 && m.resistance > 0) {
    const double disc = voltage * voltage - 4 * m.resistance * drag * speed * speed;
    return disc > 0 ? (voltage + std::sqrt(disc)) / (2 * speed) : ideal;
  }
  if (drag > 0 && stall_torque > 0) {
    const double exact = voltage / speed - voltage * drag / stall_torque;
    return exact > 0 ? exact : ideal;
  }
  return ideal;
}

bool derive_constants(MjcfReader& reader, const Element& element, const MotorData& m, double drag, double& K,
                      double& R) {
  const double Kt = m.motorconst[0];
  double Ke = m.motorconst[1];
  if (Kt < 0 || Ke < 0) {
    report_at(reader, Code::kBadActuator, element, "motorconst", "needs motor constants ≥ 0");
    return false;
  }
  const auto [voltage, stall_torque, speed] = m.nominal;
  if (voltage > 0 && Ke <= 0 && speed > 0) Ke = back_emf_constant(m, drag);
  K = Kt > 0 && Ke > 0 ? std::sqrt(Kt * Ke) : Kt > 0 ? Kt : Ke;
  R = m.resistance;
  if (R == 0 && voltage > 0 && stall_torque > 0 && K > 0) R = K * voltage / stall_torque;
  // what has no input may be friction and cogging alone
  const bool passive = m.ctrlspec == kInputNone;
  if (K <= 0 && !passive) {
    report_at(reader, Code::kBadActuator, element, "motorconst", "has no positive motor constant",
              "give 'motorconst', or 'nominal' with voltage, stall torque and no-load speed");
  }
  if (R <= 0) {
    report_at(reader, Code::kBadActuator, element, "resistance", "has no positive resistance",
              "give 'resistance', or 'nominal' with voltage and stall torque");
  }
  return (K > 0 || passive) && R > 0;
}

void set_saturation(const Element& element, const MotorData& m, double K, ActuatorSpec& a) {
  if (element.find("saturation")) {
    a.forcerange = {};
    a.forcelimited = Limited::kAuto;
  }
  const auto [torque, current, current_rate] = m.saturation;
  if (torque > 0 || current > 0) {
    const double limit = torque == 0 && current > 0 ? K * current : torque;
    a.forcerange = {-limit, limit};
    a.forcelimited = Limited::kTrue;
  }
  if (current_rate > 0) a.dynprm[1] = current_rate;
}

// electrical time constant te [s], from L or given; a state for the current when positive
int set_inductance(MjcfReader& reader, const Element& element, const MotorData& m, double R, ActuatorSpec& a) {
  const auto [inductance, te] = m.inductance;
  if (inductance < 0 || te < 0) {
    report_at(reader, Code::kBadActuator, element, "inductance",
              "needs an inductance and an electrical time constant ≥ 0");
    a.dynprm[0] = 0;
    return 0;
  }
  a.dynprm[0] = inductance > 0 ? inductance / R : te;
  return a.dynprm[0] > 0;
}

// time constant = resistance · capacitance: any two give the third, and of three the capacitance is not believed
int set_thermal(MjcfReader& reader, const Element& element, const MotorData& m, ActuatorSpec& a) {
  auto [resistance, capacitance, timeconst, alpha, reference, ambient] = m.thermal;
  if (!(resistance > 0 || capacitance > 0 || timeconst > 0)) return 0;
  if (timeconst > 0 && resistance > 0) {
    capacitance = timeconst / resistance;
  } else if (timeconst > 0 && capacitance > 0 && resistance == 0) {
    resistance = timeconst / capacitance;
  }
  if (resistance <= 0 || capacitance <= 0) {
    report_at(reader, Code::kBadActuator, element, "thermal", "needs a positive thermal resistance and capacitance",
              "give two of resistance, capacitance and time constant");
    a.dynprm[2] = 0;
    return 0;
  }
  a.dynprm[2] = resistance;
  a.dynprm[3] = capacitance;
  a.dynprm[4] = ambient;
  a.gainprm[2] = alpha;
  a.gainprm[3] = reference;
  return 1;
}

int set_lugre(const MotorData& m, ActuatorSpec& a) {
  if (m.lugre[0] <= 0) return 0;
  a.dynprm[5] = m.lugre[0];
  a.dynprm[6] = m.lugre[1];
  for (int i = 0; i < 3; ++i) a.biasprm[3 + i] = m.lugre[2 + i];
  return 1;
}

int set_controller(const MotorData& m, ActuatorSpec& a) {
  const auto [kp, ki, kd, slewmax, imax, voltage_max] = m.controller;
  a.gainprm[4] = kp;
  a.gainprm[5] = ki;
  a.gainprm[6] = kd;
  if (voltage_max > 0) a.gainprm[7] = voltage_max;
  a.dynprm[7] = slewmax;
  a.dynprm[8] = imax;
  return (slewmax > 0) + (ki > 0);
}

}  // namespace

void lower_dcmotor(MjcfReader& reader, const Element& element, const ElementSchema& schema, const ActuatorSpec* from,
                   ActuatorSpec& a) {
  MotorData m = inherited_data(from);
  read_data(reader, element, schema, m);
  double K = 0, R = 0;
  if (!derive_constants(reader, element, m, a.damping[0], K, R)) return;

  a.dyntype = DynType::kDcMotor;
  a.gaintype = GainType::kDcMotor;
  a.biastype = BiasType::kDcMotor;
  a.gainprm = a.biasprm = {};
  a.dynprm = {};
  a.gainprm[0] = R;
  a.gainprm[1] = K;
  for (int i = 0; i < 3; ++i) a.biasprm[i] = m.cogging[i];
  set_saturation(element, m, K, a);
  a.actdim = set_controller(m, a) + set_inductance(reader, element, m, R, a) + set_thermal(reader, element, m, a) +
             set_lugre(m, a);
  a.ctrlspec = m.ctrlspec;

  // one range cannot fit states of different units; the current must be known before the force is
  a.actlimited = Limited::kFalse;
  a.actearly = true;
}

}  // namespace pliant
