#pragma once
// The solvers of solvers.def, one file each.

#include "solver/problem.h"

namespace pliant {

#define SOLVER(name, function, keyword, dual, substeps, row_memory, reference)                      \
  SolverReport solve_##function(const SolverProblem& problem, Arena& arena, std::span<double> qacc, \
                                std::span<double> row_force, std::span<int> row_state);
#include "pliant/solvers.def"
#undef SOLVER

}  // namespace pliant
