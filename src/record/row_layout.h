#pragma once
// The payload of a chunk of rows: who writes it and who reads it agree here.
//
//   int64 first row; uint32 rows n; uint32 zero; int64 step[n];
//   per field of the head: uint8 encoding, zeros up to a multiple of 8, the numbers, zeros up to a multiple of 8;
//   uint8 whether the solver's memory follows, zeros up to a multiple of 8, and then per row
//     uint32 entries, uint32 forces, entries, forces (state's row memory, of TGS and of anchored friction, one world).

#include <cstdint>

namespace pliant {

/// How the numbers of a field are written.
enum class RowEncoding : uint8_t {
  kEach = 0,  ///< those of every row in turn
  kOnce = 1,  ///< those of one row: all others of the chunk have the same bits
};

/// An entry of RowMemory, without the gaps that a compiler may leave.
struct RecordedMemoryEntry {
  int32_t kind, id[2], rows, start, slips;
  double place[3];
};
static_assert(sizeof(RecordedMemoryEntry) == 48);

}  // namespace pliant
