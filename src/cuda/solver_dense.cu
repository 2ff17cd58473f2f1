// What the rows of worlds ask for, and the accelerations that give most of it: Newton with dense matrices.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDense, 1);
}
