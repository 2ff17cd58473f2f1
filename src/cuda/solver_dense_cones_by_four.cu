// Newton with dense matrices for worlds with elliptic contacts, four warps to a world.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDenseCones, 4);
}
