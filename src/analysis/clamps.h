#pragma once
// Every clamp, replacement and refusal a step can make, in words: one line per bit of RowClamp and per Fault. What explains or
// lints reads this table; a test fails when the engine has a counter without a line.

#include <span>
#include <string>
#include <vector>

#include "pliant/explain.h"
#include "pliant/rows.h"
#include "pliant/state.h"

namespace pliant {

struct ClampLine {
  const char* code;     ///< "refsafe"
  const char* counter;  ///< "row" (Data::clamps) or "fault" (Data::faults)
  int index;            ///< place in that array
  const char* shown_by; ///< "explain" or "doctor"
  const char* meaning;  ///< what happens, for people
  const char* cure;     ///< what to change
};
std::span<const ClampLine> clamp_table();
/// The line of a counter; nullptr if there is none.
const ClampLine* find_clamp(const char* counter, int index);

/// Lines for the bits of row_clamps.
std::vector<ClampNote> clamp_notes(int row_clamps);

}  // namespace pliant
