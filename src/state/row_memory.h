#pragma once
// Row forces and slips to and from State's row memory.

#include <cstdint>

#include "pliant/rows.h"
#include "pliant/state.h"

namespace pliant {

/// Finds constraints of this step among those of the last. Each of these is found once.
class RememberedRows {
 public:
  /// Takes memory of the arena as long as it is there.
  RememberedRows(const RowMemory& memory, Arena& arena);
  ~RememberedRows() { arena_.release(mark_); }
  RememberedRows(const RememberedRows&) = delete;
  RememberedRows& operator=(const RememberedRows&) = delete;

  /// False if nothing is remembered, or the arena is fixed and full.
  bool any() const { return used_ != nullptr; }
  /// The same constraint; of the contacts of two geoms that nearest. nullptr: there is none.
  const RowMemory::Entry* find(const RowMemory::Entry& wanted);

 private:
  const RowMemory& memory_;
  Arena& arena_;
  Arena::Mark mark_;
  uint8_t* used_ = nullptr;
};

/// A contact with so many rows, for `find`.
RowMemory::Entry contact_entry(RowType type, const Contact& contact, int rows);
/// Of an entry that has one.
RememberedSlip slip_of(const RowMemory& memory, const RowMemory::Entry& entry);

/// row_force of the rows of Data from the memory; rows it does not know start at zero. False if there is none, or the
/// arena is fixed and full.
bool recall_row_forces(const RowMemory& memory, Data& d);
/// The memory becomes the given forces of Data's rows (of `all`, or only of contacts with friction), with `slips` also
/// how far these slid.
void remember_rows(Data& d, const double* force, bool all, bool slips, RowMemory& memory);

}  // namespace pliant
