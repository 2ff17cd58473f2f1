#pragma once
// Which tendons and actuators can have a term in the metric of the integrator discrete, by what the model says alone.

#include "base/hd.h"
#include "pliant/kinds.h"
#include "pliant/types.h"

namespace pliant {

/// Whether tendons and actuators have terms at all. In the reference PGS does without: their forces are then those of
/// the start of the step.
template <class M>
PLIANT_HD bool has_metric_terms(const M& m) {
  return is_discrete(m.opt) && (m.opt.solver != SolverType::kPgs || m.opt.discrete_full);
}

template <class M>
PLIANT_HD bool tendon_can_stiffen(const M& m, int t) {
  const int off = m.opt.disableflags;
  const bool spring =
      m.tendon_stiffness[t] != 0 || m.tendon_stiffnesspoly[2 * t] != 0 || m.tendon_stiffnesspoly[2 * t + 1] != 0;
  const bool damper = m.tendon_damping[t] != 0 || m.tendon_dampingpoly[2 * t] != 0 ||
                      m.tendon_dampingpoly[2 * t + 1] != 0 || m.tendon_actuatorid[t] != -1;
  return (spring && !(off & kDisableSpring)) || (damper && !(off & kDisableDamper));
}

namespace detail {
/// Bit of every kind whose force changes with length or velocity. (A device has no tables of the host.)
template <class Kind, size_t n>
constexpr unsigned kinds_with_slopes(const Kind (&kinds)[n]) {
  static_assert(n <= 32);
  unsigned bits = 0;
  for (size_t i = 0; i < n; ++i) bits |= kinds[i].slopes ? 1U << i : 0U;
  return bits;
}
}  // namespace detail

template <class M>
PLIANT_HD bool actuator_can_stiffen(const M& m, int i) {
  if (m.opt.disableflags & kDisableActuation) return false;
  constexpr unsigned kBias = detail::kinds_with_slopes(kBiasKinds), kGain = detail::kinds_with_slopes(kGainKinds);
  return ((kBias >> m.actuator_biastype[i]) | (kGain >> m.actuator_gaintype[i])) & 1U;
}

}  // namespace pliant
