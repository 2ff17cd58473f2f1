#pragma once
// Constants of a Model: what follows from its other numbers.

#include <string>

#include "pliant/model.h"

namespace pliant {

/// constants_fixed.cpp: what needs neither poses nor the mass matrix.
void fill_fixed(Model& model);

/// What stands in the way of set_const, because the Model was compiled for something else; "" if nothing.
std::string set_const_problem(const Model& model);

/// As set_const, for who knows that nothing stands in the way.
void renew_constants(Model& model);

/// As set_const, and what a document may leave to be found (damping ratios, statistics, lengths of springs). Returns a
/// dof whose inertia vanishes at qpos0, -1 if there is none.
int fill_constants(Model& model);

}  // namespace pliant
