#pragma once
// Rows in the coordinates in which the mass matrix is the identity, for sweeps over forces (PGS,
// no-slip, TGS).
//
// M = L' D L (tree-sparse). With Y = J inv(L) D^-1/2 and w = Y' f:  J inv(M) J' = Y Y',  the force
// of a row changes the state of all others through w only. Visiting a row costs two passes over its
// numbers. Y has the columns of J and their ancestors; for contacts these are the same.

#include <span>

#include "solver/row_groups.h"
#include "solver/runs_of_six.h"

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
    int sixes = 0;    // 1, 2: its columns are so many runs of six dofs (runs_of_six.h); 0: something else
    int run[2] = {};  // the first dof of each
  };
  std::span<const Block> blocks;  // as those of the problem; of equalities solved together only the first row

  /// `for_products`: w and what works with it will be asked for; otherwise only `rows` and `free` are there.
  bool build(const SolverProblem& problem, Arena& arena, bool for_products = true);
  /// w = Y' f.
  void set_forces(const double* f);
  /// out = free + Y w of the block's rows: the residual without R f.
  void residual(const Block& block, double* out) const { residual(block, block.law->dim, out); }
  /// w += Y' change.
  void apply(const Block& block, const double* change) { apply(block, block.law->dim, change); }
  /// The same for so many rows from the block's first on, which share its columns.
  void residual(const Block& block, int rows, double* out) const;
  void apply(const Block& block, int rows, const double* change);
  /// Y Y' of the block, dim x dim.
  void block_matrix(const Block& block, double* A) const;

  /// The same where the number of rows is known: faster for contacts of free bodies, with other sums.
  template <int kRows>
  void contact_residual(const Block& block, double* out) const;
  template <int kRows>
  void apply_contact(const Block& block, const double* change);

  // Rows of a block that do not share their columns (equalities solved together), one at a time.
  double row_residual(int row) const;
  void apply_row(int row, double change);
  /// Y Y' of the rows first ... first + dim - 1, dim x dim; `work` has room for the dofs.
  void rows_matrix(int first, int dim, double* work, double* A) const;
};

template <int kRows>
void WhitenedRows::contact_residual(const Block& block, double* out) const {
  const double* const at[2] = {w + block.run[0], w + block.run[1]};
  if (block.sixes == 2) {
    sixes_times<2, kRows>(block.Y, at, out);
  } else if (block.sixes == 1) {
    sixes_times<1, kRows>(block.Y, at, out);
  } else {
    return residual(block, kRows, out);
  }
  for (int r = 0; r < kRows; ++r) out[r] += free[block.law->first + r];
}

template <int kRows>
void WhitenedRows::apply_contact(const Block& block, const double* change) {
  double* const at[2] = {w + block.run[0], w + block.run[1]};
  if (block.sixes == 2) {
    add_sixes<2, kRows>(block.Y, change, at);
  } else if (block.sixes == 1) {
    add_sixes<1, kRows>(block.Y, change, at);
  } else {
    apply(block, kRows, change);
  }
}

/// qacc = a_s + inv(M) J' f, and the states that the forces tell.
void accelerations_of_forces(const SolverProblem& problem, const RowGroups& rows, const double* force, double* qacc,
                             int* state);

}  // namespace pliant
