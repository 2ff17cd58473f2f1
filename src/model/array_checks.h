#pragma once
// Checks of a Model that came from outside: everything in it points to something that exists.

#include <string>

#include "pliant/model.h"

namespace pliant {

/// The first thing wrong with the sizes, before anything is allocated by them; "" if nothing is.
std::string size_problem(const ModelSizes& sizes);

/// The first thing wrong with settings and arrays; "" if nothing is. Then every index, address and
/// enumerator may be used without looking again, and every number that is not pending is finite.
/// Cost: one pass over the arrays. The two halves can run side by side.
std::string array_problem(const Model& model);
std::string link_problem(const Model& model);    // settings, texts and whatever is an integer
std::string number_problem(const Model& model);  // whatever is real

}  // namespace pliant
