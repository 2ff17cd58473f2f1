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
#pragma GCC unroll 4
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
  contact_ = p_->blocks.data();
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

namespace {

/// Four columns of the rows of a contact that slides, or fewer: its second derivative times J. Writes four in any case.
template <int dim>
[[gnu::always_inline]] inline void weigh_columns(const double* H, const double* J, int width, int columns, double* to) {
  Four row[dim];
  for (int k = 0; k < dim; ++k)
    row[k] = columns == 4 ? Four::load(J + k * width) : Four::load_part(J + k * width, columns);
  for (int r = 0; r < dim; ++r) {
    Four total(0.0);
    for (int k = 0; k < dim; ++k) total = mul_add(Four(H[r * dim + k]), row[k], total);
    total.store(to + r * width);
  }
}

template <int dim>
void weigh_contact_rows(const double* H, const double* J, int width, double* to) {
  // the last columns first: what they write beyond the end of a row is written over
  const int whole = width & ~3;
  if (whole < width) weigh_columns<dim>(H, J + whole, width, width - whole, to + whole);
  for (int c = 0; c < whole; c += 4) weigh_columns<dim>(H, J + c, width, 4, to + c);
}

}  // namespace

void Hessian::weigh_contact(const RowBlock& block, const double* x, const double* J, int width, double* to) const {
  double H[kMaxConeDim * kMaxConeDim];
  cone_hessian(block.dim, x + block.first, rows_->view->D + block.first, block.mu, block.friction, H);
  if (block.dim == 3) {
    weigh_contact_rows<3>(H, J, width, to);
  } else if (block.dim == 4) {
    weigh_contact_rows<4>(H, J, width, to);
  } else if (block.dim == 6) {
    weigh_contact_rows<6>(H, J, width, to);
  } else {
    for (int r = 0; r < block.dim; ++r) {
      for (int c = 0; c < width; ++c) {
        double total = 0;
        for (int k = 0; k < block.dim; ++k) total = mul_add(H[r * block.dim + k], J[k * width + c], total);
        to[r * width + c] = total;
      }
    }
  }
}

/// Rows of a group that have curvature: J points to them, weighted_ holds W J. Returns their
/// number. Groups must come in order.
int Hessian::weigh_rows(const RowGroup& group, const double* x, const int* state, const double** J) {
  const double* D = rows_->view->D;
  const int width = group.width, end = group.first + group.rows;
  int count = 0, packed = 0;  // rows, and those of them that are copied
  for (int row = group.first; row < end;) {
    const double* from = group.J + (row - group.first) * width;
    double* to = weighted_ + count * width;
    int n = 0;  // rows from this one on
    if (state[row] == 1) {
      do {
        const Four weight(D[row + n]);
        const double* numbers = from + n * width;
        double* out = to + n * width;
        int c = 0;
        // (what goes beyond the end of a row is written over by the next one)
        for (; c + 4 <= width; c += 4) (weight * Four::load(numbers + c)).store(out + c);
        if (c < width) (weight * Four::load_part(numbers + c, width - c)).store(out + c);
        ++n;
      } while (row + n < end && state[row + n] == 1);
    } else if (state[row] == 4) {
      while (contact_->first + contact_->dim <= row) ++contact_;
      weigh_contact(*contact_, x, from, width, to);
      n = contact_->dim;
    } else {
      ++row;
      continue;
    }
    // behind a gap they are packed, and with them those before the gap
    if (count < row - group.first) {
      if (packed < count) copy_short(packed_, group.J, count * width);
      copy_short(packed_ + count * width, from, n * width);
      packed = count + n;
    }
    count += n;
    row += n;
  }
  *J = packed == 0 ? group.J : packed_;
  return count;
}

void Hessian::add_group(const RowGroup& group, int index, const double* x, const int* state) {
  if (group.width == 0) return;
  if (group.rows == 1) {
    if (state[group.first] != 1) return;
    if (is_one_panel()) return add_single_row_to_panel(group);
    if (group.width > 1) return add_single_row(group, index);
    double* to = reinterpret_cast<double*>(pair_[pair_begin_[index]]);
    *to += rows_->view->D[group.first] * group.J[0] * group.J[0];
    return;
  }
  const double* J;
  const int count = weigh_rows(group, x, state, &J);
  if (count == 0) return;
  if (is_one_panel()) {
    add_rows_to_panel(group, J, count);
  } else {
    add_rows_to_nodes(group, index, J, count);
  }
}

/// One panel, in which places are dofs and pieces are segments.
void Hessian::add_rows_to_panel(const RowGroup& group, const double* J, int count) {
  const int *dof = rows_->view->segment_dof + group.segment, *length = rows_->view->segment_len + group.segment;
  const int stride = nodes_[0].stride;
  for (int b = 0, across = 0; b < group.segments; across += length[b++]) {
    double* column = memory_ + static_cast<size_t>(dof[b]) * stride;
    for (int a = b, along = across; a < group.segments; along += length[a++]) {
      add_products(J + along, weighted_ + across, count, group.width, length[a], length[b], a == b, column + dof[a],
                   stride);
    }
  }
}

void Hessian::add_rows_to_nodes(const RowGroup& group, int index, const double* J, int count) {
  const uintptr_t* pair = pair_ + pair_begin_[index];
  const Piece* piece = pieces_ + piece_begin_[index];
  const int pieces = piece_begin_[index + 1] - piece_begin_[index];
  for (int a = 0; a < pieces; ++a) {
    for (int b = 0; b <= a; ++b, ++pair) {
      const bool transposed = *pair & 1;
      double* to = reinterpret_cast<double*>(*pair & ~uintptr_t{1});
      const Piece &along = transposed ? piece[b] : piece[a], &across = transposed ? piece[a] : piece[b];
      const int stride = nodes_[node_of_place_[across.place >> 2]].stride;
      // (the weights are symmetric: it does not matter whose columns have them, but for the last bit)
      const double *left = transposed ? weighted_ : J, *right = transposed ? J : weighted_;
      add_products(left + along.column, right + across.column, count, group.width, along.length, across.length, a == b,
                   to, stride);
    }
  }
}

/// Likewise of a row that stands alone, in one panel.
void Hessian::add_single_row_to_panel(const RowGroup& group) {
  const int *dof = rows_->view->segment_dof + group.segment, *length = rows_->view->segment_len + group.segment;
  const size_t stride = static_cast<size_t>(nodes_[0].stride);
  const double D = rows_->view->D[group.first];
  if (group.width == 1) {
    memory_[static_cast<size_t>(dof[0]) * (stride + 1)] += D * group.J[0] * group.J[0];
    return;
  }
  for (int b = 0, across = 0; b < group.segments; across += length[b++]) {
    for (int a = b, along = across; a < group.segments; along += length[a++]) {
      for (int j = 0; j < length[b]; ++j) {
        const int i = a == b ? j : 0;
        subtract_scaled(memory_ + static_cast<size_t>(dof[b] + j) * stride + dof[a] + i, group.J + along + i,
                        -D * group.J[across + j], length[a] - i);
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

int Hessian::group_of(int row) const {
  const RowGroup* begin = rows_->groups.data();
  const RowGroup* after = std::upper_bound(begin, begin + rows_->groups.size(), row,
                                           [](int r, const RowGroup& group) { return r < group.first; });
  return static_cast<int>(after - begin) - 1;
}

/// The first node that rows of a group touch; node_count_ if there is none.
int Hessian::first_node(int group) const {
  if (is_one_panel()) return rows_->groups[static_cast<size_t>(group)].segments > 0 ? 0 : node_count_;
  int first = node_count_;
  for (int i = piece_begin_[group]; i < piece_begin_[group + 1]; ++i) {
    first = std::min(first, node_of_place_[pieces_[i].place >> 2]);
  }
  return first;
}

int Hessian::update(std::span<const int> changed, const int* state) {
  double cost = 0;
  for (const int row : changed) {
    // nodes on the way from the first that the row touches to the root
    for (int k = first_node(group_of(row)); k >= 0 && k < node_count_; k = nodes_[k].parent) {
      cost += nodes_[k].columns * (50 + 0.8 * nodes_[k].rows);
    }
    if (cost > factor_cost_) return -1;
  }
  for (const int row : changed) {
    if (!update_row(row, state[row] == 1 ? 1 : -1)) return -1;
  }
  return static_cast<int>(changed.size());
}

/// Numbers of a row times a factor, into vector_ by places.
void Hessian::spread_row(int row, int group, double factor) {
  const RowGroup& g = rows_->groups[static_cast<size_t>(group)];
  const double* J = g.J + (row - g.first) * g.width;
  if (is_one_panel()) {
    const int *dof = rows_->view->segment_dof + g.segment, *length = rows_->view->segment_len + g.segment;
    for (int s = 0; s < g.segments; J += length[s++]) {
      for (int c = 0; c < length[s]; ++c) vector_[dof[s] + c] = factor * J[c];
    }
    return;
  }
  for (int i = piece_begin_[group]; i < piece_begin_[group + 1]; ++i) {
    const Piece& piece = pieces_[i];
    for (int c = 0; c < piece.length; ++c) vector_[piece.place + c] = factor * J[piece.column + c];
  }
}

bool Hessian::update_row(int row, double weight) {
  const int g = group_of(row);
  int k = first_node(g);
  spread_row(row, g, std::sqrt(rows_->view->D[row]));
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
    good = good && update_panel(node.panel, node.stride, node.columns, node.rows, weight, kSmallestRatio,
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
