#pragma once
// The solvers of the table (solver_table.cpp), one file each.

#include "solver/problem.h"

namespace pliant {

SolverReport solve_pgs(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                       std::span<int> row_state);
SolverReport solve_tgs(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                       std::span<int> row_state);
SolverReport solve_cg(const SolverProblem& problem, Arena& arena, std::span<double> qacc, std::span<double> row_force,
                      std::span<int> row_state);
SolverReport solve_newton(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                          std::span<double> row_force, std::span<int> row_state);

}  // namespace pliant
