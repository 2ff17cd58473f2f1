#pragma once
// Rows of the Jacobian where joints follow others exactly.

#include "pliant/state.h"

namespace pliant {

/// J becomes J G: columns of followers give way to those of their leaders. False if the arena is fixed and full.
bool reduce_rows(const Model& m, const State& s, Data& d);

}  // namespace pliant
