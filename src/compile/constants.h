#pragma once
// Constants of a Model that need poses or the mass matrix.

#include "pliant/model.h"

namespace pliant {

/// Where eq_data of a weld between bodies says that its relative pose is the one at qpos0 (nonzero), not one that was
/// given.
inline constexpr int kWeldPoseAtQpos0 = 11;

/// As set_const, and what a document may leave to be found (damping ratios, statistics, lengths of springs). Returns a
/// dof whose inertia vanishes at qpos0, -1 if there is none.
int fill_constants(Model& model);

}  // namespace pliant
