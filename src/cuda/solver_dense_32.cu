// Newton with dense matrices, a warp to a world.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDense, 32);
}
