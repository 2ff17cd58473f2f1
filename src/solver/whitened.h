#pragma once
// Rows in the coordinates in which the mass matrix is the identity, for sweeps over forces (PGS,
// no-slip, TGS).
//
// M = L' D L (tree-sparse). With Y = J inv(L) D^-1/2 and w = Y' f:  J inv(M) J' = Y Y',  the force
// of a row changes the state of all others through w only. Visiting a row costs two passes over its
// numbers. Y has the columns of J and their ancestors; for contacts these are the same.

#include <span>

#include "solver/row_groups.h"

namespace pliant {

struct WhitenedRows {
  RowsView view;  // J is Y
  RowGroups groups;
  RowGroups rows;          // the problem's own
  double* free = nullptr;  // J a_s - aref: what the rows would do without forces
  double* w = nullptr;     // dofs

  /// A block of rows as sweeps see it.
  struct Block {
    const RowBlock* law;
    const double* Y;  // dim x width
    int width, segment, segments;
  };
  std::span<const Block> blocks;  // as those of the problem; of equalities solved together only the first row

  bool build(const SolverProblem& problem, Arena& arena);
  /// w = Y' f.
  void set_forces(const double* f);
  /// out = free + Y w of the block's rows: the residual without R f.
  void residual(const Block& block, double* out) const;
  /// w += Y' change.
  void apply(const Block& block, const double* change);
  /// Y Y' of the block, dim x dim.
  void block_matrix(const Block& block, double* A) const;

  // Rows of a block that do not share their columns (equalities solved together), one at a time.
  double row_residual(int row) const;
  void apply_row(int row, double change);
  /// Y Y' of the rows first ... first + dim - 1, dim x dim; `work` has room for the dofs.
  void rows_matrix(int first, int dim, double* work, double* A) const;
};

/// qacc = a_s + inv(M) J' f, and the states that the forces tell.
void accelerations_of_forces(const SolverProblem& problem, const RowGroups& rows, const double* force, double* qacc,
                             int* state);

}  // namespace pliant
