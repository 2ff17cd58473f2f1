#pragma once
// What tendons add to the mass matrix and to the bias force.

#include "pliant/state.h"

namespace pliant {

/// M += armature J'J, as far as M has the entries.
void add_tendon_armature(const Model& m, Data& d);
/// qfrc_bias += armature J' (dJ/dt qvel).
void add_tendon_bias(const Model& m, const State& s, Data& d);

}  // namespace pliant
