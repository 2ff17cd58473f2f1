#pragma once
// The solvers by name, and what goes with them: cost of a point, no-slip sweeps, certificate.

#include <span>

#include "solver/problem.h"

namespace pliant {

/// MuJoCo's numbers (mjtSolver): PGS 0, CG 1, Newton 2; and TGS 3.
struct SolverEntry {
  const char* name;
  SolverFn solve;
  bool dual;  // starts from row_force, not from qacc
};
std::span<const SolverEntry> solver_table();

/// Forces, states and cost of the rows where J a - aref = `residual`; sum of the rows' penalties.
double row_penalties(const RowsView& rows, std::span<const RowBlock> blocks, std::span<const double> residual,
                     std::span<double> row_force, std::span<int> row_state);

/// Sweeps over friction only, with R = 0 (opt.noslip_iterations, opt.noslip_tolerance); qacc
/// follows the forces.
SolverReport solve_noslip(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                          std::span<double> row_force, std::span<int> row_state);

/// Bound of what is missing to the minimum: cost(qacc) - minimum <= gap, and the same for the dual
/// cost of row_force, which must obey its bounds. gap = 1/2 g' inv(M) g + sum over blocks of s(x) +
/// s*(-f) + f x, unscaled.
struct Certificate {
  double gap = 0, gradient = 0, cone_violation = 0;
};
Certificate certify(const SolverProblem& problem, Arena& arena, std::span<const double> qacc,
                    std::span<const double> row_force);

}  // namespace pliant
