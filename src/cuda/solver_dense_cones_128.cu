// Newton with dense matrices where there may be elliptic contacts, four warps to a world.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDenseCones, 128);
}
