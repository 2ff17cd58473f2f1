#pragma once
// Faults of a step: what was wrong, where, how often, when first.

#include "pliant/state.h"

namespace pliant {

inline void record_fault(const State& s, Data& d, Fault fault, const char* field, int index) {
  FaultRecord& record = d.faults[static_cast<int>(fault)];
  if (record.count++ == 0) {
    record.first_time = *s.time;
    record.first_index = index;
    record.field = field;
  }
}

/// Place of the first number that is not finite or beyond kHuge; -1 if there is none.
int first_bad(const double* x, int n);

/// Checks what a step reads of State. Returns the bit of the fault, 0 if all is well.
int check_state(const Model& m, const State& s, Data& d);
int check_acceleration(const Model& m, const State& s, Data& d);

}  // namespace pliant
