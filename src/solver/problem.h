#pragma once
// What a solver sees: numbers only.
//
//   minimise over a   1/2 (a - a_s)' M (a - a_s) + sum over blocks of s(J a - aref)
//
// M is the mass matrix (sparse by tree, with its factors), a_s the acceleration without constraints, s the penalty of
// a block: one row (equality, friction loss, unilateral) or the rows of an elliptic contact. R > 0, M > 0: the minimum is
// unique, and every solver finds the same.

#include <cstdint>
#include <span>

#include "pliant/arena.h"
#include "math/tree_matrix.h"

namespace pliant {

/// The penalty of a block (laws_hd.h).
enum class RowLaw : uint8_t {
  kEquality,    // quadratic
  kFriction,    // quadratic, linear beyond ±bound (Huber)
  kUnilateral,  // quadratic where negative: limits, frictionless contacts, edges of friction pyramids
  kElliptic,    // cone over the rows of a contact
};

/// Rows that belong together.
struct RowBlock {
  int first = 0;                     // row
  int dim = 1;                       // rows; 1 unless elliptic
  RowLaw law = RowLaw::kEquality;
  double bound = 0;                  // kFriction: largest force
  int edges = 0;                     // kUnilateral, first edge of a friction pyramid: number of its edges (noslip pairs them)
  double mu = 0;                     // kElliptic: slope of the regularised cone
  const double* friction = nullptr;  // kElliptic: dim - 1 coefficients
};

/// Rows of the Jacobian as runs of consecutive dofs, as row_fields.def describes them.
struct RowsView {
  int n = 0;
  const int *Jadr = nullptr, *segadr = nullptr, *segnum = nullptr, *segment_dof = nullptr, *segment_len = nullptr;
  const double* J = nullptr;
  const double *aref = nullptr, *D = nullptr, *R = nullptr;
  // for solvers that integrate within the step (TGS)
  const double *pos = nullptr, *margin = nullptr, *vel = nullptr, *KBIP = nullptr;
};

/// What one iteration did.
struct SolverIteration {
  double improvement = 0;  // scale x decrease of the cost
  double gradient = 0;     // scale x |g|; 0 for dual solvers
  double slope = 0;        // scale x slope that the line search left
  int active = 0;          // rows that push
  int changes = 0;         // rows that changed state
  int evaluations = 0;     // of the cost, in the line search
  int updates = 0;         // rank-1 updates of the factor; the number of rows for a new factorisation
};

struct SolverOptions {
  int iterations = 100;
  double tolerance = 1e-8;
  int ls_iterations = 50;
  double ls_tolerance = 0.01;
  // 1 / (mean inertia x dofs), or 1 / (sum of the diagonal of M) where an island is solved by a primal solver: makes
  // tolerance a number without units
  double scale = 1;
  int noslip_iterations = 0;
  double noslip_tolerance = 1e-6;
  std::span<SolverIteration> history;  // filled as far as it reaches
};

struct SolverProblem {
  TreePattern<const int*> pattern;       // of M
  const double* M = nullptr;             // values
  const double* LD = nullptr;            // M = L' D L
  const double* inverse_D = nullptr;
  RowsView rows;
  std::span<const RowBlock> blocks;      // in the order of rows
  std::span<const double> qvel, qacc_smooth, qfrc_smooth;
  double timestep = 0;
  SolverOptions opt;
};

/// Why a solver returned.
enum class SolverStatus : uint8_t {
  kConverged,       // gap below the tolerance: proven
  kStopped,         // the rules of termination held, but the gap is not below the tolerance
  kIterationLimit,  // out of iterations
  kNoProgress,      // the line search found nothing better (the limit of rounding)
  kNotFinite,       // NaN or infinity came in (bad_row says where): qacc is qacc_smooth or zero, forces are zero
  kNotPositive,     // M or the Hessian is not positive definite: the best point so far is returned
  kOutOfMemory,     // the arena is fixed and full: as for kNotFinite
};

/// How it went; the certificate of the answer.
struct SolverReport {
  SolverStatus status = SolverStatus::kConverged;
  int iterations = 0;
  int evaluations = 0;        // of line searches
  int factorizations = 0;     // of the Hessian
  int updates = 0;            // rank-1 updates of its factor
  int bad_row = -1;           // kNotFinite: first row with such a number; -1: it is in the vectors of dofs
  double gap = 0;             // scale x 1/2 g' inv(M) g: the cost is within this of the minimum
  double gradient = 0;        // scale x |g|
  double improvement = 0;     // scale x decrease of the cost in the last iteration
  double cone_violation = 0;  // largest violation of the forces' bounds, relative to the force
  bool converged = false;     // status is kConverged: gap < tolerance
};

/// On entry `qacc` (primal) or `row_force` (dual) holds the warm start; on return both hold the answer, and it is finite
/// whatever came in. Working memory comes from the arena and is given back.
using SolverFn = SolverReport (*)(const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                                  std::span<double> row_force, std::span<int> row_state);

}  // namespace pliant
