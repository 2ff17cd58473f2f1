#pragma once
// The rows of Data as a solver's problem.

#include "pliant/state.h"
#include "solver/problem.h"

namespace pliant {

/// Blocks of the rows: one row each, or the rows of an elliptic contact; the terms of the metric behind them are the
/// last. Memory from the arena; empty if it is full.
std::span<RowBlock> take_blocks(const Model& m, Data& d);

/// How the impedance of rows that are gated depends on their violation; those of others are constant. Memory from the
/// arena; nullptr if it is full.
Solimp<double>* take_impedances(const Model& m, Data& d, std::span<const RowBlock> blocks);

/// The block of terms of the metric.
RowBlock metric_block(int first, int terms);

/// Views of all rows and dofs.
RowsView rows_view(const Rows& rows);
SolverProblem whole_problem(const Model& m, const State& s, const Data& d, std::span<const RowBlock> blocks);

/// out = J x - aref, the first n rows.
void row_residuals(const Rows& rows, int n, const double* x, double* out);
/// qfrc = J' force of the first n rows.
void project_forces(const Model& m, const Data& d, int n, const double* force, double* qfrc);
/// qfrc_constraint = J' row_force.
void project_row_forces(const Model& m, Data& d);

/// Forces and states of the rows that belong to the accelerations qacc, and qfrc_constraint. False if the arena is
/// fixed and full: there are no forces then.
bool constraint_forces_of(const Model& m, const State& s, Data& d, const double* qacc);

}  // namespace pliant
