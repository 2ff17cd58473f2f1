#pragma once
// R of the rows where it is not that of the model's inverse weights.

#include "constraint/impedance_hd.h"
#include "pliant/state.h"

namespace pliant {

/// J inv(A) J' of a row, A given by its factors in the pattern of M; x must be zero, and is again.
double row_response(const Model& m, const Rows& rows, int row, const double* LD, const double* inverse_D, double* x);

/// Flag diagexact: J inv(M) J' itself instead of its estimate at qpos0, and R after it.
void regularize_exactly(const Model& m, Data& d, const RowSettings<double>& settings);

/// Integrator discrete: the same for rows that act at the end of the step, with the metric in place of M. Without
/// diagexact the estimate is corrected by how much the diagonals of the metric lower the row's response.
void regularize_in_metric(const Model& m, Data& d, const RowSettings<double>& settings);

}  // namespace pliant
