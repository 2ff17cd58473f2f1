#pragma once
// Rows arranged for speed: groups of rows that share their columns (a contact, a weld), and runs of
// rows with one law.
//
// The numbers of a group are a small dense matrix, rows x width, so products with J take the
// columns of x once per group and run over contiguous memory.

#include <span>

#include "pliant/arena.h"
#include "solver/cones_hd.h"
#include "solver/problem.h"

namespace pliant {

struct RowGroup {
  int first, rows;  // rows of the problem
  int width;        // columns
  int segment, segments;
  const double* J;  // rows x width
};

/// Consecutive rows with one law.
struct LawRun {
  RowLaw law;
  int first, rows, blocks;
  const RowBlock* block;  // the first of them
};

struct RowGroups {
  const RowsView* view = nullptr;
  int dofs = 0, widest = 0;
  std::span<const RowGroup> groups;
  std::span<const LawRun> runs;
  const double *low = nullptr,
               *high = nullptr;  // interval of friction rows (laws_hd.h); only theirs are set
  double* columns = nullptr;     // work: room for the columns of a group, padded

  /// False if the arena is full.
  bool build(const RowsView& rows, std::span<const RowBlock> blocks, int dofs, Arena& arena);

  /// out = J x, all rows.
  void times(const double* x, double* out) const;
  /// out += J' f; out has n numbers.
  void add_transposed_times(const double* f, double* out) const;
  /// The columns of x that the group uses, one after the other; x itself where they are so already.
  const double* gather(const RowGroup& group, const double* x) const;
  void scatter_add(const RowGroup& group, const double* from, double* to) const;

  /// Forces and states at the residuals x; returns the sum of the penalties. `changed` (optional,
  /// room for all rows) gets the rows whose curvature changed, `changes` their number; `cones` the
  /// number of contacts in the middle zone.
  struct Update {
    double cost = 0;
    int changes = 0, active = 0, cones = 0;
  };
  Update evaluate(const double* x, double* force, int* state, int* changed = nullptr) const;
};

}  // namespace pliant
