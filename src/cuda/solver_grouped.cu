// Newton and CG with rows in groups, a warp to a world.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kGrouped, 32);
}
