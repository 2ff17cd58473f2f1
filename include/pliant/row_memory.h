#pragma once
// What State keeps of constraint rows from one step to the next: the forces that the solver TGS starts with, and where
// anchored friction sticks.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant {

/// How far the surfaces of an anchored contact have slid since they stick, world: the normal that it belongs to,
/// sliding, turning.
struct RememberedSlip {
  double normal[3], sliding[3], turning[3];
};
inline constexpr int kSlipNumbers = sizeof(RememberedSlip) / sizeof(double);

/// Part of State. Empty unless the solver is TGS, then with one entry per constraint that had rows in the last step, or
/// friction is anchored, then with one per contact with friction (has_row_memory). It grows to what the model needs and
/// stays there; with a fixed arena it takes its room once, and what does not fit is dropped and counted
/// (Data::row_memory_dropped).
struct RowMemory {
  /// The rows of one constraint, sorted by kind and ids. The contacts of two geoms are told apart by where they are.
  struct Entry {
    int kind;         ///< RowType
    int id[2];        ///< equality, dof, joint or tendon, and the side of a limit; or the two geoms
    int rows;         ///< how many
    int start;        ///< place of their forces
    int slips;        ///< how many numbers of a slip (RememberedSlip) follow the forces: all or none
    double place[3];  ///< of a contact, world [m]; otherwise zero
  };
  std::vector<Entry> entries;
  std::vector<double> force;  ///< at the end of the step [N|N m], and slips [m|rad]

  void reserve(size_t constraints, size_t rows) {
    entries.reserve(constraints);
    force.reserve(rows);
  }
  /// As much room as another has.
  void reserve_as(const RowMemory& other) { reserve(other.entries.capacity(), other.force.capacity()); }
  void clear() {
    entries.clear();
    force.clear();
  }
};

/// Whether the numbers of an entry from elsewhere lie among `size` numbers.
inline bool is_within(const RowMemory::Entry& entry, size_t size) {
  return entry.start >= 0 && entry.rows >= 0 && (entry.slips == 0 || entry.slips == kSlipNumbers) &&
         int64_t{entry.start} + entry.rows + entry.slips <= static_cast<int64_t>(size);
}

}  // namespace pliant
