#pragma once
// Faults of a step: what was wrong, where, how often, when first.

#include "pliant/state.h"

namespace pliant {

inline void record_fault(const State& s, Data& d, Fault fault, const char* field, int index, double value) {
  FaultRecord& record = d.faults[static_cast<int>(fault)];
  record.last = {field, index, value, *s.time};
  if (record.count++ == 0) record.first = record.last;
}

/// Bit of a fault, if it was met since it had been met `before` times.
inline int bit_if_new(const Data& d, Fault fault, int64_t before) {
  return d.faults[static_cast<int>(fault)].count > before ? 1 << static_cast<int>(fault) : 0;
}
inline int64_t times_met(const Data& d, Fault fault) { return d.faults[static_cast<int>(fault)].count; }

/// Place of the first number that is not finite or beyond kHuge; -1 if there is none.
int first_bad(const double* x, int n);

/// Counts quaternions of length zero, which stand for no rotation, as in the reference. Not a reason to stop.
void count_null_quaternions(const Model& m, const State& s, Data& d);

/// Checks what a step reads of State. Returns the bits of the faults, 0 if all is well.
int check_state(const Model& m, const State& s, Data& d);
int check_acceleration(const Model& m, const State& s, Data& d);

}  // namespace pliant
