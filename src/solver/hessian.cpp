// Numeric part of the Hessian: assembly, factor, rank-1 updates, solve.

#include "solver/hessian.h"

#include <algorithm>
#include <cmath>

#include "math/constants.h"
#include "math/dense.h"
#include "math/four.h"
#include "math/short_rows.h"
#include "math/tree_matrix.h"

namespace pliant {
namespace {

/// A downdate may shrink a squared pivot to this share of itself; below, too many digits are gone.
constexpr double kSmallestRatio = 1e-4;

}  // namespace

// ---- assembly ----------------------------------------------------------------------------------

void Hessian::assemble(const double* x, const int* state) {
  if (dense_mass_) {
    for (size_t i = 0; i < entries_; i += 4) Four::load(dense_mass_ + i).store(memory_ + i);
  } else {
    std::fill(memory_, memory_ + entries_, 0.0);
    for (int k = 0; k < node_count_; ++k) {
      const Node& node = nodes_[k];
      for (int c = node.columns; c < padded(node.columns); ++c) {
        node.panel[c * static_cast<size_t>(node.stride) + c] = 1;
      }
    }
    add_mass();
  }
  for (size_t g = 0; g < rows_->groups.size(); ++g) add_group(rows_->groups[g], static_cast<int>(g), x, state);
}

void Hessian::add_mass() {
  const auto& tree = p_->pattern;
  if (atom_count_ > 1) {
    const int numbers = tree.rowadr[n_ - 1] + tree.rownnz[n_ - 1];
    for (int i = 0; i < numbers; ++i) *mass_entry_[i] += p_->M[i];
    return;
  }
  // one panel, in which places are dofs
  for (int i = 0; i < n_; ++i) {
    const double* row = p_->M + tree.rowadr[i];
    double* to = nodes_[0].panel + i;
    const size_t stride = static_cast<size_t>(nodes_[0].stride);
    to[static_cast<size_t>(i) * stride] += row[tree.rownnz[i] - 1];
    for_each_run(tree, i, [&](int first, int length, int offset) {
      for (int k = 0; k < length; ++k) to[static_cast<size_t>(first + k) * stride] += row[offset + k];
    });
  }
}

/// Rows of a group that have curvature: J points to them, weighted_ holds W J. Returns their
/// number.
int Hessian::weigh_rows(const RowGroup& group, const double* x, const int* state, const double** J) {
  const double* D = rows_->view->D;
  const int width = group.width;
  int count = 0;
  bool all = true;
  double H[kMaxConeDim * kMaxConeDim];  // of the contact at hand
  for (int r = 0; r < group.rows; ++r) {
    const int row = group.first + r;
    if (state[row] != 1 && state[row] != 4) {
      all = false;
      continue;
    }
    const double* from = group.J + r * width;
    double* to = weighted_ + count * width;
    if (state[row] == 1) {
      for (int c = 0; c < width; ++c) to[c] = D[row] * from[c];
    } else {
      // a row of the cone's second derivative times the rows of the contact
      const RowBlock& block = *rows_->runs[run_of_row_[row]].block;
      if (row == block.first) {
        cone_hessian(block.dim, x + block.first, D + block.first, block.mu, block.friction, H);
      }
      const double *weight = H + (row - block.first) * block.dim, *first = from - (row - block.first) * width;
      for (int c = 0; c < width; ++c) {
        double total = 0;
        for (int k = 0; k < block.dim; ++k) total = mul_add(weight[k], first[k * width + c], total);
        to[c] = total;
      }
    }
    if (!all) copy_short(packed_ + count * width, from, width);
    ++count;
    // the first gap: those before it must be packed, too
    if (all && r + 1 < group.rows && state[row + 1] != 1 && state[row + 1] != 4) {
      copy_short(packed_, group.J, count * width);
    }
  }
  *J = all ? group.J : packed_;
  return count;
}

void Hessian::add_group(const RowGroup& group, int index, const double* x, const int* state) {
  if (group.width == 0) return;
  const uintptr_t* pair = pair_ + pair_begin_[index];
  if (group.width == 1 && group.rows == 1) {
    double* to = reinterpret_cast<double*>(*pair);
    if (state[group.first] == 1) *to += rows_->view->D[group.first] * group.J[0] * group.J[0];
    return;
  }
  if (group.rows == 1) {
    if (state[group.first] == 1) add_single_row(group, index);
    return;
  }
  const double* J;
  const int count = weigh_rows(group, x, state, &J);
  if (count == 0) return;
  const int stride = padded(group.width);
  weighted_square(J, weighted_, count, group.width, product_, stride);
  const Piece* piece = pieces_ + piece_begin_[index];
  const int pieces = piece_begin_[index + 1] - piece_begin_[index];
  for (int a = 0; a < pieces; ++a) {
    for (int b = 0; b <= a; ++b, ++pair) {
      const bool transposed = *pair & 1;
      double* to = reinterpret_cast<double*>(*pair & ~uintptr_t{1});
      const int place = transposed ? piece[a].place : piece[b].place;
      const int to_stride = nodes_[node_of_place_[place >> 2]].stride;
      for (int j = 0; j < piece[b].length; ++j) {
        const double* from = product_ + (piece[b].column + j) * stride + piece[a].column;
        if (transposed) {
          for (int i = 0; i < piece[a].length; ++i) to[i * static_cast<size_t>(to_stride) + j] += from[i];
        } else {
          double* column = to + j * static_cast<size_t>(to_stride);
          const int i = a == b ? j : 0;
          add_short(column + i, from + i, piece[a].length - i);
        }
      }
    }
  }
}

/// D J' J of a row that stands alone (limits of tendons, contacts without friction): no product is formed first.
void Hessian::add_single_row(const RowGroup& group, int index) {
  const uintptr_t* pair = pair_ + pair_begin_[index];
  const Piece* piece = pieces_ + piece_begin_[index];
  const int pieces = piece_begin_[index + 1] - piece_begin_[index];
  const double D = rows_->view->D[group.first];
  for (int a = 0; a < pieces; ++a) {
    for (int b = 0; b <= a; ++b, ++pair) {
      const bool transposed = *pair & 1;
      double* to = reinterpret_cast<double*>(*pair & ~uintptr_t{1});
      const Piece &along = transposed ? piece[b] : piece[a], &across = transposed ? piece[a] : piece[b];
      const size_t stride = nodes_[node_of_place_[across.place >> 2]].stride;
      for (int j = 0; j < across.length; ++j) {
        const int i = a == b ? j : 0;
        subtract_scaled(to + j * stride + i, group.J + along.column + i, -D * group.J[across.column + j],
                        along.length - i);
      }
    }
  }
}

// ---- factor ------------------------------------------------------------------------------------

bool Hessian::factor(const double* x, const int* state) {
  assemble(x, state);
  for (int k = 0; k < node_count_; ++k) {
    const Node& node = nodes_[k];
    if (factor_panel(node.panel, node.stride, node.columns, node.rows, kTiny, inverse_ + node.place) >= 0) return false;
    if (node.below > 0) eliminate(node);
  }
  return true;
}

/// Subtracts the products of the rows below a node from the panels above it.
void Hessian::eliminate(const Node& node) {
  const int columns = padded(node.columns), rows = node.rows - columns;
  square_of_rows(node.panel + columns, node.stride, node.columns, rows, square_, rows);
  const RowAtom* below = below_ + node.first_below;
  for (int b = 0; b < node.below; ++b) {
    const Atom& column_atom = atoms_[below[b].atom];
    const Node& target = nodes_[column_atom.node];
    double* to = target.panel + static_cast<size_t>(column_atom.place - target.place) * target.stride;
    const RowAtom* found = below_ + target.first_below;
    for (int a = b; a < node.below; ++a) {
      const Atom& row_atom = atoms_[below[a].atom];
      int row = row_atom.place - target.place;
      if (row_atom.node != column_atom.node) {
        while (found->atom != below[a].atom) ++found;
        row = found->offset;
      }
      for (int j = 0; j < column_atom.size; ++j) {
        const double* from =
            square_ + static_cast<size_t>(below[b].offset - columns + j) * rows + below[a].offset - columns;
        double* column = to + static_cast<size_t>(j) * target.stride + row;
        const int i = a == b ? j : 0;
        subtract_scaled(column + i, from + i, 1.0, row_atom.size - i);
      }
    }
  }
}

// ---- rank-1 updates ----------------------------------------------------------------------------

int Hessian::update(std::span<const int> changed, const int* state) {
  double cost = 0;
  for (const int row : changed) {
    // nodes on the way from the first that the row touches to the root
    const int g = group_of_row_[row];
    int k = node_count_;
    for (int i = piece_begin_[g]; i < piece_begin_[g + 1]; ++i) {
      k = std::min(k, node_of_place_[pieces_[i].place >> 2]);
    }
    for (; k >= 0 && k < node_count_; k = nodes_[k].parent) cost += nodes_[k].columns * (50 + 0.8 * nodes_[k].rows);
    if (cost > factor_cost_) return -1;
  }
  for (const int row : changed) {
    if (!update_row(row, state[row] == 1 ? 1 : -1)) return -1;
  }
  return static_cast<int>(changed.size());
}

bool Hessian::update_row(int row, double sign) {
  const int g = group_of_row_[row];
  const RowGroup& group = rows_->groups[g];
  const double* J = group.J + (row - group.first) * group.width;
  const double root = std::sqrt(rows_->view->D[row]);
  int k = node_count_;
  for (int i = piece_begin_[g]; i < piece_begin_[g + 1]; ++i) {
    const Piece& piece = pieces_[i];
    for (int c = 0; c < piece.length; ++c) vector_[piece.place + c] = root * J[piece.column + c];
    k = std::min(k, node_of_place_[piece.place >> 2]);
  }
  bool good = true;
  for (; k >= 0 && k < node_count_; k = nodes_[k].parent) {
    const Node& node = nodes_[k];
    const int columns = padded(node.columns);
    double* x = panel_vector_;
    copy_short(x, vector_ + node.place, columns);
    std::fill(vector_ + node.place, vector_ + node.place + columns, 0.0);
    std::fill(x + columns, x + node.rows, 0.0);
    for (int b = node.first_below; b < node.first_below + node.below; ++b) {
      const Atom& atom = atoms_[below_[b].atom];
      copy_short(x + below_[b].offset, vector_ + atom.place, atom.size);
    }
    good = good && update_panel(node.panel, node.stride, node.columns, node.rows, sign, kSmallestRatio,
                                inverse_ + node.place, x);
    for (int b = node.first_below; b < node.first_below + node.below; ++b) {
      const Atom& atom = atoms_[below_[b].atom];
      copy_short(vector_ + atom.place, x + below_[b].offset, atom.size);
    }
  }
  return good;
}

// ---- solve -------------------------------------------------------------------------------------

void Hessian::solve(double* x) {
  for (int a = 0; a < atom_count_; ++a) {
    copy_short(vector_ + atoms_[a].place, x + atoms_[a].dof, atoms_[a].size);
  }
  double* tail = panel_vector_;
  const auto gather = [&](const Node& node) {
    const int columns = padded(node.columns);
    std::fill(tail, tail + node.rows - columns, 0.0);
    for (int b = node.first_below; b < node.first_below + node.below; ++b) {
      const Atom& atom = atoms_[below_[b].atom];
      copy_short(tail + below_[b].offset - columns, vector_ + atom.place, atom.size);
    }
  };
  for (int k = 0; k < node_count_; ++k) {
    const Node& node = nodes_[k];
    if (node.below > 0) gather(node);
    solve_panel_forward(node.panel, node.stride, node.columns, node.rows, inverse_ + node.place, vector_ + node.place,
                        tail);
    for (int b = node.first_below; b < node.first_below + node.below; ++b) {
      const Atom& atom = atoms_[below_[b].atom];
      const double* from = tail + below_[b].offset - padded(node.columns);
      copy_short(vector_ + atom.place, from, atom.size);
    }
  }
  for (int k = node_count_ - 1; k >= 0; --k) {
    const Node& node = nodes_[k];
    if (node.below > 0) gather(node);
    solve_panel_backward(node.panel, node.stride, node.columns, node.rows, inverse_ + node.place, vector_ + node.place,
                         tail);
  }
  for (int a = 0; a < atom_count_; ++a) {
    copy_short(x + atoms_[a].dof, vector_ + atoms_[a].place, atoms_[a].size);
  }
  std::fill(vector_, vector_ + places_, 0.0);
}

}  // namespace pliant
