#pragma once
// Islands: groups of kinematic trees that rows connect.

#include "pliant/state.h"

namespace pliant {

/// Writes Data::islands and row_island from the rows. False if the arena is fixed and full.
bool find_islands(const Model& m, Data& d);

}  // namespace pliant
