// What the rows of worlds ask for, and the accelerations that give most of it: Newton and CG with rows in groups.

#include "cuda/solver_kernel.cuh"

namespace pliant {

template const char* launch_solver<SolverShape::kGrouped, float>(const BatchArgs<float>&, void*);
template const char* launch_solver<SolverShape::kGrouped, double>(const BatchArgs<double>&, void*);

}  // namespace pliant
