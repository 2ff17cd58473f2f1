#pragma once
// Faults of a step: what was wrong, where, how often, when first.

#include "pliant/state.h"

namespace pliant {

inline void record_fault(const State& s, Data& d, Fault fault, const char* field, int index, double value) {
  FaultRecord& record = d.faults[static_cast<int>(fault)];
  record.last = {field, index, value, *s.time};
  if (record.count++ == 0) record.first = record.last;
}

/// Likewise for a constraint row: `source` and `index` as place_of knows them (row_source), the second geom of a
/// contact.
inline void record_row_fault(const State& s, Data& d, Fault fault, const char* source, int index, double value, int row,
                             int geom2) {
  record_fault(s, d, fault, source, index, value);
  FaultRecord& record = d.faults[static_cast<int>(fault)];
  record.last.row = row, record.last.geom2 = geom2;
  if (record.count == 1) record.first = record.last;
}

/// Bit of a fault, if it was met since it had been met `before` times.
inline int bit_if_new(const Data& d, Fault fault, int64_t before) {
  return d.faults[static_cast<int>(fault)].count > before ? 1 << static_cast<int>(fault) : 0;
}
inline int64_t times_met(const Data& d, Fault fault) { return d.faults[static_cast<int>(fault)].count; }

/// Faults of stages that the status of a call reports.
class StageFaults {
 public:
  explicit StageFaults(const Data& d) {
    for (int i = 0; i < kCount; ++i) before_[i] = times_met(d, kReported[i]);
  }
  /// Bits of those met since.
  int met(const Data& d) const {
    int bits = 0;
    for (int i = 0; i < kCount; ++i) bits |= bit_if_new(d, kReported[i], before_[i]);
    return bits;
  }
  /// Of these only those after which a step is refused.
  static constexpr int refusing(int bits) {
    constexpr int kRefusing = 1 << static_cast<int>(Fault::kBadRow) | 1 << static_cast<int>(Fault::kBadOption) |
                              1 << static_cast<int>(Fault::kBadParameter) | 1 << static_cast<int>(Fault::kRowMiscount);
    return bits & kRefusing;
  }

 private:
  static constexpr int kCount = 6;
  static constexpr Fault kReported[kCount] = {Fault::kContactOverflow, Fault::kRowOverflow,  Fault::kBadRow,
                                              Fault::kBadOption,       Fault::kBadParameter, Fault::kRowMiscount};
  int64_t before_[kCount];
};

/// Place of the first number that is not finite or beyond kHuge; -1 if there is none.
int first_bad(const double* x, int n);

/// Counts quaternions of length zero, which stand for no rotation, as in the reference. Not a reason to stop.
void count_null_quaternions(const Model& m, const State& s, Data& d);

/// Checks of options, of what a step reads of State, of what forward computes and of what integrators do. They return
/// the bits of the faults, 0 if all is well.
int check_options(const Model& m, const State& s, Data& d);
int check_state(const Model& m, const State& s, Data& d);
int check_histories(const Model& m, const State& s, Data& d);
int check_acceleration(const Model& m, const State& s, Data& d);
/// `bad_reading`: what measure_delayed has found.
int check_next(const Model& m, const State& s, Data& d, int bad_reading);
/// Records a fault and returns its bit.
inline int refuse(const State& s, Data& d, Fault fault, const char* field, int index, double value) {
  record_fault(s, d, fault, field, index, value);
  return 1 << static_cast<int>(fault);
}

}  // namespace pliant
