#pragma once
// How a team solves a Model's problems, and so what memory its worlds need.

#include "base/hd.h"
#include "state/batch_views.h"

namespace pliant {

/// Which matrices a solver works with (team_matrices_hd.h).
enum class SolverShape : int { kDense, kGrouped };

/// The shape for a Model, which decides about the memory of its worlds.
template <class M>
PLIANT_HD SolverShape solver_shape(const M& m) {
  const bool dense =
      m.nv <= 32 && m.opt.solver == SolverType::kNewton && m.opt.noslip_iterations == 0 && !is_discrete(m.opt);
  return dense ? SolverShape::kDense : SolverShape::kGrouped;
}
/// Whether it wants the list of blocks.
template <class M>
PLIANT_HD bool wants_blocks(const M& m) {
  return m.opt.cone == ConeType::kElliptic || m.opt.noslip_iterations > 0 || m.opt.solver == SolverType::kCg;
}

}  // namespace pliant
