// What the rows of worlds ask for, and the accelerations that give most of it: Newton with dense matrices.

#include "cuda/solver_kernel.cuh"

namespace pliant {

template const char* launch_solver<SolverShape::kDense, float>(const BatchArgs<float>&, void*);
template const char* launch_solver<SolverShape::kDense, double>(const BatchArgs<double>&, void*);

}  // namespace pliant
