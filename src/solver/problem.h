#pragma once
// What a solver sees: numbers only.
//
//   minimise over a   1/2 (a - a_s)' M (a - a_s) + sum over blocks of s(J a - aref)
//
// M is the metric (sparse by tree, with its factors): the mass matrix, or that of the integrator discrete. a_s is the
// acceleration without rows, s the penalty of a block: one row (equality, friction loss, unilateral) or the rows
// of an elliptic contact. R > 0, M > 0: the minimum is unique, and every solver finds the same.
//
// Terms s w w' of a metric that do not fit into the tree's pattern are equalities with J = w, D = s, aref = 0, the last
// block: their cost 1/2 s (w a)^2 is what they would add to the metric's.

#include <span>

#include "pliant/arena.h"
#include "pliant/row_law.h"
#include "pliant/solver_report.h"
#include "math/impedance_curve.h"
#include "math/tree_matrix.h"

namespace pliant {

/// Rows with one law: one scalar row, or the rows of an elliptic contact.
template <class R>
struct LawBlock {
  int first = 0, dim = 1;  // rows
  RowLaw law = RowLaw::kEquality;
  R bound = 0;                  // kFriction: largest force
  int edges = 0;                // kUnilateral: edges of the friction pyramid that it begins (noslip pairs them); -1: it
                                // belongs to one
  R mu = 0;                     // kElliptic: slope of the regularised cone
  const R* friction = nullptr;  // kElliptic: dim - 1 coefficients
};

/// The same for solvers that sweep over rows: equalities that are solved together are one block.
struct RowBlock : LawBlock<double> {
  bool metric = false;      // terms of the metric
  bool gated = false;       // TGS: acts only in parts of the step that begin with a violation (contacts, limits)
  bool cold_start = false;  // TGS begins every substep without its force: a rigid row with position feedback, whose
                            // corrections would be replayed
};

/// Rows of the Jacobian as runs of consecutive dofs, as row_fields.def describes them.
struct RowsView {
  int n = 0;
  const int *Jadr = nullptr, *segadr = nullptr, *segnum = nullptr, *segment_dof = nullptr, *segment_len = nullptr;
  const double* J = nullptr;
  const double *aref = nullptr, *D = nullptr, *R = nullptr;
  // for solvers that integrate within the step (TGS)
  const double *pos = nullptr, *margin = nullptr, *vel = nullptr, *KBIP = nullptr;
  const Solimp<double>* solimp = nullptr;  // of gated rows: how impedance depends on the violation; others: constant
};

struct SolverOptions {
  int iterations = 100;
  double tolerance = 1e-8;
  int ls_iterations = 50;
  double ls_tolerance = 0.01;
  // 1 / (sum of the diagonal of the mass matrix) of what is solved: makes tolerance a number without units
  double scale = 1;
  int noslip_iterations = 0;
  double noslip_tolerance = 1e-6;
  // a start that is proven is the answer whatever the solver, and CG ends where its gap is below the tolerance, not
  // where steps are short (auto.cpp)
  bool proves = false;
  std::span<SolverIteration> history;  // filled as far as it reaches
  // TGS: parts of the step, sweeps in each
  int substeps = 1, sweeps = 2;
  double lead = 0;  // by how much time rows' positions are ahead of where the parts begin [s]
  // TGS, filled unless empty: the forces of the last substep; and the mean of the substeps' forces as the positions
  // feel it, the k-th of n with weight 2 (n - k + 1) / (n (n + 1))
  std::span<double> last_force, moving_force;
};

struct PrimalPoint;  // primal.h

struct SolverProblem {
  TreePattern<const int*> pattern;  // of the metric M
  const double* M = nullptr;        // values
  const double* LD = nullptr;       // M = L' D L
  const double* inverse_D = nullptr;
  RowsView rows;
  std::span<const RowBlock> blocks;  // in the order of rows
  std::span<const double> qvel, qacc_smooth, qfrc_smooth;
  double timestep = 0;
  SolverOptions opt;
  const PrimalPoint* start = nullptr;  // of a primal solver, if its warm start was evaluated already: at qacc
};

/// On entry `qacc` (primal) or `row_force` (dual) holds the warm start; on return both hold the answer, and it is
/// finite whatever came in. Working memory comes from the arena and is given back.
using SolverFn = SolverReport (*)(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                                  std::span<double> row_force, std::span<int> row_state);

}  // namespace pliant
