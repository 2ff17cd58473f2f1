#pragma once
// Forces of constraint rows from one step to the next: what the solver TGS starts with.

#include <cstddef>
#include <vector>

namespace pliant {

/// Part of State. Empty unless the solver is TGS; then one entry per constraint that had rows in the last step. It
/// grows to what the model needs and stays there; with a fixed arena it takes its room once, and what does not fit is
/// dropped and counted (Data::row_memory_dropped).
struct RowMemory {
  /// The rows of one constraint, sorted by kind and ids. The contacts of two geoms are told apart by where they are.
  struct Entry {
    int kind;         ///< RowType
    int id[2];        ///< equality, dof, joint or tendon, and the side of a limit; or the two geoms
    int rows;         ///< how many
    int start;        ///< place of their forces
    double place[3];  ///< of a contact, world [m]; otherwise zero
  };
  std::vector<Entry> entries;
  std::vector<double> force;  ///< at the end of the step [N|N m]

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

}  // namespace pliant
