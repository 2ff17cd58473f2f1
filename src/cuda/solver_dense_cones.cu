// What the rows of worlds with elliptic contacts ask for, and the accelerations that give most of it: Newton with dense
// matrices.

#include "cuda/solver_kernel.cuh"

namespace pliant {

template const char* launch_solver<SolverShape::kDenseCones, float>(const BatchArgs<float>&, void*);
template const char* launch_solver<SolverShape::kDenseCones, double>(const BatchArgs<double>&, void*);

}  // namespace pliant
