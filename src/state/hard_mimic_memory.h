#pragma once
// Working memory of the stage integrate for hard mimics (integrate/hard_mimics_hd.h).

#include <cstddef>

#include "base/hd.h"

namespace pliant {

template <class R>
struct HardMimicMemory {
  int* row = nullptr;   // nmimicrow
  R* number = nullptr;  // hard_mimic_numbers of them; nullptr: there are no rows to hold
};

/// Numbers for the largest block there could be: responses of its rows, their matrix, their forces.
PLIANT_HD constexpr size_t hard_mimic_numbers(int nmimicrow, int nv) {
  const size_t rows = static_cast<size_t>(nmimicrow);
  return rows * (static_cast<size_t>(nv) + rows + 1);
}

}  // namespace pliant
