#pragma once
// Constants of a Model that need poses or the mass matrix.

#include "pliant/model.h"

namespace pliant {

/// As set_const, and what a document may leave to be found (damping ratios, statistics, lengths of springs). Returns a
/// dof whose inertia vanishes at qpos0, -1 if there is none.
int fill_constants(Model& model);

}  // namespace pliant
