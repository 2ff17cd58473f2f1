#pragma once
// Rows of the Jacobian where joints follow others exactly.

#include "pliant/state.h"

namespace pliant {

/// Room that rows need before and after: runs of columns, and numbers.
struct RowRoom {
  int segments;
  int64_t entries;
};
RowRoom room_for_reduced_rows(const Model& m, int rows, int segments, int64_t entries);

enum class Reduced { kDone, kOutOfMemory, kMiscounted };
/// J becomes J G: columns of followers give way to those of their leaders. The rows must have that room: if they have
/// not, nothing is written beyond it (kMiscounted). kOutOfMemory: the arena is fixed and full.
Reduced reduce_rows(const Model& m, const State& s, Data& d);

}  // namespace pliant
