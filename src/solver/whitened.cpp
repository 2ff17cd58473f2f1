// Whitened rows: one backward substitution per row, for four rows of a group at once.

#include "solver/whitened.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/four.h"
#include "math/short_rows.h"
#include "math/tree_matrix.h"
#include "solver/noslip_hd.h"

namespace pliant {

bool WhitenedRows::build(const SolverProblem& p, Arena& arena, bool for_products) {
  const RowsView& J_rows = p.rows;
  const auto& tree = p.pattern;
  const int n = tree.n;
  // groups of J first: rows of a group share their ancestors
  if (!rows.build(J_rows, p.blocks, n, arena)) return false;
  free = arena.take<double>(J_rows.n);
  if (!free) return false;
  rows.times(p.qacc_smooth.data(), free);
  for (int i = 0; i < J_rows.n; ++i) free[i] -= J_rows.aref[i];
  if (!for_products) return true;
  int* mark = arena.take<int>(n);
  int* column = arena.take<int>(n);
  int* Jadr = arena.take<int>(J_rows.n);
  int* segadr = arena.take<int>(J_rows.n);
  int* segnum = arena.take<int>(J_rows.n);
  w = arena.take<double>(n + 4);
  double* work = arena.take<double>(4 * static_cast<size_t>(n));  // four rows beside one another
  double* scale = arena.take<double>(n);                          // D^-1/2
  if (!mark || !column || !Jadr || !segadr || !segnum || !w || !work || !scale) return false;
  for (int i = 0; i < n; ++i) scale[i] = std::sqrt(p.inverse_D[i]);
  // columns of a group: its dofs and their ancestors, in order; mark[i] = g where i is one
  std::fill(mark, mark + n, -1);
  const auto columns_of = [&](int g) {
    const RowGroup& group = rows.groups[g];
    int found = 0;
    bool in_order = true;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      for (int c = 0; c < J_rows.segment_len[s]; ++c) {
        for (int i = J_rows.segment_dof[s] + c; i >= 0 && mark[i] != g; i = tree.parent[i]) {
          in_order = in_order && (found == 0 || column[found - 1] < i);
          mark[i] = g;
          column[found++] = i;
        }
      }
    }
    if (!in_order) std::sort(column, column + found);
    return found;
  };
  const int count = static_cast<int>(rows.groups.size());
  size_t numbers = 0, segments = 0;
  for (int g = 0; g < count; ++g) {
    const int found = columns_of(g);
    numbers += static_cast<size_t>(found) * rows.groups[g].rows;
    for (int k = 0; k < found; ++k) segments += k == 0 || column[k - 1] != column[k] - 1;
  }
  int* segment_dof = arena.take<int>(segments);
  int* segment_len = arena.take<int>(segments);
  double* Y = arena.take<double>(numbers);
  if (!segment_dof || !segment_len || !Y) return false;
  std::fill(mark, mark + n, -1);
  std::fill(work, work + 4 * static_cast<size_t>(n), 0.0);
  int at = 0, segment = 0;
  for (int g = 0; g < count; ++g) {
    const RowGroup& group = rows.groups[g];
    const int found = columns_of(g), first = segment;
    for (int k = 0; k < found; ++k) {
      if (k == 0 || column[k - 1] != column[k] - 1) segment_dof[segment] = column[k], segment_len[segment++] = 0;
      ++segment_len[segment - 1];
    }
    for (int r = 0; r < group.rows; ++r) {
      const int row = group.first + r;
      Jadr[row] = at + r * found;
      segadr[row] = first;
      segnum[row] = segment - first;
    }
    for (int r = 0; r < group.rows; r += 4, at += 4 * found) {
      const int lanes = std::min(4, group.rows - r);
      const double* J = group.J + r * group.width;
      for (int s = group.segment; s < group.segment + group.segments; ++s) {
        for (int c = 0; c < J_rows.segment_len[s]; ++c, ++J) {
          double* to = work + 4 * (J_rows.segment_dof[s] + c);
          for (int k = 0; k < lanes; ++k) to[k] = J[k * group.width];
        }
      }
      // y = D^-1/2 inv(L') J', leaves first
      double* to = Y + at + found;
      for (int s = segment - 1; s >= first; --s) {
        for (int i = segment_dof[s] + segment_len[s] - 1; i >= segment_dof[s]; --i) {
          const Four value = Four::load(work + 4 * i);
          Four(0.0).store(work + 4 * i);
          for_each_run(tree, i, [&](int dof, int length, int offset) {
            const double* L = p.LD + tree.rowadr[i] + offset;
            double* above = work + 4 * dof;
            for (int k = 0; k < length; ++k, above += 4) {
              mul_subtract(value, Four(L[k]), Four::load(above)).store(above);
            }
          });
          double y[4];
          (value * Four(scale[i])).store(y);
          --to;
          for (int k = 0; k < lanes; ++k) to[k * found] = y[k];
        }
      }
    }
    at = Jadr[group.first + group.rows - 1] + found;
  }
  view = J_rows;
  view.Jadr = Jadr;
  view.segadr = segadr;
  view.segnum = segnum;
  view.segment_dof = segment_dof;
  view.segment_len = segment_len;
  view.J = Y;
  if (!groups.build(view, p.blocks, n, arena)) return false;
  auto* block = arena.take<Block>(p.blocks.size());
  if (!block) return false;
  for (size_t b = 0; b < p.blocks.size(); ++b) {
    const int row = p.blocks[b].first;
    int width = 0;
    for (int s = segadr[row]; s < segadr[row] + segnum[row]; ++s) width += segment_len[s];
    block[b] = {&p.blocks[b], Y + Jadr[row], width, segadr[row], segnum[row]};
    // (two bodies whose dofs follow one another are one run of twelve)
    const int* length = segment_len + segadr[row];
    const bool one = segnum[row] == 1 && (width == 6 || width == 12);
    if (!one && !(segnum[row] == 2 && length[0] == 6 && length[1] == 6)) continue;
    block[b].sixes = width / 6;
    block[b].run[0] = segment_dof[segadr[row]];
    if (width == 12) block[b].run[1] = one ? block[b].run[0] + 6 : segment_dof[segadr[row] + 1];
  }
  blocks = {block, p.blocks.size()};
  return true;
}

void WhitenedRows::set_forces(const double* f) {
  std::fill(w, w + groups.dofs, 0.0);
  groups.add_transposed_times(f, w);
}

void WhitenedRows::residual(const Block& block, int dim, double* out) const {
  const RowGroup as_group{block.law->first, dim, block.width, block.segment, block.segments, block.Y};
  rows_times(block.Y, dim, block.width, groups.gather(as_group, w), out);
  for (int i = 0; i < dim; ++i) out[i] += free[block.law->first + i];
}

void WhitenedRows::apply(const Block& block, int dim, const double* change) {
  const RowGroup as_group{block.law->first, dim, block.width, block.segment, block.segments, block.Y};
  std::fill(groups.columns, groups.columns + padded(block.width), 0.0);
  add_rows_transposed_times(block.Y, dim, block.width, change, groups.columns);
  groups.scatter_add(as_group, groups.columns, w);
}

void WhitenedRows::block_matrix(const Block& block, double* A) const {
  const int dim = block.law->dim;
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j <= i; ++j) {
      A[i * dim + j] = A[j * dim + i] = dot(block.Y + i * block.width, block.Y + j * block.width, block.width);
    }
  }
}

namespace {

RowGroup single_row(const RowsView& view, int row) {
  int width = 0;
  for (int s = view.segadr[row]; s < view.segadr[row] + view.segnum[row]; ++s) width += view.segment_len[s];
  return {row, 1, width, view.segadr[row], view.segnum[row], view.J + view.Jadr[row]};
}

}  // namespace

double WhitenedRows::row_residual(int row) const {
  const double* Y = view.J + view.Jadr[row];
  double sum = free[row];
  for (int k = view.segadr[row], end = k + view.segnum[row]; k < end; Y += view.segment_len[k++]) {
    sum += sum_products(Y, static_cast<const double*>(w) + view.segment_dof[k], view.segment_len[k]);
  }
  return sum;
}

void WhitenedRows::apply_row(int row, double change) {
  const double* Y = view.J + view.Jadr[row];
  for (int k = view.segadr[row], end = k + view.segnum[row]; k < end; Y += view.segment_len[k++]) {
    subtract_scaled(w + view.segment_dof[k], Y, -change, view.segment_len[k]);
  }
}

void WhitenedRows::rows_matrix(int first, int dim, double* work, double* A) const {
  for (int i = 0; i < dim; ++i) {
    std::fill(work, work + groups.dofs, 0.0);
    groups.scatter_add(single_row(view, first + i), view.J + view.Jadr[first + i], work);
    for (int j = 0; j <= i; ++j) {
      const RowGroup other = single_row(view, first + j);
      A[i * dim + j] = A[j * dim + i] = other.width ? dot(other.J, groups.gather(other, work), other.width) : 0;
    }
  }
}

void accelerations_of_forces(const SolverProblem& p, const RowGroups& rows, const double* force, double* qacc,
                             int* state) {
  const int n = p.pattern.n;
  std::fill(qacc, qacc + n, 0.0);
  rows.add_transposed_times(force, qacc);
  solve_tree(p.pattern, p.LD, p.inverse_D, qacc);
  for (int i = 0; i < n; ++i) qacc[i] += p.qacc_smooth[i];
  for (const RowBlock& block : p.blocks) {
    const int now = state_of_forces(block, force + block.first);
    for (int i = 0; i < block.dim; ++i) state[block.first + i] = now;
  }
}

}  // namespace pliant
