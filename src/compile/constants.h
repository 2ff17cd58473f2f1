#pragma once
// Constants of a Model that need poses or the mass matrix.

#include "pliant/model.h"

namespace pliant {

/// As set_const; returns a dof whose inertia vanishes at qpos0, -1 if there is none.
int fill_constants(Model& model);

}  // namespace pliant
