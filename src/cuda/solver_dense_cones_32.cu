// Newton with dense matrices where there may be elliptic contacts, a warp to a world.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDenseCones, 32);
}
