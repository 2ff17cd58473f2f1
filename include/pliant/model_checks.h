#pragma once
// Integers of a Model that others may write: what they may be.

#include <string>

#include "pliant/model.h"

namespace pliant {

/// Whether a field (its place in model_fields()) holds integers that the engine uses as codes, numbers of objects or
/// places in other arrays. Who writes them checks them with integer_problem; a step does not look again.
bool is_checked_field(int field);

/// The first thing wrong with the integers of a Model: "geom_dataid[2] is 99; it must be -1 to 3"; "" if nothing is.
/// Cost: one pass over them.
std::string integer_problem(const Model& model);

}  // namespace pliant
