#pragma once
// Where springs are at rest: as the Model says, or, where a spring yields, as State says (plastic).
//
// reads qpos plastic · writes nothing

#include "joint/joint.h"
#include "math/field_values.h"

namespace pliant {

/// Displacement of a joint from the rest of its spring, into out[first] and on: the velocity that would lead there in
/// unit time.
template <class Type, class M, class S, class F>
PLIANT_HD void spring_displacement(Type type, const M& m, const S& s, int joint, F& out, int first) {
  using R = typename S::Real;
  const int adr = m.jnt_qposadr[joint], plastic = m.jnt_plasticadr[joint];
  if (plastic < 0) return type.difference(out, first, R(1), s.qpos, m.qpos_spring, adr);
  R at[Type::kNumPos], rest[Type::kNumPos];
  for (int k = 0; k < Type::kNumPos; ++k) at[k] = s.qpos[adr + k], rest[k] = s.plastic[plastic + k];
  type.difference(out, first, R(1), at, rest, 0);
}

/// The lengths between which the spring of a tendon pulls nothing.
template <class R>
struct RestLengths {
  R low = 0, high = 0;
  /// How far a length is beyond them; negative: too short.
  PLIANT_HD R stretch(R length) const {
    return select(length > high, length - high, select(length < low, length - low, R(0)));
  }
};

template <class M, class S>
PLIANT_HD auto rest_lengths(const M& m, const S& s, int tendon) {
  using R = typename S::Real;
  const int plastic = m.tendon_plasticadr[tendon];
  if (plastic >= 0) return RestLengths<R>{R(s.plastic[plastic]), R(s.plastic[plastic + 1])};
  return RestLengths<R>{R(m.tendon_lengthspring[2 * tendon]), R(m.tendon_lengthspring[2 * tendon + 1])};
}

}  // namespace pliant
