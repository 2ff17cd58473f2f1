#pragma once
// Every clamp, replacement and refusal a step can make, in words: one line per bit of RowClamp, per Fault and per other
// counter of Data. What explains or lints reads this table; a test fails when the engine has a counter without a line.

#include <span>
#include <string>
#include <vector>

#include "pliant/explain.h"
#include "pliant/rows.h"
#include "pliant/state.h"

namespace pliant {

struct ClampLine {
  const char* code;      ///< "refsafe"
  const char* counter;   ///< member of Data that counts it: clamps (by bit of RowClamp), faults (by Fault), ...
  int index;             ///< place in that array
  const char* shown_by;  ///< "explain" or "doctor"
  const char* meaning;   ///< what happens, for people
  const char* cure;      ///< what to change
};
std::span<const ClampLine> clamp_table();
/// The line of a counter; nullptr if there is none.
const ClampLine* find_clamp(const char* counter, int index);
/// How often it happened since the Data was made.
int64_t clamp_count(const ClampLine& line, const Model& model, const Data& data);

/// Lines for the bits of row_clamps.
std::vector<ClampNote> clamp_notes(int row_clamps);

}  // namespace pliant
