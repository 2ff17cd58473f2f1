#pragma once
// Solvers side by side on one state.

#include <string>
#include <vector>

#include "pliant/mimic.h"
#include "pliant/state.h"

namespace pliant {

/// One solver on one state.
struct SolverTrial {
  std::string solver;       ///< "Newton", "CG", "PGS", "TGS", "auto"
  int iterations = 0;       ///< the most of an island
  double microseconds = 0;  ///< the stage "solver", CPU time, median
  double gap = 0;           ///< certificate, scaled: the cost is within this of the minimum (TGS: of its last substep)
  double error = 0;         ///< of qacc, relative to the largest number of the checked answer (TGS: of its own substeps
                            ///< swept until nothing changes, for they are another problem)
  bool converged = false;   ///< gap below the model's tolerance on every island
  std::vector<double> gaps;    ///< after 1, 2, … iterations (TGS: sweeps per substep)
  std::vector<double> errors;  ///< likewise
  std::vector<double> times;   ///< likewise [us]
};

/// What solver="auto" takes for an island.
struct IslandChoice {
  int dofs = 0, rows = 0;
  std::string why;  ///< "Newton: rows reach few dofs"
  bool operator==(const IslandChoice&) const = default;
};

/// All solvers on one state, beside an answer that was computed twice.
struct SolverComparison {
  int dofs = 0, contacts = 0, rows = 0, islands = 0;
  std::string chosen;  ///< the model's own solver
  double tolerance = 0;
  double disagreement = 0;  ///< of the two long runs (Newton and CG, tolerance 1e-15), relative
  std::vector<SolverTrial> trials;
  std::vector<IslandChoice> choices;  ///< of solver="auto", one per island with rows
  std::vector<MimicReport> mimics;    ///< joints that follow others, as the model's own solver leaves them
};

/// Solves the constraints of a state with every solver, from the warm start the state has. `curve`: how many iterations
/// the curves of convergence show.
SolverComparison compare_solvers(const Model& model, const State& state, int curve = 50);

/// Which solver to take for this problem, in a sentence or two.
std::string solver_advice(const SolverComparison& comparison);
/// Table and curves of convergence as a page that needs nothing else. `playing`: address of a page that plays (pliant
/// view --html), to link to.
std::string solver_page(const SolverComparison& comparison, const std::string& title, const std::string& playing = "");

}  // namespace pliant
