// The solvers of solvers.def by name.

#include "solver/methods.h"
#include "solver/solvers.h"

namespace pliant {
namespace {

constexpr SolverEntry kTable[] = {
#define SOLVER(name, function, keyword, dual, substeps, row_memory, reference) {keyword, solve_##function, dual},
#include "pliant/solvers.def"
#undef SOLVER
};

}  // namespace

std::span<const SolverEntry> solver_table() { return kTable; }

}  // namespace pliant
