#pragma once
// The flag speculative on the CPU (motions_hd.h, speculative_hd.h).

#include "collision/motions_hd.h"
#include "pliant/state.h"

namespace pliant {

using Motions = MotionsT<double>;

/// Motions of all geoms, in the arena, if the flag or a solver that looks ahead asks for them. False if the arena is
/// fixed and full.
bool take_motions(const Model& m, const State& s, const Data& d, Arena& arena, Motions& motions);

/// Flag speculative_exact: whether a contact is a predicted one. Its row then has its own law, which nobody else
/// writes.
bool is_predicted(const Model& m, const Contact& contact);

}  // namespace pliant
