#pragma once
// Row forces to and from State's row memory.

#include "pliant/state.h"

namespace pliant {

/// row_force of the rows of Data from the memory; rows it does not know start at zero. False if there is none, or the
/// arena is fixed and full.
bool recall_row_forces(const RowMemory& memory, Data& d);
/// The memory becomes the given forces of Data's rows.
void remember_row_forces(Data& d, const double* force, RowMemory& memory);

}  // namespace pliant
