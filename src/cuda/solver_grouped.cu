// Newton and CG with rows in groups.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kGrouped, 1);
}
