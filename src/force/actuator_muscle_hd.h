#pragma once
// Muscles: force as a function of length and velocity, and activation with two time constants.
//
// Length L and velocity V are scaled: L = 1 is the optimal resting length, V = 1 the largest speed of
// lengthening (Zajac 1989; the piecewise curves are the reference's). gain = -F0 FL(L) FV(V), bias = -F0 FP(L).
// Parameters (gainprm, biasprm): operating range [2], force, scale, lmin, lmax, vmax, fpmax, fvmax.

#include "math/scalar.h"
#include "math/field_values.h"
#include "pliant/types.h"

namespace pliant {

template <class R>
struct Muscle {
  R range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax;
};

/// The parameters that start at prm[adr].
template <class R, class F>
PLIANT_HD Muscle<R> muscle(const F& prm, int adr) {
  return {{prm[adr], prm[adr + 1]},
          prm[adr + 2],
          prm[adr + 3],
          prm[adr + 4],
          prm[adr + 5],
          prm[adr + 6],
          prm[adr + 7],
          prm[adr + 8]};
}

/// Half a square of a fraction: the piece all curves are made of.
template <class R>
PLIANT_HD R half_square(R part, R whole) {
  const R x = part / at_least(R(kTiny), whole);
  return x * x / 2;
}

/// FL: active force over length. A bell of four parabolas between lmin and lmax, 1 at L = 1.
template <class R>
PLIANT_HD R muscle_force_length(R length, R lmin, R lmax) {
  if (length < lmin || length > lmax) return 0;
  const R rise = (lmin + 1) / 2, fall = (1 + lmax) / 2;
  if (length <= rise) return half_square(length - lmin, rise - lmin);
  if (length <= 1) return 1 - half_square(1 - length, 1 - rise);
  if (length <= fall) return 1 - half_square(length - 1, fall - 1);
  return half_square(lmax - length, lmax - fall);
}

/// FV: active force over velocity. 0 when shortening at V ≤ -1, 1 at rest, fvmax when lengthening fast.
template <class R>
PLIANT_HD R muscle_force_velocity(R velocity, R fvmax) {
  const R knee = fvmax - 1;
  if (velocity <= -1) return 0;
  if (velocity <= 0) return (velocity + 1) * (velocity + 1);
  if (velocity <= knee) return fvmax - (knee - velocity) * (knee - velocity) / at_least(R(kTiny), knee);
  return fvmax;
}

/// FP: passive force over length. 0 up to L = 1, a parabola, then a line.
template <class R>
PLIANT_HD R muscle_force_passive(R length, R lmax, R fpmax) {
  const R knee = (1 + lmax) / 2;
  if (length <= 1) return 0;
  if (length <= knee) return fpmax * half_square(length - 1, knee - 1);
  return fpmax * (R(0.5) + (length - knee) / at_least(R(kTiny), knee - 1));
}

/// F0: peak force; when not given, what accelerates the joint by `scale`.
template <class R>
PLIANT_HD R muscle_peak(const Muscle<R>& p, R acc0) {
  return p.force < 0 ? p.scale / at_least(R(kTiny), acc0) : p.force;
}
/// Resting length in units of the transmission's length.
template <class R>
PLIANT_HD R muscle_unit(const Muscle<R>& p, R shortest, R longest) {
  return (longest - shortest) / at_least(R(kTiny), p.range[1] - p.range[0]);
}
template <class R>
PLIANT_HD R muscle_length(const Muscle<R>& p, R length, R shortest, R unit) {
  return p.range[0] + (length - shortest) / at_least(R(kTiny), unit);
}

template <class R>
PLIANT_HD R muscle_gain(const Muscle<R>& p, R length, R velocity, R shortest, R longest, R acc0) {
  const R unit = muscle_unit(p, shortest, longest);
  const R v = velocity / at_least(R(kTiny), unit * p.vmax);
  return -muscle_peak(p, acc0) * muscle_force_length(muscle_length(p, length, shortest, unit), p.lmin, p.lmax) *
         muscle_force_velocity(v, p.fvmax);
}
template <class R>
PLIANT_HD R muscle_bias(const Muscle<R>& p, R length, R shortest, R longest, R acc0) {
  const R unit = muscle_unit(p, shortest, longest);
  return -muscle_peak(p, acc0) * muscle_force_passive(muscle_length(p, length, shortest, unit), p.lmax, p.fpmax);
}

/// d(act)/dt towards the control, both within 0 … 1. The time constant is that of activation when the control
/// is above act, that of deactivation below, and with `smooth` > 0 blended over that width by a quintic step.
template <class R>
PLIANT_HD R muscle_rate(R ctrl, R act, R tau_act, R tau_deact, R smooth) {
  const R pace = R(0.5) + R(1.5) * clamped(act, R(0), R(1));
  const R fast = tau_act * pace, slow = tau_deact / pace;
  const R difference = clamped(ctrl, R(0), R(1)) - act;
  R tau = difference > 0 ? fast : slow;
  if (smooth >= R(kTiny)) {
    const R x = clamped(difference / smooth + R(0.5), R(0), R(1));
    tau = slow + (fast - slow) * (x * x * x * (6 * x * x - 15 * x + 10));
  }
  return difference / at_least(R(kTiny), tau);
}

/// Slope of the muscle's FV: 2 (V + 1) while shortening, 2 (y - V)/y while lengthening up to y =
/// fvmax - 1, else 0.
template <class R>
PLIANT_HD R muscle_force_velocity_slope(R velocity, R fvmax) {
  const R knee = fvmax - 1;
  if (velocity > -1 && velocity <= 0) return 2 * (velocity + 1);
  if (velocity > 0 && velocity <= knee) return 2 * (knee - velocity) / at_least(R(kTiny), knee);
  return 0;
}

/// Slope of half_square: part / whole².
template <class R>
PLIANT_HD R half_square_slope(R part, R whole) {
  const R w = at_least(R(kTiny), whole);
  return part / w / w;
}

/// Slope of the muscle's FL, piece by piece.
template <class R>
PLIANT_HD R muscle_force_length_slope(R length, R lmin, R lmax) {
  if (length < lmin || length > lmax) return 0;
  const R rise = (lmin + 1) / 2, fall = (1 + lmax) / 2;
  if (length <= rise) return half_square_slope(length - lmin, rise - lmin);
  if (length <= 1) return half_square_slope(1 - length, 1 - rise);
  if (length <= fall) return -half_square_slope(length - 1, fall - 1);
  return -half_square_slope(lmax - length, lmax - fall);
}

/// Slope of the muscle's FP.
template <class R>
PLIANT_HD R muscle_force_passive_slope(R length, R lmax, R fpmax) {
  const R knee = (1 + lmax) / 2;
  if (length <= 1) return 0;
  if (length <= knee) return fpmax * half_square_slope(length - 1, knee - 1);
  return fpmax / at_least(R(kTiny), knee - 1);
}

/// A muscle of the model in its own units: peak force, length L, velocity V, and what they are multiples of.
template <class R>
struct MuscleState {
  R peak, L, V, unit, speed;
  template <class M, class D>
  PLIANT_HD MuscleState(const Muscle<R>& p, const M& m, const D& d, int i) {
    const int out = m.actuator_outadr[i];
    const R shortest = m.actuator_lengthrange[2 * out];
    const R length = muscle_unit(p, shortest, R(m.actuator_lengthrange[2 * out + 1]));
    peak = muscle_peak(p, R(m.actuator_acc0[out]));
    L = muscle_length(p, R(d.actuator_length[out]), shortest, length);
    unit = at_least(R(kTiny), length);
    speed = at_least(R(kTiny), length * p.vmax);
    V = d.actuator_velocity[out] / speed;
  }
};

/// Slopes of a muscle's gain -F0 FL(L) FV(V) with velocity and with length, and of its bias -F0 FP(L) with length.
template <class M, class D>
PLIANT_HD typename D::Real muscle_velocity_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_gainprm, kNumGain * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_length(at.L, p.lmin, p.lmax) * muscle_force_velocity_slope(at.V, p.fvmax) / at.speed;
}
template <class M, class D>
PLIANT_HD typename D::Real muscle_length_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_gainprm, kNumGain * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_length_slope(at.L, p.lmin, p.lmax) * muscle_force_velocity(at.V, p.fvmax) / at.unit;
}
template <class M, class D>
PLIANT_HD typename D::Real muscle_passive_slope(const M& m, const D& d, int i) {
  using R = typename D::Real;
  const Muscle<R> p = muscle<R>(m.actuator_biasprm, kNumBias * i);
  const MuscleState<R> at(p, m, d, i);
  return -at.peak * muscle_force_passive_slope(at.L, p.lmax, p.fpmax) / at.unit;
}

}  // namespace pliant
