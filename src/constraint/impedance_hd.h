#pragma once
// How hard a row pushes: solref and solimp become stiffness K, damping B, impedance d and regulariser R.
//
//   aref = -B vel - K d (pos - margin)         R = (1 - d) / d · diagA
//
// One function for all rows. For a single row with an exact diagA it means a₁ = (1 - d) a₀ + d aref: the acceleration
// is a blend of what happens without the row and what the row asks for. Laws and their tests: docs/physics.md.
// Everything that is clamped or replaced leaves its bit of RowClamp.

#include <cmath>

#include "math/constants.h"
#include "math/impedance_curve.h"
#include "math/scalar.h"
#include "pliant/options.h"
#include "pliant/rows.h"

namespace pliant {

/// Impedance stays within these bounds: 0 would mean R = ∞, 1 would mean R = 0. The reference's numbers.
inline constexpr double kMinImpedance = 1e-4, kMaxImpedance = 0.9999;
/// Smallest friction coefficient: cones must have an inside. The reference's number.
inline constexpr double kMinFriction = 1e-5;

/// What all rows of a step have in common.
template <class R>
struct RowSettings {
  R shortest_time = 0;          ///< lower bound of timeconst: two timesteps (of TGS: two substeps), 0 if refsafe is off
  R step = 0;                   ///< discrete: rows act at the end of a step of this length; 0: at its start
  bool resolve = false;         ///< discrete with refsafe: limits and contacts are no stiffer than the step resolves
  R impratio = 1;               ///< resistance of friction relative to the normal
  bool drop_zero_rows = false;  ///< as the reference's dense mode: rows of zeros do not exist
};

/// solimp with its bounds enforced.
template <class R, class P>
PLIANT_HD Solimp<R> checked_solimp(const P& p, int& clamps) {
  const R low = R(kMinImpedance), high = R(kMaxImpedance);
  const Solimp<R> s{clamped(R(p[0]), low, high), clamped(R(p[1]), low, high), at_least(R(0), R(p[2])),
                    clamped(R(p[3]), low, high), at_least(R(1), R(p[4]))};
  if (s.d0 != p[0] || s.dwidth != p[1] || s.midpoint != p[3]) clamps |= static_cast<int>(RowClamp::kImpedance);
  if (s.width != p[2]) clamps |= static_cast<int>(RowClamp::kWidth);
  if (s.power != p[4]) clamps |= static_cast<int>(RowClamp::kPower);
  return s;
}

template <class R>
struct Solref {
  R time, ratio;  ///< or minus stiffness, minus damping
};

/// timeconst no shorter than the settings allow; (-stiffness, -damping) is left alone.
template <class R>
PLIANT_HD Solref<R> safe_solref(Solref<R> ref, const RowSettings<R>& settings, int& clamps) {
  if (ref.time > 0 && ref.time < settings.shortest_time) {
    ref.time = settings.shortest_time;
    clamps |= static_cast<int>(RowClamp::kRefsafe);
  }
  return ref;
}

/// solref with one sign: mixed ones become the default.
template <class R, class P>
PLIANT_HD Solref<R> checked_solref(const P& p, const RowSettings<R>& settings, int& clamps) {
  Solref<R> ref{R(p[0]), R(p[1])};
  if ((ref.time > 0) != (ref.ratio > 0)) {
    ref = {R(kDefaultSolref[0]), R(kDefaultSolref[1])};
    clamps |= static_cast<int>(RowClamp::kSolrefMixed);
  }
  return safe_solref(ref, settings, clamps);
}

/// solreffriction: mixed signs become (0, 0), which stands for "as along the normal".
template <class R, class P>
PLIANT_HD Solref<R> checked_solreffriction(const P& p, const RowSettings<R>& settings, int& clamps) {
  Solref<R> ref{R(p[0]), R(p[1])};
  if ((ref.time > 0) != (ref.ratio > 0)) {
    ref = {0, 0};
    clamps |= static_cast<int>(RowClamp::kSolreffriction);
  }
  return safe_solref(ref, settings, clamps);
}

template <class R>
struct SpringDamper {
  R K, B;
};

/// timeconst = 1 / (ω ζ), dampratio = ζ: K = 1 / (dw² t² ζ²), B = 2 / (dw t); or K = stiffness / dw², B = damping / dw.
template <class R>
PLIANT_HD SpringDamper<R> spring_damper(Solref<R> ref, R dwidth) {
  const R tiny = R(kTiny);
  if (ref.time > 0) {
    return {1 / at_least(tiny, dwidth * dwidth * ref.time * ref.time * ref.ratio * ref.ratio),
            2 / at_least(tiny, dwidth * ref.time)};
  }
  return {-ref.time / at_least(tiny, dwidth * dwidth), -ref.ratio / at_least(tiny, dwidth)};
}

/// R of a row from its impedance and the estimate of J inv(M) J'.
template <class R>
PLIANT_HD R regularizer(R d, R diagA) {
  return at_least(R(kTiny), (1 - d) * diagA / d);
}

// Under the integrator discrete a row's spring and damper act at the end of the step: with v⁺ = v + h a and
// r⁺ = r + h v⁺ (along the row), aref = -B v⁺ - K d r⁺ asks for
//
//   s a = -B v - K d (r + h v),   s = 1 + h B + h² K d
//
// and the force -(a - aref)/R, written with a alone, is that of a row with R/s and aref/s.

template <class R>
PLIANT_HD R implicit_factor(const R* kbip, R h) {
  return 1 + h * kbip[1] + h * h * kbip[0] * kbip[2];
}

/// R of such a row. The impedance it has then, s d / (1 - d + s d), is bounded as that of other rows is.
template <class R>
PLIANT_HD R implicit_regularizer(const R* kbip, R h, R diagA, int& clamps) {
  const R least = regularizer(R(kMaxImpedance), diagA), r = regularizer(kbip[2], diagA) / implicit_factor(kbip, h);
  if (r < least) clamps |= static_cast<int>(RowClamp::kStiffest);
  return at_least(least, r);
}

/// The stiffest spring that one step brings to rest without rebound, h² K d = 1, at the damping ratio given. Only what
/// is stiffer and given as (timeconst, dampratio) is replaced.
template <class R>
PLIANT_HD SpringDamper<R> resolved_spring(SpringDamper<R> spring, Solref<R> ref, R d, R h, int& clamps) {
  if (!(ref.time > 0) || !(h * h * spring.K * d > 1)) return spring;
  clamps |= static_cast<int>(RowClamp::kRefsafe);
  const R K = 1 / (h * h * d);
  return {K, 2 * ref.ratio * std::sqrt(K)};
}

}  // namespace pliant
