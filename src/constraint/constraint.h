#pragma once
// Writing the rows of a step once they are counted.

#include <cstdint>

#include "pliant/state.h"

namespace pliant {

/// How many rows, runs of columns and numbers of the Jacobian the kinds of constraints have asked for.
struct CountedRows {
  int rows, segments;
  int64_t entries;
};

/// Rows of all constraints and their islands, into room for that many. If there are more after all, none is kept and
/// the fault is kRowMiscount; memory beyond the room is not touched.
void write_rows(const Model& m, const State& s, Data& d, const CountedRows& count);

/// Room behind the rows for terms of the metric that reach beyond the pattern of M (integrator discrete), at most.
CountedRows metric_term_room(const Model& m);

/// Integrator discrete: R and what the rows ask for, once the metric is known. False if there is no room for what the
/// flag diagstack needs.
bool finish_rows_in_metric(const Model& m, Data& d);

}  // namespace pliant
