// The stages constraint (rows and their impedance, islands) and reference (what acceleration the rows ask for).
//
// constraint reads poses, tendons, cdof, contacts · writes rows (but row_vel … row_state), contact.row contact.mu
// contact.exclude contact.slip, islands · count, reserve, write, verify. Cost: numbers of the Jacobian. Under the
// integrator discrete R and what the rows ask for depend on the metric: the stage metric finishes them.

#include <algorithm>
#include <limits>

#include "constraint/anchor.h"
#include "constraint/constraint.h"
#include "constraint/constraint_stage_hd.h"
#include "constraint/islands.h"
#include "constraint/reduce_rows.h"
#include "constraint/regularize_hd.h"
#include "constraint/stacks.h"
#include "math/short_rows.h"
#include "math/tree_matrix.h"
#include "state/fault.h"
#include "constraint/stages.h"

namespace pliant {
namespace {

RowSettings<double> row_settings(const Model& m) { return row_settings<double>(m, solver_timestep(m.opt)); }

// The same for a row with two dofs on one path, low an ancestor of high, as most mimics have: columns of ancestors are
// the first columns of high's, so x is kept by columns of that row. Nothing else is looked at.
double pair_response(const Model& m, const Data& d, double at_low, int low, double at_high, int high, double* x) {
  const int* const column = m.M_colind + m.M_rowadr[high];
  int i = m.M_rownnz[high] - 1;
  x[i] = at_high;
  x[m.M_rownnz[low] - 1] = at_low;
  double sum = 0;
  for (; i >= 0; --i) {
    const int dof = column[i];
    const double value = x[i];
    subtract_scaled(x, d.qLD + m.M_rowadr[dof], value, m.M_rownnz[dof] - 1);
    sum = mul_add(value * value, d.qLDiagInv[dof], sum);
    x[i] = 0;
  }
  return sum;
}

// Whether both dofs have all their ancestors as columns, low among those of high.
bool is_on_one_path(const Model& m, int low, int high) {
  const int above = m.M_rownnz[low];
  return above < m.M_rownnz[high] && m.M_colind[m.M_rowadr[high] + above - 1] == low;
}

double mimic_response(const Model& m, const Data& d, int row, double* x) {
  const Rows& rows = d.rows;
  const int first = rows.row_segadr[row], segments = rows.row_segnum[row];
  const double* J = rows.row_J + rows.row_Jadr[row];
  const int low = rows.segment_dof[first];
  if (segments == 1 && rows.segment_len[first] == 2 && is_on_one_path(m, low, low + 1)) {
    return pair_response(m, d, J[0], low, J[1], low + 1, x);
  }
  if (segments == 2 && rows.segment_len[first] == 1 && rows.segment_len[first + 1] == 1) {
    const int high = rows.segment_dof[first + 1];
    if (is_on_one_path(m, low, high)) return pair_response(m, d, J[0], low, J[1], high, x);
  }
  return row_response(m, d.rows, row, d.qLD, d.qLDiagInv, x);
}

// Mimics by rows: natural frequency and damping ratio are those of the true response.
void use_mimic_compliance(const Model& m, Data& d) {
  std::fill_n(d.dof_scratch, m.nv, 0.0);
  for (int i = d.rows.ne - 1; i >= 0 && m.eq_mimicid[d.rows.row_id[i]] >= 0; --i) {
    set_mimic_compliance(m, d.rows, i, mimic_response(m, d, i, d.dof_scratch), solver_timestep(m.opt));
  }
}

// What was clamped, summed over rows.
void count_clamps(Data& d) {
  int any = 0;
  for (int i = 0; i < d.rows.n; ++i) any |= d.rows.row_clamps[i];
  if (any == 0) return;
  for (int i = 0; i < d.rows.n; ++i) {
    for (int bit = 0; bit < kNumRowClamps; ++bit) d.clamps[bit] += d.rows.row_clamps[i] >> bit & 1;
  }
}

// A step without rows: `fault` says why.
void drop_rows(const State& s, Data& d, Fault fault, const char* field, double value) {
  record_fault(s, d, fault, field, -1, value);
  d.rows = {};
  d.islands = {};
  for (int i = 0; i < d.ncon; ++i) d.contact[i].row = -1;
}
void drop_rows_for_memory(const State& s, Data& d) {
  drop_rows(s, d, Fault::kRowOverflow, "arena", static_cast<double>(d.arena.high_water()));
}

}  // namespace

void write_rows(const Model& m, const State& s, Data& d, const CountedRows& count) {
  RowRoom room = room_for_reduced_rows(m, count.rows, count.segments, count.entries);
  // behind the rows: terms of the metric
  const CountedRows terms = metric_term_room(m);
  room.entries += terms.entries;
  if (room.entries + terms.segments > std::numeric_limits<int>::max() ||
      !take_rows(d.arena, count.rows + terms.rows, room.segments + terms.segments, static_cast<int>(room.entries),
                 d.rows)) {
    return drop_rows_for_memory(s, d);
  }
  const RowSettings<double> settings = row_settings(m);
  RowWriter<Rows, double> writer(d.rows, settings);
  all_rows(SerialTeam{}, m, s, d, writer);
  // in every build: a mistake in counting must not become a write beyond the arena
  if (writer.overflowed()) return drop_rows(s, d, Fault::kRowMiscount, "rows", count.rows);

  switch (reduce_rows(m, s, d)) {
    case Reduced::kDone:
      break;
    case Reduced::kOutOfMemory:
      return drop_rows_for_memory(s, d);
    case Reduced::kMiscounted:
      return drop_rows(s, d, Fault::kRowMiscount, "rows", count.rows);
  }
  // (under discrete the matrix is not known yet: the stage metric sets R)
  const bool discrete = is_discrete(m.opt);
  if (m.opt.enableflags & kEnableDiagExact && !discrete) regularize_exactly(SerialTeam{}, m, d, settings);
  if (m.opt.enableflags & kEnableDiagStack && !discrete && !scale_by_stacks(m, d)) return drop_rows_for_memory(s, d);
  if (m.nmimicrow) use_mimic_compliance(m, d);
  if (!discrete) count_clamps(d);
  for (int i = 0; i < d.rows.n; ++i) d.rows.row_vel[i] = d.rows.row_aref[i] = d.rows.row_force[i] = 0;
  for (int i = 0; i < d.rows.n; ++i) d.rows.row_state[i] = 0;
  if (!find_islands(m, d)) drop_rows_for_memory(s, d);
}

void run_constraint(const Model& m, const State& s, Data& d) {
  d.rows = {};
  d.islands = {};
  d.solver = {};
  d.metric = {};
  d.anchored = false;
  if (m.opt.disableflags & kDisableConstraint) {
    for (int i = 0; i < d.ncon; ++i) d.contact[i].row = -1;
    return;
  }
  const bool sparse = has_sparse_rows(m);
  for (int i = 0; i < d.ncon; ++i) {
    label_contact(m, d, i, sparse);
    d.anchored |= d.contact[i].anchored != 0;
  }
  if (d.anchored) recall_slips(m, s, d);
  RowCounter<double> count;
  all_rows(SerialTeam{}, m, s, d, count);
  if (count.rows > 0) write_rows(m, s, d, {count.rows, count.segments, count.entries});
}

void run_reference(const Model& m, const State& s, Data& d) {
  reference_stage(SerialTeam{}, m, s, d);
  if (!is_discrete(m.opt) && d.anchored) limit_friction(m, d);
}

bool finish_rows_in_metric(const Model& m, Data& d) {
  if (d.rows.n == 0) return true;
  const RowSettings<double> settings = row_settings(m);
  regularize_in_metric(SerialTeam{}, m, d, settings, d.metric);
  const bool fits = !(m.opt.enableflags & kEnableDiagStack) || scale_by_stacks(m, d);
  row_accelerations(SerialTeam{}, m, d, settings.step);
  if (d.anchored) limit_friction(m, d);
  count_clamps(d);
  return fits;
}

}  // namespace pliant
