// Products with J by groups of rows, forces and states by runs of one law.

#include "solver/row_groups.h"

#include "math/dense.h"
#include "math/short_rows.h"
#include "solver/cones_in_lanes.h"
#include "solver/laws_hd.h"

namespace pliant {

bool RowGroups::build(const RowsView& rows, std::span<const RowBlock> blocks, int n, Arena& arena) {
  view = &rows;
  dofs = n;
  auto* group = arena.take<RowGroup>(rows.n);
  auto* run = arena.take<LawRun>(blocks.size());
  auto* lower = arena.take<double>(rows.n);
  auto* upper = arena.take<double>(rows.n);
  if (!group || !run || !lower || !upper) return false;
  // groups: the same segments, numbers following one another
  int count = 0;
  widest = 0;
  for (int i = 0; i < rows.n; ++i) {
    if (count > 0) {
      RowGroup& last = group[count - 1];
      if (rows.segadr[i] == last.segment && rows.segnum[i] == last.segments &&
          rows.J + rows.Jadr[i] == last.J + last.rows * last.width) {
        ++last.rows;
        continue;
      }
    }
    int width = 0;
    for (int s = 0; s < rows.segnum[i]; ++s) width += rows.segment_len[rows.segadr[i] + s];
    group[count++] = {i, 1, width, rows.segadr[i], rows.segnum[i], rows.J + rows.Jadr[i]};
    if (width > widest) widest = width;
  }
  groups = {group, static_cast<size_t>(count)};
  // runs: the same law
  count = 0;
  for (const RowBlock& block : blocks) {
    if (block.law == RowLaw::kFriction) {
      const auto interval = row_interval(block.law, rows.R[block.first], block.bound);
      lower[block.first] = interval.low;
      upper[block.first] = interval.high;
    }
    if (count > 0 && run[count - 1].law == block.law) {
      run[count - 1].rows += block.dim;
      ++run[count - 1].blocks;
    } else {
      run[count++] = {block.law, block.first, block.dim, 1, &block};
    }
  }
  runs = {run, static_cast<size_t>(count)};
  low = lower;
  high = upper;
  columns = arena.take<double>(2 * padded(widest) + 8);
  return columns != nullptr;
}

const double* RowGroups::gather(const RowGroup& group, const double* x) const {
  const int* dof = view->segment_dof + group.segment;
  if (group.segments == 1) return x + dof[0];
  const int* length = view->segment_len + group.segment;
  double* to = columns;
  for (int s = 0; s < group.segments; ++s) {
    copy_short(to, x + dof[s], length[s]);
    to += length[s];
  }
  return columns;
}

void RowGroups::scatter_add(const RowGroup& group, const double* from, double* to) const {
  const int* dof = view->segment_dof + group.segment;
  const int* length = view->segment_len + group.segment;
  for (int s = 0; s < group.segments; ++s) {
    add_short(to + dof[s], from, length[s]);
    from += length[s];
  }
}

namespace {

/// A row alone that couples two dofs (joint and tendon equalities, gears): what the loops for many rows and columns
/// compute, bit for bit, without gathering and scattering.
bool is_coupling_of_two(const RowGroup& group) { return group.width == 2 && group.rows == 1; }

struct TwoDofs {
  int first, second;
};
TwoDofs two_dofs(const RowsView& view, const RowGroup& group) {
  const int* dof = view.segment_dof + group.segment;
  return {dof[0], group.segments == 1 ? dof[0] + 1 : dof[1]};
}

}  // namespace

void RowGroups::times(const double* x, double* out) const {
  for (const RowGroup& group : groups) {
    if (is_coupling_of_two(group)) {
      const auto [first, second] = two_dofs(*view, group);
      out[group.first] = group.J[0] * x[first] + group.J[1] * x[second];
    } else if (group.width == 1) {
      const double value = x[view->segment_dof[group.segment]];
      for (int r = 0; r < group.rows; ++r) out[group.first + r] = group.J[r] * value;
    } else if (group.width > 0) {
      rows_times(group.J, group.rows, group.width, gather(group, x), out + group.first);
    } else {
      for (int r = 0; r < group.rows; ++r) out[group.first + r] = 0;
    }
  }
}

void RowGroups::add_transposed_times(const double* f, double* out) const {
  for (const RowGroup& group : groups) {
    const double* force = f + group.first;
    if (is_coupling_of_two(group)) {
      if (force[0] == 0) continue;
      const auto [first, second] = two_dofs(*view, group);
      out[first] += group.J[0] * force[0];
      out[second] += group.J[1] * force[0];
      continue;
    }
    // rows without force: the first and last decide most cases
    int first = 0, last = group.rows;
    while (first < last && force[first] == 0) ++first;
    while (first < last && force[last - 1] == 0) --last;
    if (first == last || group.width == 0) continue;
    const double* J = group.J + first * group.width;
    if (group.width == 1) {
      double total = 0;
      for (int r = first; r < last; ++r) total = mul_add(group.J[r], force[r], total);
      out[view->segment_dof[group.segment]] += total;
      continue;
    }
    for (int c = 0; c < group.width; c += 4) Four(0.0).store(columns + c);
    add_rows_transposed_times(J, last - first, group.width, force + first, columns);
    scatter_add(group, columns, out);
  }
}

namespace {

/// Rows of one scalar law from `row` on, `count` <= 4 of them. Returns bits of those that are
/// quadratic.
template <RowLaw law>
[[gnu::always_inline]] inline int evaluate_four(const RowGroups& g, int row, int count, const double* x, Four* cost,
                                                double* force) {
  const RowsView& rows = *g.view;
  const Four at = Four::load_part(x + row, count), D = Four::load_part(rows.D + row, count);
  RowInterval<Four> interval{Four(-std::numeric_limits<double>::infinity()),
                             Four(law == RowLaw::kUnilateral ? 0.0 : std::numeric_limits<double>::infinity())};
  if (law == RowLaw::kFriction) interval = {Four::load_part(g.low + row, count), Four::load_part(g.high + row, count)};
  *cost = row_cost(at, D, interval);
  const Four f = force_of_row(at, D, interval);
  if (count == 4) {
    f.store(force + row);
  } else {
    double part[4];
    f.store(part);
    for (int i = 0; i < count; ++i) force[row + i] = part[i];
  }
  return law == RowLaw::kEquality ? 15 : mask_bits(is_quadratic(at, interval));
}

/// One row of a scalar law: the same numbers as in evaluate_four, without parts of vectors. Returns whether it is
/// quadratic.
template <RowLaw law>
[[gnu::always_inline]] inline int evaluate_one(const RowGroups& g, int row, const double* x, double* cost,
                                               double* force) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RowInterval<double> interval{-kInfinity, law == RowLaw::kUnilateral ? 0.0 : kInfinity};
  if (law == RowLaw::kFriction) interval = {g.low[row], g.high[row]};
  const double at = x[row], D = g.view->D[row];
  *cost = row_cost(at, D, interval);
  force[row] = force_of_row(at, D, interval);
  return law == RowLaw::kEquality || is_quadratic(at, interval);
}

template <RowLaw law>
[[gnu::always_inline]] inline void note_state(const RowGroups& g, int row, int quadratic, const double* x, int* state,
                                              int* changed, RowGroups::Update& update) {
  int now = quadratic;
  if (law == RowLaw::kFriction && now == 0) now = x[row] >= g.high[row] ? 3 : 2;
  if (changed) {
    changed[update.changes] = row;
    update.changes += (state[row] == 1) != (now == 1);
  }
  update.active += now != 0;
  state[row] = now;
}

template <RowLaw law>
void evaluate_run(const RowGroups& g, const LawRun& run, const double* x, double* force, int* state, int* changed,
                  RowGroups::Update& update) {
  if (run.rows == 1) {
    double cost;
    const int quadratic = evaluate_one<law>(g, run.first, x, &cost, force);
    note_state<law>(g, run.first, quadratic, x, state, changed, update);
    update.cost += cost;
    return;
  }
  Four total(0.0);
  for (int row = run.first; row < run.first + run.rows; row += 4) {
    const int left = run.first + run.rows - row, count = left < 4 ? left : 4;
    Four cost;
    const int quadratic = evaluate_four<law>(g, row, count, x, &cost, force);
    total += cost;
    for (int i = 0; i < count; ++i) note_state<law>(g, row + i, quadratic >> i & 1, x, state, changed, update);
  }
  update.cost += sum(total);
}

/// Up to four contacts of one dimension.
void evaluate_cones(const RowGroups& g, const RowBlock* blocks, int count, const double* x, double* force, int* state,
                    int* changed, RowGroups::Update& update) {
  ConeZone zones[4];
  if (count > 1) {
    cone_forces(FourContacts(blocks, count), count, x, g.view->D, force, zones, update.cost);
  } else {
    const RowBlock& block = blocks[0];
    const int first = block.first;
    zones[0] =
        cone_force(block.dim, x + first, g.view->D + first, block.mu, block.friction, force + first, update.cost);
  }
  for (int lane = 0; lane < count; ++lane) {
    const RowBlock& block = blocks[lane];
    const int now = zones[lane] == ConeZone::kTop ? 0 : zones[lane] == ConeZone::kBottom ? 1 : 4;
    for (int i = block.first; i < block.first + block.dim; ++i) {
      if (changed) {
        changed[update.changes] = i;
        update.changes += (state[i] == 1) != (now == 1);
      }
      state[i] = now;
    }
    update.cones += now == 4;
    update.active += now != 0 ? block.dim : 0;
  }
}

}  // namespace

RowGroups::Update RowGroups::evaluate(const double* x, double* force, int* state, int* changed) const {
  Update update;
  for (const LawRun& run : runs) {
    if (run.law == RowLaw::kEquality) {
      evaluate_run<RowLaw::kEquality>(*this, run, x, force, state, changed, update);
    } else if (run.law == RowLaw::kFriction) {
      evaluate_run<RowLaw::kFriction>(*this, run, x, force, state, changed, update);
    } else if (run.law == RowLaw::kUnilateral) {
      evaluate_run<RowLaw::kUnilateral>(*this, run, x, force, state, changed, update);
    } else {
      for (int i = 0; i < run.blocks;) {
        const int count = alike(run.block + i, run.blocks - i);
        evaluate_cones(*this, run.block + i, count, x, force, state, changed, update);
        i += count;
      }
    }
  }
  return update;
}

}  // namespace pliant
