#pragma once
// The table of equalities: a struct per line of equalities.def, in kinds/<file>_hd.h.
//
//   kRows           rows that it writes
//   rows            writes them
//   subtract_bias   J̇ qvel of its rows, if that is known
//   body_forces     what the forces of its rows do to bodies: push.at(body, point, force, torque) in world axes, and
//   push.along(tendon,
//                   force), which lengthens the tendon
//   residuals       what its rows measure: add(name, first row, rows) gives a Residual whose value can be changed
//   follower_at     where the first joint would be with the second at q; NAN where it is no such coupling
//   fit             eq_data that depends on the reference pose, which is the pose of d
// OneRow has what one row that asks for no more needs.

#include "rooms/equalities.h"

namespace pliant {

/// What the loader does not let in: flexes.
struct NoEquality : OneRow {
  template <class... Args>
  PLIANT_HD static void rows(const Args&...) {}
  template <class... Args>
  static void residuals(const Args&...) {}
};

/// Calls f with the struct of a kind.
template <class F>
PLIANT_HD auto with_equality(int type, F&& f) {
  switch (static_cast<EqualityType>(type)) {
#define EQUALITY(name, number, file, element, objects, rows, data) \
  case EqualityType::k##name:                                      \
    return f(name##Equality{});
#include "pliant/equalities.def"
#undef EQUALITY
    default:
      return f(NoEquality{});
  }
}

}  // namespace pliant
