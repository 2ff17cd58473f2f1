// The solvers by name; the order is MuJoCo's (mjtSolver), what it does not have comes after.

#include "solver/methods.h"
#include "solver/solvers.h"

namespace pliant {
namespace {

constexpr SolverEntry kTable[] = {
    {"PGS", solve_pgs, true},
    {"CG", solve_cg, false},
    {"Newton", solve_newton, false},
    {"TGS", solve_tgs, true},
};

}  // namespace

std::span<const SolverEntry> solver_table() { return kTable; }

}  // namespace pliant
