// The same for worlds with elliptic contacts.

#include "cuda/solver_kernel.cuh"

namespace pliant {
PLIANT_LAUNCH_SOLVER(SolverShape::kDenseCones, 1);
}
