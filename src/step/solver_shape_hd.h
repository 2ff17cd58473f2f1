#pragma once
// How a team solves a Model's problems, and so what memory its worlds need.

#include "base/hd.h"
#include "state/batch_views.h"

namespace pliant {

/// Which matrices a solver works with: dense ones (dense_newton_hd.h), without elliptic contacts or with them, or rows
/// in groups (team_groups_hd.h).
enum class SolverShape : int { kDense, kDenseCones, kGrouped };

/// Dense matrices beyond this would leave a multiprocessor room for one world, or for none.
inline constexpr int kMostDenseDofs = 100;
/// What one warp solves; teams of more share larger ones.
inline constexpr int kDofsOfWarp = 32;

/// The shape for a Model, which decides about the memory of its worlds.
template <class M>
PLIANT_HD SolverShape solver_shape(const M& m) {
  const bool dense = m.nv <= kMostDenseDofs && m.opt.solver == SolverType::kNewton && m.opt.noslip_iterations == 0 &&
                     !is_discrete(m.opt);
  if (!dense) return SolverShape::kGrouped;
  return m.opt.cone == ConeType::kElliptic ? SolverShape::kDenseCones : SolverShape::kDense;
}
/// Whether it wants the list of blocks.
template <class M>
PLIANT_HD bool wants_blocks(const M& m) {
  return m.opt.cone == ConeType::kElliptic || m.opt.noslip_iterations > 0 || m.opt.solver == SolverType::kCg;
}

}  // namespace pliant
